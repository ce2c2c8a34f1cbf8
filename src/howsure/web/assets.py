"""The files of the page: a fixed table, read from the package when the server starts; no path comes from a client.

Scripts are served without their comments, which are for readers and a fifth of the way they go, and in one file, as
styles are: far from a server each round of imports is a wait. `table` has what is written, file by file, and `served`
these as well. In the one script a module becomes a function that runs where its importers find its exports; modules
that import each other in a circle, bindings that change and forms of import that the page does not use are refused, and
a test bundles the page.
"""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from importlib.resources import files
from importlib.resources.abc import Traversable
from posixpath import dirname, join, normpath
from types import MappingProxyType
from typing import Any, get_args

from howsure.errors import InvalidArgument
from howsure.laws import Kind
from howsure.laws.law import DRAWS, KIND, LEVEL
from howsure.metrics import REGISTRY, names
from howsure.posterior.priors import PRIORS, NamedPrior
from howsure.publish.pages import short_citation
from howsure.text import formats
from howsure.web.limits import COUNTED, PRIVATE
from howsure.web.schema import ENDINGS

# -- What the page offers to choose from, read from where each thing is declared --------------------------------------

LEVELS = (0.8, 0.9, 0.95, 0.99)
KINDS = {
    "hdi": "Highest-density interval: the shortest that holds the probability",
    "central": "As much probability below it as above it",
}
#: What the page saves; `ENDINGS` has what can be asked for.
FILES = {".html": "Report (HTML)", ".csv": "CSV", ".json": "JSON", ".md": "Markdown", ".tex": "LaTeX"}

#: Further metrics that a plan is often asked for.
PLANNED = ("balanced_accuracy", "precision", "negative_predictive_value", "f1", "mcc", "kappa")


def declared() -> dict[str, Any]:
    """The lists of the page and what is chosen unasked, ready for JSON.

    Examples
    --------
    >>> next(prior["classes"] for prior in declared()["priors"] if prior["value"] == "caelen")
    2
    """
    return {
        "priors": [_prior(prior) for prior in PRIORS.values()],
        "kinds": [{"value": kind, "label": _kind_name(kind), "title": KINDS[kind]} for kind in get_args(Kind)],
        "levels": [{"value": level, "label": f"{100 * level:g}%"} for level in LEVELS],
        "level": LEVEL,
        "kind": str(KIND),
        "draws": DRAWS,
        "endings": [{"value": ending, "label": FILES[ending]} for ending in FILES if ending in ENDINGS],
        "rates": list(COUNTED),
        "planned": [*COUNTED, *PLANNED],
        "with_chance": [name for name in (*COUNTED, *PLANNED) if REGISTRY[name].chance is not None],
        "plain": {name: REGISTRY[name].plain[0] for name in names() if REGISTRY[name].plain[0]},
        "citation": short_citation(),
        "most_classes": PRIVATE.classes,
        "most_bytes": PRIVATE.upload,
    }


def _prior(prior: NamedPrior) -> dict[str, Any]:
    """Its name, what it says, and the one number of classes that it is for, if it is for one only."""
    meaning = prior.meaning[0].upper() + prior.meaning[1:]
    try:
        prior.at(3)
        classes = None
    except InvalidArgument:
        classes = 2
    return {"value": prior.name, "label": prior.name.capitalize(), "meaning": f"{meaning}.", "classes": classes}


def _kind_name(kind: str) -> str:
    name = formats.interval_name(kind, 0.95).split()[-1]
    return name[0].upper() + name[1:]


def script() -> str:
    """The same as a module for the scripts of the page, and its examples."""
    examples = json.loads(files("howsure.web").joinpath("examples.json").read_text(encoding="utf-8"))
    lists = {"declared": declared(), "examples": examples}
    return "".join(f"export const {name} = {json.dumps(each)};\n" for name, each in lists.items())


# -- Scripts in one file -----------------------------------------------------------------------------------------------

_IMPORT = re.compile(r'^import\s*(?:(\w+)|\*\s*as\s+(\w+)|\{([^}]*)\})\s*from\s*"([^"]+)";?', re.MULTILINE)
_PASSED_ON = re.compile(r'^export\s*\{([^}]*)\}\s*from\s*"([^"]+)";?', re.MULTILINE)
_DECLARED = re.compile(r"^export (?=(?:const|class|(?:async )?function\b\*?) ?(\w+))", re.MULTILINE)
_LISTED = re.compile(r"\bexport\s*\{([^}]*)\};?\s*\Z")
_DEFAULT = re.compile(r"\bexport default (?=function\b)")
_LEFT = re.compile(r"^(?:import|export)\b.*", re.MULTILINE)


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
        text, exports, needs = _module(path, scripts[path])
        for need in needs:
            visit(need)
        under_way.pop()
        text += "" if text.endswith("\n") else "\n"
        given = ", ".join(name if name == local else f"{name}: {local}" for name, local in exports.items())
        inside = f"const {_name(path)} = (() => {{\n{text}return {{ {given} }};\n}})();\n"
        made[path] = f"(async () => {{\n{text}}})();\n" if path == entry else inside

    visit(entry)
    return "".join(made.values())


