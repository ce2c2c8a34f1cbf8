"""Posteriors of scores: against scikit-learn, against each other, and what they refuse."""

from __future__ import annotations

import numpy as np
import pytest
from sklearn.metrics import average_precision_score, roc_auc_score

import howsure as hs
from howsure.errors import HowsureError

RNG = np.random.default_rng(0)
TRUTH = RNG.integers(0, 2, 120)
VALUES = (RNG.standard_normal(120) + TRUTH).round(1)
THREE = RNG.integers(0, 3, 150)
ROWS = np.eye(3)[THREE] * 0.3 + RNG.dirichlet([1, 1, 1], 150) * 0.7
POST = hs.infer(hs.Scores(TRUTH, VALUES))
MANY = hs.infer(hs.Scores(THREE, ROWS))


def test_observed_values_are_scikit_learn_s() -> None:
    assert POST.of("roc_auc").observed == pytest.approx(roc_auc_score(TRUTH, VALUES), abs=1e-12)
    assert POST.of("average_precision").observed == pytest.approx(average_precision_score(TRUTH, VALUES), abs=1e-12)
    part = roc_auc_score(TRUTH, VALUES, max_fpr=0.2)
    assert POST.of("partial_auc@fpr=0.2").observed == pytest.approx(part, abs=1e-12)
    for way in ("ovr", "ovo"):
        right = roc_auc_score(THREE, ROWS, multi_class=way)
        assert MANY.of(f"roc_auc@{way}").observed == pytest.approx(right, abs=1e-12)
    mean = average_precision_score(np.eye(3)[THREE], ROWS)
    assert MANY.of("average_precision@ovr").observed == pytest.approx(mean, abs=1e-12)
    assert MANY.of("average_precision@macro").metric == "average_precision@ovr"


def test_groups_of_like_cases_are_worth_fewer_of_them() -> None:
    rng = np.random.default_rng(3)
    truth = np.repeat(rng.integers(0, 2, 40), 10)
    scores = np.repeat(rng.standard_normal(40), 10) + truth + rng.standard_normal(400) / 10
    alone = hs.infer(hs.Scores(truth, scores)).of("roc_auc", draws=4000)
    grouped = hs.infer(hs.Scores(truth, scores, groups=np.arange(400) // 10)).of("roc_auc", draws=4000)
    assert grouped.sd > 2 * alone.sd
    assert "new groups" in repr(grouped)


@pytest.mark.parametrize(
    ("known", "asked", "said"),
    [
        (POST, "tpr", "say|taken at a rate: tpr@fpr=0.1"),
        (POST, "roc_auc@0", "the scores are those of '1'"),
        (MANY, "average_precision@ovo", "for roc_auc@ovo only"),
    ],
    ids=str,
)
def test_what_cannot_be_asked_says_what_can(known: object, asked: str, said: str) -> None:
    with pytest.raises(HowsureError, match=said):
        known.of(asked)  # type: ignore[attr-defined]


def test_what_cannot_be_inferred_is_said() -> None:
    scores = hs.Scores(TRUTH, VALUES)
    with pytest.raises(HowsureError, match=r"all scores are 0\.5: they tell no case"):
        hs.infer(hs.Scores([0, 1, 1], [0.5, 0.5, 0.5])).of("roc_auc").mean  # noqa: B018
    with pytest.raises(HowsureError, match="scores have one prior"):
        hs.infer(scores, "flat")
    with pytest.raises(HowsureError, match=r"scores.of\('a'\)"):
        hs.infer(hs.Scores(TRUTH, {"a": VALUES, "b": VALUES}))
    with pytest.raises(HowsureError, match="between 0 and 1"):
        POST.at_prevalence(2)
    with pytest.raises(HowsureError, match="one_vs_rest"):
        MANY.at_prevalence(0.1)
