"""What the page says: sheets and matrices as plain data, and what metrics are called that can be chosen."""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping, Sequence
from functools import lru_cache
from typing import Any

from howsure.answers.sheet import Record, Sheet
from howsure.data.confusion import ConfusionMatrix, commonest
from howsure.data.labels import positive_by_name
from howsure.errors import HowsureError
from howsure.metrics import REGISTRY, names, parse
from howsure.metrics.measure import spoken_name
from howsure.text import formats

#: Above this many classes the list of metrics has no class-wise names.
MOST_CLASSES_OFFERED = 12

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


# -- Metrics that can be chosen ----------------------------------------------------------------------------------------


@lru_cache(64)
def metrics_of(labels: tuple[str, ...]) -> tuple[str, ...]:
    """Names of metrics that a matrix of these classes can be asked for."""
    found: list[str] = []
    for name in names():
        if REGISTRY[name].per == "table":
            found.append(name)
            continue
        places = list(labels) if len(labels) <= MOST_CLASSES_OFFERED else []
        found += [f"{name}@{place}" for place in (*(["macro"] if len(labels) > 2 else []), *places)]
    return tuple(name for name in found if _is_one(name, labels))


def offered(given: Mapping[str, Any]) -> list[str]:
    """The same for the matrix or the pairs of a request, those of the whole table first."""
    return sorted(metrics_of(tuple(given["classes"])), key=lambda name: "@" in name)


def positive_of(given: Mapping[str, Any]) -> str | None:
    """The positive class of two of the matrix or the pairs of a request: as given, or known by its name.

    Examples
    --------
    >>> positive_of({"classes": ["healthy", "ill"], "positive": None}), positive_of({"classes": ["a", "b"]})
    ('ill', None)
    """
    labels = given.get("classes", ())
    return (given.get("positive") or positive_by_name(tuple(labels))) if len(labels) == 2 else None


def titles(chosen_from: Sequence[str], positive: str | None, shown: Collection[str] = ()) -> dict[str, str]:
    """What metrics are called that can be chosen: by the names that people know, else with class or average in words.

    Of two that are one number by one name (the recall of the positive class, the specificity of the other) only one has
    it, that which is shown, or that of the positive class if there is one.

    Parameters
    ----------
    chosen_from : sequence of str
        Names of metrics.
    positive : str or None
        The positive class of two.
    shown : collection of str, optional
        Those that are shown already.

    Examples
    --------
    >>> titles(["balanced_accuracy", "recall@ill", "specificity@well", "f1_gain@well"], "ill")
    {'balanced_accuracy': 'balanced accuracy', 'recall@ill': 'sensitivity', 'specificity@well': '', \
'f1_gain@well': 'F1 gain of well'}
    >>> titles(["recall@macro", "recall@cat"], None)
    {'recall@macro': 'macro recall', 'recall@cat': 'recall of cat'}
    """
    found, taken = dict.fromkeys(chosen_from, ""), set()
    for name in sorted(found, key=lambda name: (name not in shown, not name.endswith(f"@{positive}"))):
        title = spoken_name(name, positive)
        found[name] = "" if title in taken else title
        taken.add(title)
    return found


def _is_one(name: str, labels: tuple[str, ...]) -> bool:
    try:
        return parse(name, labels).name == name
    except HowsureError:
        return False


# -- Sentences ---------------------------------------------------------------------------------------------------------

#: What a sentence says of the command line and of Python, and how the page has it, which asks instead.
_SPOKEN = tuple(
    (re.compile(pattern), words)
    for pattern, words in (
        (r",? or say --n \d+", ""),
        (
            r"^(an entry|a table)(?: of four cells)? needs the field '(\w+)'$",
            r"\1 has no \2; type it, or remove the line",
        ),
        (r"; or say which columns? (?:they are|it is): [^.;]+", ""),
        (r": --rows true, or --rows pred\b", ""),
        (
            r"--rows true: (.+?)\. --rows pred: (.+?)\. Say which it is\.",
            r"As true classes: \1. As predicted ones: \2.",
        ),
        (r" If no answer is a failure, count it with missing='wrong'; .*", ""),
        (r",? --prior \w+", ""),
        (r"; groups='\w+' \(--groups \w+\)", ""),
        (r" \(Predictions, or files with ids\)", ""),
        (r" \(--[^)]*\)", ""),
        (r"--range, the least and the largest possible score, does", "state the least and the greatest possible score"),
        (r" in --json(?: and --csv)?", " in an export"),
        (r"--json(?: or \.to_dict\(\))? has", "an export has"),
        (r"\. Choose one with --model \S+", ". Choose one"),
        (r" \(?(?:--labels|y_true=|y_pred=|positive=)[^.;)]*\)?", ""),
        (r"\bhowsure (?:\w+, )*\w+(?: and \w+)? (?:reads?|takes?|ranks?)\b", "the command line reads"),
    )
)


def for_page(message: str) -> str:
    """A sentence of the library in the words of the page."""
    for pattern, words in _SPOKEN:
        message = pattern.sub(words, message)
    return message.rstrip(" ;:,")
