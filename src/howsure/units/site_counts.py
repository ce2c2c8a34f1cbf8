"""Counts by site or data set, from matrices, cases or pairs; draws of their population, and if they tell of others."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, ClassVar, Literal

import numpy as np
from numpy.typing import NDArray

from howsure.answers.fields import interval_cells
from howsure.data.confusion import ConfusionMatrix, need_truths
from howsure.data.counts import LARGEST_COUNT
from howsure.data.labels import label_text, positive_or_last
from howsure.data.predictions import Predictions
from howsure.errors import (
    InvalidArgument,
    InvalidCounts,
    InvalidLabels,
    NoInformation,
    OutOfReach,
    UnknownClassifier,
    excerpt,
    listing,
)
from howsure.errors.arguments import items
from howsure.knowledge.protocol import Answered, Ask
from howsure.laws import Draws
from howsure.metrics import Asked, Measure, parse
from howsure.numerics.arrays import Booleans, Floats
from howsure.numerics.sites import ImportanceWeights, SitePopulation
from howsure.posterior.shares import share_of_cases
from howsure.text import formats


class PooledNumber(Draws):
    """What is known about one number of a pool, with the vocabulary of every law; made by `Pooled.of`.

    Its Monte Carlo errors are those of independent weighted draws; the draws are more even, so errors are smaller.

    Examples
    --------
    >>> import howsure as hs
    >>> hs.pool([(82, 100), (75, 100), (92, 100), (85, 100), (88, 100)]).of("rate")
    rate 0.84 (0.76 to 0.92) 95% HDI, typical site, simulated (Monte Carlo error 0.001)
    """

    _attributes = ("metric", "about")

    def __init__(
        self, values: Floats, weight: Floats, *, support: tuple[float, float], metric: str, about: str
    ) -> None:
        super().__init__(values, support=support, strata=ImportanceWeights(weight))
        self.metric, self.about = metric, about

    def __repr__(self) -> str:
        ends = self.interval()
        places = formats.decimals(*ends, error=self.error)
        kind = "HDI" if ends.kind == "hdi" else "central (not unimodal)"
        name = formats.isolated(formats.plain(self.metric))
        return (
            f"{name} {formats.number(self.mean, places)} ({formats.interval(*ends, places)}) 95% {kind}, "
            f"{formats.plain(self.about)}, simulated (Monte Carlo error {self.error:.1g})"
        )


@dataclass(frozen=True, eq=False)
class Hsroc:
    """Hierarchical summary ROC curve with pointwise intervals, over the range of what sites showed.

    Attributes
    ----------
    false_positive_rate, sensitivity, low, high : ndarray, shape (m,)
        Sensitivity is the median of the curve, low and high the ends of its central interval.
    """

    false_positive_rate: Floats
    sensitivity: Floats
    low: Floats
    high: Floats


#: With fewer sites nothing is said of others; with fewer than the second number that is mostly the prior's; their
#: draws are held at once.
FEWEST_SITES, FEW_SITES, MOST_SITES = 3, 5, 500

#: Sites in a table that is read; the rest is in JSON and CSV.
SHOWN = 60

#: Draws that are worth fewer independent ones than this are told of.
FEW_DRAWS = 1000


def few_units(many: int, units: str) -> tuple[str, ...]:
    """A warning where so few units tell little of others."""
    if not FEWEST_SITES <= many < FEW_SITES:
        return ()
    return (
        f"{many} {units} tell little of how much {units} differ: the spread, and with it what is said of a new one, is "
        "mostly the prior's.",
    )


def refuse_number_of_units(many: int, alone: str, beyond: str) -> None:
    """Refuse one unit, and more than are held at once."""
    if many < 2:
        raise InvalidArgument(alone)
    if many > MOST_SITES:
        raise OutOfReach(f"{beyond}, and these are {many}")


@dataclass(frozen=True, repr=False, eq=False)
class OverUnits(Answered):
    """Weighted draws of a population of units, and of each that was seen."""

    counts: Any
    population: SitePopulation
    ask: Ask

    #: What to ask where there are too few of them for others.
    _instead: ClassVar[str] = ""

    @property
    def _units(self) -> str:
        """What they are called where there are many."""
        return "data sets"

    @property
    def tells_of_others(self) -> bool:
        """Whether there are enough of them to say anything of others."""
        return len(self.counts.names) >= FEWEST_SITES

    @property
    def warnings(self) -> tuple[str, ...]:
        """What would mislead a reader."""
        few = few_units(len(self.counts.names), self._units)
        if self.population.worth >= min(FEW_DRAWS, self.draws / 10):
            return few
        return (
            *few,
            f"the {formats.integer(self.draws)} weighted draws are worth {self.population.worth:.0f} independent "
            "ones; take more (draws=).",
        )

    @property
    def _weighted(self) -> str:
        """How many draws there are, and what they are worth."""
        worth = formats.integer(round(self.population.worth))
        return f"{formats.integer(self.draws)} weighted draws, equivalent to {worth} independent ones."

    @cached_property
    def _each(self) -> list[tuple[Floats, Floats]]:
        """Draws of the logits of each unit, and their weights."""
        return [self.population.site(i) for i in range(len(self.counts.names))]

    def _number(
        self, values: Floats, support: tuple[float, float], metric: str, about: str, weight: Floats | None = None
    ) -> PooledNumber:
        weight = self.population.weight if weight is None else weight
        return PooledNumber(np.asarray(values), weight, support=support, metric=metric, about=about)

    def _cells(self, law: PooledNumber) -> tuple[str, str]:
        return interval_cells(law, self.level, self.kind)

    def _need_others(self) -> None:
        if not self.tells_of_others:
            raise NoInformation(
                f"{len(self.counts.names)} {self._units} say nothing of others: how much they differ would be the "
                f"prior's. Ask about one of them ({self._instead} {FEWEST_SITES} or more"
            )


# -- By site -----------------------------------------------------------------------------------------------------------


#: What is pooled of two classes where no metric is named.
DIAGNOSTIC = ("sensitivity", "specificity")

#: What a site is that is none.
SITE = (
    "each site is a ConfusionMatrix (of four cells: ConfusionMatrix.from_counts(tp=9, fn=1, fp=2, tn=8)), or each is "
)

WANTED = "matrices by site ({'Oslo': matrix, ...}, or a list), or one matrix whose groups are the sites"


@dataclass(frozen=True, eq=False)
class SiteCounts:
    """Counts of one rate, or of sensitivity and specificity, at each site.

    Parameters
    ----------
    names : tuple of str
        The S sites.
    rates : tuple of str
        The D rates.
    k, n : ndarray, shape (S, D)
        Right cases and cases.
    labels : tuple of str
        The two classes, the positive one second; none for one rate.
    notes : tuple of str
        What a reader should know of how they were counted.
    """

    names: tuple[str, ...]
    rates: tuple[str, ...]
    k: Floats
    n: Floats
    labels: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()


def counts_by_site(sites: Any, metric: Asked | None, positive: object | None) -> SiteCounts:
    """Take counts from what `pool` takes; see there."""
    given = _by_name(sites)
    if not given:
        raise InvalidArgument(f"pool() has no site; it takes {WANTED}")
    refuse_shared_cases(given)
    if any(not isinstance(x, ConfusionMatrix | Predictions) for x in given.values()):
        return _of_pairs(given, metric, positive)
    matrices = {name: _matrix(name, x) for name, x in given.items()}
    return _of_matrices(matrices, metric, positive)


def _by_name(sites: Any) -> dict[str, Any]:
    if isinstance(sites, ConfusionMatrix):
        if sites.groups is None:
            raise InvalidArgument(f"pool() got one matrix, and no site is known of its cases; it takes {WANTED}")
        return dict(_by_group(sites))
    if isinstance(sites, Predictions):
        raise InvalidArgument(f"pool() takes {WANTED}; predictions are those of one site")
    if isinstance(sites, Mapping):
        return named_sites(sites, "pool", "site")
    return {str(i + 1): x for i, x in enumerate(items(sites, "pool(sites)", WANTED))}


def named_sites(sites: Mapping[Any, Any], call: str, what: str) -> dict[str, Any]:
    """Sites, or whatever these are, by names that are texts."""
    named = {str(name): x for name, x in sites.items()}
    if len(named) < len(sites) or not all(name.strip() for name in named):
        raise InvalidArgument(f"{call}() needs a name of its own for every {what}, none of them blank")
    return named


def counted_pair(pair: Any, whose: str, *, least: int = 0, wanted: str = "give ") -> tuple[int, int]:
    """So many right answers and so many cases, the cases at least ``least``."""
    if not isinstance(pair, tuple | list | np.ndarray) or len(pair) != 2:
        raise InvalidArgument(f"{whose} is {excerpt(pair)}; {wanted}a pair (k, n): k right answers to n cases")
    k, n = pair
    whole = all(isinstance(v, int | np.integer) and not isinstance(v, bool) for v in (k, n))
    if not whole or not 0 <= k <= n <= LARGEST_COUNT or n < least:
        raise InvalidCounts(
            f"{whose} has {excerpt(k)} of {excerpt(n)}; two integers with 0 <= k <= n <= {LARGEST_COUNT:.0e}"
            + (f", n from {least}" if least else "")
        )
    return int(k), int(n)


def _by_group(matrix: ConfusionMatrix) -> Mapping[str, ConfusionMatrix]:
    groups, size = matrix.groups, len(matrix.labels)
    assert groups is not None
    found = {}
    for g, name in enumerate(groups.names):
        here = groups.group == g
        cells = groups.true[here], groups.pred[here], groups.count[here]
        found[name] = ConfusionMatrix.from_cells(*cells, labels=matrix.labels)
        if size == 2 and matrix.positive is not None:
            found[name] = found[name].with_positive(matrix.positive)
    return found


def refuse_shared_cases(given: Mapping[str, Any], what: str = "site") -> None:
    """Refuse an id that comes in two sites, or whatever these are."""
    seen: dict[str, str] = {}
    for name, x in given.items():
        for case in [] if not isinstance(x, Predictions) or x.id is None else map(str, x.id.tolist()):
            if case in seen:
                raise InvalidLabels(
                    f"case {excerpt(case)} is in {what} {excerpt(seen[case])} and in {what} {excerpt(name)}; a case is "
                    f"counted once. Leave it out of one of them, or give the cases of different {what}s different ids"
                )
            seen[case] = name


def _matrix(name: str, x: ConfusionMatrix | Predictions) -> ConfusionMatrix:
    if isinstance(x, Predictions):
        if len(x.names) != 1:
            raise InvalidArgument(
                f"site {excerpt(name)} has answers of {listing(x.names)}; a pool is of one classifier"
            )
        return x.confusion(x.names[0])
    need_truths(x, "pools")
    return x


def _of_matrices(matrices: dict[str, ConfusionMatrix], metric: Asked | None, positive: object | None) -> SiteCounts:
    first_name, first = next(iter(matrices.items()))
    labels = first.labels
    for name, each in matrices.items():
        if set(each.labels) != set(labels):
            raise InvalidLabels(
                f"all sites need the same classes; {excerpt(first_name)} has {listing(labels)}, {excerpt(name)} has "
                f"{listing(each.labels)}. Give every matrix all classes, with counts of 0 where a site has none"
            )
    said = {each.positive for each in matrices.values()} - {None}
    if positive is None and len(said) > 1:
        raise InvalidArgument(
            f"sites differ in their positive class, {listing(map(str, sorted(map(str, said))))}; say positive="
        )
    if positive is not None:
        said_class = label_text(positive)
        if said_class not in labels:
            raise InvalidArgument(f"positive= is one of {listing(labels)}, not {excerpt(positive)}")
        positive = said_class
    notes = []
    if len(labels) == 2:
        known = positive or (said.pop() if said else None)
        forward = positive_or_last(labels, known)
        if known is None:
            notes.append(f"the positive class is {excerpt(forward)} because it comes last; positive= changes it.")
    else:
        forward = positive
    tables = {
        name: each.counts[np.ix_(place, place)]
        for name, each in matrices.items()
        for place in [[each.index(x) for x in labels]]
    }
    if metric is None and len(labels) == 2:
        at = labels.index(str(forward))
        k = np.array([[t[at, at], t[1 - at, 1 - at]] for t in tables.values()], dtype=float)
        n = np.array([[t[at].sum(), t[1 - at].sum()] for t in tables.values()], dtype=float)
        made = SiteCounts(tuple(tables), DIAGNOSTIC, k, n, (labels[1 - at], labels[at]), tuple(notes))
    else:
        measure = parse("accuracy" if metric is None else metric, labels, forward)
        pairs = [_pair(measure, t) for t in tables.values()]
        k, n = (np.array(x, dtype=float)[:, None] for x in zip(*pairs, strict=True))
        if measure.index is None:
            notes = []
        made = SiteCounts(tuple(tables), (measure.name,), k, n, (), tuple(notes))
    return _with_cases(made)


#: Shares of cases that are pooled; those of no class first.
POOLED = ("accuracy", "error_rate", "recall", "specificity", "precision", "negative_predictive_value", "prevalence")


def _pair(measure: Measure, table: Any) -> tuple[int, int]:
    """Count and total of a metric that is the share of some cases."""
    named = POOLED if measure.index is not None and not measure.parameters else POOLED[:2]
    if measure.metric.name not in named:
        raise InvalidArgument(
            f"a pool is of a share of cases, and {excerpt(measure.name)} is none; take {listing(named)} (of a class: "
            "recall@, specificity@, precision@, prevalence@ and its name). Of two classes, name no metric: F1 and "
            "the like come from the pooled sensitivity and specificity at a prevalence that you state"
        )
    asked, has = share_of_cases(measure.metric.name, measure.index, *np.indices(table.shape))
    return int(table[asked & has].sum()), int(table[asked].sum())


def _of_pairs(given: dict[str, Any], metric: Asked | None, positive: object | None) -> SiteCounts:
    if metric is not None and not isinstance(metric, str):
        raise InvalidArgument("of pairs (k, n), metric= is what to call the rate, a text")
    if positive is not None:
        raise InvalidArgument("positive= is about matrices; pairs (k, n) are counts of one rate")
    pairs = [counted_pair(x, f"site {excerpt(name)}", wanted=SITE) for name, x in given.items()]
    k, n = (np.array(x, dtype=float)[:, None] for x in zip(*pairs, strict=True))
    return _with_cases(SiteCounts(tuple(given), (metric or "rate",), k, n))


def _with_cases(made: SiteCounts) -> SiteCounts:
    """Refuse sites without any case, and say where one of two rates has none."""
    empty = [name for name, n in zip(made.names, made.n, strict=True) if not n.any()]
    if empty:
        raise InvalidCounts(
            f"no case to count {made.rates[0]} from in site {listing(map(excerpt, empty))}; leave it out"
        )
    notes = list(made.notes)
    for j, rate in enumerate(made.rates):
        without = [name for name, n in zip(made.names, made.n[:, j], strict=True) if not n]
        if len(without) == len(made.names):
            raise InvalidCounts(f"no site has a case to count {rate} from; pool the other rate alone, by its name")
        if without:
            notes.append(
                f"{listing(map(excerpt, without))}: no case to count {rate} from; told of by the other rate alone."
            )
    return SiteCounts(made.names, made.rates, made.k, made.n, made.labels, tuple(notes))


# -- Classifiers over several data sets: counts of the same cases, or of a test set each -------------------------------


DATA_SETS_WANTED = (
    "data sets by name, each the Predictions of both classifiers or {classifier: (k, n)}; or Predictions whose groups "
    "are the data sets"
)

#: Cases added for the covariance of scores, half right and half wrong: no score is certain.
ADDED = 2.0


@dataclass(frozen=True, eq=False)
class AtDataSets:
    """Counts of T classifiers on each of S data sets.

    Attributes
    ----------
    names : tuple of str
        The data sets.
    classifiers : tuple of str
    metric : str
        The share of right answers.
    right, n : ndarray, shape (S, T)
        Right answers and cases.
    both : ndarray, shape (S, T, T), or None
        Cases that two have right; None where each has a test set of its own.
    notes : tuple of str
    """

    names: tuple[str, ...]
    classifiers: tuple[str, ...]
    metric: str
    right: Floats
    n: Floats
    both: Floats | None = None
    notes: tuple[str, ...] = ()

    @property
    def paired(self) -> bool:
        return self.both is not None

    @property
    def shares(self) -> Floats:
        return np.asarray(self.right / self.n)

    @property
    def cover(self) -> Floats:
        """Covariance of the shares within data sets, shape (S, T, T)."""
        each = np.eye(len(self.classifiers))
        if self.both is None:
            k, n = self.right, self.n
            own = (k + ADDED / 2) * (n - k + ADDED / 2) / (n + ADDED) ** 2 / n
            return np.asarray(own[:, :, None] * each)
        n = self.n[:, :1, None]
        apart = self.both / n - self.shares[:, :, None] * self.shares[:, None]
        return np.asarray((n * apart + ADDED / 4 * each) / (n + ADDED) / n)

    # -- of two ---------------------------------------------------------------------------------------------

    @property
    def cells(self) -> Floats:
        """Cases that both, only the first, only the second and neither have right, shape (S, 4); of paired ones."""
        assert self.both is not None
        both, (a, b), n = self.both[:, 0, 1], self.right.T, self.n[:, 0]
        return np.stack((both, a - both, b - both, n - a - b + both), axis=1)

    @property
    def rates(self) -> tuple[Floats, Floats]:
        """Counts k and n, (S, 2), whose probabilities are those of two rates."""
        if not self.paired:
            return self.right, self.n
        cells = self.cells
        apart = cells[:, 1] + cells[:, 2]
        return np.stack((apart, cells[:, 1]), axis=1), np.stack((self.n[:, 0], apart), axis=1)

    @property
    def observed(self) -> Floats:
        return np.asarray(self.shares[:, 0] - self.shares[:, 1])


def counts_at_data_sets(
    sites: Any, metric: Asked | None, call: Literal["compare_over", "rank_over"], a: str | None = None,
    b: str | None = None,
) -> AtDataSets:  # fmt: skip
    """Take counts from what `compare_over` takes, of two classifiers, or `rank_over`, of all; see there."""
    given = _data_sets_by_name(sites, call)
    whole = isinstance(given, Predictions)
    each = {"": given} if isinstance(given, Predictions) else given
    there = {name: [*map(str, x.names if isinstance(x, Predictions) else x)] for name, x in each.items()}
    first = next(iter(there.values()))
    names = _two(first, a, b) if call == "compare_over" else tuple(first)
    for name, here in there.items():
        for one in names if call == "compare_over" else ():
            _known(one, here, None if whole else name)
        if call == "rank_over" and (odd := set(here) ^ set(first)):
            raise InvalidLabels(
                f"data set {excerpt(name)} has other classifiers than the first one "
                f"({listing(map(excerpt, sorted(odd)))}); ranks need all of them on every data set. Leave out the data "
                "set, or the classifier"
            )
    if isinstance(given, Predictions) or isinstance(next(iter(given.values())), Predictions):
        return _of_cases(given, names, metric)
    if metric is not None and not isinstance(metric, str):
        raise InvalidArgument("of pairs (k, n), metric= is what to call the share, a text")
    pairs = [
        [counted_pair(x[one], f"classifier {excerpt(one)} in data set {excerpt(name)}", least=1) for one in names]
        for name, x in given.items()
    ]
    k, n = np.moveaxis(np.array(pairs, dtype=float), 2, 0)
    return AtDataSets(tuple(given), names, metric or "accuracy", k, n)


def _of_cases(given: Predictions | dict[str, Any], names: tuple[str, ...], metric: Asked | None) -> AtDataSets:
    """Counts of classifiers that answered the same cases."""
    parts: dict[str, tuple[Predictions, Booleans]]
    if isinstance(given, Predictions):
        chosen, shown = _chosen_cases(given, metric)
        texts = np.array([str(x) for x in np.asarray(given.group).tolist()], dtype=object)
        parts = {name: (given, chosen & (texts == name)) for name in dict.fromkeys(texts.tolist())}
        notes = given.notes
    else:
        refuse_shared_cases(given, "data set")
        counted = {name: _chosen_cases(x, metric) for name, x in given.items()}
        parts, shown = {name: (x, counted[name][0]) for name, x in given.items()}, next(iter(counted.values()))[1]
        notes = tuple(f"{name}: {note}" for name, x in given.items() for note in x.notes)
    both = []
    for name, (cases, chosen) in parts.items():
        if not chosen.any():
            raise InvalidCounts(f"no case to count {shown} from in data set {excerpt(name)}; leave it out")
        hits = np.stack([cases.answers(x)[chosen] == cases.truth[chosen] for x in names], axis=1).astype(float)
        both.append(hits.T @ hits)  # counts are whole, so that their products are exact however they are added
    table = np.array(both)
    n = np.array([[chosen.sum()] * len(names) for _, chosen in parts.values()], dtype=float)
    return AtDataSets(tuple(parts), names, shown, np.diagonal(table, axis1=1, axis2=2).copy(), n, table, notes)


def _data_sets_by_name(sites: Any, call: str) -> Predictions | dict[str, Any]:
    """Predictions with groups as they are, or data sets by name: all of cases, or all of counts."""
    if isinstance(sites, Predictions):
        if sites.group is None:
            raise InvalidArgument(f"no data set is known of these cases; {call}() takes {DATA_SETS_WANTED}")
        return sites
    if not isinstance(sites, Mapping) or not sites:
        raise InvalidArgument(f"{call}() takes {DATA_SETS_WANTED}; not {excerpt(sites)}")
    given = named_sites(sites, call, "data set")
    kind = Predictions if isinstance(next(iter(given.values())), Predictions) else Mapping
    for name, x in given.items():
        if not isinstance(x, kind) or not isinstance(x, Predictions | Mapping):
            raise InvalidArgument(f"data set {excerpt(name)} is {excerpt(x)}; {call}() takes {DATA_SETS_WANTED}")
    return given


def _chosen_cases(cases: Predictions, metric: Asked | None) -> tuple[NDArray[np.bool_], str]:
    """Which cases count, and the name of their share of right answers."""
    measure = parse("accuracy" if metric is None else metric, cases.labels, cases.confusion(cases.names[0]).positive)
    name, i = measure.metric.name, measure.index
    of_class = i is not None and (name == "recall" or (name == "specificity" and len(cases.labels) == 2))
    if of_class or (name == "accuracy" and not measure.parameters):
        return share_of_cases(name, i, cases.truth, cases.truth)[0], measure.name
    raise InvalidArgument(
        f"over data sets a share of right answers is compared, and {excerpt(measure.name)} is none; take accuracy, or "
        "recall@ and the name of a class"
    )


def _two(known: Sequence[str], a: str | None, b: str | None) -> tuple[str, str]:
    if a is None and b is None:
        if len(known) != 2:
            raise InvalidArgument(f"{len(known)} classifiers, {listing(map(excerpt, known))}; say which two: a=, b=")
        return known[0], known[1]
    if not isinstance(a, str) or not isinstance(b, str):
        raise InvalidArgument("a= and b= name two classifiers; give both, or none where there are two")
    if a == b:
        raise InvalidArgument(f"a and b are the same classifier, {excerpt(a)}")
    return a, b


def _known(one: str, names: Sequence[str], where: str | None) -> None:
    if one in names:
        return
    if where is None or not names:
        raise UnknownClassifier(one, names)
    raise InvalidLabels(
        f"data set {excerpt(where)} has no answers of {excerpt(one)}; it has {listing(map(excerpt, names))}. Leave the "
        "data set out, or compare classifiers that all data sets have"
    )
