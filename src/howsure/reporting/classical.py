"""Frequentist companions of a confusion matrix, for reviewers who require them."""

from __future__ import annotations

from dataclasses import dataclass

from scipy.special import ndtri

from howsure.answers.sheet import Record, Sheet
from howsure.data.confusion import ConfusionMatrix, need_truths
from howsure.data.groups import refuse_passes
from howsure.errors import InvalidArgument
from howsure.laws.law import LEVEL, checked_level
from howsure.numerics.populations.group_bootstrap import clustered_error
from howsure.posterior.distribution import MOST_ROWS
from howsure.reporting.frequentist import (
    GUESSES,
    Pair,
    Test,
    above_chance,
    bowker,
    carrillo_intervals,
    chance_threshold,
    clopper_pearson,
    guess_accuracy,
    mcnemar,
    mcnemar_corrected,
    no_information_rate,
    stuart_maxwell,
    tail_inversion,
    wilson,
)
from howsure.text import formats
from howsure.text.svg import IntervalRow, forest

#: The keys of the answer.
FIELDS = (
    "level rates=rows[metric right cases clopper_pearson wilson error_at_most] tests[name statistic freedom p] "
    "guesses=_guesses normal[metric=0 low=1.0 high=1.1] clustered?"
)


@dataclass(frozen=True)
class ClassicalRow:
    """One rate with its confidence intervals; the bound is one-sided, for the error rate 1 - rate."""

    metric: str
    right: int
    cases: int
    clopper_pearson: Pair
    wilson: Pair
    error_at_most: float


@dataclass(frozen=True, repr=False)
class Classical(Record, fields=FIELDS):
    """Confidence intervals and tests of one confusion matrix; made by `classical`.

    Attributes
    ----------
    rows : tuple of ClassicalRow
        Accuracy, the recall and the precision of each class (those with cases).
    tests : tuple of Test
        No-information rate, accuracy above 1/K, Bowker, Stuart-Maxwell.
    guesses : tuple of (str, float)
        Accuracy of guesses that do not look at the cases; see `howsure.reporting.frequentist.guess_accuracy`.
    threshold : int
        Right answers that the uniform guess reaches with probability 1 - level at most.
    normal : tuple of (str, Pair)
        Intervals as in Carrillo et al. 2013; empty where they are not defined.
    level : float
        Coverage of the intervals of ``rows``.
    clustered : ClusteredError or None
        Of the accuracy, where the cases come in groups.
    """

    rows: tuple[ClassicalRow, ...]
    tests: tuple[Test, ...]
    normal: tuple[tuple[str, Pair], ...]
    level: float
    guesses: tuple[tuple[str, float], ...]
    threshold: int
    clustered: ClusteredError | None = None

    def sheet(self) -> Sheet:
        """A row for each rate; tests as sentences below."""
        name = formats.level_words(self.level)
        kinds = ("Clopper-Pearson", "Wilson", "error at most, one-sided")
        header = ("rate", "k/n", "value", *(f"{kind} {name}" for kind in kinds))
        cells = []
        for row in self.rows:
            places = formats.decimals(*row.clopper_pearson)
            value = formats.number(row.right / row.cases, max(places, 3))
            ends = (formats.interval(*pair, places) for pair in (row.clopper_pearson, row.wilson))
            bound = formats.number(row.error_at_most, places)
            cells.append((formats.plain(row.metric), f"{row.right}/{row.cases}", value, *ends, bound))
        notes = [_sentence(test) for test in self.tests]
        majority, proportional, uniform = (f"{accuracy:.3f}" for _, accuracy in self.guesses)
        notes.append(
            f"Accuracy of guesses: {majority} for always the largest class, {proportional} for classes as often as "
            f"they occur, {uniform} for each equally often; {self._significant()}."
        )
        if self.normal:
            shown = "; ".join(f"{metric} {low:.3f} to {high:.3f}" for metric, (low, high) in self.normal)
            notes.append(f"Normal intervals as in Carrillo et al. 2013 (may leave the range): {shown}.")
        if self.clustered is not None:
            notes.append(self.clustered.sentence)
            notes.append("The other intervals and tests take all cases for independent.")
        covers = "Confidence intervals cover the true rate in repeated tests; not a probability of the rate."
        return Sheet("Classical companions of the same counts.", header, tuple(cells), (covers,), below=tuple(notes))

    @property
    def _guesses(self) -> dict[str, float]:
        return {**dict(self.guesses), "threshold": self.threshold}

    def _significant(self) -> str:
        cases, name = self.rows[0].cases, formats.level_words(self.level)
        if self.threshold > cases:
            return f"at {name} not even {formats.several(cases, 'right answer')} would be above the last one"
        return f"significantly above the last one at {name} from {self.threshold} of {cases} right on"

    def picture(self) -> str:
        """Rates with their Clopper-Pearson intervals as SVG."""
        rows = []
        for row in self.rows[:MOST_ROWS]:
            value, ends = row.right / row.cases, row.clopper_pearson
            rows.append(IntervalRow(row.metric, formats.estimate(value, *ends), None, *ends, value))
        return forest(rows, title=f"Rates (tick) with Clopper-Pearson {formats.level_words(self.level)} intervals")


