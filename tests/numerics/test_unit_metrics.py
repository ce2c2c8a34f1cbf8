"""Any metric of units with uncertain weights: reference numbers, special cases, draws beside exact distributions."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from howsure.numerics import unit_weights
from howsure.numerics.unit_formulas import Detections, average_precision, corpus_bleu, slopes
from howsure.numerics.unit_metrics import (
    Figure,
    LabelMeans,
    OrderLaw,
    OwnFigure,
    UnitSums,
    difference_law,
    drawn,
    drawn_difference,
    drawn_together,
    law_of,
)
from howsure.numerics.unit_weights import imaginary_units, unit_mean

CASES: list[dict[str, Any]] = json.loads(Path("tests/reference/graded.json").read_text(encoding="utf-8"))["cases"]
RATIOS = [case for case in CASES if case["metric"] == "ratio of sums"]
DRAWN = [case for case in CASES if "drawn" in case]
QUANTILES = [case for case in CASES if case["metric"].startswith("quantile")]


def figure_of(case: dict[str, Any]) -> Figure:
    """The figure of a reference case."""
    if case["metric"] == "mean of ratios":
        return LabelMeans(np.array(case["num"]), np.array(case["den"]), tuple(case["range"]))
    if case["metric"] == "corpus_bleu":
        parts = [np.array(case[name], dtype=float) for name in ("match", "total", "hyp", "ref")]
        return OwnFigure(corpus_bleu(*parts), len(case["hyp"]))
    found = Detections(*(np.array(case[name]) for name in ("image", "score", "hit", "positives")))
    return OwnFigure(average_precision(found), len(case["positives"]), average_precision(found, None))


@pytest.mark.parametrize("case", RATIOS, ids=[case["name"] for case in RATIOS])
def test_ratios_of_sums_as_in_the_reference(case: dict[str, Any]) -> None:
    sums = UnitSums(np.array(case["num"]), np.array(case["den"]))
    limits = tuple(np.inf if end is None else end for end in case["range"])
    law = law_of(sums, (limits[0], limits[1]))
    assert law is not None
    assert sums.observed == pytest.approx(case["observed"], abs=1e-12)
    ends = imaginary_units(sums.contributions, (limits[0], limits[1]), values=sums.values)
    assert ends == pytest.approx((case["low"], case["high"]), abs=1e-12)
    p, quantiles = np.array([float(key) for key in case["quantiles"]]), [*case["quantiles"].values()]
    assert law.quantile(p).tolist() == pytest.approx(quantiles, abs=1e-9)
    at, above = np.array([float(key) for key in case["above"]]), [*case["above"].values()]
    assert law.sf(at).tolist() == pytest.approx(above, abs=1e-9)


@pytest.mark.full
@pytest.mark.parametrize("case", DRAWN, ids=[case["name"] for case in DRAWN])
def test_drawn_metrics_as_in_the_reference(case: dict[str, Any]) -> None:
    figure = figure_of(case)
    assert figure.observed == pytest.approx(case.get("observed", case.get("observed_of_seen")), abs=1e-9)
    if isinstance(figure, LabelMeans):
        assert figure.by_label.tolist() == pytest.approx(case["by_label"], abs=1e-12)
        assert figure.imaginary.ravel().tolist() == pytest.approx(np.ravel(case["low_high_size"]).tolist(), abs=1e-12)
        assert figure.level == pytest.approx(case["level"], abs=1e-12)
    else:
        assert figure.contributions.tolist() == pytest.approx(case["contributions"], abs=1e-6)
        ends = imaginary_units(figure.contributions, tuple(case["range"]))
        assert ends == pytest.approx((case["low"], case["high"]), abs=1e-6)
    draws = drawn(figure, tuple(case["range"]), 20_000, np.random.default_rng(3))
    assert draws is not None
    its = case["drawn"]
    for (p, value), error in zip(its["quantiles"].items(), its["monte_carlo_error"], strict=True):
        ours = error * (its["draws"] / 20_000) ** 0.5
        assert abs(float(np.quantile(draws, float(p))) - value) < 4 * float(np.hypot(ours, error))


@pytest.mark.parametrize("case", QUANTILES, ids=[case["name"] for case in QUANTILES])
def test_quantiles_as_in_the_reference(case: dict[str, Any]) -> None:
    law = OrderLaw(np.array(case["x"]), float(case["metric"].split()[1]), (0, 1))
    assert law.quantile(np.array([0.025, 0.975])).tolist() == case["interval"]


def test_too_few_units_leave_a_quantile_without_a_bound() -> None:
    scores = np.arange(1.0, 31.0)
    assert OrderLaw(scores, 0.9).quantile(np.array([0.975])).tolist() == [np.inf]
    assert OrderLaw(scores, 0.9, (0, 40)).quantile(np.array([0.975])).tolist() == [40.0]
    assert OrderLaw(np.arange(1.0, 37.0), 0.9).quantile(np.array([0.975])).tolist() == [36.0]


@pytest.mark.full
def test_mean_and_sd_of_a_ratio_are_those_of_its_draws() -> None:
    rng = np.random.default_rng(8)
    words = rng.integers(1, 30, 12).astype(float)
    law = unit_weights.ratio_of_units(rng.binomial(30, 0.1, 12).astype(float), words, (0, np.inf))
    assert law is not None
    draws = law.draw(200_000, rng)
    assert law.mean == pytest.approx(draws.mean(), abs=4 * draws.std() / 400)
    assert law.sd == pytest.approx(draws.std(), rel=0.02)


@pytest.mark.full
@pytest.mark.parametrize("world", ["beta", "lognormal"])
def test_many_units_joined_in_bins_are_as_good_as_each_alone(world: str, monkeypatch: pytest.MonkeyPatch) -> None:
    rng = np.random.default_rng(5)
    law = unit_mean(rng.beta(5, 0.8, 900) if world == "beta" else rng.lognormal(0, 1.5, 900))
    assert law is not None
    x = law.mean + law.sd * np.array([-4, -2, -0.5, 0, 0.01, 1, 3, 5])
    joined = law.at(x)
    monkeypatch.setattr(unit_weights, "MANY", 10**9)
    alone = law.at(x)
    assert np.abs(joined[0] - alone[0]).max() < 1e-10
    assert np.abs(joined[1] - alone[1]).max() * law.sd < 1e-9


@pytest.mark.full
def test_joint_draws_of_several_are_about_as_sure_as_each_pair() -> None:
    rng = np.random.default_rng(11)
    ability = rng.random((3, 1)) * 0.1
    scores = np.clip(rng.beta(4, 2, 40) + ability + rng.normal(0, 0.1, (3, 40)), 0, 1)
    figures = [UnitSums(row, np.ones(40)) for row in scores]
    draws = drawn_together(figures, 20_000, np.random.default_rng(1))
    for i, j in ((0, 1), (0, 2), (1, 2)):
        law = difference_law(figures[i], figures[j], (0, 1))
        assert law is not None
        assert float((draws[:, i] > draws[:, j]).mean()) == pytest.approx(float(law.sf(np.zeros(1))[0]), abs=0.05)


def test_slopes_of_average_precision_are_its_derivatives() -> None:
    (case,) = [case for case in DRAWN if "hit" in case]
    found = Detections(*(np.array(case[name]) for name in ("image", "score", "hit", "positives")))
    figure = OwnFigure(average_precision(found), len(case["positives"]), slopes=slopes(found))
    assert figure.contributions.tolist() == pytest.approx(case["contributions"], abs=1e-6)
    nothing = Detections(found.image, found.score, np.zeros(len(found.hit)), found.positives)
    assert slopes(nothing).tolist() == [0.0] * 15
    assert average_precision(nothing)(np.full((2, 15), 1 / 15)).tolist() == [0.0, 0.0]


def test_nothing_is_drawn_of_equal_units_without_a_range() -> None:
    same = UnitSums(np.full(10, 5.0), np.ones(10))
    assert drawn(same, None, 10, np.random.default_rng(0)) is None
    assert drawn_difference(same, same, None, 10, np.random.default_rng(0)) is None
    assert law_of(UnitSums(np.arange(5.0), np.ones(5)), (0, 5)) is None
    far = law_of(UnitSums(np.full(10, 5.0), np.ones(10)), (1, 5), far=True)
    assert far is not None
    assert far.support == (1.0, 5.0)
