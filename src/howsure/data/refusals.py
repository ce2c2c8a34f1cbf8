"""What readers say, mostly where they cannot go on: one table of sentences (refusals.toml), by kind and fields."""

from __future__ import annotations

from collections.abc import Iterable
from functools import cache
from typing import Any

from howsure.errors import HowsureError, InvalidFile, excerpt, listing, visible
from howsure.text.formats import integer, plain

AS_CSV = "save the sheet as CSV UTF-8"
ONE_LABEL = "one label per item is counted, so settle several by majority first"


class Said(str):
    """A sentence that remembers its kind and its fields, which tests and other readers ask for, and not the wording."""

    kind: str
    fields: tuple[Any, ...]


class _Field:
    """A value within a sentence: quoted as from a file, unless the sentence says that it is ours."""

    def __init__(self, value: Any) -> None:
        self._value = value

    def __repr__(self) -> str:
        return excerpt(self._value)

    def __format__(self, spec: str) -> str:
        value = self._value
        if isinstance(value, Iterable) and not isinstance(value, str):
            return listing(map(str, value) if spec else (excerpt(it, 40) for it in value))
        if spec:
            return visible(str(value))
        return integer(value) if type(value) is int else excerpt(value)


@cache
def _sentences() -> dict[str, str]:
    import tomllib  # loaded where something is refused
    from importlib.resources import files

    return tomllib.loads(files("howsure.data").joinpath("refusals.toml").read_text(encoding="utf-8"))


def say(kind: str, *fields: Any) -> Said:
    """The sentence of a kind.

    Examples
    --------
    >>> say("absent", "column", "b", ["a", "c"])
    "no column 'b'; there are 'a', 'c'"
    """
    said = Said(_sentences()[kind].format(*map(_Field, fields)))
    said.kind, said.fields = kind, fields
    return said


def refusal(source: str, kind: str, *fields: Any, line: int | None = None) -> InvalidFile:
    """The error of a kind for a file, or for one of its lines."""
    return InvalidFile(source, say(kind, *fields), line)


class of_file:  # noqa: N801  # read as a word: with of_file(source)
    """What the library refuses within, but for errors that are ``kept``, as a refusal of this file, safe to print."""

    def __init__(self, source: str, *kept: type[HowsureError]) -> None:
        self._source = source
        self._kept: tuple[type[HowsureError], ...] = (InvalidFile, *kept)

    def __enter__(self) -> None:
        """Nothing to prepare."""

    def __exit__(self, kind: object, error: BaseException | None, trace: object) -> None:
        """Say it of the file."""
        if isinstance(error, HowsureError) and not isinstance(error, self._kept):
            raise InvalidFile(self._source, plain(str(error), 1000)) from None
