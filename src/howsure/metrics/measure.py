"""A metric made definite for one matrix: its parameters, and the class or the average it is about."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from howsure.errors import InvalidArgument, UnknownLabel, UnknownMetric, excerpt, listing
from howsure.errors.arguments import written
from howsure.metrics.averages import ALIKE, AVERAGES, Classes, average, averages_of
from howsure.metrics.margins import Table, Tables
from howsure.metrics.metric import REGISTRY, MatrixKnowledge, Metric
from howsure.metrics.own import own
from howsure.text.formats import exactly, plain

if TYPE_CHECKING:
    from howsure.laws import Law

__all__ = ["EACH", "Asked", "Measure", "named", "of_class", "parse", "parse_each"]

GRAMMAR = re.compile(r"\s*(?P<name>[A-Za-z][\w+-]*)\s*(?:\((?P<parameters>[^()]*)\))?\s*(?:@(?P<where>.*))?", re.DOTALL)


@dataclass(frozen=True)
class Measure:
    """A metric with its parameters and with the class or average it is taken over.

    Parameters
    ----------
    average : str, optional
        A name in `AVERAGES`.
    label, index : str and int, optional
        The class, by name and by row.
    """

    metric: Metric  # the formula
    parameters: tuple[tuple[str, float], ...] = ()  # those that differ from their defaults
    average: str | None = None
    label: str | None = None
    index: int | None = None
    held: bool = False  # the average is taken at class shares that are held
    classes: Classes = ALIKE  # rows that the average treats in another way

    @property
    def base(self) -> str:
        """Name and parameters, without class or average."""
        inside = ", ".join(f"{k}={exactly(v)}" for k, v in self.parameters)
        return f"{self.metric.name}({inside})" if inside else self.metric.name

    @property
    def name(self) -> str:
        """The measure in the grammar ``name(parameter=value)@where``."""
        return named(self.base, self.average, self.label)

    @property
    def ordinal(self) -> bool:
        """Whether it takes the order of the classes for that of their ranks."""
        return self.metric.family == "ordinal"

    @property
    def twin(self) -> Measure:
        """The measure of the table that this average is by definition; itself where a class without a value counts."""
        other = None if self.classes.undefined else self.metric.same_as.get(self.average or "")
        return Measure(REGISTRY[other]) if other else self

    def __call__(self, tables: Table, shared: dict[object, Tables] | None = None) -> Tables:
        """Values (...) on tables (..., K, K); ``shared`` keeps those of all classes, so K measures cost one formula."""
        if self.average is not None:
            return average(self.metric, self.average, tables, classes=self.classes, **dict(self.parameters))
        memory: dict[object, Tables] = {} if shared is None else shared
        formula = self.metric, self.parameters
        if formula not in memory:  # margins remember by themselves
            memory[formula] = self.metric(tables, **dict(self.parameters))
        values = memory[formula]
        return values if self.index is None else values[..., self.index]

    def observed(self, counts: Table, shared: dict[object, Tables] | None = None) -> float | None:
        """Value on one table of counts or shares; None where it is undefined."""
        value = float(self(counts, shared))
        return None if np.isnan(value) else value

    def chance(self, sizes: NDArray[np.float64]) -> float | None:
        """Value without skill on classes of these sizes, shape (K,), where the metric declares one."""
        rule = self.twin.metric.chance
        return None if rule is None or not sizes.sum() else rule(sizes)

    def exact_law(self, known: MatrixKnowledge) -> Law | None:
        """Law in closed form, or None where only draws will do."""
        twin = self.twin
        if twin.metric.law is None or (self.classes.undefined and self.average != "macro"):
            return None
        return twin.metric.law(known, twin)


#: What a posterior can be asked for.
Asked = str | Metric | Measure | Callable[[Tables], Any]


def parse(text: Asked, labels: Sequence[str], positive: str | None = None) -> Measure:
    """Read ``name``, ``name@average``, ``name@label`` or ``name(parameter=value)@...`` for a matrix.

    Parameters
    ----------
    text : str, Metric, Measure or function
        What is asked; a function of tables (..., K, K) is a metric without a declaration.
        The name of an average wins over a class of the same name; ``recall@"macro"`` is the class.
    labels : sequence of str
        Classes of the matrix.
    positive : str, optional
        The class meant where a two-class table is asked for a class-wise metric without ``@``; without it that is
        refused.

    Raises
    ------
    UnknownMetric, UnknownLabel, InvalidArgument
        With the nearest name or what the metric takes.

    Examples
    --------
    >>> from howsure.metrics import parse
    >>> parse("F-beta (beta=2)@macro".replace("F-beta ", "fbeta"), ["a", "b", "c"]).name
    'fbeta(beta=2)@macro'
    >>> parse("sensitivity", ["healthy", "ill"], "ill").name
    'recall@ill'
    """
    if isinstance(text, Measure):
        at = text.index
        if text.label is None or (at is not None and at < len(labels) and labels[at] == text.label):
            return text
        return replace(text, index=_index(text.label, labels))
    if isinstance(text, Metric):
        return _placed(_as_declared(text), (), None, labels, positive)
    if callable(text):
        return Measure(own(text, len(labels)))
    match = GRAMMAR.fullmatch(text) if isinstance(text, str) else None
    if match is None:
        raise InvalidArgument(
            f"a metric is written name, name@average, name@class or name(parameter=2)@..., not {excerpt(text)}"
        )
    name = match["name"].lower()
    if name not in REGISTRY:
        raise UnknownMetric(match["name"], REGISTRY, sorted({m.name for m in REGISTRY.values()}))
    found = REGISTRY[name]
    return _placed(found, _parameters(found, match["parameters"]), match["where"], labels, positive)


#: Behind an @: a measure for each class.
EACH = "each"


def parse_each(text: Asked, labels: Sequence[str], positive: str | None = None) -> list[Measure]:
    """The measure that is asked for; of ``name@each`` one for each class, as of a name alone from three classes on.

    Of a class that is called ``each`` the measure is that of this class.

    Examples
    --------
    >>> from howsure.metrics.measure import parse_each
    >>> [it.name for it in parse_each("recall", ["cat", "cow", "dog"])]
    ['recall@cat', 'recall@cow', 'recall@dog']
    >>> [it.name for it in parse_each("sensitivity@each", ["ill", "well"])]
    ['recall@ill', 'recall@well']
    """
    if not isinstance(text, str):
        return [parse(text, labels, positive)]
    name, _, where = text.partition("@")
    found = REGISTRY.get(name.partition("(")[0].strip().lower())
    by_class = found is not None and found.per == "class"
    if not by_class or (where.strip() != EACH if "@" in text else len(labels) < 3) or where.strip() in labels:
        return [parse(text, labels, positive)]
    whole = parse(f"{name}@macro", labels, positive)
    return [replace(whole, average=None, label=label, index=i) for i, label in enumerate(labels)]


def _as_declared(metric: Metric) -> Metric:
    """The registered metric of this formula, which knows its law, or the metric itself."""
    declared = REGISTRY.get(metric.name, metric)
    return declared if declared.formula is metric.formula else metric


@lru_cache(maxsize=512)
def is_symmetric(metric: Metric) -> bool:
    """Whether a metric of each class is the same for both of two, as informedness is; found out by trying."""
    table = np.array([[[13.0, 2.0], [3.0, 17.0]], [[5.0, 4.0], [1.0, 30.0]]])
    try:
        found = np.asarray(metric.formula(table))
    except (IndexError, TypeError, ValueError):  # a metric of other tables than these
        return False
    return found.shape == (2, 2) and bool(np.allclose(found[:, 0], found[:, 1], rtol=1e-12, atol=0))


def _placed(
    found: Metric,
    parameters: tuple[tuple[str, float], ...],
    where: str | None,
    labels: Sequence[str],
    positive: str | None,
) -> Measure:
    """The measure of a metric at a class, an average, or the whole table."""
    if found.per == "table":
        if where is not None:
            raise InvalidArgument(
                f"{found.name} is one number for the whole table; it takes no @, so not {excerpt('@' + where)}"
            )
        return Measure(found, parameters)
    if where is None:
        if positive is None and len(labels) == 2:
            if is_symmetric(found):
                return Measure(found, parameters, label=labels[-1], index=1)
            first, second = (plain(named(found.name, None, label)) for label in labels)
            raise InvalidArgument(
                f"{found.name} is a number for each class, and nothing says which of {listing(map(excerpt, labels))} "
                f"is the positive one; say {first} or {second}, or name the positive class (positive=)"
            )
        if len(labels) != 2 or positive is None:
            raise InvalidArgument(
                f"{found.name} is a number for each class; with {len(labels)} classes say "
                f"{found.name}@macro or {found.name}@ and one of {listing(labels)}"
            )
        return Measure(found, parameters, label=positive, index=_index(positive, labels))
    if where in AVERAGES:
        if where not in averages_of(found):
            raise InvalidArgument(f"{found.name} can be below 0 and has no {where} mean; use {found.name}@macro")
        return Measure(found, parameters, average=where)
    if len(where) > 2 and where[0] == where[-1] == '"' and where not in labels:
        where = where[1:-1]
    return Measure(found, parameters, label=where, index=_index(where, labels))


def named(base: str, average: str | None, label: str | None) -> str:
    """Spell a measure; a class that bears the name of an average is told from it by quotes."""
    if label is not None:
        return f'{base}@"{label}"' if label in AVERAGES else f"{base}@{label}"
    return f"{base}@{average}" if average else base


def of_class(name: str, labels: Sequence[str], index: int) -> Measure:
    """Measure of one class by its row, whatever the class is called."""
    return Measure(REGISTRY[name], label=labels[index], index=index)


def _index(label: str, labels: Sequence[str]) -> int:
    try:
        return list(labels).index(label)
    except ValueError:
        known: Iterable[str] = (*labels, *AVERAGES)
        raise UnknownLabel(label, known) from None


def _parameters(metric: Metric, text: str | None) -> tuple[tuple[str, float], ...]:
    """Read ``beta=2``; only names that the metric declares, only finite numbers."""
    given: dict[str, float] = {}
    for part in filter(None, (p.strip() for p in (text or "").split(","))):
        name, equals, value = (x.strip() for x in part.partition("="))
        if name in given:
            raise InvalidArgument(f"{metric.name} takes {name} once; got it twice")
        if not equals or name not in metric.parameters:
            takes = listing(f"{k}={v:g}" for k, v in metric.parameters.items()) or "no parameters"
            raise InvalidArgument(f"{metric.name} takes {takes}; not {excerpt(part)}")
        try:
            given[name] = written(value)
        except ValueError:
            given[name] = float("nan")
        if name in metric.limits:
            low, high = metric.limits[name]
            if not low <= given[name] <= high:
                raise InvalidArgument(f"{metric.name}({name}=) lies in {low:g} to {high:g}, not at {excerpt(value)}")
        elif not 0 < given[name] < 1e6:
            raise InvalidArgument(f"{metric.name}({name}=) needs a number above 0, not {excerpt(value)}")
    return tuple((k, v) for k, v in given.items() if v != metric.parameters[k])
