"""What a new test would show, how many items it needs, and slices: of any kind of knowledge, here of items."""

from __future__ import annotations

import json
import math

import numpy as np
import pytest

import howsure as hs
from howsure.errors import InvalidArgument, NoInformation
from howsure.knowledge.protocol import Of
from howsure.planning.plan import units_needed
from howsure.questions.estimates import slices
from howsure.questions.predict import predict_known


@pytest.fixture
def pilot() -> hs.Items:
    rng = np.random.default_rng(4)
    hard = rng.normal(0, 0.15, 40)
    scores = [np.clip(0.6 + more + hard + rng.normal(0, 0.1, 40), 0, 1) for more in (0.05, 0.0)]
    return hs.Items.from_columns(
        [*range(40)] * 2, np.concatenate(scores), system=["new"] * 40 + ["old"] * 40, range=(0, 1),
        group=["a" if i % 2 else "b" for i in range(40)] * 2,
    )  # fmt: skip


@pytest.fixture
def alone(pilot: hs.Items) -> hs.Items:
    return hs.Items.from_columns(range(40), pilot.scores("new"), range=(0, 1))


def test_a_new_test_spreads_by_what_is_true_and_by_who_comes(alone: hs.Items) -> None:
    law = alone.law(Of("mean"), alone.ask())
    made = predict_known(alone, 40, ask=alone.ask(draws=4_000))
    assert made.rows[0].law.sd == pytest.approx(law.sd * 2**0.5, rel=0.06)
    assert "A new test of 40 items would show a mean of score of" in made.sentence
    assert json.loads(json.dumps(made.to_dict()))["n"] == 40
    assert predict_known(alone, ask=alone.ask(draws=1_000)).n == 40
    with pytest.raises(InvalidArgument, match="n is a number of new items"):
        predict_known(alone, 0)


def test_as_many_items_as_planned_reach_the_goal(alone: hs.Items) -> None:
    law = alone.law(Of("mean"), alone.ask())
    width = units_needed(alone, {"width": 0.05})
    assert width.n == math.ceil(40 * (2 * 1.959964 * law.sd / 0.05) ** 2)
    goal = law.mean - 3 * law.sd
    made = units_needed(alone, {"above": goal}, assurance=0.8)
    rng = np.random.default_rng(1)
    truth = law.sample(20_000, seed=2)
    sd = law.sd * (40 / made.n) ** 0.5
    reached = (rng.normal(truth, sd) - 1.644854 * sd > goal).mean()
    assert reached == pytest.approx(0.8, abs=0.02)
    assert units_needed(alone, {"above": goal}, assurance=0.5).n < made.n
    with pytest.raises(NoInformation, match="by the pilot it is true with probability"):
        units_needed(alone, {"above": law.mean + law.sd})


def test_slices_stand_against_all_others(pilot: hs.Items) -> None:
    parts = pilot.by_group()
    assert {name: part.size() for name, (part, _) in parts.items()} == {"a": 20, "b": 20}
    made = slices(parts, "kind", name="new", ask=pilot.ask(draws=2_000))
    first, second = made.rows
    assert first.p_worse is not None
    assert second.p_worse is not None
    assert first.p_worse + second.p_worse == pytest.approx(1, abs=0.03)
    assert first.law is not None
    assert second.law is not None
    assert first.law.mean < second.law.mean
    assert json.dumps(made.to_dict())
    with pytest.raises(InvalidArgument, match="of one contender; name it, of new, old"):
        slices(parts, "kind")


def test_a_slice_of_few_is_listed_last() -> None:
    read = hs.Items.from_columns(range(15), np.linspace(0, 1, 15), range=(0, 1), group=["x"] * 12 + ["y"] * 3)
    made = slices(read.by_group(), "part", ask=read.ask(draws=1_000))
    assert [row.name for row in made.rows] == ["x", "y"]
    assert made.rows[1].why_not == "3 items; from 6 on there is an interval"
    assert "too few" in str(made)
    assert made.to_dict()["rows"][1].keys() == {"name", "n", "observed", "p_worse", "why_not"}
    assert made.to_csv().splitlines()[2].startswith("y,3,")
