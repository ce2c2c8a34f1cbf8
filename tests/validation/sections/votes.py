"""Leaderboards from votes: are differences in their intervals, is the first as surely first as it is said to be?"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray
from tests.validation.sections import text_of

from howsure.numerics.votes import BattleFit, Battles, ControlledBattles, VoteCells, normalised

__all__ = ["CELLS", "LENGTHS", "WAYS", "LongAnswers", "Scene", "lines", "of_lengths", "outcome"]

Floats = NDArray[np.float64]

#: Ours; a Normal around the maximum of the likelihood, its covariance that of the likelihood, or the sandwich of
#: arena-rank 0.1.1; and the bootstrap of arenas. Ties are halves for the others.
WAYS = ("ours", "flat Normal", "arena-rank", "bootstrap")

#: Points of Elo in a unit of log strength.
POINTS = 400 / np.log(10)

DRAWS, BOOTSTRAPS = 2_000, 100


class Scene(NamedTuple):
    """Models, battles of each, spread of strengths, propensity of ties; "unlike": some models fight ten times more."""

    models: int
    battles: int
    tau: float
    nu: float = 0.6
    kind: str = ""

    def drawn(self, rng: np.random.Generator) -> tuple[Floats, Floats, Floats]:
        """True strengths, wins, ties."""
        size = self.models
        theta = rng.standard_t(3, size) / 3**0.5 if self.kind == "t3" else rng.standard_normal(size)
        theta = self.tau * theta
        share = np.exp(rng.normal(0, 1, size)) if self.kind == "unlike" else np.ones(size)
        number = self.models * self.battles // 2
        pairs = np.outer(share, share)
        np.fill_diagonal(pairs, 0)
        first, second = np.divmod(rng.choice(size**2, number, p=(pairs / pairs.sum()).ravel()), size)
        half = (theta[first] - theta[second]) / 2
        place = rng.random(number) * (2 * np.cosh(half) + self.nu)
        won, lost = place < np.exp(half), place > np.exp(half) + self.nu
        wins, ties = np.zeros((size, size)), np.zeros((size, size))
        np.add.at(wins, (first[won], second[won]), 1)
        np.add.at(wins, (second[lost], first[lost]), 1)
        np.add.at(ties, (first[~won & ~lost], second[~won & ~lost]), 1)
        return theta, wins, ties + ties.T


def maximum(wins: Floats) -> tuple[Floats, Floats]:
    """Strengths of several tables of wins, ties being halves, all but unpenalised (tau = 5), with their covariance."""
    met, size = wins + wins.swapaxes(-1, -2), wins.shape[-1]
    theta, eye = np.zeros(wins.shape[:-1]), np.eye(size)
    score = wins.sum(-1)
    for _ in range(40):
        p = 1 / (1 + np.exp(theta[..., None, :] - theta[..., :, None]))
        known = met * p * (1 - p)
        information = known.sum(-1)[..., None] * eye - known + eye / 25
        step = np.linalg.solve(information, (score - (met * p).sum(-1) - theta / 25)[..., None])[..., 0]
        theta = theta + np.clip(step, -1, 1)
        if np.abs(step).max() < 1e-8:
            break
    return theta, np.linalg.inv(information)


def draws_of(wins: Floats, ties: Floats, rng: np.random.Generator) -> list[Floats]:
    """Draws of strengths by each way."""
    ours = BattleFit.of(Battles(wins, ties)).draws(DRAWS, rng)[0]
    halves = wins + ties / 2
    theta, covariance = maximum(halves[None])
    flat = rng.multivariate_normal(theta[0], covariance[0], DRAWS)
    rate = 1 / (1 + np.exp(theta[0] - theta[0][:, None]))
    squares = wins * (1 - rate) ** 2 + wins.T * rate**2 + ties * (0.5 - rate) ** 2
    sandwich = covariance[0] @ (np.diag(squares.sum(1)) - squares) @ covariance[0]
    arena = rng.multivariate_normal(theta[0], sandwich, DRAWS, method="eigh")
    counts = np.stack([np.triu(wins), np.triu(wins.T), np.triu(ties)])
    again = rng.multinomial(int(counts.sum()), counts.ravel() / counts.sum(), BOOTSTRAPS)
    first, second, tied = again.reshape(BOOTSTRAPS, *counts.shape).swapaxes(0, 1).astype(float)
    tables = first + second.swapaxes(-1, -2) + (tied + tied.swapaxes(-1, -2)) / 2
    return [ours, flat, arena, maximum(tables)[0]]


def outcome(scene: Scene, runs: int, seed: int = 0) -> Floats:
    """Of each way: differences contained, P(best) of the first, whether it is, the best set, its size, ranks, width."""
    rng = np.random.default_rng([seed, sum(map(ord, repr(scene)))])
    found = np.zeros((runs, len(WAYS), 7))
    one, other = np.triu_indices(scene.models, 1)
    for run in range(runs):
        theta, wins, ties = scene.drawn(rng)
        true_ranks = 1 + (-theta).argsort().argsort()
        for way, draws in enumerate(draws_of(wins, ties, rng)):
            gaps = draws[:, one] - draws[:, other]
            low, high = np.quantile(gaps, [0.025, 0.975], axis=0)
            true = theta[one] - theta[other]
            best = np.bincount(draws.argmax(1), minlength=scene.models) / len(draws)
            order = np.argsort(-best)
            size = int(np.searchsorted(np.cumsum(best[order]), 0.95 - 1e-12)) + 1
            ranks = 1 + (-draws).argsort(1).argsort(1)
            ends = np.quantile(ranks, [0.025, 0.975], axis=0, method="nearest")
            found[run, way] = (
                ((low <= true) & (true <= high)).mean(),
                best[order[0]],
                order[0] == theta.argmax(),
                theta.argmax() in order[:size],
                size,
                ((ends[0] <= true_ranks) & (true_ranks <= ends[1])).mean(),
                POINTS * (high - low).mean(),
            )
    return np.asarray(found.mean(0))


CELLS = (
    Scene(3, 40, 0.5),
    Scene(10, 20, 0.1),
    Scene(10, 20, 0.5),
    Scene(10, 20, 1.2),
    Scene(10, 100, 0.3),
    Scene(10, 100, 0.5, kind="unlike"),
    Scene(10, 100, 0.5, kind="t3"),
    Scene(20, 60, 1.0),
    Scene(20, 20, 0.3, 0.0, "unlike"),
    Scene(50, 100, 0.4, kind="unlike"),
)


class LongAnswers(NamedTuple):
    """Strong models answer at length, and length wins: battles of each of 10 models, what a unit of (a - b)/(a + b) is
    worth in log odds, and the correlation of strength and log length."""

    battles: int
    worth: float
    alike: float
    models: int = 10
    tau: float = 0.3
    nu: float = 0.6

    def drawn(self, rng: np.random.Generator) -> tuple[Floats, VoteCells, tuple[Floats, Floats]]:
        """True strengths, cells of battles, and wins and ties of the pairs."""
        z, other = rng.standard_normal((2, self.models))
        theta, number = self.tau * z, self.models * self.battles // 2
        mean = 6 + 0.4 * (self.alike * z + (1 - self.alike**2) ** 0.5 * other)
        first = rng.integers(0, self.models, number)
        second = (first + rng.integers(1, self.models, number)) % self.models
        apart = normalised(*(np.exp(mean[it] + 0.5 * rng.standard_normal(number)) for it in (first, second)))
        half = (theta[first] - theta[second] + self.worth * apart) / 2
        place = rng.random(number) * (2 * np.cosh(half) + self.nu)
        result = np.where(place < np.exp(half), 0, np.where(place > np.exp(half) + self.nu, 1, 2))
        wins, ties = np.zeros((2, self.models, self.models))
        for one, against, code, table in ((first, second, 0, wins), (second, first, 1, wins), (first, second, 2, ties)):
            np.add.at(table, (one[result == code], against[result == code]), 1)
        cells = VoteCells.of_rows(first, second, result, np.ones(number), apart[:, None])
        return theta, cells, (wins, ties + ties.T)


LENGTHS = (
    LongAnswers(50, 0.0, 0.7), LongAnswers(50, 1.5, 0.7), LongAnswers(200, 1.5, 0.0), LongAnswers(200, 1.5, 0.7),
    LongAnswers(1_000, 1.5, 0.7),
)  # fmt: skip


def of_lengths(scene: LongAnswers, runs: int) -> Floats:
    """Differences contained, their width, the best is first, the best set contains it, with control and without, and
    whether the effect is in its interval."""
    rng = np.random.default_rng([7, scene.battles, int(10 * scene.worth), int(10 * scene.alike)])
    found = np.zeros((runs, 2, 5))
    one, other = np.triu_indices(scene.models, 1)
    for run in range(runs):
        theta, cells, (wins, ties) = scene.drawn(rng)
        controlled = ControlledBattles(wins, ties, cells, cells.apart, np.ones(1))
        true = theta[one] - theta[other]
        for way, fit in enumerate((BattleFit.of(controlled), BattleFit.of(Battles(wins, ties)))):
            draws = fit.draws(DRAWS, rng)[0]
            low, high = np.quantile(draws[:, one] - draws[:, other], [0.025, 0.975], axis=0)
            best = np.bincount(draws.argmax(1), minlength=scene.models) / len(draws)
            order = np.argsort(-best)
            size = int(np.searchsorted(np.cumsum(best[order]), 0.95 - 1e-12)) + 1
            inside = 0.0
            if way == 0:
                (mean,), (error,) = fit.others
                inside = float(abs(mean - scene.worth * cells.scales[0]) <= 1.96 * error)
            found[run, way] = (
                ((low <= true) & (true <= high)).mean(), POINTS * (high - low).mean(), order[0] == theta.argmax(),
                theta.argmax() in order[:size], inside,
            )  # fmt: skip
    return np.asarray(found.mean(0))


def lines(runs: int) -> Iterator[str]:
    """The section of the page."""
    many = max(10, runs // 7)
    yield from text_of("votes 1", BOOTSTRAPS, many, 100 * (0.25 / many) ** 0.5, 100 * (0.95 * 0.05 / many) ** 0.5)
    for scene in CELLS:
        found = outcome(scene, many)
        columns = [
            [f"{100 * row[0]:.0f}, {row[6]:.0f}" for row in found],
            [f"{row[1]:.2f}, {row[2]:.2f}" for row in found],
            [f"{100 * row[3]:.0f}, {row[4]:.1f}" for row in found],
            [f"{100 * row[5]:.0f}" for row in found],
        ]
        kind = f", {scene.kind}" if scene.kind else ""
        kind += "" if scene.nu else ", no ties"
        cells = [f"{cell[0]} ({'; '.join(cell[1:])})" for cell in columns]
        yield f"| {scene.models}, {scene.battles} | {scene.tau:g}{kind} | {' | '.join(cells)} |"
    yield ""
    yield from text_of("votes 2")
    for case in LENGTHS:
        with_it, without = of_lengths(case, many)
        cells = [
            f"{100 * with_it[0]:.0f}, {with_it[1]:.0f} ({100 * without[0]:.0f}, {without[1]:.0f})",
            f"{with_it[2]:.2f} ({without[2]:.2f})",
            f"{100 * with_it[3]:.0f} ({100 * without[3]:.0f})",
            f"{100 * with_it[4]:.0f}",
        ]
        yield f"| {case.battles} | {case.worth:g}, {case.alike:g} | {' | '.join(cells)} |"
    yield ""
