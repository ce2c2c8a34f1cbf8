"""May one stop? A rule of stopping, and how often it errs."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

import numpy as np
from scipy.special import betainc, betaincc, gammaln, xlog1py, xlogy

from howsure.answers.sheet import Record, Sheet
from howsure.errors import InvalidArgument, excerpt
from howsure.planning.truth import checked_share
from howsure.posterior.priors import Prior, resolve_prior
from howsure.text import formats

__all__ = ["StoppingRule", "stopping_rule"]

DECISIONS = ("above", "below", "open")


FIELDS = """
looks threshold certainty wrong prior rates=_rates verdict=sentence
"""


@dataclass(frozen=True, eq=False)
class StoppingRule(Record, json="stopping_rule", fields=FIELDS):
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
