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

from howsure.errors import excerpt
from howsure.laws import Draws, Law, Route
from howsure.laws.draw_settings import SEED
from howsure.metrics import Measure, parse
from howsure.metrics.overall import against_largest_class
from howsure.numerics.arrays import Floats
from howsure.posterior.knowledge import TableKnowledge

__all__ = ["EXPECTING", "OF_REPORT", "ChanceStatement", "better_than_chance", "judge_of", "prepare_chance"]

#: Rule of two classes.
OF_REPORT = "the prior of the report"

#: Rule from three classes on.
EXPECTING = "a prior that expects chance"

#: Prior of right and wrong on the cases on which two classifiers differ: half a case each, as of a pair under flat.
PAIRED = "paired flat"


@dataclass(frozen=True)
class ChanceStatement:
    """Probability of being better than a classifier without skill, and how it was come by.

    Parameters
    ----------
    probability : float
        P(metric > value), or below it where lower is better.
    value : float
        What a classifier without skill reaches.
    prior, rule : str
        Under what, in words.
    route : "exact", "approximate" or "drawn"
        How it is known.
    draws : int, optional
        How many draws it was counted from; it then lies between 1/n and 1 - 1/n.
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

    def to_dict(self) -> dict[str, Any]:
        """Everything but the probability, ready for JSON."""
        return {"value": self.value, "prior": self.prior, "rule": self.rule}


def better_than_chance(
    known: TableKnowledge, measure: Measure, *, draws: int | None = None, seed: int = SEED
) -> ChanceStatement | None:
    """Probability that a measure is better than chance; None where the metric declares no chance, or without cases.

    Parameters
    ----------
    known : TableKnowledge
        What is known of the classifier.
    measure : Measure
        Made definite for its classes.
    draws, seed : int
        For metrics without a closed law; as in `Posterior.of`.

    Returns
    -------
    ChanceStatement or None

    Raises
    ------
    NoInformation, OutOfReach
        As `Posterior.of`, under the prior of the rule.

    Notes
    -----
    Two classes: the report's prior. More: recalls Beta(1/K, 1 - 1/K), errors 1/K a cell, prevalence Dirichlet(n_i +
    1/K) (Perks 1947), at a stated prevalence likewise. Accuracy, error rate and weighted recall: with n10 cases right
    outside the largest class m and n01 wrong inside, I_1/2(n01 + 1/2, n10 + 1/2): McNemar's cases with half a case on
    each side. Of several largest classes the one that is hardest to beat counts. Where the prevalence is stated or of
    other cases, cases weigh unlike: the recalls weighted by it, under `perks` at every number of classes, against the
    largest share.

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
    (0.5, 0.8, "paired with always answering 'no'")
    """
    value = known.chance(measure)
    if value is None:
        return None
    if not against_largest_class(measure):
        judge = judge_of(known)
        law = judge.of(measure, draws=_draws_of(judge, draws), seed=seed).law
        probability, counted = _beyond(law, value, lower=measure.metric.better == "lower")
        rule = EXPECTING if known.size > 2 else OF_REPORT
        return ChanceStatement(probability, value, judge.prior_name, rule, law.route, counted)
    if known.prevalence_source == "test set":
        probability, rival = _paired_with_largest(known.confusion.correct, known.confusion.class_sizes, known.labels)
        return ChanceStatement(probability, value, PAIRED, f"paired with {rival}", "exact")
    judge = known.expecting_chance
    options: dict[str, Any] = {"draws": _draws_of(judge, draws), "seed": seed}
    right, largest = (judge.of(name, **options) for name in ("weighted_recall", "no_information_rate"))
    law = (right - largest).law
    probability, counted = _beyond(law, 0.0)
    rival = f"always answering {excerpt(known.labels[int(np.argmax(known.shares))])}"
    rule = f"against {rival} at that prevalence, under {EXPECTING}"
    return ChanceStatement(probability, value, judge.prior_name, rule, law.route, counted)


def prepare_chance(
    known: TableKnowledge, measures: Sequence[Measure], *, draws: int | None = None, seed: int = SEED
) -> None:
    """Draw all measures that will be held against chance in one pass, so that `better_than_chance` finds them ready."""
    judge = judge_of(known)
    if judge is not known:
        asked = [m for m in measures if known.chance(m) is not None and not against_largest_class(m)]
        judge.prepare(asked, draws=_draws_of(judge, draws), seed=seed)


def judge_of(known: TableKnowledge) -> TableKnowledge:
    """The same counts under the prior by which they are held against chance."""
    return known if known.size == 2 else known.expecting_chance


def _draws_of(judge: TableKnowledge, draws: int | None) -> int | None:
    """As many draws as asked for, unless drawing them under its prior takes much too long."""
    return draws if draws is None or judge.draws_are_affordable else min(draws, judge.usual_draws)


def _beyond(law: Law, value: float, *, lower: bool = False) -> tuple[float, int | None]:
    """P(law > value), or below it, and from how many draws; draws cannot make certain."""
    probability = law.prob(below=value) if lower else law.prob(above=value)
    if not isinstance(law, Draws):
        return probability, None
    return min(max(probability, 1 / law.n), 1 - 1 / law.n), law.n


def _paired_with_largest(correct: Any, sizes: Any, labels: Sequence[str]) -> tuple[float, str]:
    """P(more often right than always answering the largest class), the least of them all, and that classifier."""
    tied = np.flatnonzero(sizes == sizes.max())
    gained: Floats = correct.sum() - correct[tied] + 0.5
    lost: Floats = sizes[tied] - correct[tied] + 0.5
    better = betainc(lost, gained, 0.5)
    hardest = int(np.argmin(better))
    more = "" if len(tied) == 1 else f", the hardest to beat of {len(tied)} classes of that size"
    return float(better[hardest]), f"always answering {excerpt(labels[tied[hardest]])}{more}"