def classical(confusion: ConfusionMatrix, *, level: float = LEVEL) -> Classical:
    """Frequentist companions of a confusion matrix: what a reviewer may ask for next to the posterior.

    Parameters
    ----------
    confusion : ConfusionMatrix
        The counts.
    level : float
        Coverage of the intervals.

    Raises
    ------
    InvalidArgument
        No case at all.

    Examples
    --------
    >>> made = classical(ConfusionMatrix([[6, 2], [0, 26]], labels=["low", "high"]))
    >>> [round(x, 3) for x in made.rows[0].clopper_pearson]
    [0.803, 0.993]
    """
    if not isinstance(confusion, ConfusionMatrix):
        raise InvalidArgument(f"classical() takes a ConfusionMatrix, not {type(confusion).__name__}")
    need_truths(confusion, "confidence intervals of counts")
    refuse_passes(confusion.folds, "a confidence interval or a test of counts")
    level = checked_level(level)
    if not confusion.n:
        raise InvalidArgument("there are no cases, so there is no confidence interval")
    right, sizes, called = confusion.correct, confusion.class_sizes, confusion.counts.sum(axis=0)
    rates = [("accuracy", int(right.sum()), confusion.n)]
    for name, totals in (("recall", sizes), ("precision", called)):
        rates += [(f"{name}@{x}", int(k), int(n)) for x, k, n in zip(confusion.labels, right, totals, strict=True) if n]
    rows = tuple(
        ClassicalRow(name, k, n, clopper_pearson(k, n, level), wilson(k, n, level), tail_inversion(n - k, n, level))
        for name, k, n in rates
    )
    tests = no_information_rate(confusion), above_chance(confusion), bowker(confusion), stuart_maxwell(confusion)
    guesses = tuple((each, guess_accuracy(confusion, each)) for each in GUESSES)
    threshold = chance_threshold(confusion.n, level, chance=dict(guesses)["uniform"])
    defined = confusion.n >= 2 and bool(sizes.all())
    normal = tuple(carrillo_intervals(confusion).items()) if defined else ()
    return Classical(rows, tests, normal, level, guesses, threshold, clustered_error_of(confusion, level))


def classical_pair(names: tuple[str, str], only_first: int, only_second: int) -> tuple[str, ...]:
    """What a reviewer may ask for beside a comparison on the same cases: McNemar's test, exact and corrected.

    Examples
    --------
    >>> for sentence in classical_pair(("new", "old"), 12, 5):
    ...     print(sentence)
    Of the 17 cases that one of the two has right, 12 are of new and 5 of old. McNemar (exact): p 0.143.
    McNemar (continuity correction), chi-squared 2.12 with 1 degree of freedom: p 0.146.
    """
    exact, corrected = (_sentence(test(only_first, only_second)) for test in (mcnemar, mcnemar_corrected))
    cases = formats.several(only_first + only_second, "case")
    one, other = (formats.plain(name, 40) for name in names)
    shares = f"{formats.integer(only_first)} are of {one} and {formats.integer(only_second)} of {other}"
    return f"Of the {cases} that one of the two has right, {shares}. {exact}", corrected


def _sentence(test: Test) -> str:
    degrees = f"{test.freedom} degree{'' if test.freedom == 1 else 's'} of freedom"
    how = "" if test.statistic is None else f", chi-squared {test.statistic:.3g} with {degrees}"
    return f"{test.name}{how}: p {formats.probability(test.p)}."


@dataclass(frozen=True)
class ClusteredError:
    """Clustered standard error of the accuracy, and its normal interval."""

    groups: int
    value: float
    error: float
    low: float
    high: float

    @property
    def sentence(self) -> str:
        """For a reader who knows the number from elsewhere."""
        return (
            f"Clustered standard error of the accuracy over {formats.several(self.groups, 'group')}: {self.error:.4f} "
            f"({self.low:.3f} to {self.high:.3f} by the normal approximation; too narrow with few groups)."
        )


def clustered_error_of(confusion: ConfusionMatrix, level: float) -> ClusteredError | None:
    """Clustered standard error, where cases come in two groups or more; None elsewhere."""
    groups = confusion.groups
    if groups is None or len(groups) < 2:
        return None
    value = float(confusion.correct.sum()) / confusion.n
    error = clustered_error(groups.correct, groups.cases)
    reach = float(ndtri((1 + level) / 2)) * error
    return ClusteredError(len(groups), value, error, value - reach, value + reach)
