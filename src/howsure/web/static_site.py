"""The page without a server: a folder for any static host, in which the library runs in the browser by Pyodide."""

from __future__ import annotations

import hashlib
import io
import json
import zipfile
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from importlib.resources import files
from importlib.resources.abc import Traversable
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit
from urllib.request import Request, urlopen

from howsure.errors import InvalidArgument, excerpt
from howsure.web.answering import WARM, handle
from howsure.web.assets import SCRIPT, STYLES, bare, served
from howsure.web.limits import as_json

#: What the library needs of a Pyodide, and what that needs itself.
PACKAGES = ("numpy", "scipy")
RUNTIME = ("pyodide.mjs", "pyodide.asm.wasm", "python_stdlib.zip")
#: Its engine: a module from release 314 on, a script before.
ENGINES = ("pyodide.asm.mjs", "pyodide.asm.js")
LOCK = "pyodide-lock.json"

#: Seconds that an address of Pyodide may take to answer.
PATIENCE = 10

#: Parts of the package that no question of the page asks for.
LEFT_OUT = ("cli", "integrations", "plots", "verify", "__pycache__", "web/assets", "web/static", "web/app.py",
            "web/server.py", "web/guard.py", "web/workers.py")  # fmt: skip

#: What the page is checked by beside what a server begins with.
FURTHER: tuple[dict[str, Any], ...] = (
    {"verb": "plan", "metric": "recall", "width": 0.1, "guess": 0.9},
    {"verb": "slices", "tables": [{"name": name, "tp": 9, "fn": 2, "fp": 3, "tn": 8} for name in "ab"]},
    {"verb": "ask", "of": "votes", "question": "rank", "text": "model_a,model_b,winner\nx,y,model_a\ny,x,model_b\n"},
    {"verb": "import", "text": "truth,prediction\nill,ill\nill,well\nwell,well\n"},
)

#: Of every file in the archive, so that the same library makes the same bytes.
LONG_AGO = (1980, 1, 1, 0, 0, 0)

#: In the page, after its own body.
ENGINE = (
    '<aside class="engine" aria-label="The library in this browser"><p id="engine-says" role="status">Loading the '
    'library …</p><button type="button" id="engine-check" hidden>Check it</button></aside>\n</body>'
)


@dataclass(frozen=True)
class Site:
    """What was built.

    Parameters
    ----------
    folder : Path
        Where it is.
    files, size : int
        How many, and their bytes.
    questions : int
        That the page can be checked by.
    elsewhere : str or None
        The address that Pyodide is loaded from; None where it is in the folder.
    """

    folder: Path
    files: int
    size: int
    questions: int
    elsewhere: str | None


def built(folder: Path, pyodide: str, *, said: Callable[[str], None] = lambda _: None) -> Site:
    """Write the page and all that it needs into a new folder.

    Parameters
    ----------
    folder : Path
        New, or empty.
    pyodide : str
        A folder with a release of Pyodide, of which what is needed is copied, or the https address of one.
    said : callable
        Is told what is being done.

    Raises
    ------
    InvalidArgument
        A folder that is not empty, or a place where no Pyodide is.
    """
    if folder.exists() and (not folder.is_dir() or any(folder.iterdir())):
        raise InvalidArgument(f"{excerpt(str(folder))} is there and not empty; name a new folder for the page")
    there = _address(pyodide) if "://" in pyodide else None
    if there and (why := _silence(f"{there}{RUNTIME[0]}")):
        said(f"{there} does not answer from here ({why}); without it a visitor sees no number")
    copied = {} if there else dict(_of_folder(Path(pyodide)))
    said("answering the questions that the page is checked by")
    questions = _golden()
    origin = "" if there is None else "{0.scheme}://{0.netloc}".format(urlsplit(there))
    content: dict[str, bytes] = {
        **_page(there or "pyodide/", origin),
        "howsure.zip": library_zip(),
        "golden.json": as_json({"questions": questions}),
        **{f"pyodide/{name}": body for name, body in copied.items()},
    }
    said("writing the files")
    try:
        for name, body in content.items():
            target = folder / name
            target.parent.mkdir(parents=True, exist_ok=True)
            target.write_bytes(body)
    except OSError as error:
        raise InvalidArgument(f"cannot write the page to {excerpt(str(folder))}: {error.strerror or error}") from None
    return Site(folder, len(content), sum(map(len, content.values())), len(questions), there)


def library_zip() -> bytes:
    """What of this package answers questions, as a zip; the same bytes for the same library."""
    made = io.BytesIO()
    with zipfile.ZipFile(made, "w", zipfile.ZIP_DEFLATED, compresslevel=9) as archive:
        for name, body in sorted(_modules(files("howsure"), "")):
            entry = zipfile.ZipInfo(f"howsure/{name}", LONG_AGO)
            entry.compress_type = zipfile.ZIP_DEFLATED
            entry.external_attr = 0o644 << 16
            archive.writestr(entry, body)
    return made.getvalue()


