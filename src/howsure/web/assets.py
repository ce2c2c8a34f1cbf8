"""The files of the page: a fixed table, read from the package when the server starts; no path comes from a client.

Scripts are served without their comments, which are for readers and a fifth of the way they go, and in one file, as
styles are: far from a server each round of imports is a wait. `table` has what is written, file by file, and `served`
these as well. In the one script a module becomes a function that runs where its importers find its exports; modules
that import each other in a circle, bindings that change and forms of import that the page does not use are refused, and
a test bundles the page.
"""

from __future__ import annotations

import gzip
import hashlib
import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from importlib.resources import files
from importlib.resources.abc import Traversable
from posixpath import dirname, normpath
from types import MappingProxyType

from howsure.web.choices import script as declared_script

__all__ = ["SCRIPT", "STYLES", "Asset", "bare", "bundled", "packed", "served", "table"]

_IMPORT = re.compile(r'^import\s*(?:(\w+)|\*\s*as\s+(\w+)|\{([^}]*)\})\s*from\s*"([^"]+)";?', re.MULTILINE)
_PASSED_ON = re.compile(r'^export\s*\{([^}]*)\}\s*from\s*"([^"]+)";?', re.MULTILINE)
_DECLARED = re.compile(r"^export (?=(?:const|class|(?:async )?function\b\*?) ?(\w+))", re.MULTILINE)
_LISTED = re.compile(r"\bexport\s*\{([^}]*)\};?\s*\Z")
_DEFAULT = re.compile(r"\bexport default (?=function\b)")
_LEFT = re.compile(r"^(?:import|export)\b.*", re.MULTILINE)


@dataclass(frozen=True)
class _Module:
    """A script: its text without imports and exports, what it exports, and which files it needs."""

    text: str
    exports: dict[str, str]
    needs: tuple[str, ...]


def bundled(scripts: Mapping[str, str], entry: str) -> str:
    r"""A script that does what the entry does with all it imports.

    Parameters
    ----------
    scripts : mapping of str to str
        Texts of ES modules by their path.
    entry : str
        The path of the one that the page names.

    Raises
    ------
    ValueError
        A circle of imports, a file that is not there, or a form of import or export that is none of the page's.

    Examples
    --------
    >>> two = {"a.js": 'import { b } from "./b.js";\nb();\n', "b.js": "export const b = () => 1;\n"}
    >>> print(bundled(two, "a.js"), end="")
    const b$js = (() => {
    const b = () => 1;
    return { b };
    })();
    (async () => {
    const { b } = b$js;
    b();
    })();
    """
    made: dict[str, str] = {}
    under_way: list[str] = []

    def visit(path: str) -> None:
        if path in made:
            return
        if path in under_way:
            raise ValueError(f"{' -> '.join([*under_way, path])}: these scripts import each other in a circle")
        if path not in scripts:
            raise ValueError(f"{under_way[-1] if under_way else 'the page'}: there is no script {path} to import")
        under_way.append(path)
        module = _module(path, scripts[path])
        for need in module.needs:
            visit(need)
        made[under_way.pop()] = _function(path, module, path == entry)

    visit(entry)
    return "".join(made.values())


def _module(path: str, text: str) -> _Module:
    needs: list[str] = []
    exports: dict[str, str] = {}

    def place(given: str) -> str:
        found = normpath(f"{dirname(path)}/{given}" if dirname(path) else given)
        if found not in needs:
            needs.append(found)
        return _name(found)

    def imported(match: re.Match[str]) -> str:
        default, whole, names, source = match.groups()
        there = place(source)
        if whole:
            return f"const {whole} = {there};"
        taken = f"default: {default}" if default else ", ".join(_pairs(names, "{}: {}"))
        return f"const {{ {taken} }} = {there};"

    def passed_on(match: re.Match[str]) -> str:
        there = place(match[2])
        exports.update(_named(match[1], f"{there}."))
        return ""

    def declared(match: re.Match[str]) -> str:
        exports[match[1]] = match[1]
        return ""

    def listed(match: re.Match[str]) -> str:
        exports.update(_named(match[1], ""))
        return ""

    def default(match: re.Match[str]) -> str:
        exports["default"] = "default$"
        return "const default$ = "

    text = _IMPORT.sub(imported, text)
    text = _PASSED_ON.sub(passed_on, text)
    text = _DECLARED.sub(declared, text)
    text = _LISTED.sub(listed, text)
    text = _DEFAULT.sub(default, text)
    strange = _LEFT.search(text)
    if strange:
        raise ValueError(f"{path}: {strange[0][:80]!r} is no form of import or export that can be bundled")
    return _Module(text, exports, tuple(needs))


def _name(path: str) -> str:
    """Of the exports of a file; no script of the page has a name with this sign in it."""
    return re.sub(r"\W", "$", path)


def _parts(names: str) -> list[tuple[str, str]]:
    """The two names of each ``a as b`` in a list; one name is both."""
    found = []
    for part in filter(None, (name.strip() for name in names.split(","))):
        before, _, after = part.partition(" as ")
        found.append((before.strip(), (after or before).strip()))
    return found


def _pairs(names: str, form: str) -> list[str]:
    return [before if before == after else form.format(before, after) for before, after in _parts(names)]


def _named(names: str, prefix: str) -> dict[str, str]:
    return {after: prefix + before for before, after in _parts(names)}


def _listed(names: Iterable[str]) -> str:
    return f"{{ {', '.join(names)} }}"


