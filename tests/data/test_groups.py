"""Counts by group: counted, moved, written down, and refused."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import howsure as hs
from howsure.data.groups import Groups
from howsure.errors import InvalidArgument, InvalidLabels

TRUTH = ["ill", "well", "ill", "well", "ill", "well"]
SAID = ["ill", "well", "well", "well", "ill", "ill"]
WHO = ["p1", "p1", "p2", "p3", "p3", "p3"]


def grouped(group: object = WHO) -> hs.ConfusionMatrix:
    return hs.ConfusionMatrix.from_predictions(TRUTH, SAID, group=group)


def of(matrix: hs.ConfusionMatrix) -> Groups:
    assert matrix.groups is not None
    return matrix.groups


def test_other_views_of_the_same_cases() -> None:
    made = hs.ConfusionMatrix.from_predictions([0, 1, 2, 0], [0, 2, 2, 1], group=list("aabb"))
    turned, joined = of(made.transpose()), of(made.merge({"x": ["0", "1"]}))
    assert turned.count.sum() == joined.count.sum() == 4
    assert turned.correct.tolist() == of(made).correct.tolist()
    assert joined.correct.tolist() == [1, 2]
    one = made.one_vs_rest("2")
    assert of(one).correct.tolist() == [1, 2]
    assert one.counts.tolist() == [[2, 1], [0, 1]]
    few = of(made.subset(["0", "1"]))
    assert (few.names, few.cases.tolist()) == (("a", "b"), [1, 1])


def test_a_group_in_two_files_is_one_group() -> None:
    both = grouped() + grouped(["p3", "p4", "p4", "p4", "p5", "p5"])
    assert of(both).names == ("p1", "p2", "p3", "p4", "p5")
    assert of(both).cases.tolist() == [2, 1, 4, 3, 2]
    with pytest.raises(InvalidArgument, match="count both with group=, or both without"):
        grouped() + hs.ConfusionMatrix.from_predictions(TRUTH, SAID)


@pytest.mark.parametrize(
    ("group", "said"),
    [
        (["p1", None, "p2", "p2", "p3", "p3"], "group is missing in 1 of 6 cases"),
        (["p1", "p2"], "there are 6 cases and 2 of them"),
        ([["p1"]] * 6, "group must be one answer a case"),
    ],
)
def test_groups_that_are_none(group: object, said: str) -> None:
    with pytest.raises(InvalidLabels, match=said):
        grouped(group)


CASES = st.lists(st.tuples(st.integers(0, 2), st.integers(0, 2), st.integers(0, 5)), min_size=1, max_size=40)


@given(CASES)
def test_nothing_is_lost(cases: list[tuple[int, int, int]]) -> None:
    true, pred, group = zip(*cases, strict=True)
    made = hs.ConfusionMatrix.from_predictions(true, pred, labels=[0, 1, 2], group=group)
    groups = of(made)
    table = np.zeros((3, 3), dtype=int)
    np.add.at(table, (groups.true, groups.pred), groups.count)
    assert table.tolist() == made.counts.tolist()
    assert groups.cases.tolist() == [group.count(int(name)) for name in groups.names]
    assert sum(groups.tally(i)[1].sum() for i in range(3)) == len(cases)
    assert of(made + made).cases.tolist() == (2 * groups.cases).tolist()
