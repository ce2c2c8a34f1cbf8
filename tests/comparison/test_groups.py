"""Two classifiers on the same cases in groups, and their gate: which question is answered, and what is said beside."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest
from jsonschema import Draft202012Validator

import howsure as hs
from howsure.errors import InvalidArgument, InvalidLabels

pytestmark = pytest.mark.filterwarnings("ignore::howsure.PriorShiftWarning")

SCHEMAS = Path(hs.__file__).parent / "answers" / "schemas"


def patients(
    groups: int = 12, size: int = 10, *, seed: int = 1, classes: int = 2, grouped: bool = True
) -> hs.Predictions:
    """Lesions in patients, some of whom are easy for the one and some for the other classifier."""
    rng = np.random.default_rng(seed)
    group = np.repeat(np.arange(groups), size)
    truth = rng.integers(0, classes, len(group))
    lean = rng.normal(0, 1.2, groups)[group]
    answers = {}
    for name, centre, sign in (("new", 2.0, 1), ("old", 1.0, -1)):
        right = rng.random(len(group)) < 1 / (1 + np.exp(-centre - sign * lean))
        answers[name] = np.where(right, truth, (truth + rng.integers(1, classes, len(group))) % classes)
    names = [f"p{g:02d}" for g in group] if grouped else None
    return hs.Predictions(truth, answers, group=names, labels=list(range(classes)))


@pytest.mark.sweep(2, full=7)
@pytest.mark.parametrize("metric", ["accuracy", "recall@1", "mcc"])
def test_new_groups_are_less_sure_than_these(metric: str) -> None:
    data = patients()
    new, these = (hs.compare(data, metric=metric, groups=question, draws=4000) for question in ("new", "these"))
    assert new.difference.interval().width > these.difference.interval().width
    assert 0 < new.p_better < 1
    assert abs(new.p_better + new.p_worse - 1) < 1e-9
    # the other answer is the other comparison
    for one, other in ((new, these), (these, new)):
        assert one.groups is not None
        told = one.groups.other
        ends = other.difference.interval()
        assert (told.mean, told.low, told.high) == pytest.approx((other.difference.mean, ends.low, ends.high))
        assert told.p_better == pytest.approx(other.p_better)
    assert "about new groups" in new.sentence
    assert "about new cases of the same groups" in these.sentence
    assert "groups='these' (--groups these)" in new.notes[0]


def test_what_cannot_be_asked_is_refused() -> None:
    data = patients()
    with pytest.raises(InvalidArgument, match="no group is known"):
        hs.compare(patients(grouped=False), groups="new")
    with pytest.raises(InvalidArgument, match=r"infer\(\) made them for"):
        hs.compare(*(hs.infer(data.confusion(name)) for name in data.names), groups="these")
    with pytest.raises(InvalidArgument, match="groups"):
        hs.compare(data, groups="all")  # type: ignore[call-overload]
    with pytest.raises(InvalidLabels, match="group is missing in 1 of 3 cases"):
        hs.Predictions([0, 1, 1], {"a": [0, 1, 0]}, group=["x", None, "y"])
    rows = [(1, "a", 0, 0), (2, "a", 1, 1), (1, "b", 0, 1), (2, "b", 1, 1)]
    with pytest.raises(InvalidLabels, match=r"has the group .*x.* in one row and .*y.* in another"):
        hs.Predictions.from_long(*zip(*rows, strict=True), group=["x", "x", "y", "x"])


@pytest.mark.parametrize(("groups", "question"), [(6, None), (7, "new")])
def test_few_groups_are_inconclusive(groups: int, question: str | None) -> None:
    """Of a pass and of a fail; new cases of the same groups are gated by name."""
    data = patients(groups, 60)
    for pair in (("new", "old"), ("old", "new")):
        made = hs.gate(data, *pair, metric="accuracy", groups=question)
        assert made.verdict == "inconclusive"
        assert (
            f"the cases come from {groups} groups, and below 8 a gate about new groups decides nothing" in made.sentence
        )
        assert made.to_dict()["groups"]["few"] is True
    named = hs.gate(data, "new", "old", metric="accuracy", groups="these")
    assert named.verdict == "pass"
    assert named.rows[0].strict is not None
    Draft202012Validator(json.loads((SCHEMAS / "gate.schema.json").read_text())).validate(made.to_dict())


@pytest.mark.parametrize("first", ["few", "many"])
def test_few_groups_of_either_test_set_are_inconclusive(first: str) -> None:
    # an easy candidate and a hard baseline, so that the groups alone keep the gate from a verdict
    few, many = (hs.infer(patients(groups, 60).confusion("new"), groups="new") for groups in (6, 30))
    made = hs.gate(*((few, many) if first == "few" else (many, few)), metric="accuracy", margin=0.5)
    assert made.rows[0].p_pass > 0.95
    assert made.verdict == "inconclusive"
    assert made.to_dict()["groups"] == {
        "question": "new",
        "groups": [6, 30] if first == "few" else [30, 6],
        "few": True,
    }


def test_more_groups_would_settle_it() -> None:
    made = hs.gate(patients(20, 10), "new", "old", metric="accuracy", margin=0.05, mode="superiority")
    (row,) = made.rows
    assert made.verdict == "inconclusive"
    assert row.more_cases is None
    assert row.more_groups is not None
    assert f"About {row.more_groups} more groups, as large as these, would settle it" in made.sentence
