"""A/A tests of the gate: how often two equally good classifiers pass, and how often they fail, counted separately.

Paired accuracy is enumerated; balanced accuracy is simulated. The long version (``make validate``) has 2,000 pairs a
setting, the short one enough to catch a gate that is wrong by half.
"""

from __future__ import annotations

import numpy as np
import pytest
from numpy.typing import NDArray
from scipy import special, stats

import howsure as hs
from howsure.laws import BetaSum, PairedDifference
from howsure.questions.gate_rule import strict_probability, verdict

#: Bounds: strict, and elsewhere on average over the number of discordant cases. The second holds from 50 cases on, and
#: below where at most a fifth of them is discordant; six cases that are all discordant reach 11%.
STRICT, AVERAGE = 0.05, 0.066


def by_discordance(d: int, strict: bool, pseudo: float = 1 / 3) -> tuple[float, float]:
    """P(false pass) and P(false fail) at d discordant cases, each a fair coin."""
    ahead = np.arange(d + 1)
    weights = stats.binom.pmf(ahead, d, 0.5)
    if strict:
        passing = [strict_probability(int(k), int(d - k)) for k in ahead]
        failing = passing[::-1]
    else:
        passing = special.betainc(d - ahead + pseudo, ahead + pseudo, 0.5).tolist()
        failing = [1 - p for p in passing]
    verdicts = np.array([verdict(p, q, 0.95) for p, q in zip(passing, failing, strict=True)])
    return float(weights[verdicts == "pass"].sum()), float(weights[verdicts == "fail"].sum())


@pytest.mark.full
def test_the_strict_rule_never_passes_more_than_one_in_twenty() -> None:
    rates = np.array([by_discordance(d, strict=True) for d in [*range(300), 500, 1000, 3000]])
    assert rates.max() <= STRICT
    assert rates.max() == pytest.approx(0.0499, abs=1e-4)
    assert rates[:, 0] == pytest.approx(rates[:, 1], abs=1e-12)


@pytest.mark.sweep(16, full=20)
@pytest.mark.parametrize(
    ("n", "discordance"), [(20, 0.1), (20, 0.2), *((n, q) for n in (50, 53, 200, 1000) for q in (0.05, 0.11, 0.3, 0.6))]
)
@pytest.mark.parametrize("pseudo", [1 / 3, 1 / 2])  # of two classes, and of more
def test_the_posterior_rule_is_wrong_at_most_so_often_on_average(n: int, discordance: float, pseudo: float) -> None:
    numbers = np.arange(n + 1)
    weights = stats.binom.pmf(numbers, n, discordance)
    likely = np.flatnonzero(weights > 1e-9)
    rates = np.array([by_discordance(int(d), strict=False, pseudo=pseudo) for d in likely])
    false_pass, false_fail = weights[likely] @ rates
    assert false_pass <= AVERAGE
    assert false_fail <= AVERAGE
    assert false_pass == pytest.approx(false_fail, abs=1e-9)


def test_the_gate_itself_keeps_to_the_enumeration() -> None:
    """The rule above is that of `gate`, through predictions and all."""
    for ahead, behind in ((5, 0), (4, 0), (9, 2), (8, 2), (15, 6), (14, 6)):
        right = [1] * 40 + [1] * ahead + [0] * behind + [0] * 10, [1] * 40 + [0] * ahead + [1] * behind + [0] * 10
        data = hs.Predictions([1] * len(right[0]), {"new": right[0], "old": right[1]}, labels=[0, 1])
        for strict in (True, False):
            p = (
                strict_probability(ahead, behind)
                if strict
                else float(special.betainc(behind + 1 / 3, ahead + 1 / 3, 0.5))
            )
            made = hs.gate(data, "new", "old", metric="accuracy", strict=strict)
            assert made.verdict == verdict(p, 1 - p if not strict else strict_probability(behind, ahead), 0.95)


# -- balanced accuracy ----------------------------------------------------------------------------------------


def equals(classes: int, size: int, paired: bool, rng: np.random.Generator) -> NDArray[np.int64]:
    """Cases that both have right, only A, only B, neither, shape (K, 4); recall 0.85, errors of correlation 0.6."""
    recall, rho = 0.85, 0.6 if paired else 0.0
    both = recall**2 + rho * recall * (1 - recall)
    return rng.multinomial(size, [both, recall - both, recall - both, 1 - 2 * recall + both], classes)


def p_better(cells: NDArray[np.int64], paired: bool) -> float:
    """P(A is better), as the gate has it: of pairs, or of the two margins."""
    if paired:
        return PairedDifference(cells + 0.5).prob(above=0)
    n = cells.sum(1)
    a, b = cells[:, 0] + cells[:, 1], cells[:, 0] + cells[:, 2]
    weight = np.repeat([1.0, -1.0], len(n)) / len(n)
    return BetaSum(np.concatenate((a, b)) + 1, np.concatenate((n - a, n - b)) + 1, weight).prob(above=0)


def test_the_simulated_probability_is_that_of_the_gate() -> None:
    cells = equals(3, 30, True, np.random.default_rng(0))
    truth, new, old = [], [], []
    for i, row in enumerate(cells):
        for many, (a, b) in zip(row.tolist(), ((1, 1), (1, 0), (0, 1), (0, 0)), strict=True):
            truth += [i] * many
            new += [i if a else (i + 1) % 3] * many
            old += [i if b else (i + 2) % 3] * many
    data = hs.Predictions(truth, {"new": new, "old": old})
    assert hs.gate(data, "new", "old", prior="flat").rows[0].p_pass == pytest.approx(p_better(cells, True), abs=1e-9)
    apart = [hs.infer(data.confusion(name), "flat") for name in ("new", "old")]
    assert hs.gate(*apart).rows[0].p_pass == pytest.approx(p_better(cells, False), abs=1e-9)


SETTINGS = [
    pytest.param(classes, size, paired, id=f"K{classes}-n{size}-{'paired' if paired else 'separate'}")
    for classes in (2, 10)
    for size in (20, 200)
    for paired in (True, False)
]


def false_rates(classes: int, size: int, paired: bool, pairs: int) -> tuple[int, int]:
    """Number of false passes and of false fails."""
    rng = np.random.default_rng([classes, size, paired])
    found = [p_better(equals(classes, size, paired, rng), paired) for _ in range(pairs)]
    verdicts = [verdict(p, 1 - p, 0.95) for p in found]
    return verdicts.count("pass"), verdicts.count("fail")


def within(count: int, pairs: int) -> bool:
    """Whether so many are to be expected, but for once in 10,000, at the bound on the average rate."""
    return bool(stats.binom.sf(count - 1, pairs, AVERAGE) > 1e-4)


@pytest.mark.full
@pytest.mark.sweep(2)
@pytest.mark.parametrize(("classes", "size", "paired"), SETTINGS)
def test_equally_good_classifiers_seldom_pass_or_fail(classes: int, size: int, paired: bool) -> None:
    false_pass, false_fail = false_rates(classes, size, paired, 100)
    assert within(false_pass, 100)
    assert within(false_fail, 100)


@pytest.mark.validate
@pytest.mark.parametrize(("classes", "size", "paired"), SETTINGS)
def test_equally_good_classifiers_seldom_pass_or_fail_in_2000_pairs(classes: int, size: int, paired: bool) -> None:
    false_pass, false_fail = false_rates(classes, size, paired, 2000)
    assert false_pass / 2000 <= AVERAGE
    assert false_fail / 2000 <= AVERAGE
