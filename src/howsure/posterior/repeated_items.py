"""Items that were answered once or several times: measures of several tries, their posterior, and where scores vary."""

from __future__ import annotations

import math
import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from html import escape
from typing import Any, Literal, get_args

import numpy as np
from numpy.typing import NDArray
from scipy import special

from howsure.answers.sheet import Record, Sheet
from howsure.data.groups import ENOUGH_GROUPS, FEWEST_GROUPS, Question
from howsure.data.repeats import Repeats
from howsure.errors import InvalidArgument, NoInformation, UnknownMetric, excerpt
from howsure.errors.arguments import one_of
from howsure.frozen import kept
from howsure.laws import Beta, Draws, GroupMeans, Kind, Law, Linear, Student
from howsure.laws.law import DRAWS, KIND, LEVEL, SEED, checked_draws, checked_level, checked_seed
from howsure.laws.population_sums import ItemShare, NewItemTries, TheseItemTries, UnitScores
from howsure.metrics import Measure, Metric
from howsure.numerics.arrays import Floats
from howsure.numerics.populations.groups import PopulationMean
from howsure.numerics.populations.item_powers import ItemRates, drawn_population, expected_power
from howsure.numerics.units import FEWEST_UNITS, TAKEN, unit_mean
from howsure.posterior.distribution import Distribution, MeasureKnowledge, Term
from howsure.posterior.priors import CALIBRATED, LearnedPrior, Prior, default_prior, resolve_prior
from howsure.text import formats
from howsure.text.formats import integer

#: Name of the mean score of a run.
MEAN = "mean_score"

GRAMMAR = re.compile(r"\s*pass\s*(?P<how>[@^])\s*(?P<k>\d{1,9})\s*")


class TryMeasure(Measure):
    """A measure of repeats: of how many runs, and whether any or all of them are right."""

    how: Literal["mean", "any", "all"]
    k: int

    def __init__(self, how: Literal["mean", "any", "all"], k: int, ends: tuple[float, float]) -> None:
        name = {"mean": MEAN, "any": f"pass@{k}", "all": f"pass^{k}"}[how]
        super().__init__(Metric(name, _no_table, "table", ends, "higher", REFERENCES[how]))
        object.__setattr__(self, "how", how)
        object.__setattr__(self, "k", k)


#: Where each is from.
REFERENCES: dict[str, str] = {"mean": "", "any": "Chen et al. 2021", "all": "Yao et al. 2024 (tau-bench)"}


def _no_table(tables: Any) -> Any:
    raise InvalidArgument("runs of items have no confusion matrix; ask infer(repeats).of(...)")


@lru_cache(maxsize=1024)
def _made(how: Literal["mean", "any", "all"], k: int, low: float, high: float) -> TryMeasure:
    return TryMeasure(how, k, (low, high))


def try_measure(asked: Any, repeats: Repeats) -> TryMeasure:
    """Read ``mean_score``, ``pass@k`` (any of k runs is right) or ``pass^k`` (all are).

    Examples
    --------
    >>> made = try_measure("pass^2", Repeats.from_array([[1, 0], [1, 1]]))
    >>> made.name, made.how, made.k
    ('pass^2', 'all', 2)
    """
    if isinstance(asked, TryMeasure):
        asked = asked.name
    found = GRAMMAR.fullmatch(asked) if isinstance(asked, str) else None
    if isinstance(asked, str) and asked.strip() == MEAN:
        return _made("mean", 1, *(repeats.limits or (-np.inf, np.inf)))
    if found is None:
        raise UnknownMetric(asked, (MEAN, "pass@5", "pass^5"))
    k = int(found["k"])
    right = "at least one run of 5 is right" if found["how"] == "@" else "all runs of 5 are right"
    if k < 1:
        raise InvalidArgument(
            f"k of {excerpt(asked)} is a number of runs, 1 or more: pass{found['how']}5 asks if {right}"
        )
    if not repeats.binary:
        raise InvalidArgument(
            f"{asked.strip()} is about right and wrong runs, and these have scores of a rubric; say from which score "
            f"on a run is right (threshold=), or ask for {MEAN}"
        )
    most = int(repeats.times.max())
    if k > most:
        raise InvalidArgument(
            f"{asked.strip()} is about {integer(k)} runs of an item, and no item has more than {integer(most)}; ask "
            f"for k up to {integer(most)}, or run the items more often"
        )
    return _made("any" if found["how"] == "@" else "all", k, 0.0, 1.0)


