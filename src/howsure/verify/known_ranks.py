"""Leaderboards: a published board, symmetry, and integrals written here."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np
from scipy import special

from howsure.posterior.posterior import Posterior
from howsure.questions.ranking import Ranking
from howsure.ranking.rank import rank
from howsure.verify.checks import Check, Checker, close
from howsure.verify.known_comparisons import beats

__all__ = ["CHECKS"]

#: Right answers of the first ten of a contest; 15,123 cases.
KAGGLE = (15087, 15073, 15062, 15049, 15047, 15029, 15017, 15017, 15014, 15008)
TOETSCH = "Toetsch and Hoffmann 2021, figure 5"


def _board(right: Sequence[int], n: int, entries: str) -> Ranking:
    members = {f"entry {i}": Posterior.from_accuracy(correct=k, n=n, prior="flat") for i, k in enumerate(right)}
    return rank(members, metric="accuracy", entries=entries)  # type: ignore[arg-type]  # one of two words


def _best(right: Sequence[int], n: int) -> list[float]:
    """P(best) of each: its density times the distribution functions of the others."""
    nodes, weights = np.polynomial.legendre.leggauss(600)
    low = min(right) / n - 0.15
    x = low + (1 - low) * (nodes + 1) / 2
    below = [special.betainc(k + 1, n - k + 1, x) for k in right]
    found = []
    for i, k in enumerate(right):
        density = np.exp(special.xlogy(k, x) + special.xlog1py(n - k, -x) - special.betaln(k + 1, n - k + 1))
        others = np.prod([each for j, each in enumerate(below) if j != i], axis=0)
        found.append(float((weights * density * others).sum() * (1 - low) / 2))
    return found


def _independent() -> Iterator[Check]:
    board = _board(KAGGLE, 15123, "independent").probabilities
    yield close("P(first of ten is the best), a contest", board[0][0], 0.93, 5.1e-3, f"{TOETSCH}, 93%")
    for at, expected in ((0, 0.9310844779), (1, 0.7775701437), (2, 0.6642912507)):
        yield close(
            f"P(entry {at + 1} has rank {at + 1}), the same", board[at][at], expected, 1e-8, "high-precision quadrature"
        )
    three = (430, 423, 390)
    made = _board(three, 500, "independent").probabilities
    for i, expected in enumerate(_best(three, 500)):
        yield close(f"P(best), {three[i]} of 500 among three", made[i][0], expected, 1e-8, "quadrature, 600 nodes")
    for i in range(3):
        yield close(f"sum of the ranks' probabilities, entry {i + 1}", sum(made[i]), 1.0, 1e-9, "one has one rank")
    two = _board((90, 80), 100, "independent").probabilities
    yield close("P(best) of two is P(better)", two[0][0], beats((91, 11), (81, 21)), 1e-9, "finite sum of Betas")


def _learned() -> Iterator[Check]:
    equal = _board([80] * 5, 100, "learned").probabilities
    for i in (0, 4):
        yield close(f"P(best), entry {i + 1} of five equal ones, learned", equal[i][0], 0.2, 1e-9, "symmetry, 1/5")
    made = _board((430, 423, 390), 500, "learned")
    brute = (0.683782, 0.3144, 0.001818)
    for i, expected in enumerate(brute):
        source = "brute force over the population; the law's stated error"
        yield close(
            f"P(best), entry {i + 1} of 430, 423, 390, learned", made.probabilities[i][0], expected, 5e-3, source
        )


CHECKS: tuple[Checker, ...] = (_independent, _learned)
