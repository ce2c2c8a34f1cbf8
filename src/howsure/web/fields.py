"""What a request may hold, declared once: each field checks a value, and describes itself as JSON Schema."""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from collections.abc import Mapping
from dataclasses import dataclass, field
from difflib import get_close_matches
from typing import Any

from howsure.data.count_checks import LARGEST_COUNT
from howsure.errors import InvalidArgument, excerpt, listing

__all__ = [
    "Anything",
    "Choice",
    "Either",
    "Field",
    "Fields",
    "Flag",
    "InvalidRequest",
    "ListOf",
    "Named",
    "Number",
    "Text",
    "WholeNumber",
]


class InvalidRequest(InvalidArgument):
    """A request that is not one; ``field`` is the place, such as ``matrix.counts[1][0]``."""

    def __init__(self, problem: str, field: str | None = None) -> None:
        self.problem, self.field = problem, field
        super().__init__(problem)

    def __reduce__(self) -> tuple[object, ...]:
        return (type(self), (self.problem, self.field))


class Field(ABC):
    """A kind of value."""

    @abstractmethod
    def check(self, value: Any, place: str) -> Any:
        """The value, or `InvalidRequest` with its place, what was expected and what came."""

    @abstractmethod
    def schema(self) -> dict[str, Any]:
        """The same as JSON Schema."""


@dataclass(frozen=True)
class Text(Field):
    """A text of so many characters."""

    what: str
    most: int = 200
    least: int = 1

    def check(self, value: Any, place: str) -> str:
        """A text that UTF-8 can hold."""
        if not isinstance(value, str):
            raise InvalidRequest(f"{self.what} is a text, not {excerpt(value)}", place)
        if not value and self.least:
            raise InvalidRequest(f"{self.what} is missing; this one is empty", place)
        if not self.least <= len(value) <= self.most:
            raise InvalidRequest(
                f"{self.what} has {self.least} to {self.most} characters; {excerpt(value, 40)} has {len(value)}", place
            )
        if any("\ud800" <= c <= "\udfff" for c in value):
            raise InvalidRequest(f"{self.what} holds half a character (a lone surrogate): {excerpt(value, 40)}", place)
        return value

    def schema(self) -> dict[str, Any]:
        """A string between two lengths."""
        return {"type": "string", "minLength": self.least, "maxLength": self.most, "description": self.what}


@dataclass(frozen=True)
class WholeNumber(Field):
    """A whole number between two others."""

    what: str
    low: int
    high: int

    def check(self, value: Any, place: str) -> int:
        """An int."""
        whole = isinstance(value, int) and not isinstance(value, bool)
        whole = whole or (isinstance(value, float) and value.is_integer())  # JSON does not tell 3.0 from 3
        if not whole or not self.low <= value <= self.high:
            shown = excerpt(value) if len(str(value)) < 400 else "a longer number"
            span = f"of {self.low:,} or more" if self.high >= LARGEST_COUNT else f"from {self.low:,} to {self.high:,}"
            raise InvalidRequest(f"{self.what} is an integer {span}; not {shown}{self._advice(value)}", place)
        return int(value)

    def _advice(self, value: Any) -> str:
        if self.what == "a count" and isinstance(value, float) and 0 < value < 1:
            return ". If these are proportions, enter the numbers of cases"
        return ""

    def schema(self) -> dict[str, Any]:
        """An integer between two bounds."""
        return {"type": "integer", "minimum": self.low, "maximum": self.high, "description": self.what}


@dataclass(frozen=True)
class Number(Field):
    """A finite number between two others."""

    what: str
    low: float = -1e300
    high: float = 1e300

    def check(self, value: Any, place: str) -> float:
        """A float."""
        number = isinstance(value, int | float) and not isinstance(value, bool)
        if number and isinstance(value, int) and abs(value) > 10**300:
            number = False
        if not number or not math.isfinite(value) or not self.low <= value <= self.high:
            between = "" if self.high >= 1e300 else f" from {self.low:g} to {self.high:g}"
            shown = excerpt(value) if not isinstance(value, int) or abs(value) < 10**40 else "a longer one"
            raise InvalidRequest(f"{self.what} is a number{between}, not {shown}", place)
        return float(value)

    def schema(self) -> dict[str, Any]:
        """A number between two bounds."""
        return {"type": "number", "minimum": self.low, "maximum": self.high, "description": self.what}


@dataclass(frozen=True)
class Flag(Field):
    """True or false."""

    what: str

    def check(self, value: Any, place: str) -> bool:
        """A bool."""
        if not isinstance(value, bool):
            raise InvalidRequest(f"{self.what} is true or false, not {excerpt(value)}", place)
        return value

    def schema(self) -> dict[str, Any]:
        """A boolean."""
        return {"type": "boolean", "description": self.what}


@dataclass(frozen=True)
class Choice(Field):
    """One of a few words."""

    what: str
    words: tuple[str, ...]

    def check(self, value: Any, place: str) -> str:
        """One of them."""
        if not isinstance(value, str) or value not in self.words:
            raise InvalidRequest(f"{self.what} is one of {', '.join(self.words)}; not {excerpt(value)}", place)
        return value

    def schema(self) -> dict[str, Any]:
        """An enumeration."""
        return {"type": "string", "enum": list(self.words), "description": self.what}


