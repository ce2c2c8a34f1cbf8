"""Answers of the library as the page has them: plain data, ready for JSON."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from howsure.answers.sheet import Record, Sheet
from howsure.data.confusion import ConfusionMatrix, commonest
from howsure.text import formats

__all__ = ["LONG", "answer_words", "matrix_words", "page", "sheet_words"]

#: Signs of the name of a class where a sentence may go on in the next line.
LONG = 60


def page(made: Record, shown: dict[str, Any], code: Mapping[str, Any], **drawing: Any) -> dict[str, Any]:
    """An answer with what is said of it, what is drawn of it, and the code that gives it again."""
    return {"result": made.to_dict(), "shown": shown, "drawing": drawing, "code": code}


def sheet_words(sheet: Sheet) -> dict[str, Any]:
    """A sheet as plain data: its sentence, its table, and what stands below."""
    return {
        "verdict": sheet.headline,
        "header": list(sheet.header),
        "rows": [list(row) for row in sheet.rows],
        "notes": [*sheet.below, *sheet.small_print],
    }


def answer_words(sheet: Sheet) -> dict[str, Any]:
    """A sheet as the answer of a tab: its notes are apart from what its numbers rest on."""
    said = sheet_words(sheet)
    del said["notes"]
    return {
        **said,
        "about": sheet.about if isinstance(sheet.about, str) else " ".join(sheet.about),
        "left_out": sheet.left_out,
        "warnings": list(sheet.warnings),
        "note": [*sheet.below, *sheet.warnings, *sheet.remarks],
        "footer": " ".join(sheet.small_print),
    }


def matrix_words(confusion: ConfusionMatrix) -> dict[str, Any]:
    """Shares of a matrix as text, and a sentence that says what a row is; of the cases with a truth."""
    if confusion.verdicts is not None:
        confusion = ConfusionMatrix(confusion.counts, confusion.labels)
    shares = confusion.normalised("true").tolist()
    return {
        "row_share": [["" if share != share else f"{100 * share:.0f}%" for share in row] for row in shares],
        "sentence": _sentence(confusion),
    }


def _sentence(confusion: ConfusionMatrix) -> str:
    """What a row and a column are, by an example that the transposed matrix would not give."""
    found = commonest(confusion, 1)
    i, j, count = found[0] if found else (0, 0, int(confusion.correct[0]))
    true, called = (formats.plain(confusion.labels[k], LONG) for k in (i, j))
    verb = "was" if count == 1 else "were"
    if any(name[:1].isdigit() for name in (true, called)):  # "9 true 3 were predicted 2"
        return f"{formats.several(count, 'case')} of class {true} {verb} predicted as class {called}."
    return f"{formats.integer(count)} true {true} {verb} predicted {called}."
