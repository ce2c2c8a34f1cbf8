"""Whether a classifier is better than one without skill: the one rule of every room that says so.

Two classes: the prior of the report. From three classes on a prior that expects chance, `perks`, whatever the report's
own is: the flat prior of K recalls is sure that their mean is near 1/2, far above 1/K, and calls guessers skilled. The
accuracy, at every number of classes: the classifier and "always m", the largest class, on the same cases.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from scipy.special import betainc

from howsure.answers.fields import Keyed
from howsure.data.groups import Groups
from howsure.errors import excerpt
from howsure.laws import Draws, Law, Route
from howsure.laws.law import DRAWS, SEED, checked_draws, checked_seed
from howsure.metrics import Measure, depends_on_prevalence, parse
from howsure.metrics.overall import against_largest_class
from howsure.numerics.arrays import Floats, bincount
from howsure.numerics.populations.group_bootstrap import paired_difference
from howsure.posterior.grouped_rows import new_groups
from howsure.posterior.knowledge import TableKnowledge, defined

#: Rule of two classes.
OF_REPORT = "the prior of the report"

#: Rule from three classes on.
EXPECTING = "a prior that expects chance"

#: Prior of right and wrong on the cases on which two classifiers differ: half a case each, as of a pair under flat.
PAIRED = "paired flat"

#: The same on new groups.
BOOTSTRAP = "bootstrap over groups"

#: A characteristic function that falls like t to this power, or slower, needs a long series.
SLOW_DECAY = 20.0

#: Unless its rest is exact, which it is up to so many combinations of ends.
MOST_COMBINATIONS = 3000.0

#: Draws that are enough where all of them lie on one side of chance and their mean is so many of their sds away: no hit
#: in 3,000 bounds the other side by 0.001 (rule of three), which is the last digit of a report.
FIRST, FAR = 3_000, 8.0

#: Where one draw takes so many random numbers, a tenth of these are looked at before: a law whose mean is so many of
#: its sds away has 1 / (1 + 36^2) on the other side at most (Cantelli's inequality). The sd is that of the draws, right
#: to 4% of a law about Normal, as those of metrics of so many cells are, and far more would be wanted of others.
DEAR, FEWEST, SURE = 1_000, 300, 36.0


@dataclass(frozen=True)
class ChanceStatement(Keyed, fields="value prior rule"):
    """Probability of being better than a classifier without skill, and how it was come by.

    Parameters
    ----------
    probability : float
        P(metric > value), or below it where lower is better.
    value : float
        What a classifier without skill reaches.
    prior, rule : str
        Under what, in words.
    route : "exact", "approximate" or "simulated"
        How it is known.
    draws : int, optional
        How many draws it was counted from; it then lies between 1/n and 1 - 1/n. A clear case needs few. None where it
        is exact, or a bound by the distance from chance alone.
    """

    probability: float
    value: float
    prior: str
    rule: str
    route: Route
    draws: int | None = None

    @property
    def expects_chance(self) -> bool:
        """Whether it is under a prior that expects chance, whatever the report's own is."""
        return self.rule.endswith(EXPECTING)

    @property
    def how(self) -> str:
        """Rule as the end of a sentence, and which prior it is that expects chance."""
        if not self.expects_chance:
            return self.rule
        return f"{'under ' if self.rule == EXPECTING else ''}{self.rule} ({self.prior})"


