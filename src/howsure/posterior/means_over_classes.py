"""Values on the counts as they are, and means over classes: at which shares, and what absent classes count.

How often a rare class comes is not known from a test set in which it came twice, and no prior on the shares mends that:
with hundreds of rare classes (Zipf) a macro F1 at uncertain shares is covered in 0 to 20%. The macro F1 of a
benchmark means its own classes as they come there. So under the learned prior means over classes are taken at the class
shares of the test set, and the recalls and errors alone are uncertain.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from functools import cached_property
from typing import Literal, NamedTuple, get_args

import numpy as np

from howsure.data.confusion import ConfusionMatrix
from howsure.errors import InvalidArgument, NoInformation, excerpt, listing
from howsure.metrics import AVERAGES, Measure, lacking
from howsure.metrics.margins import Margins
from howsure.metrics.measure import depends_on_prevalence
from howsure.metrics.metric import OwnFormula
from howsure.numerics.arrays import Floats, bincount
from howsure.posterior.priors import LearnedPrior, Prior
from howsure.text import formats


class Observed:
    """The counts as a table of floats, and what metrics are on it.

    Parameters
    ----------
    confusion : ConfusionMatrix
        The counts.
    shares : ndarray of shape (K,), optional
        The classes' shares to weight the counts to; those of the counts themselves if left out.
    """

    def __init__(self, confusion: ConfusionMatrix, shares: Floats | None = None) -> None:
        self._confusion, self._shares = confusion, shares
        self._counted: dict[object, Floats] = {}

    def value(self, measure: Measure) -> float | None:
        """Value of a measure; None where it is undefined."""
        if isinstance(measure.metric.formula, OwnFormula):
            return measure.observed(self.table_of_shares)
        return measure.observed(self.margins if measure.metric.by_margins else self.table, self._counted)

    def undefined(self, measure: Measure) -> tuple[int, ...]:
        """Rows of the classes of an average that these counts leave without a value: never predicted, or never true."""
        return tuple(i for i, value in self._of_lacking(measure).items() if np.isnan(value))

    def absent(self, measure: Measure) -> dict[int, float]:
        """The same rows and those of the worst value for the same reason, with what each counts; NaN: left out."""
        worst = measure.metric.without_cases
        values = self._of_lacking(measure)
        return {i: worst for i, value in values.items() if np.isnan(value) or value == worst}

    def _of_lacking(self, measure: Measure) -> dict[int, float]:
        """Value of the metric for each class of an average that is never, or always, true or predicted."""
        lack = lacking(self.margins)
        if measure.average in (None, "micro") or not lack.any():
            return {}
        if measure.average == "weighted":  # a class that is never true has no weight
            lack = np.logical_and(lack, self.margins.actual > 0)
        each = replace(measure, average=None)
        values = each(self.margins if measure.metric.by_margins else self.table, self._counted)
        return {i: float(values[i]) for i in np.flatnonzero(lack).tolist()}

    @property
    def sizes(self) -> Floats:
        """Cases, or the share, of each class, shape (K,)."""
        return self._confusion.class_sizes.astype(float) if self._shares is None else self._shares

    @cached_property
    def weights(self) -> Floats:
        """What a case of each class weighs: 1, or the share of its class over its cases."""
        if self._shares is None:
            return np.ones(len(self._confusion.labels))
        with np.errstate(invalid="ignore", divide="ignore"):
            return np.where(self._shares == 0, 0.0, self._shares / self._confusion.class_sizes)

    @cached_property
    def table(self) -> Floats:
        """All cells, shape (K, K)."""
        with np.errstate(invalid="ignore"):  # a class without cases is undefined at a share of its own
            return np.asarray(self.weights[:, None] * self._confusion.counts)

    @property
    def table_of_shares(self) -> Floats:
        """All cells as shares of the cases, shape (K, K): what a function from outside is given of draws, too."""
        with np.errstate(invalid="ignore"):  # no cases have no shares
            return np.asarray(self.table / self.table.sum())

    @cached_property
    def margins(self) -> Margins:
        """Diagonal, row and column sums, from the cells that are not empty."""
        confusion, weights = self._confusion, self.weights
        true, pred, counts = confusion.cells
        with np.errstate(invalid="ignore"):
            hits, actual = weights * confusion.correct, weights * confusion.class_sizes
        called = bincount(pred, weights=weights[true] * counts, minlength=len(confusion.labels))
        return Margins(hits, actual, np.where(np.isnan(actual).any(), np.nan, called))


#: What the shares of the classes are: ``test``, those of the test set in every mean over classes; ``sampled``,
#: uncertain everywhere, because cases came as they are; ``chosen``, those of the test set everywhere, because somebody
#: chose them.
Shares = Literal["test", "sampled", "chosen"]

#: From this many classes on the learned prior takes means over classes at the shares of the test set.
FEWEST_HELD = 3

#: A class with fewer cases has a share of which next to nothing is known.
FEW_CASES = 4


def resolved_shares(shares: Shares | None, prior: Prior, size: int) -> Shares:
    """What the class shares are, unless it was said: ``test`` under the learned prior from three classes on.

    Examples
    --------
    >>> from howsure.posterior.priors import resolve_prior
    >>> resolved_shares(None, resolve_prior("learned", 3), 3), resolved_shares(None, resolve_prior("flat", 3), 3)
    ('test', 'sampled')
    """
    if shares is None:
        return "test" if isinstance(prior, LearnedPrior) and size >= FEWEST_HELD else "sampled"
    if not isinstance(shares, str) or shares not in get_args(Shares):
        raise InvalidArgument(
            "shares= takes 'test' (means over classes at the class shares of the test set), 'sampled' (uncertain ones: "
            "cases came as they are) or 'chosen' (class sizes were chosen, and everything is at theirs); "
            f"not {excerpt(shares)}"
        )
    return shares


def is_mean_over_classes(measure: Measure, size: int) -> bool:
    """Whether a measure is a mean, minimum or maximum over classes of a metric that depends on the prevalence.

    Examples
    --------
    >>> from howsure.metrics import parse
    >>> [is_mean_over_classes(parse(m, "abc"), 3) for m in ("f1@macro", "f1@a", "f1@micro", "recall@weighted", "mcc")]
    [True, False, False, False, False]
    """
    if measure.average not in AVERAGES or measure.average == "micro":
        return False
    # a mean of recalls is balanced accuracy, or weighted_recall, whatever its weights depend on
    return depends_on_prevalence(replace(measure, average=None, label="0", index=0), size)


def held_shares(confusion: ConfusionMatrix, mode: Shares) -> Floats | None:
    """Shares of the test set to hold; None where there is no case. Raises `NoInformation` if they were chosen so."""
    if mode == "chosen" and not confusion.n:
        raise NoInformation("shares='chosen' holds the class sizes as they were chosen, and there is no case at all")
    return class_shares(confusion)


def class_shares(confusion: ConfusionMatrix) -> Floats | None:
    """Share of each class among the cases, shape (K,); None where there is no case."""
    return None if not confusion.n else np.asarray(confusion.class_sizes / confusion.n)


def few_cases(confusion: ConfusionMatrix) -> str:
    """What a mean over classes at uncertain shares rests on, where most of them are hardly known; else nothing."""
    few, size = int(np.count_nonzero(confusion.class_sizes < FEW_CASES)), len(confusion.labels)
    if size < FEWEST_HELD or 2 * few < size or not confusion.n:
        return ""
    who = "half" if 2 * few == size else f"{formats.integer(few)} of {formats.integer(size)}"
    return f"{who} of the classes have fewer than {FEW_CASES} cases"


class Absent(NamedTuple):
    """A class of an average without a value of its own, and what it counts.

    Parameters
    ----------
    label : str
        The class.
    reason : str
        What it never is, or always is.
    worth : float
        What it counts in the average; NaN where it is left out.
    """

    label: str
    reason: str
    worth: float


def absent_of(confusion: ConfusionMatrix, worths: Mapping[int, float]) -> list[Absent]:
    """The classes of these rows, with the reason why each has no value of its own."""
    sizes, called, n = confusion.class_sizes, confusion.called, confusion.n
    reasons = {
        "never true or predicted": (sizes == 0) & (called == 0),
        "never predicted": called == 0,
        "never true": sizes == 0,
        "always predicted": called == n,
        "always true": sizes == n,
    }
    return [
        Absent(confusion.labels[i], next((reason for reason, which in reasons.items() if which[i]), ""), worth)
        for i, worth in worths.items()
    ]


def absent_classes(confusion: ConfusionMatrix, worths: Mapping[str, Mapping[int, float]]) -> list[str]:
    """Sentences that name the classes that count as 0 in averages, or are left out, from what they count in each.

    Examples
    --------
    >>> table = ConfusionMatrix([[40, 10, 0], [5, 40, 0], [3, 7, 0]], labels=["a", "b", "c"])
    >>> absent_classes(table, {"precision@macro": {2: 0.0}, "f1@macro": {2: 0.0}})
    ["'c' was never predicted and counts as 0 in precision@macro, f1@macro."]
    >>> absent_classes(table, {"lift@macro": {2: float("nan")}})
    ["'c' was never predicted and is left out of lift@macro."]
    """
    averages: dict[tuple[tuple[str, ...], str, str], list[str]] = {}
    for name, rows in worths.items():
        alike: dict[tuple[str, str], list[str]] = {}
        for label, reason, worth in absent_of(confusion, rows):
            alike.setdefault((reason, "" if np.isnan(worth) else f"{worth:g}"), []).append(label)
        for (reason, value), classes in alike.items():
            averages.setdefault((tuple(classes), reason, value), []).append(formats.plain(name))
    found = []
    for (labels, reason, value), names in averages.items():
        was, counts, left = ("was", "counts", "is left") if len(labels) == 1 else ("were", "count", "are left")
        counted = f"{counts} as {value} in" if value else f"{left} out of"
        found.append(f"{listing(map(excerpt, labels), 6)} {was} {reason} and {counted} {listing(names)}.")
    return found
