"""DeLong's variances against pROC's, and against all pairs."""

import json
from pathlib import Path

import numpy as np

from howsure.numerics.curves.placements import placement_covariance

GOLDEN = Path(__file__).parents[2] / "reference" / "delong.json"


def test_areas_variances_and_covariances_are_those_of_proc():
    sets = json.loads(GOLDEN.read_text(encoding="utf-8"))["sets"]
    assert len(sets) == 200
    for one in sets:
        areas, covariance = placement_covariance(np.array(one["truth"]) == 1, np.array([one["a"], one["b"]], float))
        np.testing.assert_allclose(areas, one["auc"], rtol=0, atol=1e-12)
        np.testing.assert_allclose(np.diag(covariance), one["variance"], rtol=1e-10, atol=1e-14)
        np.testing.assert_allclose(covariance[0, 1], one["covariance"][0], rtol=1e-10, atol=1e-14)
