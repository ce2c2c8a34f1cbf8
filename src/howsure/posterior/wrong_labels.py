"""What a metric would be if some labels of the reference are wrong, or those that there are had been picked.

Wrong labels and sampling are two different doubts. An interval holds the second; the first has no law unless one is
assumed, so it is a range: the worst that so many wrong labels can do in either direction.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING, Any, Literal, NamedTuple

import numpy as np

from howsure.answers.sheet import Answered, Ask, Record, Sheet
from howsure.data.confusion import ConfusionMatrix
from howsure.data.groups import refuse_passes
from howsure.data.verdicts import Verdicts
from howsure.errors import InvalidArgument, NoInformation, OutOfReach, excerpt, listing
from howsure.errors.arguments import number
from howsure.laws import Interval, Kind
from howsure.laws.law import KIND, LEVEL, checked_level
from howsure.metrics import Measure
from howsure.metrics.measure import linear_weights
from howsure.metrics.metric import OwnFormula
from howsure.numerics.arrays import Booleans, Floats, Integers
from howsure.numerics.moved_labels import MovedLabels, over_all_moves, over_best_moves, steps
from howsure.posterior.shares import COINS
from howsure.text import formats

if TYPE_CHECKING:
    from howsure.posterior.distribution import Distribution

#: How a range is known: every table was tried (or the range is closed), or a search found it to be at least as wide.
Found = Literal["exact", "search"]

#: Numbers that a search among tables of three classes or more may touch (some seconds).
MOST_NUMBERS = 200_000_000


class Relabelled(NamedTuple):
    """Range of a metric at each number of wrong labels, and the counts at both ends."""

    at: tuple[int, ...]
    low: Floats
    high: Floats
    undefined: bool
    how: Found
    ends: tuple[Any, Any]


def _closed(measure: Measure, right: int, n: int, most: int, ends: tuple[Any, Any]) -> Relabelled:
    at = np.array(steps(most))
    low, high = np.maximum(0, right - at) / n, np.minimum(n, right + at) / n
    if measure.twin.metric.name == "error_rate":
        low, high, ends = 1 - high, 1 - low, (ends[1], ends[0])
    return Relabelled(tuple(at.tolist()), low, high, False, "exact", ends)


def tables(source: Any, measure: Measure, most: int) -> Relabelled:
    """Range of a metric of a table, by the first route that is exact, else by search."""
    if source.prevalence_source == "other cases":
        raise InvalidArgument(
            "the prevalence was counted in other cases, whose labels may be wrong as well; state it, or leave it out"
        )
    groups = source.confusion.groups
    if groups is not None and groups.question == "new":
        raise InvalidArgument(
            "a range of wrong labels moves cases of the whole table, and numbers about new groups rest on the table of "
            "each group; say groups='these' for a range"
        )
    refuse_passes(source.confusion.folds, "a range of wrong labels")
    if source.confusion.verdicts is not None:
        raise InvalidArgument("some cases have no label here; wrong labels are asked of a table of which all have one")
    confusion, counted = source.confusion, source.prevalence_source != "stated"
    size, value = len(confusion.labels), _value(source, measure)

    def as_table(table: Floats) -> ConfusionMatrix:
        return ConfusionMatrix(table.astype(np.int64), confusion.labels, positive=confusion.positive)

    if counted and measure.twin.metric.name in COINS:
        return _closed(measure, int(confusion.correct.sum()), confusion.n, most, _worst_and_best(confusion, most))
    if size == 2:
        return _ranged(over_all_moves(confusion.counts.astype(float), most, value), as_table)
    if counted and measure.label is not None and measure.index is not None and _of_one_class(measure):
        two = confusion.one_vs_rest(measure.label).counts.astype(float)
        found, label = over_all_moves(two, most, _against_the_rest(measure)), measure.index
        return _ranged(found, lambda table: _spread(confusion, label, table - two))
    cells = len(confusion.cells[0]) + most
    if cells * size**3 * most > MOST_NUMBERS:
        raise OutOfReach(
            f"the range of {formats.plain(measure.name)} over {formats.several(most, 'wrong label')} in "
            f"{size} classes takes too long to search; ask for fewer, for accuracy, or for the recall of a class"
        )
    return _ranged(over_best_moves(confusion.counts.astype(float), most, value), as_table)


def _ranged(found: MovedLabels, whole: Callable[[Floats], ConfusionMatrix]) -> Relabelled:
    how: Found = "exact" if found.exhaustive else "search"
    return Relabelled(
        found.at, found.low, found.high, found.undefined, how, (whole(found.lowest), whole(found.highest))
    )


def _value(source: Any, measure: Measure) -> Callable[[Floats], Floats]:
    """The observed value on tables (m, K, K): as counted, or at the stated shares of the classes."""
    stated = source.shares if source.prevalence_source == "stated" else None

    def value(counts: Floats) -> Floats:
        with np.errstate(invalid="ignore", divide="ignore"):
            if stated is not None:
                counts = counts * np.where(stated == 0, 0.0, stated / counts.sum(-1))[..., None]
            if isinstance(measure.metric.formula, OwnFormula):
                counts = counts / counts.sum((-2, -1), keepdims=True)
            return np.asarray(measure(counts), dtype=float)

    return value


def _against_the_rest(measure: Measure) -> Callable[[Floats], Floats]:

    def value(counts: Floats) -> Floats:
        with np.errstate(invalid="ignore", divide="ignore"):
            return np.asarray(measure.metric(counts, **dict(measure.parameters))[..., 1], dtype=float)

    return value


@lru_cache(maxsize=512)
def _of_one_class(measure: Measure) -> bool:
    """Whether a metric of a class is one of that class against all others together; found out by trying."""
    if isinstance(measure.metric.formula, OwnFormula):
        return False
    tried = np.array([[[9.0, 2, 3], [4, 17, 1], [2, 5, 8]], [[5.0, 4, 0], [1, 30, 2], [7, 0, 1]]])
    rest = [1, 2]
    two = np.stack(
        [np.stack([tried[:, rest][:, :, rest].sum((1, 2)), tried[:, rest, 0].sum(1)], -1),
         np.stack([tried[:, 0, rest].sum(1), tried[:, 0, 0]], -1)], -2
    )  # fmt: skip
    whole = measure.metric(tried, **dict(measure.parameters))[..., 0]
    return bool(np.allclose(_against_the_rest(measure)(two), whole, rtol=1e-12, atol=0, equal_nan=True))


def _moved(confusion: ConfusionMatrix, moves: list[tuple[Booleans, Integers, int]]) -> ConfusionMatrix:
    """The table after moving so many cases out of the chosen cells, the largest first, to the row given for each."""
    true, pred, counts = (np.array(x) for x in confusion.cells)
    added: list[tuple[Integers, Integers, Integers]] = []
    for chosen, to, many in moves:
        order = np.flatnonzero(chosen)
        order = order[np.argsort(-counts[order], kind="stable")]
        before = np.cumsum(counts[order]) - counts[order]
        taken = np.clip(many - before, 0, counts[order])
        counts[order] -= taken
        added.append((to[order], pred[order], taken))
    parts = [np.concatenate(x) for x in zip((true, pred, counts), *added, strict=True)]
    return ConfusionMatrix.from_cells(*parts, labels=confusion.labels, positive=confusion.positive)


def _worst_and_best(confusion: ConfusionMatrix, many: int) -> tuple[ConfusionMatrix, ConfusionMatrix]:
    true, pred, _ = confusion.cells
    worst = _moved(confusion, [(true == pred, (pred + 1) % len(confusion.labels), many)])
    return worst, _moved(confusion, [(true != pred, np.array(pred), many)])


def _spread(confusion: ConfusionMatrix, label: int, change: Floats) -> ConfusionMatrix:
    """The table whose class against the rest has changed by (2, 2) cells: net moves within its two columns."""
    true, pred, _ = confusion.cells
    out, away = round(-change[1, 1]), round(-change[1, 0])  # cases that leave the class: called it, called another
    own = np.full(len(true), label)
    other = np.full(
        len(true), int(np.argmax(np.where(np.arange(len(confusion.labels)) == label, -1, confusion.class_sizes)))
    )
    called = pred == label
    moves = [
        ((true == label) & called, other, max(out, 0)),
        ((true != label) & called, own, max(-out, 0)),
        ((true == label) & ~called, np.array(pred), max(away, 0)),
        ((true != label) & ~called, own, max(-away, 0)),
    ]
    return _moved(confusion, moves)


def if_independent(source: Any, measure: Measure, most: int) -> tuple[float | None, str]:
    """Value where exactly this share of the labels of two classes is wrong, each alike; or why there is none.

    Each column is then mixed by [[1 - e, e], [e, 1 - e]]; the accuracy is (observed - e) / (1 - 2e).
    """
    confusion = source.confusion
    if len(confusion.labels) != 2 or not confusion.n:
        return None, ""
    share = most / confusion.n
    said = f"{100 * share:.3g}%"
    if share >= 0.5:
        return None, "a reference with errors in half of its labels says nothing"
    counts = confusion.counts.astype(float)
    if measure.twin.metric.name in COINS and source.prevalence_source != "stated":
        right = float(confusion.correct.sum()) / confusion.n
        value = (right - share) / (1 - 2 * share)
        if value > 1:
            return None, f"a reference with {said} errors cannot show more than {100 * (1 - share):.4g}% accuracy"
        if value < 0:
            return None, f"a reference with {said} errors cannot show less than {said} accuracy"
        return (1 - value if measure.twin.metric.name == "error_rate" else value), ""
    unmixed = ((1 - share) * counts - share * counts[::-1]) / (1 - 2 * share)
    if (unmixed < -1e-9).any():
        row, column = (int(i) for i in np.unravel_index(int(unmixed.argmin()), (2, 2)))
        true, called = (formats.plain(confusion.labels[i], 30) for i in (row, column))
        return None, (
            f"{formats.number(float(unmixed[row, column]), 1)} cases of {true} would be called {called}: the errors "
            "are fewer, not alike, or the cases too few to tell"
        )
    value = float(_value(source, measure)(np.maximum(unmixed, 0)[None])[0])
    return (None if np.isnan(value) else value), ""


#: The keys of a range.
RANGE = "metric observed low high range=found with_sampling level interval=kind undefined if_independent contradiction"


@dataclass(frozen=True, repr=False, eq=False)
class LabelErrorRange(Answered, json="wrong labels", fields=f"n wrong {RANGE} curve[wrong=0 low=1 high=2]"):
    """Range of a metric while some reference labels may be wrong; made by `Distribution.with_wrong_labels`.

    Attributes
    ----------
    metric : str
        The measure, ``name@where``.
    wrong, n : int
        Labels that may be wrong, at most, and all of them.
    observed : float or None
        Value on the counts as they are.
    low, high : float
        Lowest and highest value on the counts over all ways in which at most ``wrong`` labels are wrong.
    found : "exact" or "search"
        Whether every such table was tried (or the range is closed), or the range is at least as wide as this.
    with_sampling : Interval or None
        Sampling and wrong labels together: from the lower end of the interval at the table with the lowest value to the
        upper end at that with the highest; None where one of these tables has no posterior.
    curve : tuple of (int, float, float)
        Number of wrong labels from 0 on, lowest and highest value; at most 51 of them.
    undefined : bool
        Whether some of these tables leave the metric undefined (0/0); the range is of the others.
    if_independent : float or None
        Value if exactly this share of the labels is wrong, each with the same probability whatever was predicted; None
        with more than two classes, or where the counts contradict it.
    contradiction : str
        The sentence about that, or nothing.
    ask : Ask
        How it was asked.
    """

    metric: str
    wrong: int
    n: int
    observed: float | None
    low: float
    high: float
    found: Found
    with_sampling: Interval | None
    curve: tuple[tuple[int, float, float], ...]
    undefined: bool
    if_independent: float | None
    contradiction: str
    ask: Ask

    @property
    def sentence(self) -> str:
        """The answer in one sentence."""
        of = f"{formats.integer(self.wrong)} of the {formats.several(self.n, 'reference label')}"
        least = " or wider (found by search)" if self.found == "search" else ""
        seen = "undefined" if self.observed is None else formats.number(self.observed, self.places)
        ends = formats.interval(self.low, self.high, self.places)
        return f"{formats.plain(self.metric)} {seen}: {ends}{least}, with up to {of} wrong."

    @property
    def places(self) -> int:
        """Decimals in which the range is shown: those that the case counts support."""
        return formats.decimals(self.low, self.high) if self.high > self.low else 3

    def sheet(self) -> Sheet:
        rows = [(formats.integer(e), *(formats.number(x, self.places) for x in ends)) for e, *ends in self.curve]
        *found, meaning = self.said()
        header = ("wrong labels, at most", "lowest", "highest")
        return Sheet(self.sentence, header, tuple(rows), (meaning,), below=tuple(found))

    def said(self) -> list[str]:
        name = self._interval_name
        lines = []
        if self.with_sampling is None:
            lines.append("With sampling: no answer, because a table at an end of the range has no posterior.")
        else:
            ends = formats.interval(*self.with_sampling, formats.decimals(*self.with_sampling))
            lines.append(f"Sampling and wrong labels together: {ends} ({name} at both ends of the range).")
        if self.found == "search":
            lines.append("Found by search: the range is at least as wide as this.")
        if self.undefined:
            lines.append("Some of these tables leave it undefined (0/0); the range is of the others.")
        share = f"{100 * self.wrong / self.n:.3g}%"
        if self.if_independent is not None:
            value = formats.number(self.if_independent, max(self.places, 3))
            lines.append(f"If {share} of the labels are wrong whatever was predicted, it is {value} on these counts.")
        elif self.contradiction:
            lines.append(f"If {share} of the labels were wrong whatever was predicted: {self.contradiction}.")
        lines.append(
            "A wrong label moves a case to another true class; what was predicted stays. The range is the worst in "
            "either direction, and the only answer where the reference was made with the help of the classifier."
        )
        return lines


def checked_wrong(wrong: object, n: int) -> int:
    """A number of wrong labels, or the share of all of them, rounded up; see `with_wrong_labels`."""
    value = number(wrong)
    whole = isinstance(wrong, int | np.integer)
    if not (value >= 0 if whole else 0 < value < 1):
        raise InvalidArgument(
            "wrong labels are an integer number of them such as 5, or a share below 1 such as 0.02; not "
            f"{excerpt(wrong)}"
        )
    most = math.ceil(min(value, n + 1) if whole else value * n - 1e-9)
    if most > n:
        raise InvalidArgument(
            f"{excerpt(wrong)} wrong labels are more than the {formats.several(n, 'label')} there are"
        )
    return most


def with_wrong_labels(known: Distribution, wrong: float, *, level: float = LEVEL, kind: Kind = KIND) -> LabelErrorRange:
    """Range of the observed value while so many reference labels may be wrong, and of the interval with it.

    Parameters
    ----------
    wrong : int or float
        Labels that are wrong at most: an integer number of them, or their share (0.02), rounded up.
    level, kind : float, "hdi" or "central"
        Of the interval at both ends.

    Returns
    -------
    LabelErrorRange
        Two classes: exact over all tables (above some 2,000 wrong labels a search). More: exact for accuracy and for
        metrics of one class against the rest; others by a search, so the range is at least that wide.

    Raises
    ------
    InvalidArgument
        More wrong labels than labels; a sum or difference; a prevalence that was counted elsewhere.
    NoInformation
        No table defines the metric.
    OutOfReach
        Too many classes and wrong labels for a search.

    Notes
    -----
    A wrong label moves a case within its column of the table (TP to FP, FN to TN, and back), so with net moves i and j
    every table with abs(i) + abs(j) <= E can be the true one; accuracy moves by E/N.

    Examples
    --------
    >>> import howsure as hs
    >>> post = hs.infer(hs.ConfusionMatrix([[45, 5], [8, 42]], labels=["healthy", "ill"]))
    >>> post.of("mcc").with_wrong_labels(5)
    mcc 0.74: 0.64 to 0.85, with up to 5 of the 100 reference labels wrong.
    >>> round(post.of("accuracy").with_wrong_labels(0.05).if_independent, 4)
    0.9111
    """
    ask = Ask(level, kind)
    term = known._single
    if term is None:
        raise InvalidArgument("wrong labels are asked of a metric of one posterior, not of a sum or difference")
    source: Any = term.source
    measure, table = term.measure, hasattr(source, "confusion")
    if not table and not hasattr(source, "correct"):
        raise InvalidArgument("wrong labels are asked of a table of cases that all have a label")
    n = source.confusion.n if table else source.n
    most = checked_wrong(wrong, n)
    if not n:
        raise NoInformation("there is no case, so no label can be wrong")
    value, contradiction = None, ""
    if table:
        found = tables(source, measure, most)
        value, contradiction = if_independent(source, measure, most)
    else:
        # each wrong label moves one right answer
        ends = max(0, source.correct - most), min(n, source.correct + most)
        found = _closed(measure, source.correct, n, most, ends)
    if math.isnan(found.low[-1]):
        raise NoInformation(f"{formats.plain(measure.name)} is undefined (0/0) whichever {most} labels are wrong")
    return LabelErrorRange(
        metric=measure.name,
        wrong=most,
        n=n,
        observed=known.observed,
        low=float(found.low[-1]),
        high=float(found.high[-1]),
        found=found.how,
        with_sampling=_together(known, found, measure, ask, source.recounted),
        curve=tuple(zip(found.at, found.low.tolist(), found.high.tolist(), strict=True)),
        undefined=found.undefined,
        if_independent=value,
        contradiction=contradiction,
        ask=ask,
    )


def _together(
    known: Distribution, found: Relabelled, measure: Measure, ask: Ask, recounted: Callable[[Any], Any]
) -> Interval | None:
    """From the lower end at the table with the lowest value to the upper end at that with the highest."""
    ends = [known.interval(ask.level, ask.kind)]
    for counts in found.ends:
        try:
            ends.append(
                recounted(counts).of(measure, draws=known._draws, seed=known._seed).interval(ask.level, ask.kind)
            )
        except (NoInformation, OutOfReach):
            return None
    return Interval(min(x.low for x in ends), max(x.high for x in ends), level=ask.level, kind=ends[0].kind)


# -- labels of cases that were picked ----------------------------------------------------------------------------------

#: The keys of the answer.
NOT_AT_RANDOM = "metric label worst_case claim below probability tipping_point level prior"

#: Tilts beyond this, or its inverse, are as good as the worst case; halvings of the log odds, to a thousandth.
FARTHEST, HALVINGS = 1e4, 14


@dataclass(frozen=True, repr=False, eq=False)
class NotAtRandom(Record, json="not_at_random", fields=NOT_AT_RANDOM):
    """What a metric would be if the labelled cases had been picked; made by `JudgedDistribution.not_at_random`.

    Attributes
    ----------
    metric, label : str
        The metric, and the true class whose odds differ.
    worst_case : (float, float) or None
        Least and largest value on these cases, whatever is true of the unlabelled ones; sampling is not in it. None of
        a metric that is no sum over cells.
    claim, below, probability : float, bool, float
        The claim, its direction, and its probability where nothing differs; None without a claim.
    tipping_point : float or None
        The ratio of odds nearest to 1 at which the claim has probability ``level``; None where none has.
    """

    metric: str
    label: str
    worst_case: tuple[float, float] | None
    claim: float | None
    below: bool
    probability: float | None
    tipping_point: float | None
    level: float
    prior: str

    @property
    def sentence(self) -> str:
        """Worst case and tipping point in words."""
        said = []
        if self.worst_case is not None:
            low, high = (formats.number(x, 2) for x in self.worst_case)
            what = f"{formats.plain(self.metric)} of these cases is {low} to {high}"
            said.append(f"whatever is true of the unlabelled cases, {what}")
        if self.claim is not None:
            side = "below" if self.below else "above"
            what = "it" if said else formats.plain(self.metric)
            claim = f"that {what} is {side} {self.claim:g}"
            if self.tipping_point is None:
                said.append(f"no tilt changes whether it is {formats.level_words(self.level)} sure {claim}")
            else:
                tips = self.tipping_point
                times = formats.number(tips, 0) if tips >= 10 else f"{tips:.2g}"
                held = self.probability is not None and self.probability >= self.level
                turn = "is no longer" if held else "would be"
                said.append(
                    f"it {turn} {formats.level_words(self.level)} sure {claim} if the odds of "
                    f"{formats.plain(self.label)} among the unlabelled cases of a "
                    f"verdict are {times} times those among the labelled ones"
                )
        text = "; ".join(said) or f"{formats.plain(self.metric)} if the labelled cases were not like the others"
        return f"{text[0].upper()}{text[1:]}."

    def sheet(self) -> Sheet:
        note = (
            f"odds: those of {formats.plain(self.label)} among the unlabelled cases of a verdict over those among the "
            f"labelled ones; 1: labels missing at random given the verdict. Prior {self.prior}."
        )
        return Sheet(self.sentence, notes=(note,))


def not_at_random(
    known: Distribution,
    label: str | None = None,
    *,
    above: float | None = None,
    below: float | None = None,
    level: float = LEVEL,
) -> NotAtRandom:
    """What it would be if the labelled cases were not like the others: worst case, and where a claim tips.

    Notes
    -----
    Exponential tilting of the odds (Scharfstein, Rotnitzky, Robins 1999) and a tipping point (Yan, Lee, Li 2009);
    the worst case is that of Manski 1989. Tilted laws are drawn.

    Examples
    --------
    >>> import howsure as hs
    >>> table = hs.ConfusionMatrix([[54, 32], [27, 231]], labels=["healthy", "ill"], unlabelled=[140, 166])
    >>> known = hs.infer(table).of("prevalence@ill").not_at_random(above=0.5)
    >>> [round(x, 2) for x in known.worst_case]
    [0.4, 0.87]
    >>> known.tipping_point is None or known.tipping_point < 1
    True
    """
    level = checked_level(level)
    if above is not None and below is not None:
        raise InvalidArgument("one claim at a time: above= or below=")
    term = known._single
    assert term is not None
    source: Any = term.source
    measure = term.measure
    index = tilted_class(source.labels, source.verdicts.truths, measure, label)

    def at(ratio: float) -> Distribution:
        if ratio == 1:
            return known
        moved: Distribution = source.tilted(index, ratio).of(measure, draws=known._draws, seed=known._seed)
        return moved

    claim, lower, probability = above if above is not None else below, below is not None, None
    if claim is not None:
        if not np.isfinite(number(claim)):
            raise InvalidArgument(f"above= and below= take a number, not {excerpt(claim)}")
        claim = number(claim)
        probability = known.prob(below=claim) if lower else known.prob(above=claim)
    return NotAtRandom(
        metric=measure.name,
        label=source.labels[index],
        worst_case=worst_case(source.verdicts, measure, len(source.labels)),
        claim=claim,
        below=lower,
        probability=probability,
        tipping_point=None if claim is None else tipping(at, claim, lower, level),
        level=level,
        prior=known.prior,
    )


def tilted_class(labels: Sequence[str], truths: int, measure: Measure, label: str | None) -> int:
    """Place of the true class whose odds differ: the one named, that of the metric, or the last."""
    if label is None:
        own = measure.index
        return own if own is not None and own < truths else truths - 1
    names = list(labels[:truths])
    if label not in names:
        raise InvalidArgument(
            f"label= names the true class whose odds differ, one of {listing(names)}; not {excerpt(label)}"
        )
    return names.index(label)


def tipping(at: Callable[[float], Distribution], claim: float, lower: bool, level: float) -> float | None:
    """The ratio of odds nearest to 1 at which the probability of a claim passes ``level``; None where none does."""

    def sure(log_odds: float) -> bool:
        law = at(float(np.exp(log_odds)))
        return (law.prob(below=claim) if lower else law.prob(above=claim)) >= level

    here, far, found = sure(0.0), float(np.log(FARTHEST)), []
    for end in (-far, far):
        near, beyond = 0.0, end
        if sure(end) == here:
            continue
        for _ in range(HALVINGS):
            middle = (near + beyond) / 2
            near, beyond = (middle, beyond) if sure(middle) == here else (near, middle)
        found.append((near + beyond) / 2)
    return float(np.exp(min(found, key=abs))) if found else None


def worst_case(verdicts: Verdicts, measure: Measure, size: int) -> tuple[float, float] | None:
    """Smallest and largest value on these cases, whatever the truth of the unlabelled ones; of linear metrics.

    None of a metric that is no sum over cells; sampling is not in it.
    """
    weights = linear_weights(measure.twin, size, verdicts.truths)
    if measure.twin.metric.name == "prevalence" and measure.twin.index is not None:  # of any number of verdicts
        weights = np.zeros((verdicts.truths, size))
        weights[measure.twin.index] = 1.0
    if weights is None or measure.twin.average is not None:
        return None
    of = weights[:, verdicts.column]
    seen = float((of * verdicts.labelled).sum())
    low = seen + float(of.min(axis=0) @ verdicts.unlabelled)
    high = seen + float(of.max(axis=0) @ verdicts.unlabelled)
    return low / verdicts.n, high / verdicts.n
