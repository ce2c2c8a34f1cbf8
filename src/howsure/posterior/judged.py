"""What labels say of verdicts: rows of a judge, drawn and in closed form, and the laws of metrics.

q ~ Dirichlet(N_v + 1),    r_v ~ Dirichlet(n_vh + alpha_vh),    p_hv = q_v r_vh        all independent

N_v counts all cases with a verdict, n_vh those whose truth is known. Which cases were labelled may depend on the
verdict, and on nothing else: then this is the posterior (Little and Rubin 2002, monotone and ignorable missingness).

A joint table p_hv = q_v r_vh has its verdicts as rows: transposed it is a table of two classes as any other, so that
`howsure.laws.BinaryLaw` of the exchanged metric is the law of F1, MCC and their kin (recall is its precision).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from howsure.data.confusion import ConfusionMatrix
from howsure.data.verdicts import Verdicts
from howsure.errors import InvalidArgument, NoInformation, excerpt, listing
from howsure.frozen import kept
from howsure.laws import Beta, BinaryLaw, Law, LearnedSum, Linear
from howsure.laws.law import SEED, checked_seed
from howsure.metrics import Asked, Classes, Measure, named, parse
from howsure.metrics.cost import moved
from howsure.metrics.measure import linear_weights
from howsure.numerics.arrays import Floats
from howsure.numerics.populations.error_shares import DirichletShares
from howsure.numerics.populations.nodes import ONE_PART
from howsure.numerics.populations.population import Population
from howsure.posterior.distribution import Distribution, Term
from howsure.posterior.knowledge import TableKnowledge
from howsure.posterior.priors import PRIORS, LearnedPrior, Prior, resolve_prior
from howsure.posterior.rows import LEAST_ROUGH, Drawn, Rows, WholeTables
from howsure.posterior.shares import Observed
from howsure.posterior.wrong_labels import not_at_random
from howsure.text import formats

#: Pseudo-cases of each verdict: with rows of the same mass the shares of all classes are uniform before the data.
SHARE_MASS = 1.0

#: Numbers drawn at a time.
BLOCK = 2_000_000

#: From this many verdicts on two true classes have rows that are learned from all verdicts.
FEWEST_LEARNED_VERDICTS = 3


@dataclass(frozen=True)
class Tilt:
    """Odds of a true class among the unlabelled cases of a verdict, times those among the labelled ones; above 0."""

    index: int
    odds: float


def required_verdicts(confusion: ConfusionMatrix) -> Verdicts:
    """Verdicts of a matrix that has some, with at least one label."""
    verdicts = confusion.verdicts
    if verdicts is None:
        raise InvalidArgument("every case of this matrix has its truth; there is nothing to estimate")
    if not verdicts.n_labelled:
        raise NoInformation(
            "no case has a label, so how often the verdicts are wrong is unknown; label some cases, or give the counts "
            "of a calibration elsewhere and say infer(calibration).at_prevalence(verdicts=...)"
        )
    return verdicts


def matching_class(verdicts: Verdicts, labels: Sequence[str]) -> list[int | None]:
    """The true class that each verdict names; None of a verdict that names none, or of a pair that names two."""
    found: list[int | None] = []
    for name, column in zip(verdicts.names, verdicts.column.tolist(), strict=True):
        # in an audit a verdict is "prediction, judged verdict"
        one = not verdicts.audit or name == f"{labels[column]}, judged {labels[column]}"
        found.append(column if one and column < verdicts.truths else None)
    return found


def row_prior(prior: Prior, confusion: ConfusionMatrix) -> Floats:
    """Pseudo-counts of each true class at each verdict, shape (K, V).

    The class that a verdict names has the prior's ``a``, the others share its ``b``; a verdict that names no class has
    both spread evenly.
    """
    verdicts = required_verdicts(confusion)
    size = verdicts.truths
    if prior.told is not None:
        raise InvalidArgument(
            f"prior {prior.name!r} is about true classes, and the rows learned here are those of verdicts; use "
            "'jeffreys', 'learned', 'flat' or a Prior(a, b)"
        )
    table = np.full((size, len(verdicts.names)), (prior.a + prior.b) / size)
    for v, match in enumerate(matching_class(verdicts, confusion.labels)):
        if match is not None:
            table[:, v] = prior.b / (size - 1)
            table[match, v] = prior.a
    return table


class JudgedRows(Rows):
    """Rows of a posterior of which the columns are known of all cases, and the truth of some.

    The shares of the verdicts are Dirichlet(N_v + 1), whatever the prior of the rows; what is true of a verdict is
    Dirichlet(n_vh + alpha_vh) or, of two true classes, a rate of a population that is learned from all verdicts.

    Raises
    ------
    NoInformation
        No case with a label, or a prior without mass and a verdict whose cases are all of one class.
    InvalidArgument
        A prior of other rows.
    """

    _attributes: tuple[str, ...] = ("verdicts", "tilt", "masses", "alphas")

    def __init__(self, confusion: ConfusionMatrix, prior: Prior, *, tilt: Tilt | None = None) -> None:
        verdicts = required_verdicts(confusion)
        super().__init__(confusion, prior)
        self.verdicts, self.tilt = verdicts, tilt
        #: Dirichlet parameters of the shares of the verdicts, shape (V,)
        self.masses: Floats = np.asarray(verdicts.totals + SHARE_MASS)
        learned = isinstance(prior, LearnedPrior)
        #: Dirichlet parameters of the true classes at each verdict, shape (K, V); None where they are learned
        self.alphas: Floats | None = None if learned else verdicts.labelled + row_prior(prior, confusion)
        if self.alphas is None:
            if verdicts.truths != 2:
                raise InvalidArgument(
                    f"prior 'learned' of verdicts is for two true classes; here are {verdicts.truths}. Use 'jeffreys'."
                )
            return
        silent = [name for name, row in zip(verdicts.names, self.alphas.T, strict=True) if not np.all(row > 0)]
        if silent:
            raise NoInformation(
                f"verdict {excerpt(silent[0])} was not checked, or its labels are all of one class, and prior "
                f"{prior.name!r} adds no case, so there is no posterior. Use prior 'jeffreys', or label more cases."
            )

    @cached_property
    def population(self) -> Population | None:
        """The population that the rates of the second true class are learned from; None where they are not."""
        if self.alphas is not None:
            return None
        scores, checked = self._scores, self.verdicts.labelled
        t = np.zeros(checked.shape[1])
        if scores is not None and np.ptp(scores) > 0:
            t = (scores - scores.mean()) / scores.std()
        return Population(checked[1], checked.sum(axis=0), t=t, model=ONE_PART)

    @property
    def _scores(self) -> Floats | None:
        """Order of the verdicts; in an audit how many of the two, classifier and judge, call the second class."""
        if not self.verdicts.audit:
            return self.verdicts.scores
        second = self._confusion.labels[1]
        judged = np.array([name == second for name in self.verdicts.judged])
        return np.asarray((self.verdicts.column == 1) + 1.0 * judged)

    @cached_property
    def rates(self) -> Floats:
        """Expected share of each true class at each verdict, shape (K, V), as the labelled cases have it."""
        if self.alphas is not None:
            return np.asarray(self.alphas / self.alphas.sum(axis=0))
        assert self.population is not None
        second = self.population.moments[0]
        return np.stack([1 - second, second])

    @cached_property
    def table(self) -> Floats:
        """Expected joint table, shape (K, V)."""
        return np.asarray(self.rates * self.masses / self.masses.sum())

    @cached_property
    def _joint(self) -> Floats:
        """Expected joint table, shape (L, L)."""
        made = np.zeros((self.size, self.size))
        made[: self.verdicts.truths] = self.table @ self.columns
        return made

    @cached_property
    def columns(self) -> Floats:
        """1 where a verdict calls a case so, shape (V, L)."""
        return np.asarray(self.verdicts.column[:, None] == np.arange(self.size), dtype=float)

    @property
    def share_means(self) -> Floats:
        return np.asarray(self._joint.sum(axis=1))

    @property
    def means(self) -> Floats:
        with np.errstate(invalid="ignore"):
            return np.asarray(np.nan_to_num(self._joint / self._joint.sum(axis=1, keepdims=True)))

    @property
    def numbers_per_draw(self) -> int:
        return (self.verdicts.truths + 1) * len(self.verdicts.names)

    def draw(self, n: int, rng: np.random.Generator) -> tuple[Floats, Floats]:
        """Draw shares of the verdicts, shape (n, V), and of the true classes at each, (n, K, V)."""
        q = self.shares.draw(n, rng)
        if self.alphas is None or self.verdicts.truths == 2:
            if self.alphas is None:
                assert self.population is not None
                second = self.population.draw(n, rng)
            else:  # a Beta is right also where both Gammas would underflow
                second = rng.beta(self.alphas[1], self.alphas[0], (n, self.alphas.shape[1]))
            rates = np.stack([1 - second, second], axis=1)
        else:
            rates = rng.standard_gamma(self.alphas, (n, *self.alphas.shape))
            rates /= np.maximum(rates.sum(axis=1, keepdims=True), 1e-300)
        if self.tilt is not None:
            labelled = self.verdicts.labelled.sum(axis=0) / np.maximum(self.verdicts.totals, 1)
            tilted = rates.copy()
            tilted[..., self.tilt.index, :] *= self.tilt.odds
            tilted /= tilted.sum(axis=-2, keepdims=True)
            rates = labelled * rates + (1 - labelled) * tilted
        return q, np.asarray(rates)

    @property
    def recall_means(self) -> Floats:
        return np.asarray(np.diagonal(self.means))

    def moved(self, cases: Floats | None) -> Rows:
        """Refused: how often a verdict is right changes with the shares of the classes."""
        raise InvalidArgument(
            "where truths are missing the rows that are learned are those of verdicts, and they change with the shares "
            "of the classes; make a matrix of the labelled cases alone and say infer(that).at_prevalence(...)"
        )

    @property
    def shares(self) -> DirichletShares:
        return DirichletShares(self.masses)

    @property
    def scaled(self) -> Floats:
        """Labelled cases of each verdict scaled to all cases with it, shape (L, L); NaN where nobody checked one."""
        verdicts = self.verdicts
        checked = verdicts.labelled.sum(axis=0)
        with np.errstate(invalid="ignore", divide="ignore"):
            rates = verdicts.labelled / checked
        cells = np.where((checked == 0) & (verdicts.totals == 0), 0.0, rates * verdicts.totals)
        made = np.zeros((self.size, self.size))
        for v, column in enumerate(verdicts.column.tolist()):
            made[: verdicts.truths, column] += cells[:, v]
        return made

    @property
    def coin(self) -> None:
        """None: whether a case is right is seen of labelled cases only."""
        return

    def tables(self, n: int, known: Floats | None, seed: Sequence[int]) -> Iterator[Drawn]:
        rng = np.random.default_rng([*seed, 0])
        step = max(1, BLOCK // max(self.size**2, self.numbers_per_draw))
        for start in range(0, n, step):
            q, rates = self.draw(min(step, n - start), rng)
            tables = np.zeros((len(q), self.size, self.size))
            tables[:, : self.verdicts.truths] = (q[:, None] * rates) @ self.columns
            yield WholeTables(tables)


#: Metrics that are the same of a table and of the transposed one.
SYMMETRIC = [
    "f1", "jaccard", "mcc", "kappa", "fowlkes_mallows", "scott_pi", "gwet_ac1", "p4", "yule_q", "lift",
    "diagnostic_odds_ratio", "log_diagnostic_odds_ratio",
]  # fmt: skip

#: Metrics, and which one of the transposed table they are.
EXCHANGED = {
    "recall": "precision",
    "specificity": "negative_predictive_value",
    "false_negative_rate": "false_discovery_rate",
    "false_positive_rate": "false_omission_rate",
    "weighted_kappa": "kappa",
}


def judged_law(rows: JudgedRows, measure: Measure) -> Law | None:
    """Law of a measure in closed form, or None where only draws will do."""
    name, index = measure.metric.name, measure.index
    if name == "bias" and index is not None:
        return _share_of_verdicts(rows, rows.verdicts.column == index)
    if rows.tilt is not None or (index is not None and index >= rows.verdicts.truths):
        return None  # a verdict that is no class is refused by name (`JudgedKnowledge.require`)
    if rows.alphas is None:
        return _learned_rate(rows, measure)
    if measure.average is not None:
        return None
    of_two = _of_two_verdicts(rows, measure)
    if of_two is not None:
        return of_two
    return _of_called(rows, index, *RATES[name]) if index is not None and name in RATES else _linear(rows, measure)


def _share_of_verdicts(rows: JudgedRows, which: NDArray[np.bool_]) -> Linear:
    """Law of the share of the cases with some verdicts: counted, so a Beta."""
    inside, outside = float(rows.masses[which].sum()), float(rows.masses[~which].sum())
    if not inside or not outside:
        return Linear(shift=float(inside > 0))
    return Beta(inside, outside)


def _learned_rate(rows: JudgedRows, measure: Measure) -> Law | None:
    """Law of what is true of one verdict, under a population of all of them; None of anything else."""
    name, index = measure.metric.name, measure.index
    if name not in ("precision", "false_discovery_rate") or index is None or measure.average is not None:
        return None
    at = np.flatnonzero(rows.verdicts.column == index)
    if len(at) != 1 or rows.population is None:
        return None
    weights = np.zeros(len(rows.masses))
    second = (index == 1) == (name == "precision")
    weights[at] = 1.0 if second else -1.0
    return LearnedSum([(rows.population, weights)], Linear(shift=0.0 if second else 1.0))


def _share(masses: Floats, a: Floats, b: Floats, worth: Floats | None = None) -> Law | None:
    """Law of the mean worth of a case, (V, 2) with and without what the rates are of; None of more than two verdicts.

    A share is a worth of 1 and 0. Of two verdicts it is a metric of a table turned round: shares and two rates.
    """
    worth = np.tile([1.0, 0.0], (len(masses), 1)) if worth is None else worth
    if worth.min() == worth.max():
        return Linear(shift=float(worth.min()))
    if len(masses) == 1:
        return float(worth[0, 0] - worth[0, 1]) * Beta(float(a[0]), float(b[0])) + float(worth[0, 1])
    if len(masses) != 2:
        return None
    low, width = float(worth.min()), float(np.ptp(worth))
    cells = dict(zip(("hit", "missed", "kept", "false"), ((worth - low) / width).ravel().tolist(), strict=True))
    law = _of_rates("worth", masses, (float(a[0]), float(b[0])), (float(a[1]), float(b[1])), **cells)
    return law if law is None or (low, width) == (0.0, 1.0) else moved(law, low, width)


def _of_rates(
    name: str, masses: Floats, first: tuple[float, float], second: tuple[float, float], **parameters: float
) -> BinaryLaw | None:
    """Law of a metric of the shares of two verdicts and a rate at each; None where it is nearly all at its ends."""
    shares = float(masses[0]), float(masses[1])
    if min(*first, *second) < LEAST_ROUGH or not BinaryLaw.closes(name, shares, first, second, **parameters):
        return None
    return BinaryLaw(name, shares, first, second, **parameters)


#: Rates of a class: whether it is looked at where it is called or elsewhere (or everywhere), itself or the others.
RATES: dict[str, tuple[bool | None, bool]] = {
    "precision": (True, True),
    "false_discovery_rate": (True, False),
    "negative_predictive_value": (False, False),
    "false_omission_rate": (False, True),
    "prevalence": (None, True),
}


def _of_called(rows: JudgedRows, index: int, called: bool | None, inside: bool) -> Law | None:
    """Law of the share of a class (or of the others) among the cases called it (or not, or all)."""
    assert rows.alphas is not None
    own = rows.alphas[index]
    other = np.asarray(rows.alphas.sum(axis=0) - own)
    here = rows.verdicts.column == index
    at = np.ones(len(own), dtype=bool) if called is None else here == called
    a, b = (own[at], other[at]) if inside else (other[at], own[at])
    return _share(rows.masses[at], a, b) if at.any() else None


def _linear(rows: JudgedRows, measure: Measure) -> Law | None:
    """Law of a sum over the cells in which each verdict tells two kinds of truth apart, or none."""
    alphas, verdicts = rows.alphas, rows.verdicts
    assert alphas is not None
    cells = linear_weights(measure, rows.size, verdicts.truths)
    if cells is None:
        return None
    of = cells[:, verdicts.column]
    top, bottom = of.max(axis=0), of.min(axis=0)
    upper = of == top
    if not np.all(upper | (of == bottom)):
        return None
    if np.all(top == bottom):  # what is true makes no difference
        upper[1:] = False
    upper[1:, top == bottom] = False
    a = np.where(upper, alphas, 0.0).sum(axis=0)
    return _share(rows.masses, a, alphas.sum(axis=0) - a, np.stack([top, bottom], axis=1))


def _of_two_verdicts(rows: JudgedRows, measure: Measure) -> Law | None:
    """Law of a metric of two classes and the two verdicts that name them: that of the transposed table."""
    verdicts, alphas = rows.verdicts, rows.alphas
    if verdicts.audit or verdicts.truths != 2 or sorted(verdicts.column.tolist()) != [0, 1]:
        return None
    assert alphas is not None
    name, parameters = measure.metric.name, dict(measure.parameters)
    i = 1 if measure.index is None else measure.index
    called, other = (int(np.flatnonzero(verdicts.column == k)[0]) for k in (i, 1 - i))
    right = float(alphas[i, called]), float(alphas[1 - i, called])
    kept = float(alphas[1 - i, other]), float(alphas[i, other])
    if name in ("markedness", "weighted_markedness"):
        w = parameters.get("w", 0.5)
        return 2 * w * Beta(*right) + 2 * (1 - w) * Beta(*kept) - 1
    if name.removeprefix("weighted_").removeprefix("adjusted_") in ("informedness", "balanced_accuracy"):
        asked, given = "weighted_markedness", {"w": parameters.get("w", parameters.get("c", 0.5))}
    elif name == "fbeta":
        asked, given = "fbeta", {"beta": 1 / parameters.get("beta", 1.0)}
    elif name in EXCHANGED or name in SYMMETRIC:
        asked, given = EXCHANGED.get(name, name), {}
    else:
        return None
    law = _of_rates(asked, rows.masses[[called, other]], right, kept, **given)
    if law is None or name not in ("balanced_accuracy", "weighted_balanced_accuracy"):
        return law
    return moved(law, 0.5, 0.5)  # from informedness to balanced accuracy


# -- What is known of such a table, what its distributions assume, and what if labels were picked ----------------------

#: A prior of one right and one wrong case is what three cases less are worth: Beta(1 + s, 1 + f) has n + 3.
PRIOR_CASES = 3.0


def worth_of(law: Law) -> float:
    """Labelled cases that would tell a share as well without a judge, m(1 - m)/var - 3.

    So many cases with right and wrong answers have, under Beta(1, 1), the mean and the variance of this law; where all
    cases are labelled it is their number.

    Examples
    --------
    >>> from howsure.laws import Beta
    >>> round(worth_of(Beta(86, 16)), 9)
    100.0
    """
    m, sd = law.mean, law.sd
    return max(m * (1 - m) / sd**2 - PRIOR_CASES, 0.0) if sd > 0 else float("inf")


class JudgedDistribution(Distribution):
    """What is known of one metric where some truths are missing: a `Distribution` that also knows its assumption.

    Attributes
    ----------
    worth : float or None
        Labelled cases that would tell it as well without the verdicts; of a share of a true class, and in an audit of
        the accuracy; None of other metrics.

    Examples
    --------
    >>> import howsure as hs
    >>> judged = hs.ConfusionMatrix([[22, 7], [6, 65]], labels=["fail", "pass"], unlabelled={"fail": 572, "pass": 1328})
    >>> hs.infer(judged).of("prevalence@pass")
    prevalence@pass 0.70 (0.63 to 0.76) 95% HDI, prior jeffreys, exact, equivalent to 176 labels
    """

    def __init__(self, source: Any, measure: Measure, *, draws: int, seed: int, law: Law) -> None:
        super().__init__([Term(1.0, source, measure)], draws=draws, seed=seed, law=law)
        self._verdicts, self._about = source.verdicts, measure

    @cached_property
    def worth(self) -> float | None:
        """Labelled cases that would tell it as well without a judge, m(1 - m)/var - 3; None of what is no share."""
        name = self._about.twin.metric.name
        shares = ("prevalence", "accuracy", "error_rate") if self._verdicts.audit else ("prevalence",)
        alone = self._about.average is None or self._about.twin is not self._about
        return worth_of(self.law) if name in shares and alone else None

    def _cells(self) -> dict[str, str]:
        cells = super()._cells()
        return cells if self.worth is None else {**cells, "worth": f"{formats.integer(round(self.worth))} labels"}

    def __repr__(self) -> str:
        worth = self._cells().get("worth")
        return super().__repr__() + ("" if worth is None else f", equivalent to {worth}")

    not_at_random = not_at_random


#: Metrics of a class, or of the table, that need no verdict of its name.
WITHOUT_NAMES = ("prevalence", "bias", "no_information_rate")


class JudgedKnowledge(TableKnowledge):
    """Knowledge of a table whose cases all have a verdict, and some a truth; rows are verdicts, not true classes."""

    def __init__(self, confusion: ConfusionMatrix, prior: Prior, *, tilt: Tilt | None = None) -> None:
        rows = JudgedRows(confusion, prior, tilt=tilt)
        super().__init__(confusion, prior, shares="sampled")
        self._rows: JudgedRows = rows
        self._classes_of_prior = rows.verdicts.truths

    @property
    def judged(self) -> JudgedRows:
        return self._rows

    @property
    def verdicts(self) -> Verdicts:
        return self._rows.verdicts

    @property
    def truths(self) -> tuple[str, ...]:
        return self.labels[: self.verdicts.truths]

    # -- the same cases seen otherwise --------------------------------------------------------------------------

    def tilted(self, index: int, odds: float) -> JudgedKnowledge:
        """The same counts, if the odds of a true class are other ones among the cases without a label."""
        return JudgedKnowledge(self.confusion, self.prior, tilt=Tilt(index, odds))

    def recounted(self, confusion: ConfusionMatrix, prior: Prior | None = None) -> JudgedKnowledge:
        return JudgedKnowledge(confusion, self.prior if prior is None else prior, tilt=self.judged.tilt)

    # -- numbers ------------------------------------------------------------------------------------------------

    def of(self, metric: Asked, *, draws: int | None = None, seed: int = SEED) -> Distribution:
        measure = parse(metric, self.labels, self.confusion.positive)
        self.require(measure)
        made = super().of(measure, draws=draws, seed=seed)
        many = self.usual_draws if draws is None else draws
        return JudgedDistribution(self, measure, draws=many, seed=checked_seed(seed), law=made.law)

    def require(self, measure: Measure) -> None:
        """Refuse a measure that these verdicts do not have, and say which they have."""
        name, verdicts = measure.metric.name, self.verdicts
        shares = f"{named('prevalence', None, self.truths[-1])} (how many there are)"
        if measure.label is not None and measure.label not in self.truths and name != "bias":
            raise InvalidArgument(
                f"{excerpt(measure.label)} is a verdict only, and no true class, so it has no {name}; ask for "
                f"{named('bias', None, measure.label)} (how often it is said) or {shares}"
            )
        if measure.metric.family == "ordinal" and len(self.labels) > len(self.truths):
            only = listing(map(excerpt, self.labels[len(self.truths) :]))
            raise InvalidArgument(
                f"{name} counts ranks between true classes, and {only} has no rank among them; give every cell "
                f"its cost with expected_cost, or ask for {shares}"
            )
        reads = measure.metric.reference and name not in WITHOUT_NAMES and not name.startswith("expected_cost")
        if reads and not np.any(verdicts.column < verdicts.truths) and measure.metric.by_margins:
            raise InvalidArgument(
                f"no verdict carries the name of a true class ({listing(map(excerpt, self.truths))}), so none is right "
                f"or wrong and {name} has no meaning; ask for {shares}, "
                f"{named('bias', None, verdicts.names[0])} (how often a verdict is said), or an expected_cost"
            )

    def exact_law(self, measure: Measure) -> Law | None:
        return self._closed(measure.twin)

    @kept
    def _closed(self, twin: Measure) -> Law | None:
        return judged_law(self._rows, twin)

    def estimand(self, measure: Measure) -> Measure:
        if measure.average is None:
            return measure
        size = len(self.truths)
        undefined = tuple(i for i in super().estimand(measure).classes.undefined if i < size)
        return replace(measure, classes=Classes(undefined, left_out=tuple(range(size, self.size))))

    def chance(self, measure: Measure) -> None:
        """None: skill is a question to the judge, not to the cases."""
        return

    @cached_property
    def _observed(self) -> Observed:
        scaled = self._rows.scaled
        return Observed(self.confusion, scaled.sum(axis=1), scaled)


def named_prior(prior: str | Prior | None, confusion: ConfusionMatrix) -> Prior:
    """The prior of what is true of each verdict, by its name or by the numbers of truths and verdicts alone.

    ``jeffreys`` of two verdicts and of three true classes or more; ``learned`` of two true classes and three verdicts
    or more, where the invented cases of each verdict add up.
    """
    verdicts = required_verdicts(confusion)
    if prior is not None:
        return resolve_prior(prior, verdicts.truths)
    learned = verdicts.truths == 2 and len(verdicts.names) >= FEWEST_LEARNED_VERDICTS
    return replace(PRIORS["learned" if learned else "jeffreys"].at(verdicts.truths), defaulted=True)


def judged_knowledge(
    confusion: ConfusionMatrix, prior: str | Prior | None, shares: str | None = None
) -> JudgedKnowledge:
    """Knowledge of a matrix with verdicts."""
    verdicts = required_verdicts(confusion)
    if shares not in (None, "sampled"):  # uncertain shares are what is learned
        raise InvalidArgument(
            f"shares={excerpt(shares)} is about the true classes of a test set, and here the truth of "
            f"{formats.integer(int(verdicts.unlabelled.sum()))} cases is missing: their shares are what is learned; "
            "leave shares out"
        )
    return JudgedKnowledge(confusion, named_prior(prior, confusion))


def judged_of(known: object) -> JudgedKnowledge | None:
    """Knowledge from verdicts, or None where every case has its truth."""
    return known if isinstance(known, JudgedKnowledge) else None
