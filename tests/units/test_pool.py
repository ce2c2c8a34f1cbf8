"""Several test sets in one posterior: what `pool` says, takes and refuses."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from scipy import special

import howsure as hs
from howsure.numerics.sites import log_likelihood
from howsure.units.pooled import Pooled

#: Five studies of AUDIT-C (Kriston et al. 2008).
TABLES = [(47, 9, 101, 738), (126, 51, 272, 1543), (19, 10, 12, 192), (36, 3, 78, 276), (130, 19, 211, 959)]
#: The example of the package micp (Brodersen): accuracy of five subjects.
SUBJECTS = [(82, 100), (75, 100), (92, 100), (85, 100), (88, 100)]


def study(tp: int, fn: int, fp: int, tn: int) -> hs.ConfusionMatrix:
    return hs.ConfusionMatrix.from_counts(tp=tp, fn=fn, fp=fp, tn=tn)


STUDIES = {f"study {i}": study(*table) for i, table in enumerate(TABLES)}


@pytest.fixture(scope="module")
def pooled() -> Pooled:
    return hs.pool(STUDIES)


def test_metrics_come_from_both_rates(pooled: Pooled) -> None:
    informedness = pooled.of("informedness")
    assert informedness.mean == pytest.approx(pooled.of("sensitivity").mean + pooled.of("specificity").mean - 1)
    assert pooled.of("recall@negative").mean == pytest.approx(pooled.of("specificity").mean)
    rare, common = (pooled.of("precision", prevalence=share).mean for share in (0.02, 0.3))
    assert rare < common
    point = pooled.of("accuracy", prevalence=0.25, about="new")
    assert point.mean == pytest.approx(
        0.25 * pooled.of("sensitivity", about="new").mean + 0.75 * pooled.of("specificity", about="new").mean
    )
    assert repr(pooled.of("sensitivity")).startswith("sensitivity 0.8")
    assert (point.metric, point.about) == ("accuracy at prevalence 0.25", "new site")


def test_the_example_of_micp_is_explained() -> None:
    """Its 0.820 (0.720 to 0.896) has a prior N(0, 1) on the mean logit; ours is Beta(1/2, 1/2), and says 0.84."""
    pooled = hs.pool(SUBJECTS)
    assert pooled.of().mean == pytest.approx(0.8437, abs=0.002)
    assert pooled.of(about="mean").mean == pytest.approx(0.8292, abs=0.002)
    k, n = (np.array(x, dtype=float)[:, None] for x in zip(*SUBJECTS, strict=True))
    mean, log_sd = (x.ravel() for x in np.meshgrid(np.linspace(-2, 5, 141), np.linspace(-4, 1.5, 80), indexing="ij"))
    likelihood = log_likelihood(mean[:, None], np.exp(log_sd)[:, None], 0 * mean, k, n, nodes=15).sum(axis=1)
    half_normal, precision = log_sd - np.exp(2 * log_sd) / 2, -2 * log_sd - np.exp(-2 * log_sd)
    for spread, ours in ((half_normal, 0.828), (precision, 0.813)):
        weight = np.exp(likelihood + spread - mean**2 / 2 - likelihood.max())
        assert weight @ special.expit(mean) / weight.sum() == pytest.approx(ours, abs=0.002)


@pytest.mark.full
def test_groups_of_one_matrix_predictions_and_matrices_are_the_same_sites() -> None:
    rng = np.random.default_rng(4)
    site = np.repeat(["A", "B", "C", "D"], 50)
    truth = rng.choice(["healthy", "ill"], 200)
    said = np.where(rng.random(200) < 0.8, truth, np.where(truth == "ill", "healthy", "ill"))
    grouped = hs.pool(hs.ConfusionMatrix.from_predictions(truth, said, group=site))
    answers = {
        name: hs.Predictions(truth[site == name], {"m": said[site == name]}, id=np.flatnonzero(site == name))
        for name in "ABCD"
    }
    assert hs.pool(answers) == grouped
    assert hs.pool({name: x.confusion("m") for name, x in answers.items()}) == grouped
    assert grouped.sites == ("A", "B", "C", "D")
    assert grouped.counts.labels == ("healthy", "ill")


@pytest.mark.full
def test_more_classes_are_pooled_by_accuracy_or_by_a_class() -> None:
    tables = [[[9, 1, 0], [2, 7, 1], [0, 1, 9]], [[8, 1, 1], [2, 8, 0], [0, 0, 10]], [[5, 1, 4], [1, 9, 0], [1, 0, 9]]]
    matrices = [hs.ConfusionMatrix(table, labels=["a", "b", "c"]) for table in tables]
    assert hs.pool(matrices).rates == ("accuracy",)
    made = hs.pool(matrices, metric="recall@b")
    assert made.counts.k[:, 0].tolist() == [7, 8, 9]
    assert made.counts.n[:, 0].tolist() == [10, 10, 10]
    expected = {
        "precision@b": ([7, 8, 9], [9, 9, 10]),
        "negative_predictive_value@b": ([18, 19, 19], [21, 21, 20]),
        "specificity@c": ([19, 19, 16], [20, 20, 20]),
        "prevalence@a": ([10, 10, 10], [30, 30, 30]),
        "error_rate": ([5, 4, 7], [30, 30, 30]),
    }
    for metric, (k, n) in expected.items():
        made = hs.pool(matrices, metric=metric)
        assert (made.counts.k[:, 0].tolist(), made.counts.n[:, 0].tolist()) == (k, n), metric


def test_few_sites_say_so() -> None:
    two = hs.pool(SUBJECTS[:2])
    assert two.of(site="1").mean == pytest.approx(0.81, abs=0.02)
    assert two.to_dict()["typical"] is None
    assert "too few to say anything of others" in str(two)
    for ask in (two.of, two.tau, two.i2):
        with pytest.raises(hs.errors.NoInformation, match="2 sites say nothing of others"):
            ask()  # type: ignore[operator]
    three = hs.pool(SUBJECTS[:3])
    assert "mostly the prior's" in three.warnings[0]
    assert hs.pool(SUBJECTS).warnings == ()


@pytest.mark.parametrize(
    ("sites", "options", "sentence"),
    [
        ({}, {}, "no site"),
        ([(1, 2), (3, 2)], {}, "site '2' has 3 of 2"),
        ([(1, 2, 3), (1, 2)], {}, "a pair"),
        ({1: (1, 2), "1": (1, 3)}, {}, "a name of its own"),
        ([study(1, 2, 3, 4)] * 2, {"metric": "f1"}, "a share of cases"),
        ([study(1, 2, 3, 4)] * 2, {"positive": "ill"}, "positive= is one of"),
    ],
)
def test_bad_sites_get_a_sentence(sites: Any, options: dict[str, Any], sentence: str) -> None:
    with pytest.raises(hs.HowsureError, match=sentence):
        hs.pool(sites, **options)


@pytest.mark.filterwarnings("error")
def test_the_share_between_sites_of_a_rate_that_one_site_shows() -> None:
    # it said 0 for certain: the typical size of one site is 0 by the equation
    made = hs.pool([study(8, 2, 5, 15), *(study(0, 0, 4 + i % 3, 12) for i in range(6))])
    assert 0.05 < made.i2("sensitivity").mean < 0.95
    assert made.i2("sensitivity").sd > 0.1


@pytest.mark.parametrize(
    ("sites", "size"),
    [
        (SUBJECTS, 100),  # every site has as many
        ([(18, 20), (90, 100), (160, 200)], (320 - (20**2 + 100**2 + 200**2) / 320) / 2),
    ],
)
def test_the_share_between_sites_is_that_of_a_site_of_typical_size(sites: list[tuple[int, int]], size: float) -> None:
    pooled = hs.pool(sites)
    rate, between = special.expit(pooled.population.mean[:, 0]), pooled.population.sd[:, 0] ** 2
    over_within = between * size * rate * (1 - rate)
    share = float(pooled.population.weight @ (over_within / (1 + over_within)))
    assert pooled.i2().mean == pytest.approx(share, rel=1e-9)


def test_the_curve_passes_through_the_summary_point(pooled: Pooled) -> None:
    curve = pooled.hsroc()
    assert (np.diff(curve.sensitivity) > 0).all()
    assert (curve.low < curve.sensitivity).all()
    assert (curve.sensitivity < curve.high).all()
    at = 1 - pooled.of("specificity").median
    assert np.interp(at, curve.false_positive_rate, curve.sensitivity) == pytest.approx(
        pooled.of("sensitivity").median, abs=0.03
    )
