from __future__ import annotations

import pytest

from howsure.data.confusion import ConfusionMatrix
from howsure.errors import InvalidLabels
from howsure.io import matrix_csv


def test_labels_that_a_csv_cannot_hold_are_refused():
    for labels in (["a\0b", "b"], ["a", "a "]):
        with pytest.raises(InvalidLabels, match="write JSON instead"):
            matrix_csv(ConfusionMatrix([[1, 2], [3, 4]], labels))
