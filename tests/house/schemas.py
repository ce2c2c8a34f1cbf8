"""Write the JSON Schemas of all answers that declare their fields, from these fields.

    python -m tests.house.schemas

A key has the type of what its path leads to and the sentence that stands beside it in the docstring of its class. What
no type says stays open. `test_schemas.py` compares the files with what this module says, and golden answers with them.
"""

from __future__ import annotations

import ast
import collections.abc
import inspect
import json
import pkgutil
import re
import types
import typing
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import fields, is_dataclass
from functools import cache, cached_property
from importlib import import_module
from pathlib import Path
from typing import Any, Literal, Union, get_args, get_origin

import numpy as np

import howsure
from howsure.answers.fields import Key, Keyed, layout
from howsure.laws import Kind, Law

FOLDER = Path(howsure.__file__).parent / "answers" / "schemas"

#: Rooms that have answers.
ROOMS = (
    "curves",
    "knowledge",
    "planning",
    "posterior",
    "questions",
    "reconstruction",
    "reporting",
    "units",
    "verify",
)

DIALECT = "https://json-schema.org/draft/2020-12/schema"
PROBABILITY = {"type": ["number", "null"], "minimum": 0, "maximum": 1}
NUMBER = {"type": ["number", "null"], "description": "null where it is infinite or undefined"}
LAW = {"$ref": "#/$defs/law"}
OF_LAW: dict[str, Any] = {
    "mean": NUMBER,
    "median": NUMBER,
    "sd": NUMBER,
    "low": NUMBER,
    "high": NUMBER,
    "interval": {"enum": ["hdi", "central"]},
    "method": {"enum": ["exact", "approximate", "simulated"]},
    "law": {"enum": ["exact", "approximate", "simulated"], "description": "old name of method"},
    "error": {**NUMBER, "minimum": 0},
}
Schema = dict[str, Any]

#: What the command line adds to every answer of a file.
COLUMNS = {"type": "array", "description": "of the command line: how each file was read", "items": {"type": "object"}}


def answers() -> dict[str, list[type[Keyed]]]:
    """All classes of answers that declare what they are called in JSON, by that name."""
    for room in ROOMS:
        package = import_module(f"howsure.{room}")
        for module in pkgutil.walk_packages(package.__path__, f"howsure.{room}."):
            import_module(module.name)
    made: dict[str, list[type[Keyed]]] = {}
    for cls in sorted(_below(Keyed), key=lambda cls: cls.__module__ + cls.__name__):
        if cls._json:
            made.setdefault(cls._json, []).append(cls)
    return made


def _below(cls: type[Keyed]) -> Iterator[type[Keyed]]:
    for each in cls.__subclasses__():
        yield each
        yield from _below(each)


def schema_of(name: str, classes: Sequence[type[Keyed]]) -> Schema:
    """The JSON Schema of the answers of a name."""
    kinds = [_of_answer(cls) for cls in classes]
    several = [kind for i, kind in enumerate(kinds) if kind["properties"] not in [it["properties"] for it in kinds[:i]]]
    made = {
        "$schema": DIALECT,
        "$id": f"{name.replace(' ', '_')}.schema.json",
        "title": f"howsure/1 {name}",
        **(several[0] if len(several) == 1 else {"anyOf": several}),
    }
    return {**made, "$defs": {"law": _object(OF_LAW)}} if LAW["$ref"] in json.dumps(made) else made


def _of_answer(cls: type[Keyed]) -> Schema:
    whole = _of_keys(cls, layout(cls._fields) if cls._fields else _public(cls))
    begins = {"format": {"const": "howsure/1"}, "kind": {"const": cls._json}, "version": {"type": "string"}}
    return {
        "description": (inspect.getdoc(cls) or "").partition("\n")[0],
        **whole,
        "properties": {**begins, **whole["properties"], "columns": COLUMNS},
        "required": [*begins, *whole["required"]],
    }


def _object(properties: Schema, optional: Sequence[str] = ()) -> Schema:
    required = [key for key in properties if key not in optional]
    return {"type": "object", "properties": properties, "required": required, "additionalProperties": False}


def _public(cls: Any) -> tuple[Key, ...]:
    return layout(" ".join(it.name for it in fields(cls) if not it.name.startswith("_")))