@dataclass(frozen=True)
class ListOf(Field):
    """So many values of one kind."""

    what: str
    each: Field
    most: int
    least: int = 0

    def check(self, value: Any, place: str) -> list[Any]:
        """A list, each element checked."""
        if not isinstance(value, list):
            raise InvalidRequest(f"{self.what} are a list, not {excerpt(value)}", place)
        if not value and self.least:
            raise InvalidRequest(f"{self.what} is missing; this one is empty", place)
        if not self.least <= len(value) <= self.most:
            raise InvalidRequest(
                f"{self.what} are {self.least:,} to {self.most:,} in number, not {len(value):,}", place
            )
        return [self.each.check(element, f"{place}[{i}]") for i, element in enumerate(value)]

    def schema(self) -> dict[str, Any]:
        """An array."""
        items = self.each.schema()
        return {
            "type": "array",
            "items": items,
            "minItems": self.least,
            "maxItems": self.most,
            "description": self.what,
        }


@dataclass(frozen=True)
class Either(Field):
    """A value of one of several kinds, told apart by their JSON type."""

    what: str
    kinds: Mapping[str, Field]

    def check(self, value: Any, place: str) -> Any:
        """Checked as the kind that its type says."""
        kind = _json_type(value)
        if kind not in self.kinds:
            words = ", ".join(each for each in self.kinds)
            raise InvalidRequest(f"{self.what} is a {words.replace(', ', ' or a ')}; not {excerpt(value)}", place)
        return self.kinds[kind].check(value, place)

    def schema(self) -> dict[str, Any]:
        """Any of them."""
        return {"anyOf": [each.schema() for each in self.kinds.values()], "description": self.what}


@dataclass(frozen=True)
class Fields(Field):
    """Named fields; ``required`` must be there, a null for another one is the same as leaving it out."""

    what: str
    fields: Mapping[str, Field]
    required: frozenset[str] = field(default_factory=frozenset)

    def check(self, value: Any, place: str) -> dict[str, Any]:
        """The fields that are there, each checked; unknown ones are refused by name."""
        if not isinstance(value, dict):
            raise InvalidRequest(f"{self.what} is an object, not {excerpt(value)}", place or None)
        for key in value:
            if key not in self.fields:
                near = get_close_matches(str(key), self.fields, n=1)
                advice = f"Did you mean {near[0]!r}?" if near else f"Known: {listing(self.fields, 40)}."
                raise InvalidRequest(f"{self.what} has no field {excerpt(key, 40)}. {advice}", _join(place, key))
        made = {}
        for key, kind in self.fields.items():
            if value.get(key) is not None:
                made[key] = kind.check(value[key], _join(place, key))
            elif key in self.required:
                raise InvalidRequest(f"{self.what} needs the field {key!r}", _join(place, key))
        return made

    def schema(self) -> dict[str, Any]:
        """An object without other properties."""
        properties = {
            key: kind.schema() if key in self.required else {"anyOf": [kind.schema(), {"type": "null"}]}
            for key, kind in self.fields.items()
        }
        return {
            "type": "object",
            "properties": properties,
            "required": sorted(self.required),
            "additionalProperties": False,
            "description": self.what,
        }


@dataclass(frozen=True)
class Named(Field):
    """Values of one kind under free names, such as a threshold for each metric."""

    what: str
    name: Text
    each: Field
    most: int

    def check(self, value: Any, place: str) -> dict[str, Any]:
        """A mapping, names and values checked."""
        if not isinstance(value, dict):
            raise InvalidRequest(f"{self.what} are an object, not {excerpt(value)}", place)
        if len(value) > self.most:
            raise InvalidRequest(f"{self.what} are at most {self.most:,}, not {len(value):,}", place)
        return {self.name.check(key, place): self.each.check(each, _join(place, key)) for key, each in value.items()}

    def schema(self) -> dict[str, Any]:
        """An object whose properties are all of one kind."""
        return {
            "type": "object",
            "additionalProperties": self.each.schema(),
            "propertyNames": {"minLength": self.name.least, "maxLength": self.name.most},
            "maxProperties": self.most,
            "description": self.what,
        }


def _join(place: str, key: object) -> str:
    short = str(key) if len(str(key)) <= 60 else f"{str(key)[:57]}..."
    return f"{place}.{short}" if place else short


def _json_type(value: Any) -> str:
    if value is None:
        return "null"
    if isinstance(value, bool):
        return "boolean"
    if isinstance(value, int | float):
        return "number"
    kinds: dict[type, str] = {str: "string", list: "list", dict: "object"}
    return kinds.get(type(value), "value")


@dataclass(frozen=True)
class Anything(Field):
    """An object that is checked elsewhere."""

    what: str

    def check(self, value: Any, place: str) -> dict[str, Any]:
        """The object as it is."""
        if not isinstance(value, dict):
            raise InvalidRequest(f"{self.what} is an object, not {excerpt(value)}", place)
        return value

    def schema(self) -> dict[str, Any]:
        """Any object."""
        return {"type": "object", "description": self.what}
