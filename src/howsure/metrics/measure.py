"""A metric made definite for one matrix: its parameters, and the class or the average it is about."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from howsure.errors import InvalidArgument, UnknownLabel, UnknownMetric, excerpt, listing
from howsure.errors.arguments import written
from howsure.metrics.margins import Table, Tables, actual, called, hits, right, total
from howsure.metrics.metric import REGISTRY, MatrixKnowledge, Metric, own
from howsure.numerics.arrays import Floats
from howsure.text.formats import exactly, plain

if TYPE_CHECKING:
    from howsure.laws import Law

# -- From one value per class to one number: macro, micro, weighted, and the means that a weak class pulls down --------


#: The averages, with what each one means.
AVERAGES: dict[str, str] = {
    "macro": "mean over classes, each class counting the same",
    "micro": "the formula on the sum of all one-against-rest tables",
    "weighted": "mean over classes, each class weighted by its share of the cases",
    "harmonic": "harmonic mean over classes; of numbers that are 0 or more",
    "geometric": "geometric mean over classes; of numbers that are 0 or more",
    "min": "the smallest over classes",
    "max": "the largest over classes",
}


class Classes(NamedTuple):
    """Rows of classes that an average treats in another way than the rest."""

    undefined: tuple[int, ...] = ()  # at 0/0 on the counts, never predicted or true: also in draws the declared value
    left_out: tuple[int, ...] = ()  # rows that are no class of the average, such as an answer that is never a truth


#: Nothing of the kind.
ALIKE = Classes()


def averages_of(metric: Metric) -> list[str]:
    """Averages that a metric has: all, or without those that need numbers of 0 or more; none for one of the table."""
    if metric.per == "table":
        return []
    return [how for how in AVERAGES if how not in SCALES or metric.range[0] >= 0]


def one_vs_rest(m: Table) -> Tables:
    """Sum of the K two-class tables, shape (..., 2, 2), rows (rest, class)."""
    tp, cases, size = right(m), total(m)[..., 0], hits(m).shape[-1]
    wrong = cases - tp
    tn = (size - 1) * cases - wrong
    return np.stack([np.stack([tn, wrong], -1), np.stack([wrong, tp], -1)], -2)


def average(metric: Metric, how: str, m: Table, *, classes: Classes = ALIKE, **parameters: float) -> Tables:
    """Average ``how`` of a class-wise metric, shape (...), of tables (..., K, K) or margins; NaN where no class has it.

    A class never predicted, or never true, counts as in scikit-learn. Where its metric is 0/0 it is the worst value, 0
    (or 1 of an error rate), if the metric lies in 0 to 1; of other metrics the class is left out.
    """
    if how == "micro":
        return metric(one_vs_rest(m), **parameters)[..., 1]
    values = metric(m, **parameters)
    if classes is ALIKE and how == "macro":
        with np.errstate(invalid="ignore"):  # infinite values of both signs
            sums = values.sum(-1)
        if not np.isnan(sums).any():  # every class defines it
            return np.asarray(sums / values.shape[-1])
    values = _counted(metric, values, m, classes)
    defined = ~np.isnan(values)
    if how in ("min", "max"):
        pick, rest = (np.min, np.inf) if how == "min" else (np.max, -np.inf)
        return np.where(defined.any(-1), pick(np.where(defined, values, rest), axis=-1), np.nan)
    weights = defined * (actual(m) if how == "weighted" else 1.0)
    there, back = SCALES.get(how, (_same, _same))
    with np.errstate(divide="ignore", invalid="ignore", over="ignore"):  # 1 / 1e-320 is infinite, its mean 0
        # a class without weight is left out also where its value is infinite
        scaled = np.where(weights > 0, there(np.where(defined, values, 1.0)), 0.0)
        return np.asarray(back((scaled * weights).sum(-1) / weights.sum(-1)))


def lacking(m: Table) -> NDArray[np.bool_]:
    """Whether a class is never, or always, true or predicted, shape (..., K); not of tables without a case."""
    true, predicted, cases = actual(m), called(m), total(m)
    return np.asarray(((true == 0) | (predicted == 0) | (true == cases) | (predicted == cases)) & (cases > 0))


def _counted(metric: Metric, values: Tables, m: Table, classes: Classes) -> Tables:
    """Values of the classes, shape (..., K), with what an average counts for those that have none."""
    absent = np.isnan(values)
    if absent.any():
        absent &= lacking(m)
    absent[..., list(classes.undefined)] = True
    if absent.any():
        values = np.where(absent, metric.without_cases, values)
    if classes.left_out:
        values = values.copy()
        values[..., list(classes.left_out)] = np.nan
    return values


def _same(x: Tables) -> Tables:
    return x


def _inverse(x: Tables) -> Tables:
    """1 / x of numbers that are 0 or more; others have no harmonic mean."""
    return 1 / np.where(x < 0, np.nan, np.abs(x))


#: Where an average takes its mean, and the way back.
SCALES: dict[str, tuple[Callable[[Tables], Tables], Callable[[Tables], Tables]]] = {
    "harmonic": (_inverse, _inverse),
    "geometric": (np.log, np.exp),
}


# -- A metric made definite --------------------------------------------------------------------------------------------


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


# -- Which measures change when the classes come in other shares, found out by trying ----------------------------------


def depends_on_prevalence(measure: Measure, size: int) -> bool:
    """Whether a measure changes when the same class rows meet other shares: specificity does from three classes on."""
    # neither the other classes nor which one is asked for make a difference, so one small table serves all
    return _tried(measure if measure.index is None else replace(measure, label="0", index=0), min(size, 3))


@lru_cache(maxsize=512)
def _tried(measure: Measure, size: int) -> bool:
    table = np.array([[13.0, 2.0, 1.0], [3.0, 17.0, 4.0], [1.0, 2.0, 19.0]])[:size, :size]
    weighted = table * np.array([[7.0], [0.5], [2.0]])[:size]
    try:
        return not np.allclose(measure(table), measure(weighted), rtol=1e-9, atol=0, equal_nan=True)
    except (IndexError, TypeError, ValueError):  # a metric of other tables than this one: better said once too often
        return True


# -- Which measures are sums over the cells of a table of shares -------------------------------------------------------


#: Tables of more labels are not tried: 40^4 numbers.
MOST_TRIED = 40


def linear_weights(measure: Measure, size: int, truths: int) -> Floats | None:
    """Numbers w_ij (truths, size) with measure ``sum_ij w_ij p_ij``, by trying; None where it is not linear."""
    if size > MOST_TRIED:
        return None
    units = np.zeros((truths, size, size, size))
    i, j = np.indices((truths, size))
    units[i, j, i, j] = 1.0
    some = np.zeros((5, size, size))
    some[:, :truths] = np.random.default_rng(0).dirichlet(np.ones(truths * size), 5).reshape(5, truths, size)
    with np.errstate(all="ignore"):
        weights, values = np.asarray(measure(units)), np.asarray(measure(some))
        same = np.isfinite(weights).all() and np.allclose((weights * some[:, :truths]).sum((1, 2)), values, atol=1e-12)
    return weights if same else None


# -- What people who use two-class tests call a metric -----------------------------------------------------------------


#: What a test of two classes is known by.
TEST_RATES = (
    "recall",
    "specificity",
    "precision",
    "negative_predictive_value",
    "positive_likelihood_ratio",
    "negative_likelihood_ratio",
)


def plain_name(metric: str, positive: str | None) -> str:
    """The name of a metric that a reader of two-class tests knows; ours, where there is none.

    Metrics of one class keep their names where ``positive`` is None: of more classes, or where nobody knows it.

    Examples
    --------
    >>> plain_name("recall@ill", "ill"), plain_name("recall@well", "ill"), plain_name("precision@well", "ill")
    ('sensitivity', 'specificity', 'NPV')
    >>> plain_name("balanced_accuracy", "ill"), plain_name("f1@well", "ill"), plain_name("recall@cat", None)
    ('balanced accuracy', 'f1@well', 'recall@cat')
    >>> plain_name("mcc", None), plain_name("f1@macro", None), plain_name("fbeta(beta=2)@ill", "ill")
    ('MCC', 'f1@macro', 'F2')
    """
    name, _, place = metric.partition("@")
    declared = REGISTRY.get(name.partition("(")[0])
    if positive is None and (place or declared is None or declared.per == "class"):
        return plain(metric)
    other = place not in ("", positive)
    word = _words(name)[other]
    if word:
        return word
    return plain(metric) if other else plain(name.replace("_", " "))


def _words(name: str) -> tuple[str, str]:
    """What people call a metric of the positive class, and of the other one; F-beta by its number."""
    base, _, inside = name.partition("(")
    first, second = REGISTRY[base].plain if base in REGISTRY else ("", "")
    beta = inside.rstrip(")").rpartition("=")[2].strip()
    return (first.replace("F-beta", f"F{beta}") if first and beta else first), second


def spoken_name(metric: str, positive: str | None) -> str:
    """The same, with the class or the average in words where it has one."""
    title, at, place = plain_name(metric, positive).partition("@")
    if not at:
        return title
    first, second = _words(title)
    # of two names the first is that of a test's positive class; a single one fits every class
    word = first if first and not second else title.replace("_", " ")
    return f"{place} {word}" if place in AVERAGES else f"{word} of {place}"


def put_plainly(sentence: str, metrics: Iterable[str], positive: str | None) -> str:
    """A sentence that names metrics, with their spoken names; what stands in quotes is a name of yours and stays."""
    spoken = {plain(name): spoken_name(name, positive) for name in metrics}
    if not spoken:
        return sentence
    longest = sorted(spoken, key=len, reverse=True)
    found = re.compile(rf"(?<![\w'@])(?:{'|'.join(map(re.escape, longest))})(?![\w'@])")
    return found.sub(lambda match: spoken[match[0]], sentence)