def _module(path: str, text: str) -> tuple[str, dict[str, str], list[str]]:
    """A script without imports and exports, what it exports as what, and which files it needs."""
    needs: list[str] = []
    exports: dict[str, str] = {}

    def place(given: str) -> str:
        needs.append(normpath(join(dirname(path), given)))
        return _name(needs[-1])

    def imported(match: re.Match[str]) -> str:
        default, whole, listed, source = match.groups()
        if whole:
            return f"const {whole} = {place(source)};"
        taken = {default: "default"} if default else {after: before for before, after in _pairs(listed)}
        words = ", ".join(name if name == after else f"{name}: {after}" for after, name in taken.items())
        return f"const {{ {words} }} = {place(source)};"

    def exported(match: re.Match[str]) -> str:
        prefix = f"{place(match[2])}." if match.re is _PASSED_ON else ""
        exports.update({after: prefix + before for before, after in _pairs(match[1])})
        return ""

    def default(_: re.Match[str]) -> str:
        exports["default"] = "default$"
        return "const default$ = "

    text = _IMPORT.sub(imported, text)
    for pattern in (_PASSED_ON, _DECLARED, _LISTED):
        text = pattern.sub(exported, text)
    text = _DEFAULT.sub(default, text)
    if strange := _LEFT.search(text):
        raise ValueError(f"{path}: {strange[0][:80]!r} is no form of import or export that can be bundled")
    return text, exports, needs


def _name(path: str) -> str:
    """Of the exports of a file; no script of the page has a name with this sign in it."""
    return re.sub(r"\W", "$", path)


def _pairs(listed: str) -> list[tuple[str, str]]:
    """The two names of each ``a as b`` in a list; one name is both."""
    parts = (part.split(" as ") for part in listed.split(",") if part.strip())
    return [(part[0].strip(), part[-1].strip()) for part in parts]


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


# -- Files -------------------------------------------------------------------------------------------------------------

MEDIA = {
    ".html": "text/html; charset=utf-8",
    ".css": "text/css; charset=utf-8",
    ".js": "text/javascript; charset=utf-8",
    ".svg": "image/svg+xml",
}

#: The script that the page names, the only one that nothing imports, and the scripts and the styles in one file each.
ENTRY, SCRIPT, STYLES = "main.js", "page.js", "page.css"

#: Where the page names its styles, and its scripts; all before the last one are only fetched early.
_SHEET = re.compile(r'<link rel="stylesheet" href="assets/([^"]+)">\n')
_SCRIPTS = re.compile(rf'(?:<link rel="modulepreload"[^>]*>\n)*(<script type="module" src="assets/){re.escape(ENTRY)}"')


@dataclass(frozen=True)
class Asset:
    """A file with its media type and the tag that says whether a browser's copy is the same."""

    body: bytes
    media: str
    tag: str


def table(*, comments: bool = False) -> dict[str, Asset]:
    """All files by their path below ``/assets/``, with the comments of scripts or without; empty if there are none.

    One of them is made here: ``declared.js`` has what `declared` says, and the examples.
    """
    root = files("howsure.web").joinpath("assets")
    return (
        {**dict(_walked(root, "", comments)), "declared.js": _asset("declared.js", script())} if root.is_dir() else {}
    )


def _walked(folder: Traversable, prefix: str, comments: bool) -> Iterator[tuple[str, Asset]]:
    for entry in sorted(folder.iterdir(), key=lambda entry: entry.name):
        name = prefix + entry.name
        if entry.is_dir():
            yield from _walked(entry, f"{name}/", comments)
        elif _ending(name) in MEDIA:
            text = entry.read_text(encoding="utf-8")
            yield name, _asset(name, bare(text) if name.endswith(".js") and not comments else text)


def _asset(name: str, text: str) -> Asset:
    body = text.encode()
    return Asset(body, MEDIA[_ending(name)], f'"{hashlib.sha256(body).hexdigest()[:20]}"')


def _ending(name: str) -> str:
    return f".{name.rpartition('.')[2]}"


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
    texts = {name: file.body.decode() for name, file in files.items()}
    index = texts["index.html"]
    sheets = "".join(texts[name] for name in _SHEET.findall(index))
    scripts = {name: text for name, text in texts.items() if name.endswith(".js")} | dict(others)
    index = _SHEET.sub(f'<link rel="stylesheet" href="assets/{STYLES}">\n', index, count=1)
    index = _SHEET.sub(lambda link: link[0] if link[1] == STYLES else "", index)
    made = {
        # without what lines are indented by, also inside templates: in HTML the end of a line is a blank already
        SCRIPT: re.sub(r"\n[ \t]+", "\n", bundled(scripts, ENTRY)),
        STYLES: re.sub(r"\n\s*", "\n", bare(sheets)),
        "index.html": _SCRIPTS.sub(rf'\g<1>{SCRIPT}"', index),
    }
    return {**files, **{name: _asset(name, text) for name, text in made.items()}}
