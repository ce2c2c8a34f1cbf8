"""The scripts of the page in one file, made when the server starts: far from a server each round of imports is a wait.

A module becomes a function that runs where its importers find its exports; modules that import each other in a circle,
bindings that change and forms of import that the page does not use are refused, and a test bundles the page.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from posixpath import dirname, normpath

__all__ = ["bundled"]

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
