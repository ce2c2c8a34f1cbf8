"""The learned prior covers the truth in worlds it was not made for, and the flat prior does not: 150 runs a world.

These test the model against plausible worlds; test_sbc.py tests the code against the model. None of the worlds is one
that the hyperprior was chosen on. The long tables are in docs/validity.md (`make validate`).
"""

from __future__ import annotations

from functools import cache

import numpy as np
import pytest
from tests.validation.coverage import (
    LONGER,
    Coverage,
    World,
    alike,
    beta,
    by_size,
    coverage,
    equal,
    humped,
    law_of,
    logit_normal,
    lognormal,
    two_kinds,
)

import howsure as hs
from howsure.posterior.knowledge import knowledge_of

RUNS = 150 * LONGER
TRUTHS = (alike(0.87), beta(4, 1.5), two_kinds(0.6, 0.95))
SIZES = {2: (8, 30), 10: (8, 30), 100: (8, 30), 1000: (8, 50)}
WORLDS = [
    *(World(k, equal(n), truth) for k, sizes in SIZES.items() for n in sizes for truth in TRUTHS),
    World(2, equal(30), alike(0.97)),
    World(10, equal(30), alike(0.97)),
    World(100, equal(30), logit_normal(1.5, 0.8)),
    World(4, lognormal(25, 0.8), beta(4, 1.5)),
    World(10, lognormal(25, 0.8), by_size(0.5, 1.5)),
    World(10, lognormal(25, 0.8), humped()),
]


@cache
def learned(world: World) -> Coverage:
    return coverage(world, "learned", RUNS)


@pytest.mark.full
@pytest.mark.sweep(4)
@pytest.mark.parametrize("world", WORLDS, ids=str)
def test_every_world_is_covered(world: World) -> None:
    assert 0.88 <= learned(world).share <= 1, learned(world)


@pytest.mark.deep
def test_worlds_are_covered_as_often_as_said() -> None:
    assert 0.93 <= np.mean([learned(world).share for world in WORLDS]) <= 0.98


@pytest.mark.full
@pytest.mark.sweep(1)
@pytest.mark.parametrize("truth", TRUTHS, ids=lambda truth: truth.name)
def test_the_flat_prior_is_confidently_wrong_with_a_thousand_classes(truth) -> None:
    """This is the defect for which the learned prior is the default from three classes on."""
    found = coverage(World(1000, equal(50), truth), "flat", RUNS)
    assert found.share < 0.05
    assert found.bias < -3


def test_the_laws_are_those_that_users_get() -> None:
    right, cases = np.array([7.0, 9.0, 3.0]), np.array([9.0, 12.0, 3.0])
    counts = np.diag(right) + np.roll(np.diag(cases - right), 1, axis=1)
    for prior in ("flat", "jeffreys", "learned"):
        law = law_of(prior, right.tobytes(), cases.tobytes())
        users = knowledge_of(hs.infer(hs.ConfusionMatrix(counts.astype(int)), prior)).of("balanced_accuracy")
        assert law.cdf(np.array([0.6, 0.8, 0.95])) == pytest.approx(users.cdf([0.6, 0.8, 0.95]), abs=1e-9)
