"""Verdicts of other cases that rates were carried over to: rates, prevalence behind them, whether they explain them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Literal, NamedTuple, NoReturn

import numpy as np
from numpy.typing import ArrayLike

from howsure.answers.fields import Keyed
from howsure.data.confusion import ConfusionMatrix
from howsure.errors import InvalidArgument, OutOfReach, excerpt, listing
from howsure.frozen import kept
from howsure.laws import CarriedPrevalence, Companion, Law
from howsure.laws.law import DRAWS, SEED, checked_draws, checked_seed
from howsure.metrics import Measure
from howsure.numerics.arrays import Floats, Integers
from howsure.numerics.draws.dense_tables import LatentTables, Spent, WeightedTables
from howsure.posterior.knowledge import TableKnowledge
from howsure.posterior.priors import Prior
from howsure.posterior.rows import ClassRows, Drawn, WholeTables
from howsure.posterior.shares import Observed, PrevalenceSource, counts_by_class
from howsure.text import formats

#: Below it the verdicts contradict the calibration, and below the other one much of what it allows is ruled out.
CONTRADICTION, MUCH_RULED_OUT = 0.05, 0.5

#: Probability of rates that tell nothing apart from which on the prevalence is not identified.
UNIDENTIFIED = 0.025


CARRIED = "verdicts=_by_class calibration_cases=calibration compatible worse_than_chance kept sampler effective"


@dataclass(frozen=True)
class CarriedRates(Keyed, fields=CARRIED):
    """Verdicts of other cases, and whether the rates of a calibration explain them.

    Attributes
    ----------
    labels : tuple of str
        The classes.
    verdicts : tuple of int
        Cases there with each verdict, in the order of the classes.
    calibration : int
        Cases of the calibration.
    compatible : float
        Probability that the rates allow the shares of the verdicts, both learned apart: with two classes
        P(1 - specificity <= p <= recall).
    worse_than_chance : float
        Probability, by the calibration alone, that recall + specificity is 1 or less; with more classes, that the
        determinant of the rates is 0 or less.
    kept : float
        Share of drawings of rates and verdicts that shares of the classes explain.
    sampler : "weights" or "latent classes"
        How what has no closed law is drawn: weighted drawings, or Gibbs' method on the unknown classes.
    effective : float
        What one draw is worth, in independent ones.
    calls : tuple of float or None
        Two classes: the share of positive verdicts, and the mean of it among the negative and the positive class.
    """

    labels: tuple[str, ...]
    verdicts: tuple[int, ...]
    calibration: int
    compatible: float
    worse_than_chance: float
    kept: float
    sampler: str
    effective: float
    calls: tuple[float, float, float] | None = None

    @property
    def _by_class(self) -> dict[str, int]:
        return dict(zip(self.labels, self.verdicts, strict=True))

    @property
    def warnings(self) -> tuple[str, ...]:
        """What forbids to read the number as a prevalence."""
        said = []
        if self.compatible < CONTRADICTION:
            said.append(f"{self._contradiction} The rates do not carry over; {self._what_it_is}, not a prevalence.")
        if self.worse_than_chance > UNIDENTIFIED:
            chance = formats.probability(self.worse_than_chance)
            said.append(
                f"The prevalence is not identified: by its calibration the judge may be no better than chance "
                f"(probability {chance}), and then verdicts say nothing of the truth. Much of the answer is the prior; "
                "check more cases of each class."
            )
        return tuple(said)

    @property
    def lead(self) -> str:
        """Before a number that is no prevalence."""
        if self.compatible < CONTRADICTION:
            return "The rates do not carry over, so this is no prevalence: "
        return "Not identified, see the warning: " if self.worse_than_chance > UNIDENTIFIED else ""

    @property
    def notes(self) -> tuple[str, ...]:
        """What the number assumes, and what else helps to read it."""
        rates = "sensitivity, specificity" if len(self.labels) == 2 else "all rates of each class"
        counts = ", ".join(
            f"{formats.plain(x, 30)} {formats.integer(n)}"
            for x, n in list(zip(self.labels, self.verdicts, strict=True))[:12]
        )
        said = [
            f"the prevalence is that of {formats.several(sum(self.verdicts), 'case')} of which only the verdicts were "
            f"counted ({counts}{', ...' if len(self.labels) > 12 else ''}). It assumes that the judge errs as often "
            f"there as in the calibration of {formats.several(self.calibration, 'case')} ({rates}); every prevalence "
            "is equally probable beforehand."
        ]
        if CONTRADICTION <= self.compatible < MUCH_RULED_OUT:
            said.append(
                f"of what the calibration allows only a part can have given these verdicts (compatible: "
                f"{_percent(self.compatible)}); more calibration cases would tell whether the rates carry over."
            )
        return tuple(said)

    @property
    def drawing(self) -> str:
        """How metrics without a closed law are drawn."""
        kept = f"{_percent(self.kept)} of simulated rates" if self.kept else "next to none of the drawn rates"
        if self.sampler != "weights":
            return (
                f"rates and prevalence are drawn by Gibbs' method on the unknown classes, for {kept} fit the verdicts. "
                "Draws are taken so far apart that they count as independent."
            )
        return (
            f"rates and prevalence are simulated together: {kept} fit the verdicts, weighted by 1 / |det|; a draw is "
            "equivalent to "
            f"{self.effective:.2g} independent ones."
        )

    @property
    def _contradiction(self) -> str:
        end = f" (compatible: {_percent(self.compatible)})."
        if self.calls is None:
            return f"No shares of the classes explain these verdicts by the rates of the calibration{end}"
        here, negative, positive = self.calls
        low, high = sorted([(negative, 0), (positive, 1)])
        rate, truth = low if here < low[0] else high
        only = "" if here < low[0] else "only "
        named, forward = formats.plain(self.labels[truth], 30), formats.plain(self.labels[1], 30)
        return (
            f"The judge called {_percent(here)} {forward}, but by its calibration it calls {only}{_percent(rate)} of "
            f"the truly {named} so{end}"
        )

    @property
    def _what_it_is(self) -> str:
        if self.calls is None:
            return "the number below is what is left of the calibration's errors"
        here, negative, positive = self.calls
        below = here < min(negative, positive)
        return f"the number below is the calibration's false {'positives' if below else 'negatives'}"


def _percent(share: float) -> str:
    """A share in percent, two digits.

    Examples
    --------
    >>> _percent(0.02), _percent(4.01e-5), _percent(0.999), _percent(0.0)
    ('2.0%', '0.0040%', '99.9%', '0%')
    """
    percent = 100 * share
    if percent == 0:
        return "0%"
    if percent >= 99:
        return f"{percent:.1f}%" if percent < 99.95 else "100%"
    if percent >= 9.95:
        return f"{percent:.0f}%"
    return f"{percent:#.2g}%" if percent >= 0.001 else "under 0.001%"


#: Fewer draws than this of a drawing of rates and verdicts, and Gibbs' method is quicker.
LEAST_GIVEN = 1 / 200

#: A law whose estimated error is above it is simulated: 20,000 draws err less.
TOO_ROUGH = 1e-2

#: Draws of means where each takes several steps of a chain.
FEW_DRAWS = 4_000

#: The streams of what is drawn to see how much is kept, and how long a chain remembers.
LOOK, MEMORY = 0xCA, 0xCB


def counted_verdicts(verdicts: Any, confusion: ConfusionMatrix) -> Integers:
    """Read counts of verdicts of cases elsewhere, shape (K,).

    Examples
    --------
    >>> cm = ConfusionMatrix([[80, 20], [15, 85]], labels=["fail", "pass"])
    >>> counted_verdicts({"pass": 700, "fail": 300}, cm).tolist()
    [300, 700]
    """
    labels = confusion.labels
    if confusion.verdicts is not None:
        raise InvalidArgument(
            "verdicts= carries the rates of a calibration over, and this matrix has cases without a truth: infer() of "
            "it answers for them already. A calibration has the truth of every case"
        )
    if confusion.groups is not None and confusion.groups.question == "new":
        raise InvalidArgument(
            "verdicts= carries over rates of independent cases, and these numbers are about new groups, where verdicts "
            "of one group go together; say groups='these' to carry over the rates of these groups"
        )
    counts = counts_by_class(verdicts, confusion, "verdicts=")
    if not sum(counts):
        raise InvalidArgument("verdicts= counts no case at all; without a verdict there is nothing to carry rates to")
    empty = [x for x, size in zip(labels, confusion.class_sizes.tolist(), strict=True) if not size]
    if empty:
        raise InvalidArgument(
            f"the calibration has no case that is truly {listing(map(excerpt, empty))}, so how the judge calls these "
            "is not known; calibrate on cases of every class. A verdict that is no class ('unsure') is not carried "
            "over: leave it out of both tables, or join it to the class that is acted on"
        )
    return np.array(counts, dtype=np.int64)


def carried_rates(known: TableKnowledge) -> CarriedRates | None:
    """Whether the rates that are carried over explain the verdicts; None where none are."""
    return known.carried if isinstance(known, CarriedKnowledge) else None


class Sampler(NamedTuple):
    """How tables are drawn."""

    kind: Literal["weights", "latent classes"]
    spent: Spent
    memory: float
    numbers: int


class CarriedKnowledge(TableKnowledge):
    """Knowledge of cases of which only verdicts were counted, by the rates of a calibration.

    The prevalence is flat beforehand; with two classes its law is exact (`howsure.laws.CarriedPrevalence`). The
    verdicts also say something of the rates, so every other metric is drawn from rates and prevalence together, see
    `howsure.numerics.draws.dense_tables`.

    """

    def __init__(self, calibration: TableKnowledge, called: Integers) -> None:
        super().__init__(calibration.confusion, calibration.prior, shares="sampled")
        self._called = called

    @property
    def prevalence_source(self) -> PrevalenceSource:
        return "verdicts elsewhere"

    # -- the same cases seen otherwise --------------------------------------------------------------------------

    def at_prevalence(
        self,
        prevalence: ArrayLike | Mapping[str, float] | None = None,
        *,
        cases: Sequence[int] | Mapping[str, int] | None = None,
    ) -> NoReturn:
        """Refused: the verdicts say what the prevalence is."""
        raise InvalidArgument(
            "this posterior learned its prevalence from verdicts; ask for another prevalence, or for other verdicts, "
            "where the calibration itself is known: infer(calibration).at_prevalence(...)"
        )

    def recounted(self, confusion: ConfusionMatrix, prior: Prior | None = None) -> CarriedKnowledge:
        made = CarriedKnowledge(TableKnowledge(confusion, self.prior if prior is None else prior), self._called)
        made.__dict__["test_set"] = self.test_set
        return made

    # -- what is known ------------------------------------------------------------------------------------------

    @cached_property
    def carried(self) -> CarriedRates:
        """Whether the rates explain the verdicts, and what is to be said of that."""
        spent, law = self._sampler.spent, self._prevalence_law(1) if self.size == 2 else None
        calls = both = None
        if self.size == 2:
            both = self._rows.of_recalls(np.ones(2))
            rates = self.confusion.counts[:, 1] / self.confusion.class_sizes
            calls = (float(self._called[1] / self._called.sum()), float(rates[0]), float(rates[1]))
        return CarriedRates(
            labels=self.labels,
            verdicts=tuple(self._called.tolist()),
            calibration=self.confusion.n,
            compatible=float(spent.kept if law is None else law.compatible),
            # with two classes P(recall + specificity <= 1) by the calibration alone
            worse_than_chance=spent.reversed if calls is None or both is None else float(np.clip(both.cdf(1.0), 0, 1)),
            kept=spent.kept,
            sampler=self._sampler.kind,
            effective=spent.effective if self._sampler.kind == "weights" else 1.0,
            calls=calls,
        )

    def beside(self, measure: Measure) -> str:
        return "rates carried over"

    @property
    def rows(self) -> ClassRows | None:
        """None: the verdicts are of all classes together, so that no rate is on its own."""
        return None

    @property
    def population(self) -> None:
        """None: the population of the calibration is not that of these cases."""
        return

    @property
    def shares(self) -> Floats:
        if (law := self._prevalence_law(1)) is None:
            return self._means[0]
        return np.array([1 - law.mean, law.mean])

    @property
    def row_means(self) -> Floats:
        return self._means[1]

    @property
    def recall_means(self) -> Floats:
        return np.asarray(self._means[1].diagonal())

    @property
    def recall_sds(self) -> Floats:
        return self._means[2]

    @cached_property
    def _means(self) -> tuple[Floats, Floats, Floats]:
        """Means of the shares and of the rates, and sds of the recalls, of the usual draws."""
        quick = self._sampler.kind == "weights"
        tables = np.concatenate(list(self.tables(self.usual_draws if quick else min(FEW_DRAWS, self.usual_draws))))
        shares = tables.sum(axis=2)
        rates = tables / shares[..., None]
        recalls = np.diagonal(rates, axis1=1, axis2=2)
        return shares.mean(axis=0), np.nanmean(rates, axis=0), np.nanstd(recalls, axis=0)

    @kept
    def _prevalence_law(self, index: int) -> CarriedPrevalence | None:
        """Law of the share of one of two classes; None where it is drawn."""
        rows = super().rows
        if self.size != 2 or rows is None:
            return None
        positives, cases = float(self._called[index]), float(self._called.sum())
        law = CarriedPrevalence(positives, cases, recall=rows.recall(index), specificity=rows.recall(1 - index))
        try:
            return None if law.error > TOO_ROUGH else law
        except OutOfReach:  # no prevalence explains the verdicts: draws say so
            return None

    def exact_law(self, measure: Measure) -> Law | None:
        twin = measure.twin
        if twin.metric.name != "prevalence" or twin.index is None:
            return None
        return self._prevalence_law(twin.index)

    def control_variate(self, draws: int, seed: int) -> Companion | None:
        """None: no rate has a law of its own."""
        return None

    def chance(self, measure: Measure) -> float | None:
        """None: what is asked is the prevalence, and the rates were held against chance by their calibration."""
        return None

    @cached_property
    def _observed(self) -> Observed:
        """At the shares that explain the verdicts by the raw rates; of nothing where there are none."""
        counts = self.confusion.counts
        with np.errstate(divide="ignore", invalid="ignore"):
            rates = counts / counts.sum(axis=1, keepdims=True)
        try:
            shares = np.linalg.solve(rates.T, self._called / self._called.sum())
        except np.linalg.LinAlgError:
            shares = np.full(self.size, np.nan)
        # an estimate outside of 0 to 1 is not moved to the nearest end: it says that the rates do not fit
        inside = bool(np.all((shares >= 0) & (shares <= 1)))
        return Observed(self.confusion, shares if inside else np.full(self.size, np.nan))

    # -- draws --------------------------------------------------------------------------------------------------

    @cached_property
    def _weighted(self) -> WeightedTables:
        return WeightedTables(self._drawn_rates, self._called)

    @cached_property
    def _latent(self) -> LatentTables:
        return LatentTables(self.confusion.counts + self.prior.row(self.size), self._called)

    @cached_property
    def _sampler(self) -> Sampler:
        spent = self._weighted.spent([LOOK])
        cells = self.size**2
        dirichlet = super().rows is not None
        if spent.given >= LEAST_GIVEN or (not dirichlet and spent.given > 0):
            return Sampler("weights", spent, 1.0, int(cells / spent.given) + 1)
        if not dirichlet:
            raise OutOfReach(
                f"of the rates that prior {self.prior.name!r} allows fits these verdicts; prior "
                "'flat' has an answer, by Gibbs' method"
            )
        memory = self._latent.memory([MEMORY])
        return Sampler("latent classes", spent, memory, int(6 * cells * memory))

    def _drawn_rates(self, n: int, seed: list[int]) -> Floats:
        """Rates by the calibration alone, shape (n, K, K)."""
        even = np.full(self.size, 1 / self.size)
        blocks = [tables for block in self._rows.tables(n, even, seed) for tables in block.whole()]
        return np.concatenate(blocks) * self.size

    @property
    def numbers_per_draw(self) -> int:
        return self._sampler.numbers

    def blocks(self, n: int = DRAWS, *, seed: int = SEED, stream: int = 0, ordered: bool = False) -> Iterator[Drawn]:
        n, parts = checked_draws(n), [checked_seed(seed), stream]
        sampler = self._sampler
        if sampler.kind == "weights":
            blocks = self._weighted.tables(n, sampler.spent, parts)
        else:
            blocks = self._latent.tables(n, sampler.memory, parts)
        for tables in blocks:
            yield WholeTables(tables)
