"""An answer is its fields: its plain data and its lines of CSV come from one line that names them.

The line stands where the class is declared, ``class Survey(Record, json="survey", fields="prior rows[name n]")``, and
has a word for each key, in the order of the JSON:

=====================  =============================================================================================
``metric``             the field or property of that name
``n=slices.n``         the key ``n``, of what the path leads to; in it a number is a place, ``len`` how many there are
``rows[name n]``       of each of several, these keys
``area(mean law)``     of one, these keys; ``area=.(mean law)`` of the answer itself
``groups?``            left out where it is None
``*law``               the keys of what it is, among those of the answer
=====================  =============================================================================================

A law is written as its summary at the ``level`` and ``kind`` of the answer; a number that is infinite or undefined is
None, for which JSON has no word.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import fields, is_dataclass
from functools import cache
from typing import Any, ClassVar, NamedTuple

import numpy as np

from howsure.laws import Draws, Interval, Kind, Law
from howsure.text import formats
from howsure.text.formats import envelope
from howsure.text.svg import BLUE, IntervalRow
from howsure.text.text_table import csv_text

#: Possible values inside an interval, up to which its ends are points of a lattice that the draws know.
FEW_POINTS = 50
#: Two draws that are nearer are the same value, off by rounding.
ROUNDING = 1e-9


def interval_cells(law: Law, level: float, kind: Kind) -> tuple[str, str]:
    """Mean and interval, cut to the digits that the interval (and the Monte Carlo error) supports."""
    ends = law.interval(level, kind)
    odd = "" if ends.kind == kind else f" ({ends.kind})"
    if isinstance(law, Draws) and _few_points(law, ends):
        # an end is one of few values: its error is a whole step or none, and says nothing about the digits of either
        places = formats.decimals(*ends)
        of_mean = min(places, max(0, math.floor(-math.log10(law.mean_error)))) if law.mean_error else places
        return formats.number(law.mean, of_mean), _narrow(law, ends, places if ends.width > 0 else of_mean) + odd
    places = places_of(law, ends)
    return formats.number(law.mean, places), _narrow(law, ends, places) + odd


def places_of(law: Law, ends: Interval) -> int:
    """Decimals that an interval of a law, and the Monte Carlo error, support."""
    return formats.decimals(*ends, error=law.error if law.route == "simulated" else 0.0)


def route_words(law: Law) -> str:
    """How a law is known: exact, or simulated with the Monte Carlo error of an end."""
    if not isinstance(law, Draws):
        return law.route
    return f"simulated ±{law.error:.0f}" if law.error >= 9.5 else f"simulated ±{law.error:.1g}"


def _few_points(law: Draws, ends: Interval) -> bool:
    """Whether the draws inside an interval take few values, as those of a metric of few new cases do."""
    values, _ = law.in_order
    inside = values[np.searchsorted(values, ends.low) : np.searchsorted(values, ends.high, "right")]
    with np.errstate(invalid="ignore"):  # from one infinite draw to the next
        return len(inside) > FEW_POINTS and int(np.count_nonzero(np.diff(inside) > ROUNDING)) < FEW_POINTS


def law_row(
    name: str,
    law: Law,
    level: float,
    kind: Kind,
    *,
    observed: float | None = None,
    chance: float | None = None,
    colour: str = BLUE,
) -> IntervalRow:
    """One law as a row of a picture."""
    mean, ends = interval_cells(law, level, kind)
    low, high = law.interval(level, kind)
    return IntervalRow(name, f"{mean} ({ends})", law.mean, low, high, observed, chance, colour)


def _narrow(law: Law, ends: Interval, places: int) -> str:
    if ends.width > 0:
        return formats.interval(*ends, places)
    return formats.number(ends.low if ends.width == 0 else law.mean, places)


def summary(law: Law, level: float, kind: Kind) -> Mapping[str, Any]:
    """The numbers of one law as plain data."""
    ends = law.interval(level, kind)
    return {
        "mean": finite(law.mean),
        "median": finite(law.median),
        "sd": finite(law.sd),
        "low": finite(ends.low),
        "high": finite(ends.high),
        "interval": ends.kind,
        "method": law.route,
        "law": law.route,
        "error": finite(law.error),
    }


def finite(number: float | None) -> float | None:
    """The number, or None (null) where it is infinite or undefined, for which JSON has no word."""
    return number if number is not None and math.isfinite(number) else None


class Key(NamedTuple):
    """A key of an answer, the path of what it holds, and the keys of that."""

    key: str
    path: tuple[str, ...]
    optional: bool = False
    merged: bool = False
    inner: tuple[Key, ...] = ()
    each: bool = False

    def of(self, whole: Any) -> Any:
        """What it holds."""
        for step in self.path:
            if whole is None:
                return None
            if step == "len":
                whole = len(whole)
            elif isinstance(whole, Mapping):
                whole = whole[step]
            else:
                whole = whole[int(step)] if step.isdigit() else getattr(whole, step)
        return whole


class Keyed:
    """An answer, or a row of one: fields with a plain form.

    Parameters
    ----------
    json : str
        What the answer is called in JSON; a part of one has no name.
    fields : str
        The keys (see this module); all public fields of the dataclass if left out.
    """

    _json: ClassVar[str] = ""
    _fields: ClassVar[str] = ""

    def __init_subclass__(cls, *, json: str = "", fields: str = "", **rest: Any) -> None:
        super().__init_subclass__(**rest)
        cls._json, cls._fields = json or cls._json, fields or cls._fields

    def _data(self, level: float | None = None, kind: Kind | None = None) -> dict[str, Any]:
        """The fields as plain data; of a row, with the level and the kind of its answer."""
        keys = layout(self._fields) if self._fields else _all_fields(type(self))
        return _picked(self, keys, getattr(self, "level", level), getattr(self, "kind", kind))

    def to_dict(self) -> dict[str, Any]:
        """Plain data, ready for JSON: an answer begins with its format, its kind and the version that wrote it."""
        return {**(envelope(self._json) if self._json else {}), **self._data()}


_WORD = re.compile(r"(\*?)(\w+)(?:=([\w.]+))?(\??)([(\[]?)|([)\]])|\s+")


@cache
def layout(line: str) -> tuple[Key, ...]:
    """The fields that a line names.

    Examples
    --------
    >>> [(it.key, it.path) for it in layout("n=slices.n groups? rows[name]")]
    [('n', ('slices', 'n')), ('groups', ('groups',)), ('rows', ('rows',))]
    """
    return tuple(_read(_WORD.finditer(line)))


#: Old keys that stay for one version beside the new ones: ``law`` is now ``method``.
NEW_NAMES = {"law": "method", "prior_shift": "prior_effect"}


def _read(words: Iterator[re.Match[str]]) -> Iterator[Key]:
    for word in words:
        merged, key, path, optional, opened, closed = word.groups()
        if closed:
            return
        if key:
            inner = tuple(_read(words)) if opened else ()
            steps = tuple((path or key).split("."))
            field = Key(key, tuple(filter(None, steps)), bool(optional), bool(merged), inner, opened == "[")
            if key in NEW_NAMES and not (inner or merged):
                yield field._replace(key=NEW_NAMES[key])
            yield field


def _all_fields(cls: Any) -> tuple[Key, ...]:
    return layout(" ".join(it.name for it in fields(cls) if not it.name.startswith("_")))


def _picked(whole: Any, keys: Sequence[Key], level: float | None, kind: Kind | None) -> dict[str, Any]:
    made: dict[str, Any] = {}
    for field in keys:
        value = field.of(whole)
        if value is None and field.optional:
            continue
        if field.inner:
            value = _of_law(value, level, kind)
        if not field.inner:
            data = _plain(value, level, kind)
        elif field.each:
            data = None if value is None else [_picked(part, field.inner, level, kind) for part in value]
        else:
            data = None if value is None else _picked(value, field.inner, level, kind)
        made |= data if field.merged else {field.key: data}
    return made


def _plain(value: Any, level: float | None, kind: Kind | None) -> Any:
    if value is None or isinstance(value, str | bool | int):
        return value
    if isinstance(value, float):
        return float(value) if math.isfinite(value) else None
    if isinstance(value, np.ndarray | np.generic):
        return _plain(value.tolist(), level, kind)
    if isinstance(value, Law) and level is not None and kind is not None:
        return dict(summary(value, level, kind))
    if isinstance(value, Mapping):
        return {key: _plain(part, level, kind) for key, part in value.items()}
    if isinstance(value, Sequence) and not hasattr(value, "_asdict"):
        return [_plain(part, level, kind) for part in value]
    if isinstance(value, Keyed):
        return value._data(level, kind)
    if hasattr(value, "_asdict"):
        return _plain(value._asdict(), level, kind)
    if is_dataclass(value):
        return _picked(value, _all_fields(type(value)), level, kind)
    raise TypeError(f"{type(value).__name__} has no plain form")


def _of_law(value: Any, level: float | None, kind: Kind | None) -> Any:
    """Of a law, whose parts are named one by one: its summary."""
    return summary(value, level, kind) if isinstance(value, Law) and level is not None and kind else value


def csv_of(columns: str, whole: Any) -> str:
    r"""CSV with a line for each row of an answer, every number in full.

    Examples
    --------
    >>> class Ends(NamedTuple):
    ...     mean: float
    ...     low: float
    ...     high: float
    >>> class Row(NamedTuple):
    ...     name: str
    ...     gap: Ends | None
    >>> class Both(NamedTuple):
    ...     rows: tuple[Row, ...]
    >>> both = Both((Row("de", Ends(0.25, 0.0, 0.5)), Row("en", None)))
    >>> csv_of("rows[slice=name gap(mean low high)]", both).split()
    ['slice,gap_mean,gap_low,gap_high', 'de,0.25,0.0,0.5', 'en,,,']
    """
    (rows,) = layout(columns)
    level, kind = getattr(whole, "level", None), getattr(whole, "kind", None)
    lines = [list(_cells(row, rows.inner, level, kind)) for row in rows.of(whole)]
    return csv_text(list(_header(rows.inner)), lines)


def _is_new(column: Key) -> bool:
    """Whether a column has its name of today; old names are in JSON only."""
    return column.key not in NEW_NAMES or bool(column.inner)


def _header(columns: Sequence[Key], before: str = "") -> Iterator[str]:
    for column in filter(_is_new, columns):
        name = before + column.key
        if column.inner:
            yield from _header(column.inner, before if column.merged else f"{name}_")
        else:
            yield name


def _cells(row: Any, columns: Sequence[Key], level: float | None, kind: Kind | None) -> Iterator[Any]:
    for column in filter(_is_new, columns):
        value = column.of(row)
        if not column.inner:
            yield _plain(value, level, kind)
        elif value is None:
            yield from (None for _ in _header(column.inner))
        else:
            yield from _cells(_of_law(value, level, kind), column.inner, level, kind)