def _of_keys(cls: Any, keys: Sequence[Key]) -> Schema:
    """An object with these keys of a class, or of something whose type says nothing."""
    properties: Schema = {}
    optional: list[str] = []
    whole = True
    for key in keys:
        kind, words = _at(cls, key.path)
        if key.merged and not key.inner:
            bare = _bare(kind)
            part = _object(OF_LAW) if key.path[-1] == "law" or _is_law(bare) else _of_type(bare, "")
            properties |= part.get("properties", {})
            optional += part.get("properties", {}) if key.optional else []
            whole = whole and "properties" in part
            continue
        if key.inner:
            part = _of_keys(_each(kind) if key.each else _bare(kind), key.inner)
            if key.merged:
                properties |= part["properties"]
                continue
            made = {"type": "array", "items": part} if key.each else part
            if _may_be_none(kind) or kind is Any:
                made = {"anyOf": [made, {"type": "null"}]}
        else:
            made = _of_type(kind, key.key)
        properties[key.key] = {**made, "description": words} if words and "$ref" not in made else made
        optional += [key.key] if key.optional else []
    made = _object(properties, optional)
    return made if whole else {**made, "additionalProperties": True}


def _at(kind: Any, path: Sequence[str]) -> tuple[Any, str]:
    """Type of what a path leads to, and its sentence."""
    words, none = "", False
    for step in path:
        none = none or _may_be_none(kind)
        kind = _bare(kind)
        if step == "len":
            kind, words = int, "how many"
        elif step.isdigit():
            kind = _place(kind, int(step))
        elif get_origin(kind) in (dict, Mapping):
            kind, words = get_args(kind)[1], ""
        elif _is_law(kind) and step in OF_LAW:
            kind = Kind if step == "interval" else str if step in ("law", "method") else float
        else:
            kind, words = _member(kind, step)
    return (kind | None if none and kind is not Any else kind), words


def _member(cls: Any, name: str) -> tuple[Any, str]:
    """Type and sentence of a field or property."""
    if not isinstance(cls, type):
        return Any, ""
    for base in cls.__mro__:
        it = base.__dict__.get(name)
        made = it.fget if isinstance(it, property) else it.func if isinstance(it, cached_property) else None
        if made is not None:
            first = (inspect.getdoc(made) or "").partition("\n\n")[0].replace("\n", " ")
            return _hints(made).get("return", Any), first
        hints = _hints(base)
        if name in hints and name in inspect.get_annotations(base):
            kind = hints[name]
            return (get_args(kind)[0] if get_origin(kind) is typing.ClassVar else kind), _sentences(base).get(name, "")
    return Any, ""


@cache
def _hints(thing: Any) -> dict[str, Any]:
    """Types by name, of what is ours."""
    if not thing.__module__.startswith("howsure"):
        return {}
    names = _names(thing.__module__)
    return {name: _evaluated(text, names) for name, text in getattr(thing, "__annotations__", {}).items()}


def _evaluated(text: Any, names: dict[str, Any]) -> Any:
    try:
        return eval(text, names) if isinstance(text, str) else text  # our own annotations
    except (NameError, TypeError):
        return Any


@cache
def _names(module: str) -> dict[str, Any]:
    """Names of a module, also those that only a type checker imports."""
    here = import_module(module)
    names = dict(vars(here))
    for node in ast.walk(ast.parse(inspect.getsource(here))):
        if isinstance(node, ast.ImportFrom) and node.module and node.module != "__future__":
            there = import_module(node.module)
            names |= {it.asname or it.name: getattr(there, it.name) for it in node.names if hasattr(there, it.name)}
    return names


@cache
def _sentences(cls: type) -> dict[str, str]:
    """What the docstring of a class says of each of its fields."""
    lines = (inspect.getdoc(cls) or "").split("\n")
    made: dict[str, str] = {}
    for i, line in enumerate(lines):
        head = re.fullmatch(r"([a-z_][\w, ]*?)(?: : .*)?", line)
        if head and i + 1 < len(lines) and lines[i + 1].startswith("    "):
            text = []
            for more in lines[i + 1 :]:
                if not more.startswith("    "):
                    break
                text.append(more.strip())
            made |= dict.fromkeys(re.split(r",\s*", head[1]), " ".join(text))
    return made


