"""What a new test of new groups would show: groups like those seen, each with rates of its own."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from howsure.data.groups import Groups
from howsure.errors import InvalidArgument, excerpt
from howsure.laws import CountShare, Draws, Kind
from howsure.metrics import Measure
from howsure.numerics.arrays import Floats, repeat
from howsure.numerics.groups.population_mean import PopulationMean
from howsure.posterior.drawn_tables import Drawn, WholeTables
from howsure.posterior.grouped_rows import NEW, GroupedRows, refuse_new_groups
from howsure.posterior.hit_weights import COINS
from howsure.posterior.questions.replication import Prediction
from howsure.text import formats

if TYPE_CHECKING:
    from howsure.posterior.posterior import Posterior

__all__ = ["GroupedPrediction", "grouped_prediction"]

#: The largest number of new groups, and random numbers that are held at once.
MOST_GROUPS, BLOCK = 100_000, 4_000_000

#: A correlation of a drawn population is held inside of 0 to 1 by this much.
INSIDE = 1e-9


@dataclass(frozen=True, repr=False, eq=False)
class GroupedPrediction(Prediction):
    """What a new test of new groups would show; made by `Posterior.predict`.

    Each new group has as many cases of each class as one that was seen, by chance which. Its recalls are draws of the
    populations, Beta around a drawn mean with a drawn correlation, its wrong answers spread as in the drawn table. The
    accuracy is drawn in the same way, of the population of all groups.

    Attributes
    ----------
    groups : int
        Groups of the new test; ``n`` is about how many cases they have.
    """

    groups: int = 0

    @property
    def about(self) -> str:
        """The new test in words."""
        return f"{formats.several(self.groups, 'group')}, about {formats.several(self.n, 'case')}"

    def repeats(self, metric: str, **_: Any) -> float:
        """Refused: the posterior of new groups is no single Beta."""
        raise InvalidArgument(
            "repeats() is for further cases, and this is a test of new groups; ask "
            f"of({excerpt(metric)}).prob(above=...)"
        )

    def _exact(self, measure: Measure) -> CountShare | None:
        return None

    def _fill(self, measures: Sequence[Measure]) -> None:
        coins = [m for m in map(self._known.estimand, measures) if m.twin.metric.name in COINS]
        coins = [m for m in coins if self._known.known_prevalence is None]
        if coins:
            values = self._accuracies()
            for measure in coins:
                up = measure.twin.metric.name == "accuracy"
                self._memory[measure] = Draws(values if up else 1 - values, support=(0.0, 1.0))
        super()._fill([m for m in measures if m not in coins])

    @property
    def _seen(self) -> tuple[Groups, GroupedRows]:
        groups, rows = self._known.confusion.groups, self._known.groups
        assert groups is not None
        assert rows is not None
        return groups, rows

    def _accuracies(self) -> Floats:
        """Share of right cases of the new test, of the population of all groups."""
        groups, rows = self._seen
        rng = np.random.default_rng([self.seed, 0x68])
        mean = rows.by_cases.law.draw(self.draws, rng)  # a new test counts cases
        kappa = _kappa(rows.whole, self.draws, rng)
        found = np.empty(self.draws)
        for part in self._parts(self.groups):
            sizes = rng.choice(groups.cases, (len(mean[part]), self.groups))
            right = _drawn_right(sizes, mean[part], kappa[part], rng)
            found[part] = right.sum(axis=1) / sizes.sum(axis=1)
        return found

    def _new_tests(self, *, held: bool = False) -> Iterator[Drawn]:
        """Counts of the new test, from each drawn table."""
        groups, rows = self._seen
        size = rows.size
        rng = np.random.default_rng([self.seed, 0x69])
        cases = np.zeros((len(groups), size), dtype=np.int64)
        np.add.at(cases, (groups.group, groups.true), groups.count)
        for block in self._known.blocks(self.draws, seed=self.seed):
            for tables in block.whole():
                shares = tables / np.maximum(tables.sum(axis=2, keepdims=True), 1e-300)
                kappas = [_kappa(rows.population(i), len(tables), rng) for i in range(size)]
                counts = np.zeros(tables.shape)
                for part in self._parts(self.groups, len(tables)):
                    drawn = rng.integers(0, len(groups), (len(tables[part]), self.groups))
                    for i in range(size):
                        sizes = cases[drawn, i]
                        right = _drawn_right(sizes, shares[part, i, i], kappas[i][part], rng).sum(axis=1)
                        wrong = shares[part, i].copy()
                        wrong[:, i] = 0.0
                        wrong /= np.maximum(wrong.sum(axis=1, keepdims=True), 1e-300)
                        counts[part, i] = rng.multinomial(sizes.sum(axis=1) - right, wrong)
                        counts[part, i, i] = right
                yield WholeTables(counts)

    def _parts(self, numbers: int, draws: int | None = None) -> Iterator[slice]:
        """Draws in blocks that fit, where each takes so many numbers."""
        many, step = self.draws if draws is None else draws, max(1, BLOCK // max(numbers, 1))
        for start in range(0, many, step):
            yield slice(start, min(many, start + step))


def grouped_prediction(
    posterior: Posterior, n: object, groups: object, level: float, kind: Kind, draws: int, seed: int
) -> GroupedPrediction:
    """What so many new groups would show, or as many as there were.

    Raises
    ------
    InvalidArgument
        A number of cases, no whole number of groups, or a posterior about cases.
    """
    known = posterior.confusion.groups
    if known is None or known.question != "new":
        raise InvalidArgument("groups= counts new groups, and this posterior is about cases; say n=")
    if n is not None:
        refuse_new_groups(NEW, "a new test by n= instead of groups=")
    many = len(known) if groups is None else groups
    whole = isinstance(many, int | np.integer) and not isinstance(many, bool)
    if not whole or not 1 <= many <= MOST_GROUPS:  # type: ignore[operator]  # whole says so
        raise InvalidArgument(f"groups= is an integer number of new groups, 1 to {MOST_GROUPS:,}; not {excerpt(many)}")
    counted = int(many)  # type: ignore[call-overload]  # likewise
    cases = round(posterior.n * counted / len(known))
    return GroupedPrediction(posterior, cases, None, level, kind, draws, seed, groups=counted)


def _kappa(population: PopulationMean, n: int, rng: np.random.Generator) -> Floats:
    """Draws of the concentration of the rates of groups, shape (n,)."""
    correlation = np.clip(population.correlation.draw(n, rng), INSIDE, 1 - INSIDE)
    return np.asarray(1 / correlation - 1)


def _drawn_right(sizes: Any, mean: Floats, kappa: Floats, rng: np.random.Generator) -> Any:
    """Right cases of each group, shape (m, G), whose rates are Beta with these means and concentrations, (m,) each."""
    inside = np.clip(mean, INSIDE, 1 - INSIDE)
    a, b = (repeat((kappa * share)[:, None], sizes.shape[1], axis=1) for share in (inside, 1 - inside))
    return rng.binomial(sizes, rng.beta(a, b))
