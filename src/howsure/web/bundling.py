"""The scripts of the page in two files, made when the server starts: far from a server each round of imports is a wait.

``page.js`` has the first tab and all that it imports, ``rest.js`` what is imported later. A module becomes a function
that runs where its importers find its exports; modules that import each other in a circle, bindings that change and
forms of import that the page does not use are refused, and a test bundles the page.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from posixpath import dirname, normpath

__all__ = ["FIRST", "LATER", "bundled"]

FIRST, LATER = "page.js", "rest.js"

_IMPORT = re.compile(r'^import\s*(?:(\w+)|\*\s*as\s+(\w+)|\{([^}]*)\})\s*from\s*"([^"]+)";?', re.MULTILINE)
_PASSED_ON = re.compile(r'^export\s*\{([^}]*)\}\s*from\s*"([^"]+)";?', re.MULTILINE)
_DECLARED = re.compile(r"^export (?=(?:const|class|(?:async )?function\b\*?) ?(\w+))", re.MULTILINE)
_LISTED = re.compile(r"\bexport\s*\{([^}]*)\};?\s*\Z")
_DEFAULT = re.compile(r"\bexport default (?=function\b)")
_LATER = re.compile(r'\bimport\("([^"]+\.js)"\)')
_LEFT = re.compile(r"^(?:import(?!\()|export)\b.*", re.MULTILINE)


@dataclass(frozen=True)
class _Module:
    """A script: its text without imports and exports, what it exports, and of which files it needs which."""

    text: str
    exports: dict[str, str]
    needs: tuple[str, ...]
    later: tuple[str, ...]


def bundled(scripts: Mapping[str, str], entry: str) -> dict[str, str]:
    r"""Two scripts, by name, that do what the entry does with all it imports.

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
    >>> two = bundled({"a.js": 'import { b } from "./b.js";\nb();\n', "b.js": "export const b = () => 1;\n"}, "a.js")
    >>> print(two["page.js"], end="")
    const b$js = (() => {
    const b = () => 1;
    return { b };
    })();
    (async () => {
    const { b } = b$js;
    b();
    })();
    export { b$js };
    """
    modules: dict[str, _Module] = {}
    first = _ordered(scripts, modules, [entry])
    # in the order in which they are met; what they name in turn follows
    wanted = [path for place in first for path in modules[place].later]
    everything = _ordered(scripts, modules, [entry, *wanted])
    while more := [path for place in everything for path in modules[place].later if path not in wanted]:
        wanted += more
        everything = _ordered(scripts, modules, [entry, *wanted])
    rest = [place for place in everything if place not in first]
    named = _listed(_name(place) for place in first if place != entry)
    shared = _listed(dict.fromkeys(_name(need) for place in rest for need in modules[place].needs if need in first))
    return {
        FIRST: "".join(_function(place, modules[place], place == entry) for place in first) + f"export {named};\n",
        LATER: (
            f'import {shared} from "./{FIRST}";\n'
            + "".join(_function(place, modules[place], False) for place in rest)
            + f"export {_listed(_name(place) for place in rest)};\n"
        ),
    }


def _ordered(scripts: Mapping[str, str], modules: dict[str, _Module], roots: Iterable[str]) -> list[str]:
    """The roots and what they import, each after all that it imports."""
    done: list[str] = []
    under_way: list[str] = []

    def visit(path: str) -> None:
        if path in done:
            return
        if path in under_way:
            raise ValueError(f"{' -> '.join([*under_way, path])}: these scripts import each other in a circle")
        if path not in scripts:
            raise ValueError(f"{under_way[-1] if under_way else 'the page'}: there is no script {path} to import")
        under_way.append(path)
        if path not in modules:
            modules[path] = _module(path, scripts[path])
        for need in modules[path].needs:
            visit(need)
        done.append(under_way.pop())

    for root in roots:
        visit(root)
    return done


def _module(path: str, text: str) -> _Module:
    needs: list[str] = []
    later: list[str] = []
    exports: dict[str, str] = {}

    def place(given: str, among: list[str]) -> str:
        found = normpath(f"{dirname(path)}/{given}" if dirname(path) else given)
        if found not in among:
            among.append(found)
        return _name(found)

    def imported(match: re.Match[str]) -> str:
        default, whole, names, source = match.groups()
        there = place(source, needs)
        if whole:
            return f"const {whole} = {there};"
        taken = f"default: {default}" if default else ", ".join(_pairs(names, "{}: {}"))
        return f"const {{ {taken} }} = {there};"

    def passed_on(match: re.Match[str]) -> str:
        there = place(match[2], needs)
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

    def lazily(match: re.Match[str]) -> str:
        return f'import("./{LATER}").then((all) => all.{place(match[1], later)})'

    text = _IMPORT.sub(imported, text)
    text = _PASSED_ON.sub(passed_on, text)
    text = _DECLARED.sub(declared, text)
    text = _LISTED.sub(listed, text)
    text = _DEFAULT.sub(default, text)
    text = _LATER.sub(lazily, text)
    strange = _LEFT.search(text)
    if strange:
        raise ValueError(f"{path}: {strange[0][:80]!r} is no form of import or export that can be bundled")
    return _Module(text, exports, tuple(needs), tuple(later))


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
        # not a module that waits: what is imported later imports this file, and each would wait for the other
        return f"(async () => {{\n{text}}})();\n"
    given = _listed(name if name == local else f"{name}: {local}" for name, local in module.exports.items())
    return f"const {_name(path)} = (() => {{\n{text}return {given};\n}})();\n"
