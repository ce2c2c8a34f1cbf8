"""Matrices as people write them: a dict, an assignment, words, counts with their percentages; and mere rates."""

from __future__ import annotations

import pytest

from howsure.errors import InvalidFile
from howsure.web import handle

COUNTS = [[42, 5], [8, 45]]
FOUR = {
    "a dict": "{'TP': 45, 'FP': 5, 'FN': 8, 'TN': 42}",
    "a named dict": "counts = {'TP': 45, 'FP': 5,\n  'FN': 8, 'TN': 42}",
    "a call of dict": "dict(tp=45, fp=5, fn=8, tn=42)",
    "JSON": '{"tp": 45, "fp": 5, "fn": 8, "tn": 42}',
    "an unpacked matrix": "tn, fp, fn, tp = 42, 5, 8, 45",
    "with brackets": "(tn, fp, fn, tp) = (42, 5, 8, 45)",
    "as an array prints": "tn, fp, fn, tp = [42  5  8 45]",
    "words": "true positives 45, false positives 5, false negatives 8, true negatives 42",
    "a sentence": "True positives 45, false positives 5, false negatives 8 and true negatives 42.",
    "lines": "true positive 45\nfalse positive 5\nfalse negative 8\ntrue negative 42",
}
SHARED = {
    "count (share)": "\thealthy\till\nhealthy\t42 (89%)\t5 (11%)\nill\t8 (15%)\t45 (85%)\n",
    "a comma": "\thealthy\till\nhealthy\t42 (89,4 %)\t5 (10,6 %)\nill\t8 (15,1 %)\t45 (84,9 %)\n",
    "count/n (share)": "\thealthy\till\nhealthy\t42/47 (89%)\t5/47 (11%)\nill\t8/53 (15%)\t45/53 (85%)\n",
    "share (count)": "\thealthy\till\nhealthy\t89.4% (42)\t10.6% (5)\nill\t15.1% (8)\t84.9% (45)\n",
}


@pytest.mark.parametrize("text", FOUR.values(), ids=FOUR)
def test_four_counts(text: str) -> None:
    matrix = handle({"verb": "paste", "text": text})["matrix"]
    assert (matrix["counts"], matrix["positive"]) == (COUNTS, "positive")


@pytest.mark.parametrize("text", SHARED.values(), ids=SHARED)
def test_counts_with_their_shares(text: str) -> None:
    matrix = handle({"verb": "paste", "text": text})["matrix"]
    assert (matrix["counts"], matrix["classes"]) == (COUNTS, ["healthy", "ill"])


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("\ta\tb\na\t42/47 (79%)\t5/47 (11%)\nb\t8/53 (15%)\t45/53 (85%)\n", "not the count over the total"),
        ("\ta\tb\na\t42/0 (79%)\t5/47 (11%)\nb\t8/53 (15%)\t45/53 (85%)\n", "not the count over the total"),
        ("\ta\tb\na\t42/47\t5/47\nb\t8/53\t45/53\n", "not a number"),
        ("\ta\tb\na\t4.5 (90%)\t5 (10%)\nb\t8 (15%)\t45 (85%)\n", "holds '4.5 .90%.', not a number"),
        ("\ta\tb\na\t42 (40 to 44)\t5\nb\t8\t45\n", "not a number"),
        ("tn, fp, fn, tp = 42, 5, 8", "no header that is known"),
        ("tn, fp, fn, fn = 42, 5, 8, 45", "fn"),
        ("{'TP': 45, 'FP': 5, 'FN': 8}", "TP, FP, FN. is no header"),
        ("sensitivity 84%, specificity 90%, n=100", "From a published abstract"),
        ("Sens. 0.84 spec. 0.90", "From a published abstract"),
        ("              precision    recall  f1-score   support\n\n     ill       0.85      0.90      0.87        50\n",
         "Print confusion_matrix"),
    ],
)  # fmt: skip
def test_what_holds_no_counts_is_refused_with_the_way_out(text: str, said: str) -> None:
    with pytest.raises(InvalidFile, match=said):
        handle({"verb": "paste", "text": text})


PIECES = ["{'TP': ", "tn, ", "true positives 4 ", "1 (1%", "precision support ", '{"" ', "sens 1"]


@pytest.mark.parametrize("piece", PIECES)
def test_a_long_text_of_pieces_is_refused(piece: str) -> None:
    with pytest.raises(InvalidFile):
        handle({"verb": "paste", "text": piece * (200_000 // len(piece))})
