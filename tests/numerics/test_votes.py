"""Strengths from battles: published fits, dense grids, a general optimiser, and scale."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray
from scipy.optimize import minimize

from howsure.numerics.votes import BattleFit, Battles

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
