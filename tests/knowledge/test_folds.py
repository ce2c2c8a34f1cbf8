"""Two algorithms over folds: the correlated t-test, by its formula in another library and by draws."""

from __future__ import annotations

import json
import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

import howsure as hs
from howsure.errors import InvalidArgument, NoInformation
from howsure.knowledge.folds import FoldScores
from howsure.knowledge.protocol import Ask, Of
from howsure.laws import Student

FOREST = [0.82, 0.85, 0.80, 0.88, 0.84, 0.86, 0.81, 0.83, 0.87, 0.85]
TREES = [0.80, 0.84, 0.80, 0.85, 0.82, 0.86, 0.80, 0.80, 0.85, 0.84]


@given(df=st.floats(0.5, 200), centre=st.floats(-5, 5), scale=st.floats(1e-3, 10), p=st.floats(0.001, 0.999))
def test_student_is_that_of_scipy(df: float, centre: float, scale: float, p: float) -> None:
    law, other = Student(df, centre, scale), stats.t(df, centre, scale)
    x = other.ppf(p)
    assert law.cdf(x) == pytest.approx(p, abs=1e-9)
    assert law.sf(x) == pytest.approx(1 - p, abs=1e-9)
    assert law.pdf(x) == pytest.approx(other.pdf(x), rel=1e-9)
    assert law.quantile(p) == pytest.approx(x, rel=1e-7, abs=1e-7 * scale)


def by_formula(a: list[float], b: list[float], folds: int, rope: float) -> tuple[float, float, float]:
    """Equation 8 of Corani and Benavoli, with SciPy's t."""
    x = np.array(a) - np.array(b)
    rho = 1 / folds
    law = stats.t(len(x) - 1, x.mean(), math.sqrt((1 / len(x) + rho / (1 - rho)) * x.var(ddof=1)))
    return float(law.sf(rope)), float(law.cdf(rope) - law.cdf(-rope)), float(law.cdf(-rope))


@pytest.mark.parametrize(("folds", "rope"), [(2, 0.005), (5, 0.05), (10, 0.01)])
def test_probabilities_by_the_formula(folds: int, rope: float) -> None:
    made = hs.compare_algorithms(FOREST, TREES, folds=folds, rope=rope)
    assert (made.p_better, made.p_equal, made.p_worse) == pytest.approx(by_formula(FOREST, TREES, folds, rope))
    assert f"of {folds} folds" in made.about


def test_what_cross_validate_gives_and_another_share() -> None:
    plain = hs.compare_algorithms(FOREST, TREES, folds=10)
    given = [{"fit_time": np.ones(10), "test_score": np.array(x)} for x in (FOREST, TREES)]
    assert hs.compare_algorithms(*given, folds=10).to_dict() == plain.to_dict()
    named = [{"fit_time": np.ones(10), "test_f1": np.array(x)} for x in (FOREST, TREES)]
    assert hs.compare_algorithms(*named, test_share=0.1).p_better == pytest.approx(plain.p_better)
    assert json.loads(json.dumps(plain.to_dict(), allow_nan=False))["kind"] == "difference"
    assert hs.compare_algorithms([1, 2, 4], [1, 1, 1], folds=3).to_dict()["difference"]["sd"] is None


@pytest.mark.parametrize(
    ("a", "b", "options", "said"),
    [
        (FOREST, TREES[:9], {"folds": 10}, "A has 10, B has 9"),
        (FOREST, TREES, {"folds": 10, "test_share": 0.1}, "one of the two"),
        (FOREST, TREES, {"folds": 1}, "2 or more"),
        (FOREST, TREES, {"folds": 10, "rope": -1}, "rope"),
        ([0.8], [0.7], {"folds": 2}, "two splits or more"),
        (FOREST, ["x"] * 10, {"folds": 10}, "one number for each split"),
        ({"test_f1": FOREST, "test_auc": FOREST}, TREES, {"folds": 10}, "no 'test_score'"),
    ],
)
def test_bad_input_is_refused_in_a_sentence(a: object, b: object, options: dict[str, object], said: str) -> None:
    with pytest.raises(InvalidArgument, match=said):
        hs.compare_algorithms(a, b, **options)  # type: ignore[arg-type]


def test_equal_differences_say_nothing() -> None:
    with pytest.raises(NoInformation, match="in every split"):
        hs.compare_algorithms([0.8, 0.9, 0.7], [0.7, 0.8, 0.6], folds=3)


def test_the_small_print_has_the_number_of_folds() -> None:
    said = hs.compare_algorithms(FOREST, TREES, folds=5).about
    assert "10 scores (2 passes of 5 folds)" in said


def test_more_than_two_are_ranked_by_joint_draws() -> None:
    """The draws have the variance of every difference."""
    known = FoldScores({"forest": FOREST, "trees": TREES, "again": TREES[::-1]}, folds=10)
    drawn = known.draws([Of("score", name) for name in known.names], 40_000, np.random.default_rng(0))
    for i, j in ((0, 1), (0, 2), (1, 2)):
        law = known.law(Of("score", known.names[i]) - Of("score", known.names[j]), Ask())
        gap = drawn[:, i] - drawn[:, j]
        assert gap.mean() == pytest.approx(law.mean, abs=5 * law.sd / 200)
        assert gap.std() == pytest.approx(law.sd, rel=0.03)
    assert hs.rank(known).entries[0].name == "forest"