def _modules(folder: Traversable, prefix: str) -> Iterable[tuple[str, bytes]]:
    for entry in folder.iterdir():
        name = f"{prefix}{entry.name}"
        if name in LEFT_OUT or entry.name in LEFT_OUT:
            continue
        if entry.is_dir():
            yield from _modules(entry, f"{name}/")
        else:
            yield name, entry.read_bytes()


def _page(pyodide: str, origin: str) -> Mapping[str, bytes]:
    """Page, scripts and styles, with the way to the library that leads to a thread of the browser."""
    ours = files("howsure.web").joinpath("static")
    transport, worker, styles = (
        ours.joinpath(name).read_text(encoding="utf-8") for name in ("transport.js", "worker.js", "engine.css")
    )
    places = f"export const places = {json.dumps({'pyodide': pyodide, 'packages': PACKAGES})};\n"
    made = served({"transport.js": bare(transport), "places.js": places})
    index = made["index.html"].body.decode("utf-8")
    own_and = f"'self' {origin}".rstrip()
    policy = (
        f"default-src 'none'; script-src 'wasm-unsafe-eval' {own_and}; style-src 'self'; img-src 'self' data: blob:; "
        f"connect-src {own_and}; worker-src 'self'; base-uri 'none'; form-action 'none'"
    )
    head = '<meta charset="utf-8">\n'
    index = index.replace(head, f'{head}<meta http-equiv="Content-Security-Policy" content="{policy}">\n', 1)
    index = index.replace("</body>", ENGINE, 1)
    whole = (SCRIPT, STYLES, "theme.js")
    kept = [name for name in made if name in whole or not name.endswith((".js", ".css", ".html"))]
    content = {f"assets/{name}": made[name].body for name in kept}
    content[f"assets/{STYLES}"] += styles.encode()
    content["assets/worker.js"] = bare(worker).encode()
    return {"index.html": index.encode(), **content}


def _golden() -> list[dict[str, Any]]:
    """Questions of the tabs with the answers of the library here."""
    return [{"name": request["verb"], "request": request, "answer": handle(request)} for request in (*WARM, *FURTHER)]


def _address(given: str) -> str:
    parts = urlsplit(given)
    if parts.scheme != "https" or not parts.hostname or parts.query or parts.fragment or parts.username:
        raise InvalidArgument(f"a Pyodide is loaded from a folder or from an https address, not from {excerpt(given)}")
    if not set(given).isdisjoint("\"'<>; ,\\") or not given.isascii() or not given.isprintable():
        raise InvalidArgument(f"the address of a Pyodide has no blanks or quotes: {excerpt(given)}")
    return given if given.endswith("/") else f"{given}/"


def _silence(address: str) -> str:
    """Why an address does not answer; blank where it does."""
    try:
        with urlopen(Request(address, method="HEAD"), timeout=PATIENCE):
            return ""
    except (OSError, ValueError) as error:
        return str(getattr(error, "reason", error))


def _of_folder(folder: Path) -> Iterable[tuple[str, bytes]]:
    """What of a release of Pyodide the page needs; archives are compared with the digests of its list."""
    shown = excerpt(str(folder))
    try:
        packages = json.loads((folder / LOCK).read_text(encoding="utf-8"))["packages"]
        needed = _needed(packages, PACKAGES)
    except OSError:
        raise InvalidArgument(f"{shown} is no release of Pyodide: it has no {LOCK}; unpack one there") from None
    except (ValueError, KeyError, TypeError, AttributeError):
        raise InvalidArgument(f"{LOCK} in {shown} is no list of packages with {' and '.join(PACKAGES)}") from None
    engine = next((name for name in ENGINES if (folder / name).exists()), ENGINES[0])
    for name in (*RUNTIME, engine, LOCK):
        yield name, _read(folder, name)
    if absent := [name for name, _ in needed if not (folder / name).exists()]:
        raise InvalidArgument(
            f"{shown} has Pyodide without {excerpt(absent[0])}: what npm serves is its core alone; unpack the full "
            "distribution (pyodide-VERSION.tar.bz2), or put the wheels that it lists next to it"
        )
    for name, digest in needed:
        body = _read(folder, name)
        if hashlib.sha256(body).hexdigest() != digest:
            raise InvalidArgument(f"{name} in {shown} is not the file that {LOCK} lists: its sha256 is another")
        yield name, body


def _needed(packages: Mapping[str, Any], roots: Iterable[str]) -> list[tuple[str, str]]:
    """File and digest of the packages and of all that they depend on."""
    found: dict[str, tuple[str, str]] = {}
    waiting = list(roots)
    while waiting:
        name = waiting.pop()
        if name in found:
            continue
        package = packages[name]
        found[name] = str(package["file_name"]), str(package["sha256"])
        if Path(found[name][0]).name != found[name][0]:
            raise ValueError(name)
        waiting += package["depends"]
    return sorted(found.values())


def _read(folder: Path, name: str) -> bytes:
    try:
        return (folder / name).read_bytes()
    except OSError as error:
        raise InvalidArgument(f"{name} of Pyodide cannot be read in {excerpt(str(folder))}: {error.strerror}") from None
