"""A small test set beside a large one, two classes: false verdicts and power, summed over all outcomes.

Laws are lattices of recalls of equal probability (tests.validation.sections.two_classes), a second route beside the
package's. Class sizes are alike in a set, and the large set's errors are taken to fall on both classes alike.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from scipy.stats import binom, hypergeom
from tests.validation.sections import text_of
from tests.validation.sections.two_classes import lattice_of
from tests.validation.simulated import Floats

from howsure.posterior.priors import CALIBRATED
from howsure.questions.gate_rule import prior_decides

RECALLS = (0.8, 0.9, 0.95, 0.98, 0.99, 0.995)
#: Cases of a class of the small set, and of the large one.
SMALL, LARGE = (5, 10, 20, 50, 100), (100, 1_000, 10_000)
#: From this probability on something is a verdict.
SURE = 0.95
#: Outcomes less probable than this are left out; numbers of errors of a large set are taken together in so many.
NEGLIGIBLE, ERRORS = 1e-7, 60
#: Points that a law of the large set is read at.
POINTS = (np.arange(200) + 0.5) / 200


@dataclass(frozen=True)
class Verdicts:
    """Percent of the tests in which the small set's classifier is called worse, and better."""

    worse: float
    better: float


def law(right: tuple[float, ...], n: int, a: float, b: float) -> Floats:
    """Sorted values of the mean of one recall, or of two, under Beta(k + a, n - k + b)."""
    rates = [lattice_of(k, n, a, b) for k in right]
    if len(rates) == 1:
        return rates[0]
    return np.sort(((rates[0][:, None] + rates[1][None, :]) / 2).ravel())


def below(values: Floats, others: Floats) -> float:
    """Probability that the one is below the other, ties split."""
    left, right = (np.searchsorted(values, others, side=side) for side in ("left", "right"))  # type: ignore[call-overload]
    return float((left + right).mean() / (2 * len(values)))


def counted(classes: int, n: int, many: int, recall: float, of_large: float | None = None) -> dict[str, Verdicts]:
    """Verdicts by the posterior alone, with the rule about the prior, with the tail (`gate`), and by Fisher's test."""
    one = binom.pmf(np.arange(n + 1), n, recall)
    errors, chance = _errors(classes * many, 1 - (recall if of_large is None else of_large))
    large = [law((many - e / classes,) * classes, many, CALIBRATED, CALIBRATED) for e in errors]
    read = [values[(POINTS * len(values)).astype(int)] for values in large]
    found = {name: np.zeros(2) for name in ("posterior", "prior", "gate", "fisher")}
    all_cases, of_small = classes * (n + many), classes * n
    for right, ways in _outcomes(classes, n):
        weight = ways * float(np.prod([one[k] for k in right]))
        if weight < NEGLIGIBLE:
            continue
        together = sum(right) + classes * many - errors
        lower = hypergeom.cdf(sum(right), all_cases, together, of_small) <= 1 - SURE
        upper = hypergeom.sf(sum(right) - 1, all_cases, together, of_small) <= 1 - SURE
        found["fisher"] += weight * np.array([chance[lower].sum(), chance[upper].sum()])
        small = law(right, n, CALIBRATED, CALIBRATED)
        sure = np.array([below(small, values) for values in read])
        tails: dict[int, Floats] = {}
        for i in np.flatnonzero((sure >= SURE) | (sure <= 1 - SURE)):
            side = int(sure[i] < 0.5)  # 0: called worse
            mean = float(small.mean() - read[i].mean())
            pull = mean - (np.mean(right) / n - (1 - errors[i] / (classes * many)))
            if side not in tails:
                tails[side] = law(right, n, *((1.0, 0.0), (0.0, 1.0))[side])
            p = below(tails[side], read[i])
            by_prior = bool(prior_decides(mean, float(pull)))
            for name, holds in (
                ("posterior", True),
                ("prior", not by_prior),
                ("gate", not by_prior and (p if side == 0 else 1 - p) >= SURE),
            ):
                found[name][side] += weight * chance[i] * holds
    return {name: Verdicts(*(100 * shares)) for name, shares in found.items()}


def _outcomes(classes: int, n: int) -> Iterator[tuple[tuple[int, ...], int]]:
    """Right answers of each class, in one order, and how many orders there are."""
    for i in range(n + 1):
        if classes == 1:
            yield (i,), 1
        else:
            yield from (((i, j), 1 + (j > i)) for j in range(i, n + 1))


def _errors(cases: int, rate: float) -> tuple[Floats, Floats]:
    e = np.arange(cases + 1.0)
    chance = binom.pmf(e, cases, rate)
    e, chance = e[chance > NEGLIGIBLE], chance[chance > NEGLIGIBLE]
    step = len(e) // ERRORS + 1
    first = np.arange(0, len(e), step)
    return e[np.minimum(first + step // 2, len(e) - 1)], np.add.reduceat(chance, first)


#: Whose power is told.
POWER = ("posterior", "gate", "fisher")

#: Power: cases of a class of either set, recall of the large set's classifier, of the small one's.
EFFECTS = (
    (10, 1_000, 0.95, 0.8),
    (20, 1_000, 0.95, 0.85),
    (20, 1_000, 0.9, 0.98),
    (50, 1_000, 0.9, 0.8),
    (50, 1_000, 0.85, 0.95),
)


def lines(runs: int) -> Iterator[str]:
    """False verdicts of equals, worst over the recalls, and power; no number of runs changes them."""
    yield from text_of("small_beside_large 1", SURE, ", ".join(map(str, RECALLS)))
    for classes, name in ((1, "recall"), (2, "balanced accuracy")):
        for n in SMALL:
            for many in LARGE:
                if many > n:
                    found = [counted(classes, n, many, p) for p in RECALLS]
                    yield f"| {name} | {n}, {many:,} | {' | '.join(_most(found, each) for each in found[0])} |"
    yield from text_of("small_beside_large 2")
    for n, many, good, other in EFFECTS:
        found_one = counted(2, n, many, other, good)
        right = [v.worse if other < good else v.better for v in (found_one[name] for name in POWER)]
        yield f"| {n}, {many:,} | {other:g}, {good:g} | {' | '.join(f'{x:.0f}' for x in right)} |"


def _most(found: list[dict[str, Verdicts]], name: str) -> str:
    return f"{max(x[name].worse for x in found):.1f} / {max(x[name].better for x in found):.1f}"
