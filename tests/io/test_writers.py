from __future__ import annotations

import io

import pytest

from howsure.data.confusion import ConfusionMatrix
from howsure.errors import InvalidLabels
from howsure.io import matrix_csv, read

NASTY = [
    "</script>", "=cmd|' /C calc'!A0", "+1", "-1", "@SUM(A1)", "\t=1", "\r=1", '"=1', "'=1", "a,b", 'say "x"',
    "two\nlines", '"\t', "a;b", "\u202egnp", "🙂",
    "x" * 10_000, "None", "NaN", "true", "'", "''", "pred\\true", "\ufeffx",
]  # fmt: skip


@pytest.mark.parametrize("label", NASTY)
def test_nasty_labels_come_back(label):
    confusion = ConfusionMatrix([[1, 2], [3, 4]], [label, "other"])
    text = matrix_csv(confusion)
    reading = read(io.StringIO(text, newline=""))
    assert reading.confusion.labels == (label.strip(), "other")
    assert reading.confusion.counts.tolist() == [[1, 2], [3, 4]]


@pytest.mark.parametrize("label", ["=1+1", "+1", "-x", "@a", " =1", "\t=1", "\rx", "\n=1", '"=1', "'=1"])
def test_no_cell_begins_with_a_formula(label):
    line = matrix_csv(ConfusionMatrix([[1, 2], [3, 4]], ["other", label]))
    assert "other,'" in line or "other,\"'" in line


def test_labels_that_a_csv_cannot_hold_are_refused():
    for labels in (["a\0b", "b"], ["a", "a "]):
        with pytest.raises(InvalidLabels, match="write JSON instead"):
            matrix_csv(ConfusionMatrix([[1, 2], [3, 4]], labels))