def observed_tries(measure: TryMeasure, repeats: Repeats) -> float | None:
    """Value on the runs themselves, over the items with k runs or more; None where there are none.

    ``pass@k`` is ``1 - C(n - c, k) / C(n, k)`` (Chen et al. 2021, equation 1) and ``pass^k`` is ``C(c, k) / C(n, k)``
    (tau-bench), averaged over items: the share of all choices of k of the n runs.

    Examples
    --------
    >>> runs = Repeats.from_array([[1, 0, 0, 1], [1, 1, 1, 1]])
    >>> [round(observed_tries(try_measure(name, runs), runs), 4) for name in ("mean_score", "pass@2", "pass^2")]
    [0.75, 0.9167, 0.5833]
    """
    if measure.how == "mean":
        return repeats.mean
    times, right = repeats.times, repeats.right
    enough = times >= measure.k
    if not enough.any():
        return None
    n = times[enough].astype(float)
    if measure.how == "any":
        return float(1 - _chosen(n - right[enough], n, measure.k).mean())
    return float(_chosen(right[enough].astype(float), n, measure.k).mean())


def _chosen(c: Floats, n: Floats, k: int) -> Floats:
    """``C(c, k) / C(n, k)``, without the numbers in it."""
    share = np.ones(len(n))
    for j in range(k):
        share *= np.maximum(c - j, 0.0) / (n - j)
    return share


#: Of the nodes of the mean of a population every so manieth is enough, and of these those not less probable than this
#: times the most probable one.
EVERY, NOTHING = 3, 1e-7

#: Runs beyond the first of their item from which on these vary enough to be asked how much; outcomes that are counted.
FEWEST_AGAIN, MOST_OUTCOMES = 3, 101

#: What is said in place of a prior of scores that are more than right and wrong.
ITEM_WEIGHTS = "uncertain item weights"

#: What numbers are about, in words.
ABOUT: dict[Question, str] = {"new": "new items", "these": "new runs of the same items"}


