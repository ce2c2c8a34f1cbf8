"""The words of files: which mean truth, which prediction, which that a value is missing; and how a cell is cleaned."""

from __future__ import annotations

import re
from typing import Literal

__all__ = ["COUNT", "MISSING", "Role", "bare", "cleaned", "corner_rows", "guarded", "is_missing", "role", "word_of"]

Role = Literal["true", "pred"]

TRUE = frozenset(
    ["true", "actual", "truth", "target", "reference", "gold", "ground_truth", "label", "disease", "y_true"]
)
PRED = frozenset(["pred", "predicted", "prediction", "estimate", "response", "output", "test", "model", "y_pred"])
COUNT = frozenset(["count", "counts", "n", "cases", "freq", "frequency"])

#: A cell that says no class. The lower-case "none" is not among them: it is the name of a class ("none, mild, severe").
MISSING = frozenset(
    ["", "NaN", "nan", "NAN", "NA", "N/A", "n/a", "#N/A", "<NA>", "NaT", "null", "NULL", "Null", "None"]
)

# "true class", "predicted label": words that do not change which of the two is meant
_FILLER = frozenset(["class", "classes", "label", "labels", "value", "condition", "outcome", "result", "category"])

_FORMULA = re.compile(r"""['"\s]*[=+\-@\t\r\0]""")


def word_of(text: str) -> str:
    """Header cell as one lower-case word: blanks and hyphens become underscores.

    Examples
    --------
    >>> word_of(" Ground Truth ")
    'ground_truth'
    """
    return re.sub(r"[\s\-_]+", "_", text.strip().casefold()).strip("_")


def role(text: str) -> Role | None:
    """Truth or prediction, if the words say so.

    Examples
    --------
    >>> role("Actual class"), role("predicted label"), role("Label"), role("sepal length")
    ('true', 'pred', 'true', None)
    """
    word = word_of(text)
    kept = "_".join(part for part in word.split("_") if part not in _FILLER)
    for candidate in (word, word.removesuffix("s"), kept):
        if candidate in TRUE:
            return "true"
        if candidate in PRED:
            return "pred"
    return None


def corner_rows(text: str) -> Role | None:
    r"""Read what the rows are from the corner cell of a matrix; None if it does not say.

    Examples
    --------
    >>> corner_rows(r"true\pred"), corner_rows("Predicted / Actual"), corner_rows("cases")
    ('true', 'pred', None)
    """
    sides = [role(side) for side in re.split(r"[\\/|]", text)]
    return sides[0] if len(sides) == 2 and set(sides) == {"true", "pred"} else None


def is_missing(label: str) -> bool:
    """Whether a cleaned cell says that there is no answer."""
    return label in MISSING


def bare(text: str) -> str:
    """Strip surrounding blanks off a label."""
    return text.strip()


def cleaned(text: str) -> str:
    """Strip surrounding blanks off a label, and the guard that `guarded` adds.

    Examples
    --------
    >>> cleaned(" ill "), cleaned("'=1+1"), cleaned("'tis")
    ('ill', '=1+1', "'tis")
    """
    text = text.lstrip()
    # before the end is stripped, because a tab there may be what the guard was put for
    return (text[1:] if text.startswith("'") and _FORMULA.match(text, 1) else text).strip()


def guarded(text: str) -> str:
    """Text for a CSV cell that no spreadsheet takes for a formula: a leading ``'`` where it would.

    Examples
    --------
    >>> guarded("=cmd|' /C calc'!A0"), guarded("ill")
    ("'=cmd|' /C calc'!A0", 'ill')
    """
    return "'" + text if _FORMULA.match(text) else text
