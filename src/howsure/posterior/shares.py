"""Shares of the classes: stated, counted elsewhere or held, and the counts weighted to them.

How often a rare class comes is not known from a test set in which it came twice, and no prior on the shares mends that:
with hundreds of rare classes (Zipf) a macro F1 at uncertain shares is covered in 0 to 20%. The macro F1 of a
benchmark means its own classes as they come there. So under the learned prior means over classes are taken at the class
shares of the test set, and the recalls and errors alone are uncertain.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import cached_property
from typing import Any, Literal, NamedTuple, get_args

import numpy as np
from numpy.typing import NDArray

from howsure.data.confusion import ConfusionMatrix
from howsure.data.counts import whole_number
from howsure.errors import InvalidArgument, InvalidCounts, NoInformation, excerpt, listing
from howsure.metrics import AVERAGES, Measure, lacking
from howsure.metrics.margins import Margins
from howsure.metrics.measure import depends_on_prevalence
from howsure.metrics.metric import OwnFormula
from howsure.numerics.arrays import Booleans, Floats, bincount
from howsure.posterior.priors import LearnedPrior, Prior
from howsure.text import formats

#: A smaller share is a slip of the hand, and no number to compute with.
LEAST_SHARE = 1e-12

PrevalenceSource = Literal["test set", "chosen", "stated", "other cases", "verdicts elsewhere"]


def stated_shares(prevalence: Any, confusion: ConfusionMatrix) -> Floats:
    """Read shares of the true classes, stated one by one or for some classes by name.

    Examples
    --------
    >>> cm = ConfusionMatrix([[9, 1, 0], [2, 27, 1], [0, 1, 9]], labels=["a", "b", "c"])
    >>> stated_shares({"c": 0.2}, cm).round(9).tolist()
    [0.2, 0.6, 0.2]
    """
    given = [*prevalence.values()] if isinstance(prevalence, Mapping) else prevalence
    if any(isinstance(share, bool | np.bool_) for share in np.array(given, dtype=object).flat):
        raise InvalidArgument(f"a prevalence is one share for each class, not {excerpt(prevalence)}")
    if isinstance(prevalence, Mapping):
        prevalence = _completed(_by_label(prevalence, confusion), confusion)
    try:
        shares = np.array(prevalence, dtype=float)
        total = float(np.minimum(np.abs(shares), 1e6).sum())
    except (TypeError, ValueError, OverflowError):
        raise InvalidArgument(f"a prevalence is one share for each class, not {excerpt(prevalence)}") from None
    size = len(confusion.labels)
    if shares.shape != (size,):
        raise InvalidArgument(f"{size} classes need {size} shares, not an array of shape {shares.shape}")
    if not np.all(shares >= 0) or not abs(total - 1) < 1e-6:
        raise InvalidArgument(
            f"shares of classes are 0 or more and add to 1; got {excerpt(shares.tolist())}, sum {total:g}"
            + (" (2% is 0.02)" if abs(total - 100) < 1e-6 else "")
        )
    rare = [label for label, share in zip(confusion.labels, shares.tolist(), strict=True) if 0 < share < LEAST_SHARE]
    if rare:
        instead = "one that can be met" if size == 2 else "0, or one that can be met"
        raise InvalidArgument(f"the share of {listing(map(excerpt, rare))} is below {LEAST_SHARE:g}; state {instead}")
    shares /= shares.sum()
    shares.setflags(write=False)
    return shares


def shares_to_be_met(prevalence: Any, confusion: ConfusionMatrix) -> Floats:
    """`stated_shares` of a user; refuses 0 and 1 of two classes, which howsure itself has where a class is empty.

    Examples
    --------
    >>> cm = ConfusionMatrix([[45, 5], [8, 42]], labels=["healthy", "ill"])
    >>> shares_to_be_met({"ill": 0.02}, cm).tolist()
    [0.98, 0.02]
    """
    shares = stated_shares(prevalence, confusion)
    if len(shares) == 2 and not np.all(shares > 0):
        raise InvalidArgument(
            f"a prevalence is {excerpt(prevalence)}; each of two classes has a share strictly between 0 and 1; a "
            "class that nobody or everybody belongs to needs no test"
        )
    return shares


def counted_elsewhere(cases: Any, confusion: ConfusionMatrix, mass: Floats) -> Floats:
    """Dirichlet parameters of a prevalence that was counted in other cases than the test set."""
    counts = np.array(counts_by_class(cases, confusion, "cases="), dtype=float)
    alphas = counts + mass
    if not np.all(alphas > 0):
        empty = [x for x, alpha in zip(confusion.labels, alphas, strict=True) if alpha <= 0]
        raise InvalidArgument(
            f"no case of {listing(empty)} was counted and the prior adds none, so its share is unknown; "
            "state the prevalence, or use prior 'flat'"
        )
    alphas.setflags(write=False)
    return np.asarray(alphas)


def counts_by_class(given: Any, confusion: ConfusionMatrix, what: str) -> list[int]:
    """Whole numbers, one for each class, from a mapping of every label to one, or in the order of the labels.

    Examples
    --------
    >>> table = ConfusionMatrix([[8, 2], [1, 9]], labels=["fail", "pass"])
    >>> counts_by_class({"pass": 700, "fail": 300}, table, "cases=")
    [300, 700]
    """
    labels = confusion.labels
    if isinstance(given, Mapping):
        named = _by_label(given, confusion)
        if missing := [x for x in labels if x not in named]:
            raise InvalidArgument(
                f"{listing(map(excerpt, missing))} is missing in {what}; give a count for every class, 0 where there "
                "was none"
            )
        given = [named[x] for x in labels]
    if isinstance(given, str | bytes) or not hasattr(given, "__len__") or len(given) != len(labels):
        raise InvalidArgument(
            f"{what} takes {len(labels)} integers, one for each class, such as {{{excerpt(labels[-1])}: 700, ...}}; "
            f"not {excerpt(given)}"
        )
    try:
        return [whole_number(n, f"{what} {excerpt(x)}") for n, x in zip(given, labels, strict=True)]
    except InvalidCounts as error:
        raise InvalidArgument(str(error)) from None


def named_positive(prevalence: Any, confusion: ConfusionMatrix) -> ConfusionMatrix:
    """Take the one of two classes that a prevalence names as the positive one, unless that is known already.

    Examples
    --------
    >>> named_positive({"low": 0.02}, ConfusionMatrix([[6, 2], [0, 26]], labels=["low", "high"])).positive
    'low'
    """
    alone = isinstance(prevalence, Mapping) and len(prevalence) == 1 and len(confusion.labels) == 2
    return confusion.with_positive(*prevalence) if alone and confusion.positive is None else confusion


def _by_label(given: Mapping[Any, Any], confusion: ConfusionMatrix) -> dict[str, Any]:
    return {confusion.labels[confusion.index(label)]: value for label, value in given.items()}


def _completed(named: Mapping[str, Any], confusion: ConfusionMatrix) -> Sequence[float]:
    """Stated shares, and for the classes without one the rest, in proportion to their counts."""
    others = [x for x in confusion.labels if x not in named]
    if not others or not named:
        if not named:
            raise InvalidArgument("a prevalence names at least one class; got an empty mapping")
        return [named[x] for x in confusion.labels]
    try:
        rest = 1 - sum(float(share) for share in named.values())
    except (TypeError, ValueError, OverflowError):
        raise InvalidArgument(f"a prevalence is one share for each class, not {excerpt(dict(named))}") from None
    if not -1e-9 <= rest <= 1:
        raise InvalidArgument(
            f"the shares of {listing(named)} add to {1 - rest:g}, which leaves nothing for {listing(others)}; "
            "shares are numbers from 0 to 1 (2% is 0.02)"
        )
    sizes = dict(zip(confusion.labels, confusion.class_sizes.tolist(), strict=True))
    counted = sum(sizes[x] for x in others)
    if len(others) > 1 and not counted:
        raise InvalidArgument(
            f"no case of {listing(others)} was tested, so there is no proportion in which to share the rest; "
            "give a share for every class"
        )
    parts = {x: max(rest, 0.0) * (1.0 if len(others) == 1 else sizes[x] / counted) for x in others}
    return [float(parts[x] if x in parts else named[x]) for x in confusion.labels]


# -- The counts as they are, and means over classes: at which shares, and what absent classes count --------------------


#: Metrics of one coin a case, which no recall enters.
COINS = ("accuracy", "error_rate")

#: Metrics that are a share of cases: of which, and of those with what.
SHARES_OF_CASES = {
    "accuracy": ("all", "right"),
    "error_rate": ("all", "not right"),
    "recall": ("true", "right"),
    "false_negative_rate": ("true", "not right"),
    "specificity": ("not true", "not called"),
    "false_positive_rate": ("not true", "called"),
    "precision": ("called", "right"),
    "negative_predictive_value": ("not called", "not true"),
    "prevalence": ("all", "true"),
    "bias": ("all", "called"),
}


def share_of_cases(name: str, own: int | None, true: NDArray[Any], pred: NDArray[Any]) -> tuple[Booleans, Booleans]:
    """Of which cases (or cells) a metric is a share, and which have what it counts, whether it is of them or not.

    Examples
    --------
    >>> asked, has = share_of_cases("precision", 1, np.array([0, 1, 1]), np.array([1, 1, 0]))
    >>> asked.tolist(), has.tolist()
    ([True, True, False], [False, True, False])
    """
    every = np.ones(true.shape, dtype=bool)
    facts = {"all": every, "right": true == pred, "true": true == own, "called": pred == own}
    facts |= {f"not {what}": ~which for what, which in facts.items()}
    asked, has = SHARES_OF_CASES[name]
    return facts[asked], facts[has]


class Observed:
    """The counts as a table of floats, and what metrics are on it."""

    def __init__(self, confusion: ConfusionMatrix, shares: Floats | None = None, table: Floats | None = None) -> None:
        self._confusion, self._shares = confusion, shares
        if table is not None:  # of cells that are no counts
            self.__dict__.update(table=table, margins=Margins.of(table))
        self._counted: dict[object, Floats] = {}

    def value(self, measure: Measure) -> float | None:
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
        with np.errstate(invalid="ignore"):  # a class without cases is undefined at a share of its own
            return np.asarray(self.weights[:, None] * self._confusion.counts)

    @property
    def table_of_shares(self) -> Floats:
        """All cells as shares of the cases, shape (K, K): what a function from outside is given of draws, too."""
        with np.errstate(invalid="ignore"):  # no cases have no shares
            return np.asarray(self.table / self.table.sum())

    @cached_property
    def margins(self) -> Margins:
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
