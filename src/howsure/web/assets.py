"""The files of the page: a fixed table, read from the package when the server starts; no path comes from a client.

Scripts are served without their comments, which are for readers and a fifth of the way they go, and in one file,
as styles are. `table` has what is written, file by file, and `served` these as well.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from importlib.resources import files
from importlib.resources.abc import Traversable
from types import MappingProxyType

from howsure.web.bundling import bundled
from howsure.web.choices import script as declared_script
from howsure.web.negotiation import packed

__all__ = ["SCRIPT", "STYLES", "Asset", "bare", "served", "table"]

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
