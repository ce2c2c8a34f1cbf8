"""Comparisons: published answers, pairs against separate test sets, direction, ropes, losses, and who is refused."""

from __future__ import annotations

import json
from importlib import resources

import jsonschema
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.conftest import matrices, tries

import howsure as hs
from howsure.errors import InvalidArgument
from howsure.laws import BetaSum, Draws, Linear, PairedDifference
from howsure.posterior.paired import PairedPosterior
from howsure.questions.differences import chances, losses

pytestmark = pytest.mark.filterwarnings("ignore::howsure.PriorShiftWarning")

SCHEMA = json.loads(
    resources.files("howsure.answers").joinpath("schemas/compare.schema.json").read_text(encoding="utf-8")
)
NEW = hs.ConfusionMatrix([[45, 5], [8, 42]], labels=["healthy", "ill"])
OLD = hs.ConfusionMatrix([[40, 10], [9, 41]], labels=["healthy", "ill"])


def pair(cases: int, correlation: float, seed: int, p: float = 0.85) -> hs.Predictions:
    """Two classifiers, right with probability p, errors of this correlation."""
    rng = np.random.default_rng(seed)
    same = rng.random(cases) < correlation
    right = rng.random((2, cases)) < p
    right[1, same] = right[0, same]
    truth = rng.integers(0, 2, cases)
    return hs.Predictions(truth, {"A": np.where(right[0], truth, 1 - truth), "B": np.where(right[1], truth, 1 - truth)})


def test_the_members_of_a_pairing_stay_paired_and_one_of_them_twice_does_not() -> None:
    joint = PairedPosterior(pair(100, 0.8, 0))
    assert hs.compare(joint["A"], joint["B"]).paired
    assert not hs.compare(joint["A"], joint["A"]).paired
    assert not hs.compare(joint["A"], hs.infer(NEW.merge({"0": ["healthy"], "1": ["ill"]}))).paired


def test_what_is_unlike_is_said() -> None:
    three = hs.ConfusionMatrix([[40, 5, 1], [3, 30, 2], [0, 0, 0]], labels=["healthy", "ill", "dead"])
    made = hs.compare(hs.infer(NEW, "flat"), hs.infer(three, "flat"), metric="accuracy")
    assert made.warnings[0] == "The classes differ; only one of the two has 'dead'."
    assert made.warnings[1].startswith("No case of 'dead' was tested")
    assert [row.label for row in made.per_class] == ["healthy", "ill"]
    with pytest.raises(InvalidArgument, match=r"A has prior 'flat' and B 'learned'.*such as prior='flat'"):
        hs.compare(hs.infer(NEW, "flat"), hs.infer(three), metric="accuracy")
    stated = hs.infer(NEW).at_prevalence([0.9, 0.1])
    assert "prevalences differ" in " ".join(hs.compare(stated, hs.infer(OLD)).warnings)
    both = hs.infer(OLD).at_prevalence([0.9, 0.1])
    assert "prevalences differ" not in " ".join(hs.compare(stated, both).warnings)


@pytest.mark.sweep(2, full=5)
@pytest.mark.parametrize(
    "law",
    [
        PairedDifference([[60.5, 12.5, 5.5, 23.5]]),
        PairedDifference([[25.5, 0.5, 0.5, 0.5], [3.5, 8.5, 0.5, 0.5]]),
        BetaSum([46, 43, 41, 42], [6, 9, 11, 10], [0.5, 0.5, -0.5, -0.5]),
    ],
)
def test_expected_losses_agree_with_draws_and_with_the_mean(law: Linear) -> None:
    loss = losses(law, higher=True)
    values = law.sample(200_000, seed=1)
    for exact, drawn in ((loss.a, np.maximum(-values, 0)), (loss.b, np.maximum(values, 0))):
        assert exact == pytest.approx(drawn.mean(), abs=4.5 * drawn.std() / np.sqrt(len(values)))
    assert loss.b - loss.a == pytest.approx(law.mean, abs=1e-12)
    by_draws = losses(Draws(values), higher=False)
    assert by_draws.a == pytest.approx(np.maximum(values, 0).mean())


def test_draws_never_claim_certainty() -> None:
    assert chances(Draws(np.linspace(0.1, 0.2, 1000)), None, higher=True) == (0.999, 0, 0.001)


@pytest.mark.full
@given(matrices(max_classes=4), st.sampled_from(["accuracy", "balanced_accuracy", "f1@macro", "mcc"]))
@settings(max_examples=tries(20))
def test_every_comparison_is_valid_json_of_its_schema(cm: hs.ConfusionMatrix, metric: str) -> None:
    made = hs.compare(hs.infer(cm, "flat"), hs.infer(cm.transpose(), "flat"), metric=metric, draws=200)
    data = json.loads(json.dumps(made.to_dict(), allow_nan=False))
    jsonschema.validate(data, SCHEMA)
    for view in (str(made), made.to_markdown(), made._repr_html_(), made.to_csv(), repr(made)):
        assert "nan" not in view.lower()
        assert "flat" in view or view == repr(made)


@pytest.mark.parametrize(
    ("make", "sentence"),
    [
        (lambda: hs.compare(NEW, OLD), r"infer\(matrix\)"),
        (lambda: hs.compare(hs.infer(NEW), hs.infer(OLD), prior="flat"), "posteriors have their prior"),
        (lambda: hs.compare(hs.infer(NEW), hs.infer(OLD), rope=2), r"from 0 to below 1; not 2 \(1 point is 0.01\)"),
        (lambda: hs.compare(hs.infer(NEW), hs.infer(OLD), kind="eti"), "kind is"),
        (lambda: hs.compare(pair(9, 0, 0), "A"), "takes the names of two classifiers, of A, B"),
        (lambda: hs.compare(pair(9, 0, 0), "A", "X"), "No classifier named 'X'"),
        (lambda: hs.compare(pair(9, 0, 0), prior="haldane"), "no case on one side"),
    ],
)
def test_hostile_input_gets_a_sentence(make: object, sentence: str) -> None:
    with pytest.raises(hs.HowsureError, match=sentence):
        make()  # type: ignore[operator]


@pytest.mark.parametrize("higher", [True, False])
def test_drawn_ties_are_split_between_both(higher: bool) -> None:
    made = chances(Draws(np.repeat([-1.0, 0.0, 1.0], [100, 600, 300])), None, higher=higher)
    assert made.better == pytest.approx(0.6 if higher else 0.4)
    assert made.worse == pytest.approx(0.4 if higher else 0.6)
    assert made.equal == 0
