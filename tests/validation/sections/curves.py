"""Curves of scores: how often intervals of the area hold it, beside DeLong's, and bands the whole of a curve."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy import optimize, special, stats
from tests.validation.sections import text_of

import howsure as hs
from howsure.curves import delong, roc_curve
from howsure.numerics.curves.curve_numbers import area_under, true_rate_at

Floats = NDArray[np.float64]

#: Draws behind an interval, and behind a band.
DRAWS, CURVES = 1000, 1000

#: Categories of ordinal scores.
CATEGORIES = 5


@dataclass(frozen=True)
class World:
    """Scores of two classes with a known area under the curve.

    Parameters
    ----------
    kind : "normal", "exponential" or "ordinal"
        Normal with equal variances; exponential with another scale; five ordered categories of a normal score.
    area : float
    positives, negatives : int
    """

    kind: str
    area: float
    positives: int
    negatives: int

    @property
    def name(self) -> str:
        """A row's first cells."""
        return f"{self.kind} | {self.area:g} | {self.positives} + {self.negatives}"

    @property
    def _shares(self) -> tuple[Floats, Floats]:
        """Shares of the five categories among negatives and positives."""

        def shares(gap: float) -> tuple[Floats, Floats]:
            cuts = np.linspace(-1, gap + 1, CATEGORIES + 1)[1:-1]
            low, high = (np.diff(np.concatenate(([0.0], special.ndtr(cuts - mean), [1.0]))) for mean in (0.0, gap))
            return low, high

        def area(gap: float) -> float:
            low, high = shares(gap)
            return float(high @ (np.cumsum(low) - low / 2))

        return shares(optimize.brentq(lambda gap: area(gap) - self.area, 0, 12))

    def drawn(self, rng: np.random.Generator) -> tuple[Floats, Floats]:
        """Truth and scores of one test set."""
        truth = np.repeat([1, 0], [self.positives, self.negatives])
        if self.kind == "ordinal":
            low, high = self._shares
            up = rng.choice(CATEGORIES, self.positives, p=high)
            return truth, np.concatenate([up, rng.choice(CATEGORIES, self.negatives, p=low)]).astype(float)
        if self.kind == "normal":
            return truth, rng.standard_normal(len(truth)) + truth * special.ndtri(self.area) * np.sqrt(2)
        return truth, rng.exponential(size=len(truth)) * np.where(truth == 1, self.area / (1 - self.area), 1.0)

    def curve(self, x: Floats) -> Floats:
        """True positive rate at false positive rates."""
        if self.kind == "normal":
            return special.ndtr(special.ndtri(self.area) * np.sqrt(2) + special.ndtri(x))
        if self.kind == "exponential":
            return x ** ((1 - self.area) / self.area)
        low, high = (np.concatenate(([0.0], np.cumsum(shares[::-1]))) for shares in self._shares)
        return true_rate_at(high[None, :], low[None, :], x)[0]


SIZES = ((10, 10), (20, 100), (100, 100), (1000, 1000))
WORLDS = [
    World(kind, area, *size)
    for kind in ("normal", "exponential", "ordinal")
    for area in (0.7, 0.9, 0.99)
    for size in SIZES
]
BANDS = [
    World("normal", 0.8, 50, 50),
    World("normal", 0.9, 30, 150),
    World("exponential", 0.8, 100, 100),
    World("ordinal", 0.85, 80, 120),
    World("normal", 0.95, 500, 500),
]
#: Points of curves: (kind, true positive rate, positives,
#: negatives, false positive rate).
POINTS = [
    ("normal", 0.993, 100, 100, 0.1),
    ("normal", 0.97, 100, 100, 0.1),
    ("normal", 0.95, 20, 100, 0.2),
    ("normal", 0.8, 30, 30, 0.1),
    ("normal", 0.5, 100, 100, 0.1),
    ("normal", 0.3, 20, 200, 0.05),
    ("exponential", 0.9, 50, 50, 0.1),
    ("exponential", 0.99, 100, 100, 0.2),
]


