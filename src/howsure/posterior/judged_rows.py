"""What the counts say where the truth is known of some cases only: the share of each verdict, and what is true of it.

    q ~ Dirichlet(N_v + 1),    r_v ~ Dirichlet(n_vh + alpha_vh),    p_hv = q_v r_vh        all independent

N_v counts all cases with a verdict, n_vh those whose truth is known. Which cases were labelled may depend on the
verdict, and on nothing else: then this is the posterior (Little and Rubin 2002, monotone and ignorable missingness).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from howsure.data.confusion import ConfusionMatrix
from howsure.data.verdicts import Verdicts
from howsure.errors import InvalidArgument, NoInformation, excerpt
from howsure.frozen import Frozen
from howsure.numerics.arrays import Floats
from howsure.numerics.learned.dirichlet_mass import DirichletShares
from howsure.numerics.learned.evidence import ONE_PART
from howsure.numerics.learned.population import Population
from howsure.posterior.drawn_tables import Drawn, WholeTables
from howsure.posterior.priors import LearnedPrior, Prior

__all__ = ["SHARE_MASS", "JudgedRows", "Tilt", "default_judged_prior", "required_verdicts", "row_prior"]

#: Pseudo-cases of each verdict: with rows of the same mass the shares of all classes are uniform before the data.
SHARE_MASS = 1.0

#: Numbers drawn at a time.
BLOCK = 2_000_000

#: From this many verdicts on two true classes have rows that are learned from all verdicts.
FEWEST_LEARNED_VERDICTS = 3


@dataclass(frozen=True)
class Tilt:
    """How unlike the cases without a label are: odds of a true class, times those of the labelled ones.

    Parameters
    ----------
    index : int
        The true class.
    odds : float
        Odds of it among the unlabelled cases of a verdict over those among the labelled ones; above 0.
    """

    index: int
    odds: float

    def of(self, rates: Floats) -> Floats:
        """Shares of the true classes, shape (..., K, V), tilted."""
        tilted = rates.copy()
        tilted[..., self.index, :] *= self.odds
        tilted /= tilted.sum(axis=-2, keepdims=True)
        return np.asarray(tilted)


def required_verdicts(confusion: ConfusionMatrix) -> Verdicts:
    """Verdicts of a matrix that has some, with a label at the least.

    Raises
    ------
    NoInformation
        Not one case has a label.
    """
    verdicts = confusion.verdicts
    if verdicts is None:
        raise InvalidArgument("every case of this matrix has its truth; there is nothing to estimate")
    if not verdicts.n_labelled:
        raise NoInformation(
            "no case has a label, so how often the verdicts are wrong is unknown; label some cases, or give the counts "
            "of a calibration elsewhere and say infer(calibration).at_prevalence(verdicts=...)"
        )
    return verdicts


def default_judged_prior(verdicts: Verdicts) -> str:
    """Name of the prior where none is given, decided by the numbers of truths and verdicts alone.

    ``jeffreys`` of two verdicts and of three true classes or more; ``learned`` of two true classes and three verdicts
    or more, where the invented cases of each verdict add up.
    """
    learned = verdicts.truths == 2 and len(verdicts.names) >= FEWEST_LEARNED_VERDICTS
    return "learned" if learned else "jeffreys"


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


class JudgedRows(Frozen):
    """Rows of a posterior of which the columns are known of all cases, and the truth of some.

    The shares of the verdicts are Dirichlet(N_v + 1), whatever the prior of the rows; what is true of a verdict is
    Dirichlet(n_vh + alpha_vh) or, of two true classes, a rate of a population that is learned from all verdicts.

    Parameters
    ----------
    confusion : ConfusionMatrix
        With verdicts.
    prior : Prior
        Of what is true of each verdict, Beta(a, b) or learned from all verdicts.
    tilt : Tilt, optional
        How unlike the unlabelled cases are; if left out, they are like the labelled ones of the same verdict.

    Raises
    ------
    NoInformation
        No case with a label, or a prior without mass and a verdict whose cases are all of one class.
    InvalidArgument
        A prior of other rows.
    """

    def __init__(self, confusion: ConfusionMatrix, prior: Prior, *, tilt: Tilt | None = None) -> None:
        verdicts = required_verdicts(confusion)
        self._confusion, self._verdicts, self._prior, self._tilt = confusion, verdicts, prior, tilt
        self._learned = isinstance(prior, LearnedPrior)
        if self._learned:
            if verdicts.truths != 2:
                raise InvalidArgument(
                    f"prior 'learned' of verdicts is for two true classes; here are {verdicts.truths}. Use 'jeffreys'."
                )
            return
        self._alphas: Floats = verdicts.labelled + row_prior(prior, confusion)
        silent = [name for name, row in zip(verdicts.names, self._alphas.T, strict=True) if not np.all(row > 0)]
        if silent:
            raise NoInformation(
                f"verdict {excerpt(silent[0])} was not checked, or its labels are all of one class, and prior "
                f"{prior.name!r} adds no case, so there is no posterior. Use prior 'jeffreys', or label more cases."
            )

    @property
    def verdicts(self) -> Verdicts:
        """The counts by verdict."""
        return self._verdicts

    @property
    def tilt(self) -> Tilt | None:
        """How unlike the unlabelled cases are."""
        return self._tilt

    @property
    def size(self) -> int:
        """Number of labels, true classes and verdicts."""
        return len(self._confusion.labels)

    @property
    def masses(self) -> Floats:
        """Dirichlet parameters of the shares of the verdicts, shape (V,)."""
        return np.asarray(self._verdicts.totals + SHARE_MASS)

    @property
    def alphas(self) -> Floats | None:
        """Dirichlet parameters of the true classes at each verdict, shape (K, V); None where they are learned."""
        return None if self._learned else self._alphas

    @cached_property
    def population(self) -> Population | None:
        """The population that the rates of the second true class are learned from; None where they are not."""
        if not self._learned:
            return None
        scores, checked = self._scores, self._verdicts.labelled
        t = np.zeros(checked.shape[1])
        if scores is not None and np.ptp(scores) > 0:
            t = (scores - scores.mean()) / scores.std()
        return Population(checked[1], checked.sum(axis=0), t=t, model=ONE_PART)

    @property
    def _scores(self) -> Floats | None:
        """Order of the verdicts; in an audit how many of the two, classifier and judge, call the second class."""
        if not self._verdicts.audit:
            return self._verdicts.scores
        second = self._confusion.labels[1]
        judged = np.array([name == second for name in self._verdicts.judged])
        return np.asarray((self._verdicts.column == 1) + 1.0 * judged)

    @cached_property
    def rates(self) -> Floats:
        """Expected share of each true class at each verdict, shape (K, V), as the labelled cases have it."""
        if self.population is not None:
            second = self.population.moments[0]
            return np.stack([1 - second, second])
        return np.asarray(self._alphas / self._alphas.sum(axis=0))

    @cached_property
    def table(self) -> Floats:
        """Expected joint table, shape (K, V)."""
        return np.asarray(self.rates * self.masses / self.masses.sum())

    @cached_property
    def _joint(self) -> Floats:
        """Expected joint table, shape (L, L)."""
        made = np.zeros((self.size, self.size))
        made[: self._verdicts.truths] = self.table @ self.columns
        return made

    @cached_property
    def columns(self) -> Floats:
        """1 where a verdict calls a case so, shape (V, L)."""
        return np.asarray(self._verdicts.column[:, None] == np.arange(self.size), dtype=float)

    @property
    def share_means(self) -> Floats:
        """Expected share of each label as a true class, shape (L,); 0 of what is only ever called."""
        return np.asarray(self._joint.sum(axis=1))

    @property
    def means(self) -> Floats:
        """Expected cases of each class called each, over the expected cases of the class, shape (L, L)."""
        with np.errstate(invalid="ignore"):
            return np.asarray(np.nan_to_num(self._joint / self._joint.sum(axis=1, keepdims=True)))

    @property
    def numbers_per_draw(self) -> int:
        """Random numbers that one joint table takes."""
        return (self._verdicts.truths + 1) * len(self._verdicts.names)

    def draw(self, n: int, rng: np.random.Generator) -> tuple[Floats, Floats]:
        """Draw shares of the verdicts, shape (n, V), and of the true classes at each, (n, K, V)."""
        q = DirichletShares(self.masses).draw(n, rng)
        if self.population is not None:
            second = self.population.draw(n, rng)
            rates = np.stack([1 - second, second], axis=1)
        elif self._verdicts.truths == 2:  # a Beta is right also where both Gammas would underflow
            second = rng.beta(self._alphas[1], self._alphas[0], (n, self._alphas.shape[1]))
            rates = np.stack([1 - second, second], axis=1)
        else:
            rates = rng.standard_gamma(self._alphas, (n, *self._alphas.shape))
            rates /= np.maximum(rates.sum(axis=1, keepdims=True), 1e-300)
        if self._tilt is not None:
            labelled = self._verdicts.labelled.sum(axis=0) / np.maximum(self._verdicts.totals, 1)
            rates = labelled * rates + (1 - labelled) * self._tilt.of(rates)
        return q, np.asarray(rates)

    def tables(self, n: int, seed: Sequence[int]) -> Iterator[Drawn]:
        """Blocks of joint tables, together ``n``; rows of what is only ever called are empty."""
        rng = np.random.default_rng([*seed, 0])
        step = max(1, BLOCK // max(self.size**2, self.numbers_per_draw))
        for start in range(0, n, step):
            q, rates = self.draw(min(step, n - start), rng)
            tables = np.zeros((len(q), self.size, self.size))
            tables[:, : self._verdicts.truths] = (q[:, None] * rates) @ self.columns
            yield WholeTables(tables)
