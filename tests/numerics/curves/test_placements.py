"""DeLong's variances against pROC's, and against all pairs."""

import json
from pathlib import Path

import numpy as np
from hypothesis import given, strategies

from howsure.numerics.curves.curve_numbers import placement_covariance, placements

GOLDEN = Path(__file__).parents[2] / "reference" / "delong.json"


def test_areas_variances_and_covariances_are_those_of_proc():
    sets = json.loads(GOLDEN.read_text(encoding="utf-8"))["sets"]
    assert len(sets) == 200
    for one in sets:
        areas, covariance = placement_covariance(np.array(one["truth"]) == 1, np.array([one["a"], one["b"]], float))
        np.testing.assert_allclose(areas, one["auc"], rtol=0, atol=1e-12)
        np.testing.assert_allclose(np.diag(covariance), one["variance"], rtol=1e-10, atol=1e-14)
        np.testing.assert_allclose(covariance[0, 1], one["covariance"][0], rtol=1e-10, atol=1e-14)


@given(strategies.lists(strategies.integers(0, 5), min_size=4, max_size=30), strategies.randoms())
def test_placements_are_means_over_all_pairs(values, random):
    scores = np.array(values, float)
    positive = np.zeros(len(scores), bool)
    positive[random.sample(range(len(scores)), len(scores) // 2)] = True
    above, below = scores[positive][:, None], scores[~positive][None, :]
    pairs = (above > below) + 0.5 * (above == below)
    of_positives, of_negatives = placements(positive, scores)
    np.testing.assert_allclose(of_positives, pairs.mean(axis=1), atol=1e-12)
    np.testing.assert_allclose(of_negatives, pairs.mean(axis=0), atol=1e-12)