def _bare(kind: Any) -> Any:
    """A type without None."""
    if get_origin(kind) in (Union, types.UnionType):
        rest = [each for each in get_args(kind) if each is not type(None)]
        return rest[0] if len(rest) == 1 else Any
    return kind


def _may_be_none(kind: Any) -> bool:
    return get_origin(kind) in (Union, types.UnionType) and type(None) in get_args(kind)


def _each(kind: Any) -> Any:
    """Type of the members of a sequence."""
    inner = get_args(_bare(kind))
    return inner[0] if inner else Any


def _place(kind: Any, index: int) -> Any:
    if hasattr(kind, "_fields") and isinstance(kind, type):
        return list(_hints(kind).values())[index]
    inner = get_args(kind)
    if get_origin(kind) in (tuple, list, Sequence) and inner:
        return inner[0] if len(inner) == 1 or inner[-1] is Ellipsis else inner[index]
    base = next((x for x in getattr(kind, "__orig_bases__", ()) if get_origin(x) is tuple), None)
    if base is not None:
        return get_args(base)[index]
    return kind if _is_array(kind) else Any


def _is_law(kind: Any) -> bool:
    return isinstance(kind, type) and issubclass(kind, Law)


def _is_array(kind: Any) -> bool:
    return get_origin(kind) is np.ndarray or kind is np.ndarray


def _of_type(kind: Any, name: str) -> Schema:
    """Schema of a value of this type."""
    origin, inner = get_origin(kind), get_args(kind)
    if kind is Any or isinstance(kind, typing.TypeVar):
        return {}
    if origin is Literal:
        return {"enum": list(inner)}
    if origin in (Union, types.UnionType):
        kinds = [_of_type(each, name) for each in inner if each is not type(None)]
        if {} in kinds:
            return {}
        if len(kinds) == 1 and isinstance(kinds[0].get("type"), str) and type(None) in inner:
            return {**kinds[0], "type": [kinds[0]["type"], "null"]}
        if len(kinds) == 1 and "null" in kinds[0].get("type", ()):
            return kinds[0]
        return {"anyOf": [*kinds, *([{"type": "null"}] if type(None) in inner else [])]}
    if kind is bool or kind is str:
        return {"type": "boolean" if kind is bool else "string"}
    if kind is int:
        return {"type": "integer"}
    if kind is float:
        if name == "level":
            return {"type": "number", "exclusiveMinimum": 0, "exclusiveMaximum": 1}
        return PROBABILITY if name.startswith("p_") else {"type": ["number", "null"]}
    if _is_law(kind):
        return LAW
    if _is_array(kind):
        return {"type": "array"}
    if origin in (dict, Mapping) or origin is collections.abc.Mapping:
        return {"type": "object", "additionalProperties": _of_type(inner[1], "")}
    if origin is tuple and inner and inner[-1] is not Ellipsis:
        if any(_of_type(each, "") == {} for each in inner):
            return {"type": "array", "minItems": len(inner), "maxItems": len(inner)}
        return {
            "type": "array",
            "prefixItems": [_of_type(each, name) for each in inner],
            "items": False,
            "minItems": len(inner),
        }
    if origin in (tuple, list, Sequence):
        return {"type": "array", "items": _of_type(inner[0], "")}
    if isinstance(kind, type) and issubclass(kind, Keyed) and kind._fields:
        return _of_keys(kind, layout(kind._fields))
    if isinstance(kind, type) and issubclass(kind, tuple) and hasattr(kind, "_fields"):
        return _of_keys(kind, layout(" ".join(kind._fields)))
    if isinstance(kind, type) and issubclass(kind, tuple):
        return {"type": "array"}
    if is_dataclass(kind):
        return _of_keys(kind, _public(kind))
    return {}


def texts() -> dict[str, str]:
    """Each file and what it says."""
    schemas = {name.replace(" ", "_"): schema_of(name, classes) for name, classes in answers().items()}
    return {f"{name}.schema.json": json.dumps(schema, indent=1) + "\n" for name, schema in schemas.items()}


def main() -> None:
    """Write what has changed."""
    FOLDER.mkdir(exist_ok=True)
    for name, text in texts().items():
        path = FOLDER / name
        if not path.exists() or path.read_text(encoding="utf-8") != text:
            path.write_text(text, encoding="utf-8")
            print(f"written: {name}")


if __name__ == "__main__":
    main()
