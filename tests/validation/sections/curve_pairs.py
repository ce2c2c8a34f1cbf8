"""Two curves on the same cases: how often intervals and the band of their difference hold it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy.special import ndtr, ndtri

import howsure as hs

Floats = NDArray[np.float64]

#: Random curves behind a band.
DRAWS = 1000


@dataclass(frozen=True)
class Pair:
    """Two normal scores of the same cases.

    Parameters
    ----------
    gaps : (float, float)
        How far the positives lie above the negatives, in sds, in each score.
    alike : float
        Correlation of both scores within a class.
    positives, negatives : int
    """

    gaps: tuple[float, float]
    alike: float
    positives: int
    negatives: int

    def drawn(self, rng: np.random.Generator) -> hs.Scores:
        """One test set."""
        truth = np.repeat([1, 0], [self.positives, self.negatives])
        z = rng.multivariate_normal([0, 0], [[1, self.alike], [self.alike, 1]], len(truth))
        return hs.Scores(truth, {name: z[:, i] + self.gaps[i] * truth for i, name in enumerate("AB")})

    def difference(self, x: Floats, what: str) -> Floats:
        """The true one."""
        odds = self.negatives / self.positives
        heights = [
            ndtr(gap + ndtri(x)) if what == "roc" else x / (x + odds * ndtr(-gap - ndtri(1 - x))) for gap in self.gaps
        ]
        return heights[0] - heights[1]


PAIRS = [
    Pair(gaps, alike, *sizes)
    for gaps, alike in (((1.5, 1.3), 0.8), ((1.2, 1.2), 0.95), ((2.5, 1.0), 0.5), ((3.3, 3.0), 0.7))
    for sizes in ((30, 60), (100, 100), (50, 450))
]


def lines(runs: int) -> Iterator[str]:
    """The section, at so many runs of a world."""
    yield from (
        "## Differences of two curves",
        "",
        "Percent of the 95 % intervals and bands of `compare_curves` that hold the true difference of two curves on "
        "the same cases: `each point` on average over places of 0.05 to 0.95, `whole` at all of 0.01 to 0.99 at once. "
        "Scores are normal in both classes; `alike` is their correlation within a class.",
        "",
        "| gaps | alike | cases | ROC: each point | whole | mean width | precision by recall: each point | whole | "
        "mean width | runs |",
        "| --- | --- | --- | --- | --- | --- | --- | --- | --- | --- |",
    )
    for pair in PAIRS:
        yield row_of(pair, max(10, runs // 2))[0]
    yield from (
        "",
        "Steps of empirical curves do not cancel between two of them as the truth does, so most worlds hold more than "
        "95 %; of one curve see the table of bands above.",
    )


def row_of(pair: Pair, runs: int) -> tuple[str, Floats]:
    """A row of the table, and the percentages: each point and whole of ROC, each point and whole of precision."""
    rng = np.random.default_rng([2031, pair.positives, pair.negatives, int(100 * pair.gaps[0])])
    hits, widths = np.zeros(4), np.zeros(2)
    for run in range(runs):
        scores = pair.drawn(rng)
        for i, what in enumerate(("roc", "precision_recall")):
            made = hs.compare_curves(scores, what=what, draws=DRAWS, seed=run)
            truth = pair.difference(np.array(made.x), what)[:-1]
            low, high, least, most = (np.array(c)[:-1] for c in (made.low, made.high, made.band_low, made.band_high))
            inside = (low <= truth) & (truth <= high)
            whole = (least - 1e-12 <= truth) & (truth <= most + 1e-12)
            hits[2 * i : 2 * i + 2] += inside[4:95:5].mean(), whole.all()
            widths[i] += (most - least).mean()
    percent = 100 * hits / runs
    cells = [f"{percent[2 * i]:.0f} | {percent[2 * i + 1]:.0f} | {widths[i] / runs:.3f}" for i in (0, 1)]
    head = f"{pair.gaps[0]:g}, {pair.gaps[1]:g} | {pair.alike:g} | {pair.positives} + {pair.negatives}"
    return f"| {head} | {' | '.join(cells)} | {runs} |", percent
