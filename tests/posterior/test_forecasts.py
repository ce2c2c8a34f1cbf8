"""Scores of probabilities: values of scikit-learn, intervals, and what is refused."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.special import expit, logit
from sklearn.isotonic import IsotonicRegression
from sklearn.linear_model import LogisticRegression
from sklearn.metrics import brier_score_loss, log_loss

import howsure as hs
from howsure.errors import InvalidArgument, UnknownLabel
from howsure.io import read_scores

SCORES = read_scores("examples/breast_cancer.csv")
POSTERIOR = hs.infer(SCORES)
rng = np.random.default_rng(3)
P = rng.dirichlet([1, 2, 3], 300)
TRUTH = (rng.random(300)[:, None] > P.cumsum(axis=1)).sum(axis=1)
THREE = hs.infer(hs.Scores(TRUTH, P))
ALL = [
    "brier_score", "brier_mcb", "brier_dsc", "brier_unc", "log_loss", "log_loss_mcb", "log_loss_dsc", "log_loss_unc",
    "ece", "calibration_in_the_large", "calibration_intercept", "calibration_slope",
]  # fmt: skip


def test_observed_values_are_those_of_scikit_learn() -> None:
    y, p = SCORES.truth, SCORES.scores
    assert POSTERIOR.of("brier_score").observed == pytest.approx(brier_score_loss(y, p), abs=1e-12)
    assert POSTERIOR.of("log_loss").observed == pytest.approx(log_loss(y, p), abs=1e-12)
    assert THREE.of("brier_score").observed == pytest.approx(brier_score_loss(TRUTH, P), abs=1e-12)
    assert THREE.of("log_loss").observed == pytest.approx(log_loss(TRUTH, P), abs=1e-12)
    assert POSTERIOR.of("brier_score").chance == pytest.approx(brier_score_loss(y, np.full(190, y.mean())))
    peer = LogisticRegression(C=np.inf, tol=1e-10, max_iter=1000).fit(logit(p)[:, None], y)
    assert POSTERIOR.of("calibration_slope").observed == pytest.approx(float(peer.coef_[0, 0]), abs=1e-4)
    assert POSTERIOR.of("calibration_in_the_large").observed == pytest.approx((y - p).mean(), abs=1e-12)
    intercept = POSTERIOR.of("calibration_intercept").observed
    assert (y - expit(intercept + logit(p))).sum() == pytest.approx(0, abs=1e-6)
    for loss in ("brier", "log_loss"):
        mcb, dsc, unc = (POSTERIOR.of(f"{loss}_{part}").observed for part in ("mcb", "dsc", "unc"))
        whole = POSTERIOR.of("brier_score" if loss == "brier" else loss).observed
        assert mcb - dsc + unc == pytest.approx(whole, abs=1e-12)


def test_the_error_over_bins_is_the_sum_over_bins() -> None:
    y, p = SCORES.truth, SCORES.scores
    of = np.digitize(p, [0.2, 0.4, 0.6, 0.8], right=True)
    direct = sum((of == b).mean() * abs(y[of == b].mean() - p[of == b].mean()) for b in range(5))
    assert POSTERIOR.of("ece@uniform=5").observed == pytest.approx(direct, abs=1e-12)


@pytest.mark.full
def test_noise_is_taken_from_what_it_can_only_raise() -> None:
    """Calibrated probabilities: all that is seen is noise, and the interval begins at 0."""
    draw = np.random.default_rng(1)
    p = draw.beta(2, 2, 400)
    posterior = hs.infer(hs.Scores(draw.random(400) < p, p))
    for name in ("ece", "brier_mcb"):
        made = posterior.of(name)
        assert made.interval().low == 0
        assert 0 < made.mean < 0.7 * made.observed
        assert "calibrated forecasts would show" in repr(made)
    strong = hs.infer(hs.Scores(draw.random(400) < p**3, p)).of("ece")
    assert strong.interval().low > 0.1
    assert strong.mean == pytest.approx(strong.observed, abs=0.02)


def test_events_of_three_classes() -> None:
    right = P.argmax(axis=1) == TRUTH
    made = THREE.of("calibration_in_the_large@confidence")
    assert made.observed == pytest.approx(right.mean() - P.max(axis=1).mean())
    assert THREE.of("ece@uniform=4@1").metric == THREE.of("ece@1@uniform=4").metric == "ece@uniform=4@1"
    assert THREE.of("ece@confidence@uniform=3").observed == THREE.of("ece@uniform=3@confidence").observed
    assert THREE.of("brier_score@2").observed == pytest.approx(brier_score_loss(TRUTH == 2, P[:, 2]))
    with pytest.raises(InvalidArgument, match="is about one event"):
        THREE.of("calibration_slope")
    with pytest.raises(UnknownLabel):
        THREE.of("ece@nothing")


def test_scores_that_are_no_probabilities_are_refused() -> None:
    margins = hs.infer(hs.Scores([0, 1, 0, 1], [-2.0, 1.0, 0.5, 3.0]))
    for name in ALL:
        with pytest.raises(InvalidArgument, match=r"from -2 to 3\. Give predict_proba"):
            margins.of(name).mean  # noqa: B018
    assert margins.of("roc_auc").observed == 1


@pytest.mark.parametrize(
    ("p", "name", "said"),
    [
        ([0.0, 0.0, 0.4, 0.9], "log_loss", "in 1 of 4 cases what happened had a probability of exactly 0"),
        ([1.0, 0.2, 0.4, 0.9], "log_loss_mcb", "as soon as a probability of exactly 0 or 1 is wrong"),
        ([0.1, 0.6, 0.2, 0.9], "calibration_slope", "without an error"),
        ([0.1, 0.6, 0.2, 0.9], "ece@width=3", "ece@quantile=10"),
        ([0.7, 0.6, 0.2, 0.9], "calibration_slope", "too few cases for a calibration_slope, 2 of the rarer"),
    ],
)
def test_what_does_not_exist_is_a_sentence_and_no_number(p: list[float], name: str, said: str) -> None:
    with pytest.raises(InvalidArgument, match=said):
        hs.infer(hs.Scores([0, 1, 0, 1], p)).of(name).mean  # noqa: B018


@pytest.mark.full
@pytest.mark.parametrize("name", ["ece", "brier_mcb"])
def test_that_there_is_no_error_is_as_probable_as_counting_all_outcomes_says(name: str) -> None:
    """Of 10 forecasts, each of 1,024 outcomes with its probability if they hold; cases drawn anew had less noise."""
    draw = np.random.default_rng(0)
    said = expit(draw.normal(0, 1, 10))
    outcomes = (np.arange(1024)[:, None] >> np.arange(10)) & 1
    chance = np.where(outcomes == 1, said, 1 - said).prod(axis=1)
    if name == "ece":  # ten bins of one case
        errors = np.abs(outcomes - said).mean(axis=1)
    else:
        order = np.argsort(said)
        fits = [IsotonicRegression().fit(said[order], y[order]).predict(said[order]) for y in outcomes]
        errors = np.array(
            [((y - said) ** 2).mean() - ((y[order] - fit) ** 2).mean() for y, fit in zip(outcomes, fits, strict=True)]
        )
    for came in np.argsort(errors)[[400, 600]]:
        above = errors > errors[came] + 1e-12
        alike = np.abs(errors - errors[came]) <= 1e-12
        exact = chance[above].sum() + chance[alike].sum() / 2
        made = hs.infer(hs.Scores(outcomes[came], said, labels=["0", "1"])).of(name)
        assert made.cdf(0.0) == pytest.approx(min(exact, 0.5), abs=0.05)
