"""Strengths from votes, with ties and with covariates, against optimisers, grids and published numbers."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray
from scipy.optimize import minimize

from howsure.numerics.votes import BattleFit, Battles, ControlledBattles, VoteCells, normalised

REFERENCE: dict[str, Any] = json.loads((Path(__file__).parents[1] / "reference" / "votes.json").read_text("utf-8"))
Floats = NDArray[np.float64]


def of(case: dict[str, Any]) -> Battles:
    wins = np.array(case["wins"], dtype=float)
    return Battles(wins, np.array(case.get("ties", 0 * wins), dtype=float))


@pytest.mark.parametrize("name", ["citations", "baseball"])
def test_without_a_population_it_is_the_published_maximum_likelihood(name: str) -> None:
    case = REFERENCE[name]
    theta = of(case).modes(np.array([np.log(1e3)]), np.array([0.0]), np.zeros(len(case["models"])))[0][0]
    base = case["strengths"].index(0)
    assert theta - theta[base] == pytest.approx(case["strengths"], abs=6e-4)


@pytest.mark.parametrize("case", REFERENCE["dense_grids"], ids=lambda case: case["name"])
def test_two_and_three_models_agree_with_a_dense_grid(case: dict[str, Any]) -> None:
    theta, _ = BattleFit.of(of(case)).draws(40_000, np.random.default_rng(1))
    sd = np.array(case["sd"])
    error = 0.045 if case["name"] == "undefeated" else 0.025
    assert np.abs(theta.mean(0) - case["mean"]).max() < error * sd.max()
    assert theta.std(0) == pytest.approx(sd, rel=error)
    best = np.bincount(theta.argmax(1), minlength=len(sd)) / len(theta)
    assert best == pytest.approx(case["p_best"], abs=0.012)


def test_a_mode_with_ties_is_that_of_a_general_optimiser() -> None:
    battles = of(REFERENCE["dense_grids"][3])
    tau, log_nu = 0.7, -0.4

    def loss(theta: Floats) -> float:
        return -float(battles.log_likelihood(theta[None], np.array([log_nu]))[0] - theta @ theta / (2 * tau**2))

    found = minimize(loss, np.zeros(3), tol=1e-12).x
    theta, information = battles.modes(np.array([np.log(tau)]), np.array([log_nu]), np.zeros(3))
    assert theta[0] == pytest.approx(found, abs=1e-5)
    step = 1e-4 * np.eye(3)
    at = theta[0]
    second = [
        [(loss(at + a + b) - loss(at + a - b) - loss(at - a + b) + loss(at - a - b)) / 4e-8 for b in step] for a in step
    ]
    assert np.abs(information[0] - second).max() < 1e-3


def simulated(models: int, battles: int, tau: float, seed: int, nu: float = 0.6) -> tuple[Battles, Floats]:
    rng = np.random.default_rng(seed)
    theta = rng.normal(0, tau, models)
    a = rng.integers(0, models, battles)
    b = (a + rng.integers(1, models, battles)) % models
    half = (theta[a] - theta[b]) / 2
    place = rng.random(battles) * (np.exp(half) + np.exp(-half) + nu)
    won, lost = place < np.exp(half), place > np.exp(half) + nu
    wins, ties = np.zeros((models, models)), np.zeros((models, models))
    np.add.at(wins, (a[won], b[won]), 1)
    np.add.at(wins, (b[lost], a[lost]), 1)
    tied = ~won & ~lost
    np.add.at(ties, (a[tied], b[tied]), 1)
    return Battles(wins, ties + ties.T), theta - theta.mean()


@pytest.mark.full
def test_a_hundred_models_are_where_they_were_put() -> None:
    battles, theta = simulated(100, 5_000, 0.5, 3)
    draws, nu = BattleFit.of(battles).draws(4_000, np.random.default_rng(0))
    ends = np.quantile(draws, [0.025, 0.975], axis=0)
    assert 0.87 <= ((ends[0] <= theta) & (theta <= ends[1])).mean() <= 1
    assert nu.mean() == pytest.approx(0.6, abs=0.1)


def test_the_same_seed_gives_the_same_draws_and_their_number() -> None:
    for models in (4, 25):
        fit = BattleFit.of(simulated(models, 200, 0.4, 1)[0])
        one, other = (fit.draws(1_000, np.random.default_rng(5))[0] for _ in range(2))
        assert one.shape == (1_000, models)
        assert (one == other).all()
        assert np.abs(one.mean(1)).max() < 1e-12


# -- strengths at equal length and place: a plain Newton over every battle, exact cells, and what bins lose -----------

NU = 0.6


class Rows:
    """Battles one by one: who met, how far apart the answers were, what came out."""

    def __init__(self, models: int, battles: int, seed: int, worth: float = 1.5, few: bool = True) -> None:
        rng = np.random.default_rng(seed)
        self.models = models
        self.first = rng.integers(0, models, battles)
        self.second = (self.first + rng.integers(1, models, battles)) % models
        lengths = rng.integers(1, 4, (2, battles)) if few else np.exp(rng.normal(6, 0.5, (2, battles)))
        self.apart = normalised(*lengths.astype(float))
        self.theta = np.linspace(0.5, -0.5, models)
        half = (self.theta[self.first] - self.theta[self.second] + worth * self.apart) / 2
        place = rng.random(battles) * (2 * np.cosh(half) + NU)
        self.outcome = np.where(place < np.exp(half), 0, np.where(place > np.exp(half) + NU, 1, 2))

    @property
    def cells(self) -> VoteCells:
        times = np.ones(len(self.first))
        return VoteCells.of_rows(self.first, self.second, self.outcome, times, self.apart[:, None])

    def tables(self) -> tuple[Floats, Floats]:
        wins, ties = np.zeros((2, self.models, self.models))
        won, lost, tied = (self.outcome == it for it in range(3))
        np.add.at(wins, (self.first[won], self.second[won]), 1)
        np.add.at(wins, (self.second[lost], self.first[lost]), 1)
        np.add.at(ties, (self.first[tied], self.second[tied]), 1)
        return wins, ties + ties.T

    def controlled(self, place: bool = False) -> ControlledBattles:
        cells = self.cells
        columns = np.column_stack([cells.apart, cells.shown]) if place else cells.apart
        return ControlledBattles(*self.tables(), cells, columns, np.ones(columns.shape[1]))

    def design(self, place: bool) -> Floats:
        """A row for each battle."""
        rows = np.zeros((len(self.first), self.models + 1 + place))
        at = np.arange(len(rows))
        rows[at, self.first], rows[at, self.second] = 1, -1
        rows[:, self.models] = self.apart / (self.apart**2).mean() ** 0.5
        if place:
            rows[:, -1] = 1
        return rows

    def loss(self, theta: Floats, tau: float, place: bool) -> float:
        half = self.design(place) @ theta / 2
        z = np.exp(half) + np.exp(-half) + NU
        chance = np.choose(self.outcome, [np.exp(half) / z, np.exp(-half) / z, NU / z])
        size, design = self.models, self.design(place)
        means = design[:, :size].T @ design[:, size:] / (design[:, :size] != 0).sum(0)[:, None]
        means -= means.mean(0)
        covariance = tau**2 * np.eye(size) + means @ means.T
        prior = theta[:size] @ np.linalg.solve(covariance, theta[:size]) + np.linalg.slogdet(covariance)[1]
        return float(-np.log(chance).sum() + prior / 2 + (theta[size:] ** 2).sum() / 2)


@pytest.mark.parametrize("place", [False, True])
def test_cells_give_what_a_general_optimiser_finds_battle_by_battle(place: bool) -> None:
    rows, tau = Rows(4, 300, 1), 0.5
    battles = rows.controlled(place)
    assert len(battles.cells.first) < 150
    found = minimize(rows.loss, np.zeros(5 + place), args=(tau, place), tol=1e-11).x
    modes, information = battles.modes(np.log([tau]), np.log([NU]), np.zeros(5 + place))
    assert modes[0] == pytest.approx(found, abs=2e-5)
    step = 1e-4 * np.eye(len(found))
    second = [
        [(rows.loss(found + a + b, tau, place) - rows.loss(found + a - b, tau, place)
          - rows.loss(found - a + b, tau, place) + rows.loss(found - a - b, tau, place)) / 4e-8 for b in step]
        for a in step
    ]  # fmt: skip
    assert np.abs(information[0] - second).max() < 2e-3 * np.abs(information[0]).max()
    # what the likelihood leaves out is the same at any strengths
    other = modes[0] + np.linspace(-0.3, 0.4, len(found))
    both, taus = np.stack([modes[0], other]), np.array([tau, 0.8])
    found = battles.log_likelihood(both, np.log([NU, NU])) + battles.log_population(both, np.log(taus))
    assert float(found[0] - found[1]) == pytest.approx(
        rows.loss(other, 0.8, place) - rows.loss(modes[0], tau, place), abs=1e-8
    )


def test_boards_after_more_battles_are_those_of_equal_length() -> None:
    """What is simulated starts from the strengths at equal length, not from the wins that length gave."""
    rng = np.random.default_rng(6)
    first, second = np.zeros(400, dtype=np.int64), np.ones(400, dtype=np.int64)
    apart = np.where(rng.random(400) < 0.7, 0.5, -0.5)
    outcome = (rng.random(400) > 1 / (1 + np.exp(-4 * apart))).astype(np.int64)
    cells = VoteCells.of_rows(first, second, outcome, np.ones(400), apart[:, None])
    won = float((outcome == 0).sum())
    wins = np.array([[0, won], [400 - won, 0]])
    battles = ControlledBattles(wins, 0 * wins, cells, cells.apart, np.ones(1))
    controlled, plain = BattleFit.of(battles), BattleFit.of(Battles(wins, 0 * wins))
    settled = [float(fit.leaders(1.0, 60, np.random.default_rng(1)).mean()) for fit in (controlled, plain)]
    assert settled[1] > 0.99
    assert settled[0] < 0.9
