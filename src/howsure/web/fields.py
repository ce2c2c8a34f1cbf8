"""What a request may hold, declared once as JSON Schema: one function checks a value by it, and says what is wrong."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from difflib import get_close_matches
from typing import Any, TypeAlias

from howsure.data.counts import LARGEST_COUNT
from howsure.errors import InvalidArgument, excerpt, listing

__all__ = [
    "InvalidRequest",
    "Schema",
    "checked",
    "choice",
    "either",
    "flag",
    "listed",
    "named",
    "number",
    "object_of",
    "text",
    "whole_number",
]

#: JSON Schema; its ``description`` is what a refusal calls the value.
Schema: TypeAlias = dict[str, Any]

NULL: Schema = {"type": "null"}

#: Types by the name that a refusal has for them.
SPOKEN = {"array": "list", "integer": "number"}

#: The largest number where no other bound is named.
HUGE = 1e300


class InvalidRequest(InvalidArgument):
    """A request that is not one; ``field`` is the place, such as ``matrix.counts[1][0]``."""

    def __init__(self, problem: str, field: str | None = None) -> None:
        self.problem, self.field = problem, field
        super().__init__(problem)

    def __reduce__(self) -> tuple[object, ...]:
        return (type(self), (self.problem, self.field))


def text(what: str, most: int = 200, least: int = 1) -> Schema:
    """A text of so many characters."""
    return {"type": "string", "minLength": least, "maxLength": most, "description": what}


def whole_number(what: str, low: int, high: int) -> Schema:
    """A whole number between two others."""
    return {"type": "integer", "minimum": low, "maximum": high, "description": what}


def number(what: str, low: float = -HUGE, high: float = HUGE) -> Schema:
    """A finite number between two others."""
    return {"type": "number", "minimum": low, "maximum": high, "description": what}


def flag(what: str) -> Schema:
    """True or false."""
    return {"type": "boolean", "description": what}


def choice(what: str, words: Sequence[str]) -> Schema:
    """One of a few words."""
    return {"type": "string", "enum": list(words), "description": what}


def listed(what: str, each: Schema, most: int, least: int = 0) -> Schema:
    """So many values of one kind."""
    return {"type": "array", "items": each, "minItems": least, "maxItems": most, "description": what}


def either(what: str, *kinds: Schema) -> Schema:
    """A value of one of several kinds, told apart by their type."""
    return {"anyOf": list(kinds), "description": what}


def object_of(what: str, required: str, **properties: Schema) -> Schema:
    """Named fields; a null for one that is not required is the same as leaving it out."""
    needed = required.split()
    fields = {key: kind if key in needed else {"anyOf": [kind, NULL]} for key, kind in properties.items()}
    return {
        "type": "object",
        "properties": fields,
        "required": sorted(needed),
        "additionalProperties": False,
        "description": what,
    }


def named(what: str, name: Schema, each: Schema, most: int) -> Schema:
    """Values of one kind under free names, such as a threshold for each metric."""
    lengths = {key: name[key] for key in ("minLength", "maxLength")}
    return {
        "type": "object",
        "additionalProperties": each,
        "propertyNames": lengths | {"description": name["description"]},
        "maxProperties": most,
        "description": what,
    }


def checked(schema: Schema, value: Any, place: str) -> Any:
    """The value as its schema has it.

    Raises
    ------
    InvalidRequest
        With its place, what was expected and what came.

    Examples
    --------
    >>> checked(object_of("a request", "n", n=whole_number("n", 1, 9)), {"n": 3.0}, "")
    {'n': 3}
    """
    kinds = [schema]
    while "anyOf" in kinds[0]:
        schema = kinds[0]
        kinds = [kind for kind in schema["anyOf"] if kind != NULL]
    fitting = [kind for kind in kinds if len(kinds) == 1 or kind["type"] in _types_of(value)]
    if not fitting:
        words = " or a ".join(SPOKEN.get(str(kind["type"]), str(kind["type"])) for kind in kinds)
        raise InvalidRequest(f"{schema['description']} is a {words}; not {excerpt(value)}", place)
    return CHECKS[fitting[0]["type"]](fitting[0], value, place)


def _types_of(value: Any) -> tuple[str, ...]:
    if isinstance(value, bool):
        return ("boolean",)
    if isinstance(value, int | float):
        return "number", "integer"
    kinds: dict[type, str] = {str: "string", list: "array", dict: "object"}
    return (kinds.get(type(value), "value"),)


def _text(schema: Schema, value: Any, place: str) -> str:
    what = schema["description"]
    if "enum" in schema:
        if not isinstance(value, str) or value not in schema["enum"]:
            raise InvalidRequest(f"{what} is one of {', '.join(schema['enum'])}; not {excerpt(value)}", place)
        return value
    least, most = schema["minLength"], schema["maxLength"]
    if not isinstance(value, str):
        raise InvalidRequest(f"{what} is a text, not {excerpt(value)}", place)
    if not value and least:
        raise InvalidRequest(f"{what} is missing; this one is empty", place)
    if not least <= len(value) <= most:
        raise InvalidRequest(f"{what} has {least} to {most} characters; {excerpt(value, 40)} has {len(value)}", place)
    if any("\ud800" <= c <= "\udfff" for c in value):
        raise InvalidRequest(f"{what} holds half a character (a lone surrogate): {excerpt(value, 40)}", place)
    return value


def _whole(schema: Schema, value: Any, place: str) -> int:
    what, low, high = schema["description"], schema["minimum"], schema["maximum"]
    whole = isinstance(value, int) and not isinstance(value, bool)
    whole = whole or (isinstance(value, float) and value.is_integer())  # JSON does not tell 3.0 from 3
    if not whole or not low <= value <= high:
        shown = excerpt(value) if len(str(value)) < 400 else "a longer number"
        span = f"of {low:,} or more" if high >= LARGEST_COUNT else f"from {low:,} to {high:,}"
        share = what == "a count" and isinstance(value, float) and 0 < value < 1
        advice = ". If these are proportions, enter the numbers of cases" if share else ""
        raise InvalidRequest(f"{what} is an integer {span}; not {shown}{advice}", place)
    return int(value)


def _number(schema: Schema, value: Any, place: str) -> float:
    low, high = schema["minimum"], schema["maximum"]
    is_number = isinstance(value, int | float) and not isinstance(value, bool)
    if not is_number or not low <= value <= high:  # NaN and infinity are in no bounds
        between = "" if high >= HUGE else f" from {low:g} to {high:g}"
        shown = excerpt(value) if not isinstance(value, int) or abs(value) < 10**40 else "a longer one"
        raise InvalidRequest(f"{schema['description']} is a number{between}, not {shown}", place)
    return float(value)


def _flag(schema: Schema, value: Any, place: str) -> bool:
    if not isinstance(value, bool):
        raise InvalidRequest(f"{schema['description']} is true or false, not {excerpt(value)}", place)
    return value


def _list(schema: Schema, value: Any, place: str) -> list[Any]:
    what, least, most = schema["description"], schema["minItems"], schema["maxItems"]
    if not isinstance(value, list):
        raise InvalidRequest(f"{what} are a list, not {excerpt(value)}", place)
    if not value and least:
        raise InvalidRequest(f"{what} is missing; this one is empty", place)
    if not least <= len(value) <= most:
        raise InvalidRequest(f"{what} are {least:,} to {most:,} in number, not {len(value):,}", place)
    return [checked(schema["items"], element, f"{place}[{i}]") for i, element in enumerate(value)]


def _object(schema: Schema, value: Any, place: str) -> dict[str, Any]:
    what, known = schema["description"], schema.get("properties")
    if not isinstance(value, dict):
        verb = "are" if "maxProperties" in schema else "is"
        raise InvalidRequest(f"{what} {verb} an object, not {excerpt(value)}", place or None)
    if "maxProperties" in schema:
        if len(value) > schema["maxProperties"]:
            raise InvalidRequest(f"{what} are at most {schema['maxProperties']:,}, not {len(value):,}", place)
        name = {"type": "string", **schema["propertyNames"]}
        return {
            checked(name, key, place): checked(schema["additionalProperties"], each, _join(place, key))
            for key, each in value.items()
        }
    if known is None:  # it is checked elsewhere
        return value
    for key in value:
        if key not in known:
            near = get_close_matches(str(key), known, n=1)
            advice = f"Did you mean {near[0]!r}?" if near else f"Known: {listing(known, 40)}."
            raise InvalidRequest(f"{what} has no field {excerpt(key, 40)}. {advice}", _join(place, key))
    made = {}
    for key, kind in known.items():
        if value.get(key) is not None:
            made[key] = checked(kind, value[key], _join(place, key))
        elif key in schema["required"]:
            raise InvalidRequest(f"{what} needs the field {key!r}", _join(place, key))
    return made


def _join(place: str, key: object) -> str:
    short = str(key) if len(str(key)) <= 60 else f"{str(key)[:57]}..."
    return f"{place}.{short}" if place else short


CHECKS: Mapping[str, Callable[[Schema, Any, str], Any]] = {
    "string": _text,
    "integer": _whole,
    "number": _number,
    "boolean": _flag,
    "array": _list,
    "object": _object,
}