def better_than_chance(
    known: TableKnowledge, measure: Measure, *, draws: int | None = None, seed: int = SEED
) -> ChanceStatement | None:
    """Probability that a measure is better than chance; None where the metric declares no chance, or without cases.

    Notes
    -----
    Two classes: the report's prior. More: recalls Beta(1/K, 1 - 1/K), errors 1/K a cell, prevalence Dirichlet(n_i +
    1/K) (Perks 1947), at a stated prevalence likewise; MCC and kappa, with classes of unlike size, by
    `howsure.posterior.priors.perks_by_size`. Accuracy, error rate and weighted recall: with n10 cases right
    outside the largest class m and n01 wrong inside, I_1/2(n01 + 1/2, n10 + 1/2): McNemar's cases with half a case on
    each side. Of several largest classes the one that is hardest to beat counts. Where the prevalence is stated or of
    other cases, cases weigh unlike: the recalls weighted by it, under `perks` at every number of classes, against the
    largest share. On new groups: the bootstrap over groups of the same difference.

    Examples
    --------
    >>> import howsure as hs
    >>> from howsure.posterior.knowledge import knowledge_of
    >>> ones = knowledge_of(hs.infer(hs.ConfusionMatrix([[1] * 9] * 9)))
    >>> made = better_than_chance(ones, parse("balanced_accuracy", ones.labels))
    >>> round(made.probability, 2), round(made.value, 2), made.prior, made.rule
    (0.47, 0.11, 'perks', 'a prior that expects chance')
    >>> always = knowledge_of(hs.infer(hs.ConfusionMatrix([[8, 0], [2, 0]], labels=["no", "yes"])))
    >>> made = better_than_chance(always, parse("accuracy", always.labels))
    >>> round(made.probability, 9), made.value, made.rule
    (0.5, 0.8, "paired with always predicting 'no'")
    """
    value = known.chance(measure)
    if value is None:
        return None
    if not against_largest_class(measure):
        judge = judge_of(known, measure)
        law = (
            known.of(measure, draws=draws, seed=seed).law
            if judge is known
            else _clear(judge, measure, draws, seed, value)
        )
        probability, counted = _beyond(law, value, lower=measure.metric.better == "lower")
        rule = EXPECTING if known.size > 2 else OF_REPORT
        return ChanceStatement(probability, value, judge.prior_name, rule, law.route, counted)
    if known.prevalence_source == "test set":
        probability, rival = _paired_with_largest(known.confusion.correct, known.confusion.class_sizes, known.labels)
        if (groups := new_groups(known.confusion)) is not None:
            return _grouped_against_largest(known, groups, value, seed)
        return ChanceStatement(probability, value, PAIRED, f"paired with {rival}", "exact")
    judge = known.expecting_chance
    right, largest = (parse(name, known.labels) for name in ("weighted_recall", "no_information_rate"))
    if (stated := known.known_prevalence) is not None:
        law, than = _law(judge, right, draws, seed), float(stated.max())
    else:
        ours, theirs = judge.drawn([right, largest], _draws_of(judge, draws), seed, 0)
        law, than = Draws(ours - theirs, support=(-1.0, 1.0)), 0.0
    probability, counted = _beyond(law, than)
    rival = f"always predicting {excerpt(known.labels[int(np.argmax(known.shares))])}"
    rule = f"against {rival} at that prevalence, under {EXPECTING}"
    return ChanceStatement(probability, value, judge.prior_name, rule, law.route, counted)


def _grouped_against_largest(known: TableKnowledge, groups: Groups, value: float, seed: int) -> ChanceStatement:
    """The classifier and "always m" on new groups: bootstrap over groups of what one has right and the other not."""
    sizes = known.confusion.class_sizes
    largest = int(np.argmax(sizes))
    rng = np.random.default_rng([checked_seed(seed), 0])
    right, always = groups.true == groups.pred, groups.true == largest
    gain = bincount(groups.group, (right.astype(float) - always) * groups.count, len(groups))
    drawn = Draws(paired_difference(gain, groups.cases, DRAWS, rng), support=(-1.0, 1.0))
    probability, counted = _beyond(drawn, 0.0)
    rule = f"paired with always predicting {excerpt(known.labels[largest])} in each group"
    return ChanceStatement(probability, value, BOOTSTRAP, rule, drawn.route, counted)


def prepare_chance(
    known: TableKnowledge, measures: Sequence[Measure], *, draws: int | None = None, seed: int = SEED
) -> None:
    """Draw all measures that will be held against chance in one pass, so that `better_than_chance` finds them ready."""
    asked = [m for m in measures if known.chance(m) is not None and not against_largest_class(m)]
    judges = {m: judge_of(known, m) for m in asked}
    for judge in {id(judge): judge for judge in judges.values() if judge is not known}.values():
        together = [m for m, its in judges.items() if its is judge and judge.exact_law(m) is None]
        for many, far in _beginnings(judge, draws):
            if together:
                first = zip(together, judge.drawn(together, many, seed, 0), strict=True)
                together = [m for m, values in first if not _far(values, known.chance(m), far)]
        if together:
            judge.drawn(together, _draws_of(judge, draws), seed, 0)