def lines(runs: int) -> Iterator[str]:
    """The section, at so many runs of a world."""
    yield from text_of("curves 1")
    for world in WORLDS:
        yield coverage_of(world, runs if world.positives < 1000 else max(10, runs // 3))[0]
    yield from text_of("curves 2")
    for world in BANDS:
        yield bands_of(world, max(10, runs // 2))[0]
    yield from text_of("curves 3")
    for point in POINTS:
        yield point_of(*point, runs)[0]


def coverage_of(world: World, runs: int) -> tuple[str, Floats]:
    """A row of the table, and the percentages: HDI, central, DeLong, logit DeLong."""
    rng = np.random.default_rng([2007, world.positives, world.negatives, int(1000 * world.area), len(world.kind)])
    hits, widths, separated = np.zeros(4), np.zeros(2), 0
    for run in range(runs):
        scores = hs.Scores(*world.drawn(rng))
        law = hs.infer(scores).of("roc_auc", draws=DRAWS, seed=run)
        classical = delong(scores)
        separated += classical.area in (0.0, 1.0)
        ends = [tuple(law.interval()), tuple(law.interval(kind="central")), classical.normal, classical.logit or (2, 2)]
        hits += [low <= world.area <= high for low, high, *_ in ends]
        widths += [ends[0][1] - ends[0][0], ends[2][1] - ends[2][0]]
    percent = 100 * hits / runs
    cells = " | ".join(f"{x:.0f}" for x in percent)
    wide = ", ".join(f"{x:.3f}" for x in widths / runs)
    return f"| {world.name} | {100 * separated / runs:.0f} | {cells} | {wide} | {runs} |", percent


def bands_of(world: World, runs: int) -> tuple[str, Floats]:
    """A row of the table of bands, and the percentages: each point, whole curve."""
    rng = np.random.default_rng([2008, world.positives, world.negatives, int(1000 * world.area)])
    hits, width = np.zeros(2), 0.0
    for run in range(runs):
        made = roc_curve(hs.Scores(*world.drawn(rng)), draws=CURVES, seed=run)
        truth = world.curve(np.array(made.x))[:-1]
        low, high, band_low, band_high = (
            np.array(x)[:-1] for x in (made.low, made.high, made.band_low, made.band_high)
        )
        inside = (band_low <= truth + 1e-9) & (truth - 1e-9 <= band_high)
        hits += [((low <= truth + 1e-9) & (truth - 1e-9 <= high)).mean(), inside.all()]
        width += float((band_high - band_low).mean())
    percent = 100 * hits / runs
    return f"| {world.name} | {percent[0]:.0f} | {percent[1]:.0f} | {width / runs:.3f} | {runs} |", percent


def point_of(kind: str, true: float, positives: int, negatives: int, at: float, runs: int) -> tuple[str, Floats]:
    """A row of the table of points, and the percentages: HDI, central."""
    if kind == "normal":
        area = float(special.ndtr((special.ndtri(true) - special.ndtri(at)) / np.sqrt(2)))
    else:
        area = 1 / (1 + np.log(true) / np.log(at))
    world = World(kind, area, positives, negatives)
    rng = np.random.default_rng([2009, positives, negatives, int(1000 * true), len(kind)])
    hits, width, full = np.zeros(2), 0.0, 0
    for run in range(runs):
        law = hs.infer(hs.Scores(*world.drawn(rng))).of(f"tpr@fpr={at:g}", draws=DRAWS, seed=run)
        ends = [tuple(law.interval())[:2], tuple(law.interval(kind="central"))[:2]]
        hits += [low <= true <= high for low, high in ends]
        width += ends[0][1] - ends[0][0]
        full += law.observed is not None and law.observed > 1 - 1e-9
    percent = 100 * hits / runs
    cells = f"{100 * full / runs:.0f} | {percent[0]:.0f} | {percent[1]:.0f} | {width / runs:.3f} | {runs} |"
    return f"| {kind} | {true:g} | {at:g} | {positives} + {negatives} | {cells}", percent


def area_of(world: World) -> float:
    """Area under the true curve, by quadrature."""
    x = stats.beta.ppf(np.linspace(0, 1, 20_001), 0.5, 0.5)
    return float(area_under(world.curve(x)[None, :], x[None, :])[0])
