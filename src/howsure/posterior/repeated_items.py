"""Items that were answered once or several times: measures of several tries, and their posterior."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import cached_property, lru_cache
from html import escape
from typing import Any, Literal, get_args

import numpy as np
from numpy.typing import NDArray
from scipy import special

from howsure.data.groups import ENOUGH_GROUPS, FEWEST_GROUPS, Question
from howsure.data.repeats import Repeats
from howsure.errors import InvalidArgument, NoInformation, UnknownMetric, excerpt
from howsure.errors.arguments import one_of
from howsure.frozen import Frozen, kept
from howsure.laws import Beta, GroupMeans, Law, Linear, Student
from howsure.laws.law import DRAWS, SEED, checked_draws, checked_seed
from howsure.laws.population_sums import NewItemTries, TheseItemTries, UnitScores
from howsure.metrics import Measure, Metric
from howsure.numerics.arrays import Floats
from howsure.numerics.populations.groups import PopulationMean
from howsure.numerics.populations.item_powers import ItemRates, drawn_population, expected_power
from howsure.numerics.units import FEWEST_UNITS, unit_mean
from howsure.posterior.distribution import Distribution, MeasureKnowledge, Term
from howsure.posterior.priors import CALIBRATED, LearnedPrior, Prior, default_prior, resolve_prior
from howsure.text import formats
from howsure.text.formats import integer

#: Name of the mean score of a run.
MEAN = "mean_score"

GRAMMAR = re.compile(r"\s*pass\s*(?P<how>[@^])\s*(?P<k>\d{1,9})\s*")


class TryMeasure(Measure):
    """A measure of repeats: of how many runs, and whether any or all of them are right.

    Attributes
    ----------
    how : "mean", "any" or "all"
        The mean score of a run, ``pass@k`` or ``pass^k``.
    k : int
        Number of runs.
    """

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


class RepeatsPosterior(Frozen):
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

    def __init__(self, knowledge: RepeatsKnowledge) -> None:
        self._knowledge = knowledge

    @property
    def repeats(self) -> Repeats:
        """The runs."""
        return self._knowledge.repeats

    @property
    def prior(self) -> Prior:
        """The prior."""
        return self._knowledge.prior

    @property
    def groups(self) -> Question:
        """Which items numbers are about: "new" ones, or "these" again."""
        return self._knowledge.question

    @property
    def n(self) -> int:
        """Number of runs of all items."""
        return self.repeats.n

    @property
    def labels(self) -> tuple[str, ...]:
        """No class is known."""
        return ()

    def of(self, metric: str, *, draws: int = DRAWS, seed: int = SEED) -> Distribution:
        """What is known about ``mean_score``, ``pass@k`` or ``pass^k``."""
        return self._knowledge.of(metric, draws=draws, seed=seed)

    def _repr_html_(self) -> str:
        return f"<p>{escape(repr(self)[1:-1])}</p>{self.of('mean_score')._repr_html_()}"

    def __repr__(self) -> str:
        known = self._knowledge
        return f"<RepeatsPosterior: {self.repeats.shape_words}, prior {known.prior_name}, about {known.about_groups}>"


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
    return RepeatsPosterior(RepeatsKnowledge(repeats, made, question))


class RepeatsKnowledge(MeasureKnowledge):
    """What rooms share of such a posterior: laws of its measures, and joint draws.

    Parameters
    ----------
    repeats : Repeats
        The runs.
    prior : Prior
        Of the rates of an item.
    question : "new" or "these"
        Which items numbers are about.
    """

    _attributes = ("repeats", "prior", "question")

    #: No class is known.
    labels: tuple[str, ...] = ()

    def __init__(self, repeats: Repeats, prior: Prior, question: Question) -> None:
        self.repeats, self.prior, self.question = repeats, prior, question

    @property
    def prior_name(self) -> str:
        """What outputs call the prior."""
        return ITEM_WEIGHTS if self.weighted else self.prior.name

    @property
    def about_groups(self) -> str:
        """Which items numbers are about, in words."""
        return ABOUT[self.question]

    @property
    def learned(self) -> bool:
        """Whether rates of items are learned from each other."""
        return isinstance(self.prior, LearnedPrior)

    @property
    def weighted(self) -> bool:
        """Whether items have uncertain weights: of scores, unless a prior of their outcomes is named."""
        return self.learned and not self.repeats.binary

    def asking(self, question: Question) -> RepeatsKnowledge:
        """The same runs and prior about other items."""
        if question == self.question:
            return self
        made = RepeatsKnowledge(self.repeats, self.prior, question)
        for name in ("population", "rates"):
            if name in self.__dict__:
                made.__dict__[name] = self.__dict__[name]
        return made

    def of(self, metric: Any, *, draws: int = DRAWS, seed: int = SEED) -> Distribution:
        """What is known about one measure; see `RepeatsPosterior.of`."""
        measure = try_measure(metric, self.repeats)
        self._check()
        return Distribution([Term(1.0, self, measure)], draws=checked_draws(draws), seed=checked_seed(seed))

    def _check(self) -> None:
        repeats, items = self.repeats, len(self.repeats.items)
        once = int(repeats.times.max()) == 1
        if self.question == "these" and once and (self.learned or repeats.binary):
            raise NoInformation("every item was run once, so nothing tells how further runs of these items vary")
        if not repeats.binary:
            self._check_scores(items)
        elif self.question == "new" and items < FEWEST_GROUPS and not once:
            raise NoInformation(
                f"the runs are of {formats.several(items, 'item')}, and below {FEWEST_GROUPS} nothing but the prior "
                "says how much items differ, so a new one has no interval; groups='these' answers for new runs of "
                "the same items"
            )
        improper = min(self.pseudo_counts) <= 0 and not self.learned
        if improper and (self.question == "new" or repeats.counts.min() == 0):
            raise NoInformation(
                f"prior {self.prior.name!r} adds no run, and some item had an outcome in all of its runs or none. Use "
                "prior 'flat' or 'learned'."
            )

    def _check_scores(self, items: int) -> None:
        """Refuse what scores that are more than right and wrong do not tell."""
        if self.question == "new" and not self.learned:
            raise NoInformation(
                f"prior {self.prior.name!r} is of the outcomes of each item and says nothing of new ones; leave it out"
            )
        if not self.weighted:
            return
        if self.question == "new" and items < FEWEST_UNITS:
            raise NoInformation(f"{formats.several(items, 'item')}; from {FEWEST_UNITS} on there is an interval")
        if self.question == "new" and self._scores_of_new is None:
            raise NoInformation(
                f"all {items} items have the mean score {self.repeats.mean:g}; without the range of the scores "
                "nothing tells how different another item may be. Name it: range=(1, 5)"
            )
        again = int((self.repeats.times - 1).sum())
        if self.question == "these" and (again < FEWEST_AGAIN or not self._error_of_these > 0):
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
        """Law of a measure; None where it is drawn."""
        assert isinstance(measure, TryMeasure)
        return self._new_law(measure) if self.question == "new" else self._this_law(measure)

    def _new_law(self, measure: TryMeasure) -> Law | None:
        if self.weighted:
            return self._scores_of_new
        if int(self.repeats.times.max()) == 1:
            right = int(self.repeats.right.sum())
            return Beta(right + self._coin[0], self.repeats.n - right + self._coin[1])
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
        """Value on the runs."""
        assert isinstance(measure, TryMeasure)
        return observed_tries(measure, self.repeats)

    def drawn(self, measures: Sequence[Measure], draws: int, seed: int, stream: int) -> list[NDArray[np.float64]]:
        """Joint draws of several measures."""
        rng = np.random.default_rng([seed, stream])
        asked = [measure for measure in measures if isinstance(measure, TryMeasure)]
        if not self.repeats.binary:  # there is one measure of scores, and it has a law
            law = self.exact_law(asked[0])
            assert law is not None
            return [law.sample(draws, seed=(seed, stream))] * len(asked)
        if self.question == "new":
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