def judge_of(known: TableKnowledge, measure: Measure) -> TableKnowledge:
    """The same counts under the prior by which a measure is held against chance."""
    if known.size == 2:
        return known
    whole = measure.twin.metric.per == "table" and depends_on_prevalence(measure, known.size)
    return known.expecting_no_correlation if whole else known.expecting_chance


def _law(judge: TableKnowledge, measure: Measure, draws: int | None, seed: int) -> Law:
    """Law of a measure under the prior of the rule; drawn where the exact one would take minutes."""
    law = judge.exact_law(measure)
    if law is not None and not _takes_minutes(judge):
        return law
    many = _draws_of(judge, draws)
    values = judge.drawn([measure], many, seed, 0)[0] if law is None else law.sample(many, seed=[seed, 0])
    return Draws(defined(values, measure), support=measure.metric.support)


def _clear(judge: TableKnowledge, measure: Measure, draws: int | None, seed: int, value: float) -> Law:
    """Law of a measure under the prior of the rule, by the first draws alone where these are far from ``value``."""
    if judge.exact_law(measure) is None:
        for many, far in _beginnings(judge, draws):
            first = judge.drawn([measure], many, seed, 0)[0]
            if _far(first, value, far):
                return Draws(first, support=measure.metric.support)
    return _law(judge, measure, draws, seed)


def _beginnings(judge: TableKnowledge, draws: int | None) -> list[tuple[int, float]]:
    """How many draws may do, and how far away; none where there are few, or more than the default were asked for."""
    many = _draws_of(judge, draws)
    if many > DRAWS:
        return []
    stages = [(FEWEST, SURE), (FIRST, FAR)] if judge.numbers_per_draw > DEAR else [(FIRST, FAR)]
    return [stage for stage in stages if 2 * stage[0] < many]


def _far(values: Floats, chance: float | None, far: float) -> bool:
    """Whether all draws lie on one side of chance, and so many of their sds from it."""
    away = values - (np.nan if chance is None else chance)
    return bool((np.all(away > 0) or np.all(away < 0)) and abs(away.mean()) >= far * away.std())


def _takes_minutes(judge: TableKnowledge) -> bool:
    """Whether nearly all recalls stand at 0 or 1, of many classes and of unlike sizes: a series of very many terms."""
    sizes, correct = judge.confusion.class_sizes, judge.confusion.correct
    right, wrong = judge.prior.recalls(judge.size)
    if np.minimum(correct + right, sizes - correct + wrong).sum() > SLOW_DECAY:
        return False
    alike = np.unique(np.stack([sizes, correct], axis=1), axis=0, return_counts=True)[1]
    return bool(np.log1p(alike).sum() > np.log(MOST_COMBINATIONS))


def _draws_of(judge: TableKnowledge, draws: int | None) -> int:
    """As many draws as asked for, unless drawing them under its prior takes much too long."""
    usual = judge.usual_draws
    return usual if draws is None else checked_draws(draws) if judge.draws_are_affordable else min(draws, usual)


def _beyond(law: Law, value: float, *, lower: bool = False) -> tuple[float, int | None]:
    """P(law > value), or below it, and from how many draws; draws cannot make certain."""
    probability = law.prob(below=value) if lower else law.prob(above=value)
    if not isinstance(law, Draws):
        return probability, None
    bounded = law.n == FEWEST and _far(law.values, value, SURE)
    least = 1 / (1 + SURE**2) if bounded else 1 / law.n
    return min(max(probability, least), 1 - least), None if bounded else law.n


def _paired_with_largest(correct: Any, sizes: Any, labels: Sequence[str]) -> tuple[float, str]:
    """P(more often right than always answering the largest class), the least of them all, and that classifier."""
    tied = np.flatnonzero(sizes == sizes.max())
    gained: Floats = correct.sum() - correct[tied] + 0.5
    lost: Floats = sizes[tied] - correct[tied] + 0.5
    better = betainc(lost, gained, 0.5)
    hardest = int(np.argmin(better))
    more = "" if len(tied) == 1 else f", the hardest to beat of {len(tied)} classes of that size"
    return float(better[hardest]), f"always predicting {excerpt(labels[tied[hardest]])}{more}"
