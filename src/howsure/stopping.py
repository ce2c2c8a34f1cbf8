"""May one stop? What going on could change, and how often a rule of stopping errs."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Literal

import numpy as np
from numpy.typing import NDArray
from scipy.special import betainc, betaincc, gammaln, xlog1py, xlogy

from howsure import formats
from howsure._version import __version__
from howsure.accuracy import AccuracyPosterior
from howsure.drawing import checked_seed
from howsure.errors import InvalidArgument, excerpt
from howsure.laws.law import checked_level
from howsure.metrics import Measure
from howsure.planning.futures import futures
from howsure.planning.truth import checked_share
from howsure.posterior import Posterior
from howsure.priors import Prior, resolve_prior
from howsure.tabular import Table

__all__ = ["Outlook", "StoppingRule", "outlook", "stopping_rule"]

Floats = NDArray[np.float64]
Decision = Literal["above", "below", "open"]
DECISIONS: tuple[Decision, ...] = ("above", "below", "open")


@dataclass(frozen=True)
class Outlook:
    """What more cases would change; made by `outlook`.

    Attributes
    ----------
    metric, threshold, level
        The question: is the metric above the threshold, or below, with this probability?
    n, more : int
        Cases so far, and further cases.
    now : "above", "below" or "open"
        The decision today.
    p_now : float
        P(metric > threshold) today.
    later : dict of decision to float
        Predictive probability of each decision after the further cases.
    change : float
        Probability that the decision will be another one.
    error : float
        Monte Carlo error of ``change``; 0 where every continuation was counted out.
    futures : int
        Continuations that were simulated; 0 where all were counted out.
    """

    metric: str
    threshold: float
    level: float
    n: int
    more: int
    now: Decision
    p_now: float
    later: dict[str, float]
    change: float
    error: float
    futures: int

    @property
    def sentence(self) -> str:
        """The answer in one sentence."""
        state = {"above": "it is above", "below": "it is below", "open": "it is open"}[self.now]
        change = formats.probability(self.change, self.futures or None)
        return (
            f"Whether {formats.plain(self.metric)} exceeds {self.threshold:g}: after {formats.integer(self.n)} cases "
            f"{state} (P {formats.equals(self.p_now)}); {formats.integer(self.more)} more would change that "
            f"with probability {change}."
        )

    def __str__(self) -> str:
        return self.sentence

    def to_dict(self) -> dict[str, object]:
        """Plain data, ready for JSON: the format ``howsure/1``, kind ``outlook``."""
        fields = {key: getattr(self, key) for key in self.__dataclass_fields__}
        return {
            "format": "howsure/1",
            "kind": "outlook",
            "version": __version__,
            **fields,
            "later": dict(self.later),
            "verdict": self.sentence,
        }


def outlook(
    posterior: Posterior | AccuracyPosterior,
    metric: str | Measure,
    *,
    above: float,
    more: int,
    level: float = 0.95,
    seed: int = 0,
) -> Outlook:
    """Say with what probability further cases would change the decision about a threshold.

    Parameters
    ----------
    posterior : Posterior or AccuracyPosterior
        What is known so far.
    metric : str
        As in `Posterior.of`.
    above : float
        The threshold. The decision is "above" if P(metric > above) is at least ``level``, "below" if P(metric < above)
        is, and else "open".
    more : int
        Further cases, which come as the ones so far.
    level : float
        Certainty of a decision.
    seed : int
        Of the simulated continuations.

    Returns
    -------
    Outlook

    Notes
    -----
    Predictive probability (Spiegelhalter, Freedman and Blackburn 1986): truths are drawn from the posterior, further
    cases from each truth, and the decision is taken anew.

    Examples
    --------
    >>> from howsure.accuracy import AccuracyPosterior
    >>> far = outlook(AccuracyPosterior(correct=95, n=100), "accuracy", above=0.8, more=100)
    >>> far.now, far.change < 0.02
    ('above', True)
    """
    level, seed = checked_level(level), checked_seed(seed)
    if isinstance(more, bool) or not isinstance(more, int | np.integer) or not 1 <= more <= 10**9:
        raise InvalidArgument(f"more is a whole number of further cases, 1 or more; not {excerpt(more)}")
    if not isinstance(posterior, Posterior | AccuracyPosterior):
        raise InvalidArgument(f"outlook() takes a posterior, made by infer(); not {type(posterior).__name__}")
    known = posterior.quietly(metric)
    measure = known.measure
    assert measure is not None
    low, high = measure.metric.range
    if not isinstance(above, int | float) or not low < above < high:
        raise InvalidArgument(
            f"above is a threshold between {low:g} and {high:g} for {measure.name}, not {excerpt(above)}"
        )
    p_now = known.prob(above=above)
    future, weights = futures(posterior, measure, float(above), int(more), seed)
    decided = _decided(future, level)
    later: dict[str, float] = {x: float(np.average(decided == i, weights=weights)) for i, x in enumerate(DECISIONS)}
    now = DECISIONS[int(_decided(np.array([p_now]), level)[0])]
    n = posterior.n if isinstance(posterior, AccuracyPosterior) else posterior.confusion.n
    change = 1 - later[now]
    many = len(future) if weights is None else 0
    error = float(np.sqrt(max(change * (1 - change), 1 / many) / many)) if many else 0.0
    return Outlook(measure.name, float(above), level, n, int(more), now, p_now, later, change, error, many)


def _decided(p_above: Floats, level: float) -> NDArray[np.int64]:
    """Index into `DECISIONS`."""
    return np.where(p_above >= level, 0, np.where(1 - p_above >= level, 1, 2))


@dataclass(frozen=True)
class StoppingRule:
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
        {'above': 0.98, 'below': 0.0, 'open': 0.02, 'cases': 104.9}
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

    def table(self, truths: Sequence[float] | None = None) -> Table:
        """What the rule does at several true rates: probability of each decision, and the mean number of cases."""
        rows = []
        for truth in self.around if truths is None else truths:
            said = self.rates(truth)
            shown = (formats.probability(said[name]) for name in DECISIONS)
            rows.append((f"{truth:.3g}", *shown, formats.number(said["cases"], 0)))
        return Table(("true rate", "says above", "says below", "still open", "mean cases"), tuple(rows))

    @property
    def around(self) -> tuple[float, ...]:
        """Rates on both sides of the threshold, up to four standard deviations of the last look away from it."""
        at = self.threshold
        step = float(np.sqrt(at * (1 - at) / self.looks[-1]))
        return tuple(x for k in (-4, -2, -1, 0, 1, 2, 4) if 0 < (x := round(at + k * step, 4)) < 1)

    def to_dict(self) -> dict[str, object]:
        """Plain data, ready for JSON: the format ``howsure/1``, kind ``stopping_rule``."""
        fields = {key: getattr(self, key) for key in self.__dataclass_fields__}
        return {
            "format": "howsure/1",
            "kind": "stopping_rule",
            "version": __version__,
            **fields,
            "looks": list(self.looks),
            "prior": list(self.prior),
            "rates": [{"truth": truth, **self.rates(truth)} for truth in self.around],
            "verdict": self.sentence,
        }


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

    Notes
    -----
    Every path is followed: the law of the number of right answers among those that have not stopped, look by look
    (Armitage, McPherson and Rowe 1969).

    Examples
    --------
    >>> rule = stopping_rule([50, 100, 200], 0.8)
    >>> round(rule.certainty, 3), rule.wrong <= 0.05
    (0.982, True)
    """
    whole = isinstance(looks, Sequence | np.ndarray) and all(
        isinstance(n, int | np.integer) and not isinstance(n, bool) for n in looks
    )
    places = [int(n) for n in looks] if whole else []
    if not places or places[0] < 1 or any(b <= a for a, b in pairwise(places)) or places[-1] > 20_000:
        raise InvalidArgument(f"looks are increasing numbers of cases from 1 to 20,000, not {excerpt(looks)}")
    at, wanted = checked_share("threshold", threshold), checked_share("alpha", alpha)
    if not 0 < wanted <= 0.5:
        raise InvalidArgument(f"alpha is a probability above 0 and at most 0.5, not {alpha:g}")
    if not 0 < at < 1:
        raise InvalidArgument(f"threshold is strictly between 0 and 1, not {at:g}")
    chosen = resolve_prior("flat" if prior is None else prior, 2)
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
