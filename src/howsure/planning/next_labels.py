"""Which cases to label next, and when to stop."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

import numpy as np
from scipy.special import betainc, betaincc, gammaln, xlog1py, xlogy

from howsure.answers.sheet import Record, Sheet
from howsure.data.confusion import ConfusionMatrix
from howsure.errors import InvalidArgument, excerpt, listing
from howsure.laws.law import LEVEL, checked_level
from howsure.numerics.arrays import Floats
from howsure.numerics.trials.simulated_tests import fewest_doubts, matched_width, share_moments
from howsure.planning.truth import checked_share
from howsure.posterior.priors import Prior, resolve_prior
from howsure.text import formats

# -- Which cases to label next, where a judge has answered all of them and people have checked some --------------------


FIELDS = """
metric labels verdicts=_verdicts level width after at_random verdict=sentence
"""


@dataclass(frozen=True, repr=False, eq=False)
class NextLabels(Record, json="next_labels", fields=FIELDS):
    """How the next labels are best spread over the verdicts; made by `next_labels`.

    Attributes
    ----------
    metric : str
        ``prevalence@CLASS``, the share of a true class.
    labels : int
        How many are to come.
    per_verdict : mapping of str to int
        How many of the cases with each verdict.
    labelled, unlabelled : mapping of str to int
        Cases of each verdict that have a label, and that have none.
    level : float
        Of the intervals.
    width, after, at_random : float
        Width of the interval as it is, and as expected after these labels, and after as many at random.
    """

    metric: str
    labels: int
    per_verdict: Mapping[str, int]
    labelled: Mapping[str, int]
    unlabelled: Mapping[str, int]
    level: float
    width: float
    after: float
    at_random: float

    @property
    def _verdicts(self) -> list[dict[str, Any]]:
        return [
            {"verdict": v, "unlabelled": self.unlabelled[v], "labelled": self.labelled[v], "next": many}
            for v, many in self.per_verdict.items()
        ]

    @property
    def sentence(self) -> str:
        """The answer in one sentence."""
        parts = [
            f"{formats.integer(many)} of verdict {formats.plain(v, 30)}"
            for v, many in sorted(self.per_verdict.items(), key=lambda each: -each[1])
            if many
        ]
        return (
            f"Label {listing(parts) if len(parts) > 1 else parts[0]} next: the {formats.level_words(self.level)} "
            f"interval of {formats.plain(self.metric)}, {self.width:.3g} wide now, is then about {self.after:.3g} wide "
            f"({self.at_random:.3g} with labels at random)."
        )

    def sheet(self) -> Sheet:
        """A row for each verdict."""
        parts = self.unlabelled, self.labelled, self.per_verdict
        rows = [(formats.plain(v), *(formats.integer(part[v]) for part in parts)) for v in self.per_verdict]
        note = (
            "Spread so that the expected variance is least, which is in proportion to the share of a verdict times the "
            "standard deviation of the truth within it, less the labels that are there (Neyman). Verdicts by jeffreys, "
            "Beta with the mean and the expected variance. Choose the cases of a verdict at random."
        )
        return Sheet(self.sentence, ("verdict", "without label", "with label", "label next"), tuple(rows), (note,))


def next_labels(
    confusion: ConfusionMatrix, labels: int, *, label: str | None = None, level: float = LEVEL
) -> NextLabels:
    """Spread the next labels over the verdicts, so that the share of a class is known as well as can be.

    Parameters
    ----------
    confusion : ConfusionMatrix
        With cases that have a verdict and no label (``unlabelled=``, or ``missing="estimate"``).
    labels : int
        How many cases people can label next.
    label : str, optional
        The true class whose share is asked; with two classes it makes no difference.
    level : float
        Of the intervals.

    Returns
    -------
    NextLabels

    Raises
    ------
    InvalidArgument
        A matrix all of whose cases have a label, more labels than cases without one, a class that is none.

    Notes
    -----
    With q_v the mean share of verdict v and r_v ~ Beta(a_v, b_v), m_v more labels bring the expected variance of the
    share down by sum q_v^2 Var(r_v) m_v / (a_v + b_v + m_v), exactly; the best next label, again and again, is the
    best spread.

    Examples
    --------
    >>> cm = ConfusionMatrix([[22, 7], [6, 65]], labels=["fail", "pass"], unlabelled={"fail": 572, "pass": 1328})
    >>> dict(next_labels(cm, 40).per_verdict)
    {'fail': 23, 'pass': 17}
    """
    if not isinstance(confusion, ConfusionMatrix):
        raise InvalidArgument(f"next_labels() takes a ConfusionMatrix with verdicts, not {excerpt(confusion)}")
    level, known = checked_level(level), confusion.verdicts
    if known is None:
        raise InvalidArgument(
            "every case has a label, so none is left to label next; a matrix with unlabelled= cases (or predictions "
            "read with missing='estimate') is needed"
        )
    room = np.asarray(known.unlabelled)
    if isinstance(labels, bool) or not isinstance(labels, int | np.integer) or not 1 <= labels <= room.sum():
        raise InvalidArgument(
            f"labels is an integer from 1 to {formats.integer(int(room.sum()))}, the cases without a label; "
            f"not {excerpt(labels)}"
        )
    truths = confusion.labels[: known.truths]
    if label is None:
        if len(truths) > 2:
            raise InvalidArgument(f"the share of which class is asked? name it with label=: {listing(truths)}")
        label = confusion.positive or truths[-1]
    index = confusion.index(label)
    a, b = truth_by_verdict(confusion, index)
    totals = known.totals.astype(np.float64)
    mean, variance = share_moments(totals, a, b)
    spread = fewest_doubts(int(labels), totals, a, b, room)
    random = room * (labels / room.sum())

    def width_after(more: Floats) -> float:
        return float(matched_width(mean, variance - saved(totals, a, b, more), level))

    return NextLabels(
        metric=f"prevalence@{truths[index]}",
        labels=int(labels),
        per_verdict=_named(known.names, spread),
        labelled=_named(known.names, known.labelled.sum(0)),
        unlabelled=_named(known.names, room),
        level=level,
        width=width_after(np.zeros(len(room))),
        after=width_after(spread.astype(np.float64)),
        at_random=width_after(random),
    )


def truth_by_verdict(confusion: ConfusionMatrix, index: int) -> tuple[Floats, Floats]:
    """The Beta(a_v, b_v) of the share of a true class among the cases of each verdict, under jeffreys rows."""
    known = confusion.verdicts
    assert known is not None
    if index >= known.truths:
        truths, label = confusion.labels[: known.truths], confusion.labels[index]
        raise InvalidArgument(f"{excerpt(label)} is a verdict and no true class; the classes are {listing(truths)}")
    a = known.labelled[index] + np.where(known.column == index, 0.5, 0.5 / (known.truths - 1))
    return a, known.labelled.sum(0) + 1 - a


def saved(totals: Floats, a: Floats, b: Floats, more: Floats) -> float:
    """By how much the variance falls on average with more labels of each verdict, all of shape (V,)."""
    q, size = (totals + 1) / (totals + 1).sum(), a + b
    return float((q**2 * a * b / (size**2 * (size + 1)) * more / (size + more)).sum())


def _named(names: tuple[str, ...], values: Any) -> dict[str, int]:
    return dict(zip(names, (int(x) for x in values), strict=True))


# -- May one stop? A rule of stopping, and how often it errs -----------------------------------------------------------


DECISIONS = ("above", "below", "open")


FIELDS_OF_STOPPING = """
looks threshold certainty wrong prior rates=_rates verdict=sentence
"""


@dataclass(frozen=True, eq=False)
class StoppingRule(Record, json="stopping_rule", fields=FIELDS_OF_STOPPING):
    """A rule of stopping for one rate, with its error rates; made by `stopping_rule`.

    Attributes
    ----------
    looks : tuple of int
        Cases at which one looks.
    threshold : float
        The rate is compared with this.
    certainty : float
        Stop and say "above" when P(rate > threshold) is at least this, "below" when P(rate < threshold) is.
    wrong : float
        Probability of ever saying "above" when the rate just equals the threshold; at most ``alpha``.
    """

    looks: tuple[int, ...]
    threshold: float
    certainty: float
    wrong: float
    prior: tuple[float, float]

    def rates(self, truth: float) -> dict[str, float]:
        """What the rule does if the rate is ``truth``: P of each decision, and the mean number of cases; exact.

        Examples
        --------
        >>> rule = stopping_rule([50, 100, 200], 0.8)
        >>> {name: round(value, 2) for name, value in rule.rates(0.9).items()}
        {'above': 0.98, 'below': 0.0, 'open': 0.02, 'cases': 96.79}
        """
        said = _walk(self.looks, self.threshold, self.certainty, self.prior, checked_share("truth", truth))
        return dict(zip((*DECISIONS, "cases"), said, strict=True))

    @property
    def sentence(self) -> str:
        """The rule in one sentence."""
        looks = ", ".join(formats.integer(n) for n in self.looks)
        return (
            f"Look after {looks} cases and stop when P(above {self.threshold:g}) or P(below) reaches "
            f"{self.certainty:.4f}: at a rate of {self.threshold:g} this says 'above' with probability "
            f"{self.wrong:.3f}."
        )

    def __str__(self) -> str:
        return self.sentence

    def sheet(self, truths: Sequence[float] | None = None) -> Sheet:
        """The rule, and what it does at several true rates: P of each decision, and the mean number of cases."""
        rows = []
        for truth in self.around if truths is None else truths:
            said = self.rates(truth)
            shown = (formats.probability(said[name]) for name in DECISIONS)
            rows.append((f"{truth:.3g}", *shown, formats.number(said["cases"], 0)))
        header = ("true rate", "says above", "says below", "still open", "mean cases")
        return Sheet(self.sentence, header, tuple(rows))

    @property
    def _rates(self) -> list[dict[str, float]]:
        return [{"truth": truth, **self.rates(truth)} for truth in self.around]

    @property
    def around(self) -> tuple[float, ...]:
        """Rates on both sides of the threshold, up to four standard deviations of the last look away from it."""
        at = self.threshold
        step = float(np.sqrt(at * (1 - at) / self.looks[-1]))
        return tuple(x for k in (-4, -2, -1, 0, 1, 2, 4) if 0 < (x := round(at + k * step, 4)) < 1)


def stopping_rule(
    looks: Sequence[int], threshold: float, *, alpha: float = 0.05, prior: str | Prior | None = None
) -> StoppingRule:
    """Find how sure one must be at each of several looks, so that looking often does not make one err often.

    Parameters
    ----------
    looks : sequence of int
        Cases, increasing, at which one looks and may stop.
    threshold : float
        For an accuracy, a recall, or any other rate.
    alpha : float
        Probability of ever saying "above" when the rate just equals the threshold, and of ever saying "below".
    prior : str or Prior, optional
        Of the rate.

    Returns
    -------
    StoppingRule
        With its ``certainty``, the smallest to four digits that keeps both errors below ``alpha``.

    Raises
    ------
    InvalidArgument
        Looks that do not increase, a threshold or alpha out of range, a prior without mass, or no such certainty.

    Notes
    -----
    Every path is followed: the law of the number of right answers among those that have not stopped, look by look
    (Armitage, McPherson and Rowe 1969).

    Examples
    --------
    >>> rule = stopping_rule([50, 100, 200], 0.8)
    >>> round(rule.certainty, 3), rule.wrong <= 0.05
    (0.98, True)
    """
    whole = (
        isinstance(looks, Sequence | np.ndarray)
        and not isinstance(looks, str | bytes)
        and all(isinstance(n, int | np.integer) and not isinstance(n, bool) for n in looks)
    )
    places = [int(n) for n in looks] if whole else []
    if not places or places[0] < 1 or any(b <= a for a, b in pairwise(places)) or places[-1] > 20_000:
        raise InvalidArgument(f"looks are increasing numbers of cases from 1 to 20,000, not {excerpt(looks)}")
    at, wanted = checked_share("threshold", threshold), checked_share("alpha", alpha)
    if not 0 < wanted <= 0.5:
        raise InvalidArgument(f"alpha is a probability above 0 and at most 0.5, not {alpha:g}")
    if not 0 < at < 1:
        raise InvalidArgument(f"threshold is strictly between 0 and 1, not {at:g}")
    chosen = resolve_prior(prior, 2)
    coin = chosen.coin
    if min(coin) <= 0:
        raise InvalidArgument(f"a rule needs a prior with some mass, such as 'flat' or 'jeffreys'; not {chosen.name!r}")

    def errs(step: int) -> bool:
        above, below, *_ = _walk(places, at, 1 - step * 1e-4, coin, at)
        return max(above, below) > wanted

    # in steps of 1e-4 below certainty; a lower certainty errs more
    safe, bad = 0, 5_000
    while bad - safe > 1:
        middle = (safe + bad) // 2
        safe, bad = (safe, middle) if errs(middle) else (middle, bad)
    if not safe and errs(1):
        raise InvalidArgument(f"no certainty up to 0.9999 keeps wrong decisions to alpha={wanted:g}; ask for less")
    certainty = 1 - max(safe, 1) * 1e-4
    wrong, *_ = _walk(places, at, certainty, coin, at)
    return StoppingRule(tuple(places), at, certainty, wrong, coin)


def _walk(
    looks: Sequence[int], threshold: float, certainty: float, prior: tuple[float, float], truth: float
) -> tuple[float, float, float, float]:
    """P(above), P(below), P(still open at the end), and the mean number of cases."""
    alive, before = np.ones(1), 0
    above = below = cases = 0.0
    for n in looks:
        step = np.arange(n - before + 1)
        log = gammaln(n - before + 1.0) - gammaln(step + 1.0) - gammaln(n - before - step + 1.0)
        alive = np.convolve(alive, np.exp(log + xlogy(step, truth) + xlog1py(n - before - step, -truth)))
        right = np.arange(n + 1)
        a, b = right + prior[0], n - right + prior[1]
        up, down = betaincc(a, b, threshold) >= certainty, betainc(a, b, threshold) >= certainty
        above, below = above + float(alive[up].sum()), below + float(alive[down].sum())
        cases += n * float(alive[up | down].sum())
        alive, before = np.where(up | down, 0.0, alive), n
    rest = float(alive.sum())
    return above, below, rest, cases + looks[-1] * rest
