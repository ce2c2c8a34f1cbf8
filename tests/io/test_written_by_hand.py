"""Matrices as people write them: a dict, an assignment, words, counts with their percentages; and mere rates."""

from __future__ import annotations

import pytest

from howsure.errors import InvalidFile
from howsure.web import handle


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("\ta\tb\na\t42/47 (79%)\t5/47 (11%)\nb\t8/53 (15%)\t45/53 (85%)\n", "not the count over the total"),
        ("\ta\tb\na\t42/0 (79%)\t5/47 (11%)\nb\t8/53 (15%)\t45/53 (85%)\n", "not the count over the total"),
        ("\ta\tb\na\t4.5 (90%)\t5 (10%)\nb\t8 (15%)\t45 (85%)\n", "holds '4.5 .90%.', not a number"),
        ("\ta\tb\na\t42 (40 to 44)\t5\nb\t8\t45\n", "column 'a' holds '42 .40 to 44.', not"),
        ("tn, fp, fn, tp = 42, 5, 8", "unrecognized header"),
        ("tn, fp, fn, fn = 42, 5, 8, 45", "fn"),
        ("{'TP': 45, 'FP': 5, 'FN': 8}", "'TN' is missing"),
        ("sensitivity 84%, specificity 90%, n=100", "From a published abstract"),
        ("Sens. 0.84 spec. 0.90", "From a published abstract"),
    ],
)
def test_what_holds_no_counts_is_refused_with_the_way_out(text: str, said: str) -> None:
    with pytest.raises(InvalidFile, match=said):
        handle({"verb": "paste", "text": text})


PIECES = ["{'TP': ", "tn, ", "true positives 4 ", "1 (1%", "precision support ", '{"" ', "sens 1"]


@pytest.mark.full
@pytest.mark.parametrize("piece", PIECES)
def test_a_long_text_of_pieces_is_refused(piece: str) -> None:
    with pytest.raises(InvalidFile):
        handle({"verb": "paste", "text": piece * (200_000 // len(piece))})