def _function(path: str, module: _Module, is_entry: bool) -> str:
    text = module.text if module.text.endswith("\n") else module.text + "\n"
    if is_entry:
        return f"(async () => {{\n{text}}})();\n"
    given = _listed(name if name == local else f"{name}: {local}" for name, local in module.exports.items())
    return f"const {_name(path)} = (() => {{\n{text}return {given};\n}})();\n"


MEDIA = {
    ".html": "text/html; charset=utf-8",
    ".css": "text/css; charset=utf-8",
    ".js": "text/javascript; charset=utf-8",
    ".json": "application/json",
    ".svg": "image/svg+xml",
    ".png": "image/png",
    ".ico": "image/vnd.microsoft.icon",
    ".txt": "text/plain; charset=utf-8",
}


#: Below it a coding saves no packet.
WORTH_PACKING = 1000


def packed(body: bytes, *, effort: int = 9) -> bytes | None:
    """A body as gzip, the same bytes for the same body and effort (1 to 9); None where that would not be shorter.

    Examples
    --------
    >>> packed(b"howsure"), len(packed(b"howsure " * 1000)) < 100
    (None, True)
    """
    if len(body) < WORTH_PACKING:
        return None
    made = gzip.compress(body, effort, mtime=0)
    return made if len(made) < len(body) else None


@dataclass(frozen=True)
class Asset:
    """A file with its media type and the tag that says whether a browser's copy is the same."""

    body: bytes
    media: str
    tag: str

    @cached_property
    def packed(self) -> Asset | None:
        """The same as gzip, with a tag of its own, for it has other bytes; None where it would not be shorter."""
        made = packed(self.body)
        return None if made is None else Asset(made, self.media, f'{self.tag[:-1]}-gzip"')


#: A comment with nothing but blanks before and after it. What only might be one, in a string or a template, stays.
_COMMENT = re.compile(r"^[ \t]*(?://.*|/\*(?:(?!\*/)[\s\S])*\*/[ \t]*)$", re.MULTILINE)


def bare(script: str) -> str:
    r"""A script without the comments that have lines of their own; what is left keeps its line numbers.

    No line inside a template literal may begin like a comment; a test reads every script of the page for that.

    Examples
    --------
    >>> bare("/** Twice.\n * @param {number} x */\nexport const twice = (x) => 2 * x; // so\n")
    '\n\nexport const twice = (x) => 2 * x; // so\n'
    """
    return _COMMENT.sub(lambda comment: "\n" * comment[0].count("\n"), script)


def table(*, comments: bool = False) -> dict[str, Asset]:
    """All files by their path below ``/assets/``, with the comments of scripts or without; empty if there are none.

    One of them is made here: ``declared.js`` has the lists of `howsure.web.choices`.
    """
    root = files("howsure.web").joinpath("assets")
    if not root.is_dir():
        return {}
    return {**dict(_walked(root, "", comments)), "declared.js": _asset(declared_script(), MEDIA[".js"])}


#: The script that the page names, the only one that nothing imports, and the scripts and the styles in one file each.
ENTRY, SCRIPT, STYLES = "main.js", "page.js", "page.css"

_SHEET = re.compile(r'<link rel="stylesheet" href="assets/([^"]+)">\n')
_SCRIPT = re.compile(rf'(?:<link rel="modulepreload"[^>]*>\n)*(<script type="module" src="assets/){re.escape(ENTRY)}"')


def served(others: Mapping[str, str] = MappingProxyType({})) -> dict[str, Asset]:
    """`table`, the files that the page loads in place of single ones, and the page that names these.

    Parameters
    ----------
    others : mapping of str to str
        Scripts by their path that take the place of the page's, or come beside them.
    """
    files = table()
    if "index.html" not in files:
        return files
    index = files["index.html"].body.decode("utf-8")
    sheets = "".join(files[name].body.decode("utf-8") for name in _SHEET.findall(index))
    styles = re.sub(r"\n\s*", "\n", bare(sheets)).encode("utf-8")
    scripts = {path: file.body.decode("utf-8") for path, file in files.items() if path.endswith(".js")} | dict(others)
    # without what lines are indented by, also inside templates: in HTML the end of the line before is a blank already
    script = re.sub(r"\n[ \t]+", "\n", bundled(scripts, ENTRY)).encode("utf-8")
    made = {SCRIPT: script, STYLES: styles, "index.html": _in_one(index).encode("utf-8")}
    return {**files, **{name: _asset(body, MEDIA[f".{name.rpartition('.')[2]}"]) for name, body in made.items()}}


def _in_one(index: str) -> str:
    """The page with one file of styles, where the first of them stood, and one script."""
    index = _SHEET.sub(f'<link rel="stylesheet" href="assets/{STYLES}">\n', index, count=1)
    index = _SHEET.sub(lambda link: link[0] if link[1] == STYLES else "", index)
    return _SCRIPT.sub(rf'\g<1>{SCRIPT}"', index)


def _asset(body: bytes, media: str) -> Asset:
    return Asset(body, media, f'"{hashlib.sha256(body).hexdigest()[:20]}"')


def _walked(folder: Traversable, prefix: str, comments: bool) -> Iterator[tuple[str, Asset]]:
    for entry in sorted(folder.iterdir(), key=lambda entry: entry.name):
        if entry.is_dir():
            yield from _walked(entry, f"{prefix}{entry.name}/", comments)
            continue
        ending = f".{entry.name.rpartition('.')[2]}"
        media = MEDIA.get(ending)
        if media is not None:
            body = entry.read_bytes()
            if ending == ".js" and not comments:
                body = bare(body.decode("utf-8")).encode("utf-8")
            yield prefix + entry.name, _asset(body, media)