class RepeatsPosterior(MeasureKnowledge):
    """Posterior of items that were tried several times; made by `howsure.infer`, immutable.

    It answers for ``mean_score`` (a run of an item; of right and wrong runs the accuracy), ``pass@k`` (at least one of
    k runs of an item is right) and ``pass^k`` (all k are), about new items or about new runs of the same items.

    Attributes
    ----------
    repeats : Repeats
        The runs.
    prior : Prior
        Of the rates of an item.
    groups : "new" or "these"
        Which items numbers are about.
    n : int
        Number of runs of all items.

    Examples
    --------
    >>> import howsure as hs
    >>> runs = hs.Repeats.from_array([[1, 1, 1, 0], [1, 1, 1, 1], [0, 0, 1, 0], [1, 1, 0, 1], [1, 0, 1, 1]] * 4)
    >>> hs.infer(runs).of("pass^3")
    pass^3 0.37 (0.22 to 0.53) 95% HDI, prior learned, new items, exact
    >>> hs.infer(runs, groups="these").of("pass^3")
    pass^3 0.37 (0.24 to 0.51) 95% HDI, prior learned, new runs of the same items, simulated (Monte Carlo error 0.001)
    """

    _attributes = ("repeats", "prior", "groups", "n")

    #: No class is known.
    labels: tuple[str, ...] = ()

    def __init__(self, repeats: Repeats, prior: Prior, groups: Question) -> None:
        self.repeats, self.prior, self.groups, self.n = repeats, prior, groups, repeats.n

    @property
    def prior_name(self) -> str:
        return ITEM_WEIGHTS if self.weighted else self.prior.name

    @property
    def about_groups(self) -> str:
        return ABOUT[self.groups]

    @property
    def learned(self) -> bool:
        """Whether rates of items are learned from each other."""
        return isinstance(self.prior, LearnedPrior)

    @property
    def weighted(self) -> bool:
        """Whether items have uncertain weights: of scores, unless a prior of their outcomes is named."""
        return self.learned and not self.repeats.binary

    def asking(self, question: Question) -> RepeatsPosterior:
        """The same runs and prior about other items."""
        if question == self.groups:
            return self
        made = RepeatsPosterior(self.repeats, self.prior, question)
        for name in ("population", "rates"):
            if name in self.__dict__:
                made.__dict__[name] = self.__dict__[name]
        return made

    def of(self, metric: str | TryMeasure, *, draws: int = DRAWS, seed: int = SEED) -> Distribution:
        """What is known about ``mean_score``, ``pass@k`` or ``pass^k``."""
        measure = try_measure(metric, self.repeats)
        self._check()
        return Distribution([Term(1.0, self, measure)], draws=checked_draws(draws), seed=checked_seed(seed))

    def _check(self) -> None:
        repeats, items = self.repeats, len(self.repeats.items)
        once = int(repeats.times.max()) == 1
        if self.groups == "these" and once and (self.learned or repeats.binary):
            raise NoInformation("every item was run once, so nothing tells how further runs of these items vary")
        if not repeats.binary:
            self._check_scores(items)
        elif self.groups == "new" and items < FEWEST_GROUPS and not once:
            raise NoInformation(
                f"the runs are of {formats.several(items, 'item')}, and below {FEWEST_GROUPS} nothing but the prior "
                "says how much items differ, so a new one has no interval; groups='these' answers for new runs of "
                "the same items"
            )
        improper = min(self.pseudo_counts) <= 0 and not self.learned
        if improper and (self.groups == "new" or repeats.counts.min() == 0):
            raise NoInformation(
                f"prior {self.prior.name!r} adds no run, and some item had an outcome in all of its runs or none. Use "
                "prior 'flat' or 'learned'."
            )

    def _check_scores(self, items: int) -> None:
        if self.groups == "new" and not self.learned:
            raise NoInformation(
                f"prior {self.prior.name!r} is of the outcomes of each item and says nothing of new ones; leave it out"
            )
        if not self.weighted:
            return
        if self.groups == "new" and items < FEWEST_UNITS:
            raise NoInformation(f"{formats.several(items, 'item')}; from {FEWEST_UNITS} on there is an interval")
        if self.groups == "new" and self._scores_of_new is None:
            raise NoInformation(
                f"all {items} items have the mean score {self.repeats.mean:g}; without the range of the scores "
                "nothing tells how different another item may be. Name it: range=(1, 5)"
            )
        again = int((self.repeats.times - 1).sum())
        if self.groups == "these" and (again < FEWEST_AGAIN or not self._error_of_these > 0):
            raise NoInformation("runs of one item do not differ, or there are too few, so nothing tells how they vary")

    # -- what it is computed from ---------------------------------------------------------------------------

    @cached_property
    def pseudo_counts(self) -> tuple[float, ...]:
        """Pseudo-runs of every outcome, of an item."""
        size = len(self.repeats.scores)
        if self.learned:
            return (1.0,) * size
        if size == 2:
            wrong, right = reversed(self.prior.coin)
            return (wrong, right)
        even = {
            "calibrated": CALIBRATED,
            "flat": 1.0,
            "jeffreys": 0.5,
            "perks": 1 / size,
            "dirichlet1": 1.0,
            "haldane": 0.0,
        }
        if self.prior.name not in even:
            raise InvalidArgument(
                f"prior {self.prior.name!r} is of right and wrong, and there are {size} outcomes; use 'flat' or "
                "'learned'"
            )
        if size > MOST_OUTCOMES:
            raise InvalidArgument(
                f"there are {formats.integer(size)} different scores, and prior {self.prior.name!r} is of up to "
                f"{MOST_OUTCOMES} outcomes; leave it out"
            )
        return (even[self.prior.name],) * size

    @property
    def _coin(self) -> tuple[float, float]:
        """Pseudo-runs that are right, and that are not."""
        return self.pseudo_counts[1], sum(self.pseudo_counts) - self.pseudo_counts[1]

    @cached_property
    def population(self) -> PopulationMean:
        """Population of the items, of right and wrong runs."""
        return PopulationMean(self.repeats.right, self.repeats.times, self._coin)

    @cached_property
    def rates(self) -> ItemRates:
        """Rates of these items."""
        right, wrong = self.repeats.right, self.repeats.times - self.repeats.right
        if not self.learned:
            a, b = (np.array([x]) for x in self._coin)
            return ItemRates(right, wrong, a, b, np.ones(1))
        y, logits, mass = self.population.nodes
        logits, mass = logits[::EVERY], mass[:, ::EVERY]
        kept = mass > NOTHING * mass.max()
        a, b = (special.expit(x)[None, :] * np.exp(y)[:, None] for x in (logits, -logits))
        return ItemRates(right, wrong, a[kept], b[kept], mass[kept] / mass[kept].sum())

    @cached_property
    def _scores_of_new(self) -> UnitScores | None:
        """Law of the mean score of new items; None where all have one and no range is known."""
        computed = unit_mean(self.repeats.means, self.repeats.limits)
        return None if computed is None else UnitScores(computed)

    @cached_property
    def _error_of_these(self) -> float:
        """Standard error of the mean of these items' means, by the pooled variance of the runs of an item."""
        repeats = self.repeats
        again = repeats.times - 1
        within = float(np.nansum(again * repeats.variances) / again.sum())
        return float((within * (1 / repeats.times).sum()) ** 0.5 / len(repeats.items))

    # -- what a distribution asks ---------------------------------------------------------------------------

    @kept
    def exact_law(self, measure: Measure) -> Law | None:
        assert isinstance(measure, TryMeasure)
        return self._new_law(measure) if self.groups == "new" else self._this_law(measure)

    def _new_law(self, measure: TryMeasure) -> Law | None:
        if self.weighted:
            return self._scores_of_new
        if int(self.repeats.times.max()) == 1:
            right = int(self.repeats.right.sum())
            return Beta(right + self._coin[0], self.n - right + self._coin[1])
        if measure.k == 1:
            return GroupMeans([(self.population, 1.0)])
        return NewItemTries(self.population, measure.k, any_right=measure.how == "any")

    def _this_law(self, measure: TryMeasure) -> Law | None:
        repeats, items = self.repeats, len(self.repeats.items)
        if self.weighted:
            return Student(int((repeats.times - 1).sum()), repeats.mean, self._error_of_these)
        if measure.k == 1 and not self.learned:
            weights = np.tile(repeats.scores / items, (items, 1))
            return Linear([(weights, repeats.counts + np.array(self.pseudo_counts))])
        law = self._tries(measure)
        return law if law.route == "exact" else None

    @kept
    def _tries(self, measure: TryMeasure) -> TheseItemTries:
        """Law of these items' tries, whose mean is closed also where it is drawn."""
        return TheseItemTries(self.rates, measure.k, any_right=measure.how == "any")

    def observed(self, measure: Measure) -> float | None:
        assert isinstance(measure, TryMeasure)
        return observed_tries(measure, self.repeats)

    def drawn(self, measures: Sequence[Measure], draws: int, seed: int, stream: int) -> list[NDArray[np.float64]]:
        rng = np.random.default_rng([seed, stream])
        asked = [measure for measure in measures if isinstance(measure, TryMeasure)]
        if not self.repeats.binary:  # there is one measure of scores, and it has a law
            law = self.exact_law(asked[0])
            assert law is not None
            return [law.sample(draws, seed=(seed, stream))] * len(asked)
        if self.groups == "new":
            return self._drawn_of_new(asked, draws, rng)
        values = self.rates.draw(draws, rng, [(m.k, m.how == "any") for m in asked])
        tries = [1 - x if m.how == "any" else x for m, x in zip(asked, values, strict=True)]
        # draws have the closed mean, without Monte Carlo noise
        return [np.clip(x + (self._tries(m).mean - x.mean()), 0.0, 1.0) for m, x in zip(asked, tries, strict=True)]

    def _drawn_of_new(self, measures: Sequence[TryMeasure], draws: int, rng: np.random.Generator) -> list[Floats]:
        logits, log_kappa = drawn_population(self.population, draws, rng)
        made = []
        for measure in measures:
            lost = measure.how == "any"
            t = expected_power(-logits if lost else logits, log_kappa, measure.k)[0]
            made.append(special.expit(-t if lost else t))
        return made

    def _repr_html_(self) -> str:
        return f"<p>{escape(repr(self)[1:-1])}</p>{self.of('mean_score')._repr_html_()}"

    def __repr__(self) -> str:
        return f"<RepeatsPosterior: {self.repeats.shape_words}, prior {self.prior_name}, about {self.about_groups}>"


def learned_from_runs(
    repeats: Repeats, prior: str | Prior | None = None, *, groups: Question | None = None
) -> RepeatsPosterior:
    """Posterior of repeats; see `howsure.infer`."""
    if groups is not None:
        one_of(groups, get_args(Question), "groups")
    enough = ENOUGH_GROUPS if repeats.binary else FEWEST_UNITS
    once = int(repeats.times.max()) == 1
    question: Question = groups or ("new" if once or len(repeats.items) >= enough else "these")
    # of items that were run once each nothing is to be learned but one rate
    named = default_prior(2 if once and repeats.binary else len(repeats.items)) if prior is None else prior
    made = resolve_prior(named, 2)
    if made.told is not None:
        raise InvalidArgument("the prior of an item is of its rate of right runs, 'beta(2,2)'; it has no classes")
    return RepeatsPosterior(repeats, made, question)


# -- Where the variance of a score comes from, items or runs, and what more of either are worth ------------------------

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
    law = _share(posterior, draws, seed)
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


def _share(known: RepeatsPosterior, draws: int, seed: int) -> Law:
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
