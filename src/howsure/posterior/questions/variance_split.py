"""Where the variance of a score comes from, items or runs, and what more of either are worth."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from howsure.answers.sheet import Record, Sheet
from howsure.errors import InvalidArgument, NoInformation
from howsure.laws import Draws, Kind, Law
from howsure.laws.law import DRAWS, KIND, LEVEL, SEED, checked_level
from howsure.laws.population_sums import ItemShare
from howsure.numerics.units import TAKEN
from howsure.posterior.repeated_items import RepeatsKnowledge, RepeatsPosterior
from howsure.text import formats

#: The keys of the answer.
FIELDS = "items runs share_of_items low high level interval law worth narrower_by_items more verdict=sentence"


@dataclass(frozen=True)
class MoreRuns:
    """What it would be worth to run every item more often.

    Attributes
    ----------
    runs : int or None
        Runs of every item in all; None: without end.
    narrower : float
        Share by which intervals about new items become narrower.
    low, high : float
        The same at the ends of the interval of the share of items.
    as_items : float
        Further items, as a share of those there are, that narrow as much.
    """

    runs: int | None
    narrower: float
    low: float
    high: float
    as_items: float


@dataclass(frozen=True, repr=False)
class VarianceSplit(Record, json="variance", fields=FIELDS, csv="more[runs narrower low high as_items]"):
    """How much of the variance of a score lies between items, and how much between runs of an item.

    Attributes
    ----------
    items, runs : int
        Items, and runs of all of them.
    share_of_items : float
        Share of the variance that lies between items (the intraclass correlation); the rest lies between runs.
    low, high : float
        Interval of that share, of probability ``level``.
    interval : "hdi" or "central"
        Its kind.
    law : str
        "exact" or "simulated".
    worth : float
        Independent runs of as many items that would tell the mean score of new items as well.
    narrower_by_items : float
        Share by which a fifth more items narrows intervals.
    more : tuple of MoreRuns
        One more run of every item, twice as many, and runs without end.
    """

    items: int
    runs: int
    share_of_items: float
    low: float
    high: float
    level: float
    interval: Kind
    law: str
    worth: float
    narrower_by_items: float
    more: tuple[MoreRuns, ...]

    @property
    def sentence(self) -> str:
        """The answer in two sentences."""
        places = formats.decimals(self.low, self.high)
        share, ends = formats.number(self.share_of_items, places), formats.interval(self.low, self.high, places)
        one = self.more[0]
        return (
            f"Of the variance of a score {share} ({formats.interval_name(self.interval, self.level)} "
            f"{ends}) lies between items, the rest between runs of an item: the "
            f"{formats.several(self.runs, 'run')} are equivalent to about {formats.integer(round(self.worth))} runs "
            "of as many "
            f"items. One more run of every item narrows intervals about new items by {_percent(one.narrower)}, as do "
            f"{_percent(one.as_items)} more items; 20% more items narrow them by {_percent(self.narrower_by_items)}."
        )

    def sheet(self) -> Sheet:
        """The sentence."""
        return Sheet(self.sentence)


def split_of_variance(
    posterior: RepeatsPosterior, *, level: float = LEVEL, kind: Kind = KIND, draws: int = DRAWS, seed: int = SEED
) -> VarianceSplit:
    """How much of the variance of a score lies between items, and what more runs or more items are worth.

    Notes
    -----
    With the share ``rho`` between items, the mean score of n runs of a new item has the variance
    ``rho + (1 - rho) / n`` times that of one run (Cochran 1977, 10.3). Two runs of one item correlate by rho, whose
    law is that of the population of items.

    Examples
    --------
    >>> import howsure as hs
    >>> twice = [[1, 1], [1, 1], [0, 0], [1, 0], [0, 1], [1, 1], [0, 0], [1, 1], [1, 1], [0, 0]]
    >>> runs = hs.Repeats.from_array(twice * 3)
    >>> made = split_of_variance(hs.infer(runs))
    >>> round(made.share_of_items, 2), made.more[0].runs, round(made.more[0].narrower, 2)
    (0.46, 3, 0.06)
    """
    if not isinstance(posterior, RepeatsPosterior):
        raise InvalidArgument(f"the variance is split of repeats, infer(Repeats...), not {type(posterior).__name__}")
    repeats = posterior.repeats
    times = repeats.times
    if int(times.max()) < 2:
        raise NoInformation(
            "every item was run once, so nothing tells whether scores vary because of the items or because of the "
            "runs; run some of them again"
        )
    if len(repeats.items) < 2:
        raise NoInformation("there is one item, so nothing tells how much items differ; try several")
    law = _share(posterior._knowledge, draws, seed)
    ends = law.interval(checked_level(level), kind)
    middle = law.mean

    def variance(share: float, more: float) -> float:
        inverse = 0.0 if math.isinf(more) else float((1 / (times + more)).mean())
        return share + (1 - share) * inverse

    def narrower(share: float, more: float) -> float:
        return 1 - math.sqrt(variance(share, more) / variance(share, 0))

    usual = round(1 / float((1 / times).mean()))
    made = []
    for runs in (usual + 1, 2 * usual, None) if usual > 1 else (2, 3, None):
        more = math.inf if runs is None else runs - usual
        low, high = (narrower(share, more) for share in (ends.high, ends.low))
        left = variance(middle, more)  # nothing, of endless runs of items that are all alike
        as_items = variance(middle, 0) / left - 1 if left > 0 else math.inf
        made.append(MoreRuns(runs, narrower(middle, more), low, high, as_items))
    return VarianceSplit(
        len(repeats.items), repeats.n, middle, ends.low, ends.high, level, ends.kind, law.route,
        len(repeats.items) / variance(middle, 0), 1 - math.sqrt(1 / 1.2), tuple(made),
    )  # fmt: skip


def _share(known: RepeatsKnowledge, draws: int, seed: int) -> Law:
    """Law of the share of the variance that lies between items."""
    repeats = known.repeats
    if repeats.binary:
        return ItemShare(known.population)
    # of scores: the analysis of variance with uncertain weights of the items
    means, within, n = repeats.means, repeats.variances, len(repeats.items)
    weights = np.random.default_rng([seed, 2]).standard_gamma(max(n - TAKEN, 1.0) / n, (draws, n))
    of_items = weights / weights.sum(axis=1, keepdims=True)
    of_runs = np.where(np.isnan(within), 0.0, of_items)
    inside = of_runs @ np.nan_to_num(within) / np.maximum(of_runs.sum(axis=1), 1e-300)
    middle = of_items @ means
    apart = (of_items @ means**2 - middle**2) * n / (n - 1) - inside * float((1 / repeats.times).mean())
    apart = np.maximum(apart, 0.0)
    return Draws(apart / np.maximum(apart + inside, 1e-300), support=(0.0, 1.0))


def _percent(share: float) -> str:
    """A share in percent, two digits of it."""
    places = 0 if not 0 < share < 0.095 else 1
    return f"{formats.number(100 * share, places)}%"
