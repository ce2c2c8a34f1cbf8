"""From cells by name to a `ConfusionMatrix`: names of classes, totals, which side is truth, and the matrix."""

from __future__ import annotations

import re
import unicodedata
from collections import Counter
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from howsure.data.confusion import ConfusionMatrix
from howsure.data.labels import LONGEST_LABEL
from howsure.data.refusals import of_file, refusal, say
from howsure.data.words import (
    BACKGROUND,
    BESIDE,
    LETTERS,
    NEGATIVE,
    OF_TEST,
    OF_TRUTH,
    POSITIVE,
    SAID_PRED,
    SAID_TRUE,
    SHEET_ERRORS,
    Role,
    bare_name,
    is_total,
)
from howsure.errors import InvalidFile, excerpt, listing
from howsure.io.reading import Reading, Request
from howsure.io.table import TextTable
from howsure.text.formats import plain, several

#: Classes of a matrix that is written out whole: K x K cells of more would not fit.
MOST_CLASSES = 5_000

#: Classes of a list of cases or counts: more are free text or ids in the wrong column.
MOST_CLASSES_LISTED = 100_000


def multilabel(names: Collection[str]) -> str | None:
    """A label that is made of others, or of parts that others have, with a sign between them; None where none is.

    Examples
    --------
    >>> multilabel(["cat", "dog", "cat|dog"]), multilabel(["New York, NY", "Boston, MA"]), multilabel(["a", "b"])
    ('cat|dog', None, None)
    """
    plain_names = set(names)
    for sign in "|;,":
        parts = {name: [part.strip() for part in name.split(sign)] for name in names if sign in name}
        times = Counter(part for them in parts.values() for part in set(them))
        for name, them in parts.items():
            if all(part in plain_names or times[part] > 1 for part in them) and plain_names & set(them):
                return name
    return None


def quoted(names: Iterable[str]) -> str:
    """Names from a file, safe in a sentence."""
    return listing(excerpt(name, 40) for name in names)


def why_no_label(text: str) -> str:
    """Why a text is no label; "" where it is one."""
    if text in SHEET_ERRORS:
        return say("sheet_error", text)
    return say("long_label", len(text), text, LONGEST_LABEL) if len(text) > LONGEST_LABEL else ""


def checked_label(source: str | TextTable, label: str, line: int | None) -> str:
    """Give the label back, unless it is too long for one, or an error of a spreadsheet."""
    if problem := why_no_label(label):
        raise InvalidFile(source, problem, line) if isinstance(source, str) else source.fault(problem, line)
    return label


def as_typed(name: str) -> str:
    """A name as it is typed behind an option: in quotes where a shell would take it apart.

    Examples
    --------
    >>> as_typed("gpt-4"), as_typed("Smith 2010")
    ('gpt-4', "'Smith 2010'")
    """
    shown = plain(name, 40)
    return shown if re.fullmatch(r"[\w@%+=:,./-]+", shown) else f"'{shown}'"


def chosen_model(source: str, models: list[str], model: str | None, what: str) -> str:
    """Choose the one classifier to read, of those in the file: by its name, or by the whole name of its column."""
    if model is not None:
        for name in (model.strip(), bare_name(model.strip())):
            if name in models:
                return name
    if model is not None:
        raise refusal(source, "absent", "classifier", model, models)
    if len(models) > 1:
        cases = ". If it names the cases, call it id" if what.startswith("column") else ""
        raise refusal(source, "choose", f"classifiers in {what}", models, f"--model {as_typed(models[0])}{cases}")
    return models[0]


def cell_name(row: str, column: str, meaning: Role | None) -> str:
    """Name a cell by its classes, as truth and prediction as far as that is known."""
    row, column = excerpt(row), excerpt(column)
    if meaning is None:
        return f"row {row} column {column}"
    return f"true {row} predicted {column}" if meaning == "true" else f"true {column} predicted {row}"


def called(classes: Sequence[str], positive: str | None) -> str:
    """Note how the reader calls the classes, and which is the positive one."""
    names = " and ".join(excerpt(name, 40) for name in classes) if len(classes) == 2 else quoted(classes)
    known = "" if positive is None else f"; {excerpt(positive, 40)} is the positive class"
    return f"The classes are called {names}{known}."


def settled_rows(source: str, said: Role | None, request: Request, *, where: str, meanings: str) -> Role:
    """Settle what the rows are, from what the file says and what the caller says."""
    told = request.rows
    if said is None and told is None and request.grid is None:
        raise refusal(source, "rows_unsaid", where, meanings)
    if said is not None and told is not None and said != told:
        raise refusal(source, "rows_contradicted", where, _KIND[said], told)
    return said or told or "true"


_KIND: dict[Role, str] = {"true": "true classes", "pred": "predicted classes"}


def assembled(
    source: str, counts: NDArray[np.int64], names: Sequence[str], request: Request, *, positive: str | None = None
) -> ConfusionMatrix:
    """Matrix of the counts, its classes in the order of ``names`` or of ``labels=``."""
    true, pred = np.nonzero(counts)
    made = assembled_cells(source, (true, pred, counts[true, pred]), names, request, positive=positive)
    return ConfusionMatrix(made.counts, made.labels, positive=made.positive)  # which remembers that it was entered


def assembled_cells(
    source: str,
    cells: tuple[NDArray[np.int64], NDArray[np.int64], NDArray[np.int64]],
    names: Sequence[str],
    request: Request,
    *,
    positive: str | None = None,
) -> ConfusionMatrix:
    """Matrix of single cells: places of the true and the predicted class among ``names``, and counts.

    See `assembled`.
    """
    true, pred, counts = cells
    if request.labels is not None:
        labels = list(request.labels)
        number = {label: i for i, label in enumerate(labels)}
        odd = [name for name in names if name not in number]
        if odd:
            raise refusal(source, "outside", odd, labels)
        place = np.array([number[name] for name in names], dtype=np.int64)
        true, pred, names = place[true], place[pred], labels
    elif any(name.casefold() == BACKGROUND for name in names):
        at = next(i for i, name in enumerate(names) if name.casefold() == BACKGROUND)
        if not counts[(true == at) & (pred == at)].any():
            raise refusal(source, "background", names[at])
    if len(names) < 2:
        raise refusal(source, "one_class", names)
    if not counts.any():
        raise refusal(source, "all_zero")
    if request.positive is not None:
        positive = request.positive
    with of_file(source):
        return ConfusionMatrix.from_cells(true, pred, counts, labels=names, positive=positive)


def reading_of(
    source: str,
    counts: NDArray[np.int64],
    names: Sequence[str],
    request: Request,
    *,
    said: Role | None,
    where: str,
    layout: tuple[str, str],
    notes: Sequence[str],
    positive: str | None = None,
) -> Reading:
    """The reading of a square of counts, turned to rows = truth, with a note where the file had them the other way."""
    meaning = settled_rows(source, said, request, where=where, meanings=meanings(names, counts))
    if said is None and request.rows is None:  # the rows of the grid are truth, which a text is pasted into
        notes = [*notes, "Rows were taken as the true class; if they are not, transpose."]
    shown = f"{layout[0]}, {layout[1] if said is not None else f'rows {meaning} as chosen'}"
    if meaning == "pred":
        reason = "As chosen" if said is None else where[:1].upper() + where[1:]
        notes = (f"{reason}: rows are predicted classes. The matrix was turned and is shown with rows = truth.", *notes)
        counts = counts.T
    return Reading(assembled(source, counts, names, request, positive=positive), source, shown, tuple(notes))


def meanings(names: Sequence[str], counts: NDArray[np.int64]) -> str:
    """Say what each choice of rows would mean, of one cell off the diagonal."""
    off = counts.copy()
    np.fill_diagonal(off, 0)
    i, j = np.argwhere(off)[0] if off.any() else (0, 1)
    row, column, count = excerpt(names[i], 40), excerpt(names[j], 40), several(int(counts[i, j]), "case")
    return say("either_way", count, row, column, count, row, column)


_SIGN = re.compile(r"(.*?)[\s_:=(]*([+\-\u2212\u2013])(?:ve)?\)?")

#: Longer names are none of these; a pattern need not look at them.
_LONGEST = 100
_PLAIN = frozenset(["positive", "positives", "pos", "negative", "negatives", "neg"])


@dataclass(frozen=True)
class Sides:
    """How the rows and columns of a printed table are meant: what a row is (None where no name says it), its classes.

    Of two classes with a sign the negative one comes first. ``row_order`` and ``column_order`` are the row and the
    column of each class; ``positive`` is the positive one, where the names have signs.
    """

    rows: Role | None
    classes: tuple[str, ...]
    row_order: tuple[int, ...]
    column_order: tuple[int, ...]
    positive: str | None


@dataclass(frozen=True)
class _Name:
    """One name: the side that it says, its sign, what is left of it, and its text without the words of a side."""

    role: Role | None
    sign: bool | None
    rest: frozenset[str]
    plain: bool
    text: str


def sides_of(rows: Sequence[str], columns: Sequence[str], told: Role | None = None) -> Sides | None:
    """Read the sides of a table from its names, totals at their end left aside; None if they say nothing.

    Examples
    --------
    >>> sides_of(["Test+", "Test-"], ["D+", "D-"])
    Sides(rows='pred', classes=('negative', 'positive'), row_order=(1, 0), column_order=(1, 0), positive='positive')
    >>> sides_of(["predicted cat", "predicted dog"], ["actual dog", "actual cat"]).classes
    ('cat', 'dog')
    >>> sides_of(["cat", "dog"], ["cat", "dog"]) is None
    True
    """
    rows, columns = _without_total(rows), _without_total(columns)
    if len(rows) != len(columns) or len(rows) < 2 or set(rows) == set(columns):
        return None
    across, down = [_name(text) for text in rows], [_name(text) for text in columns]
    of_rows, of_columns = _role(across), _role(down)
    if of_rows is not None and of_rows == of_columns:
        return None
    opposite: dict[Role | None, Role | None] = {"true": "pred", "pred": "true", None: None}
    meaning = of_rows or opposite[of_columns]
    if len(rows) == 2:
        first, second = _signs(across), _signs(down)
        if first and second:
            order = (first.index(False), first.index(True)), (second.index(False), second.index(True))
            truth, places = (columns, order[1]) if (meaning or told) == "pred" else (rows, order[0])
            names = [_name(truth[i]) for i in places]
            classes = ("negative", "positive") if all(it.plain for it in names) else tuple(it.text for it in names)
            return Sides(meaning, classes, *order, classes[1])
    named, heads = tuple(it.text for it in across), [it.text for it in down]
    if of_rows is None or of_columns is None or set(named) != set(heads) or len(set(named)) < len(named):
        return None
    return Sides(meaning, named, tuple(range(len(named))), tuple(map(heads.index, named)), None)


def _without_total(names: Sequence[str]) -> list[str]:
    return list(names[:-1] if len(names) > 2 and is_total(names[-1]) else names)


def _name(text: str) -> _Name:
    if len(text) > _LONGEST:
        return _Name(None, None, frozenset([text]), False, text)
    folded = " ".join(unicodedata.normalize("NFKC", text).casefold().split())
    signed = _SIGN.fullmatch(folded)
    if signed:
        folded = f"{signed[1]} {'positive' if signed[2] == '+' else 'negative'}"
    words = re.findall(r"[^\W_]+", folded)
    if signed and len(words) == 2:
        words[0] = LETTERS.get(words[0], words[0])
    found = set(words)
    # "predicted disease" is a prediction, although a disease alone is the truth
    sides = {role for role, said in (("true", SAID_TRUE), ("pred", SAID_PRED)) if found & said}
    sides = sides or {role for role, said in (("true", OF_TRUTH), ("pred", OF_TEST)) if found & said}
    role: Role | None = None if len(sides) != 1 else "true" if "true" in sides else "pred"
    sign = False if found & NEGATIVE else True if found & POSITIVE else None
    explicit = SAID_TRUE | SAID_PRED
    rest = found - explicit - OF_TRUTH - OF_TEST - POSITIVE - NEGATIVE - BESIDE
    plain = bool(found & _PLAIN) and not rest
    return _Name(role, sign, frozenset(rest), plain, _without(text.strip(), explicit))


def _without(text: str, words: frozenset[str]) -> str:
    one = "|".join(sorted(words, key=len, reverse=True))
    bare = re.sub(rf"^(?:{one})(?:\.?\s*[:=_-]\s*|\.?\s+)|\s*\((?:{one})\)$", "", text, flags=re.IGNORECASE)
    return bare.strip() or text


def _role(names: Sequence[_Name]) -> Role | None:
    said = {it.role for it in names if it.role is not None}
    return said.pop() if len(said) == 1 else None


def _signs(names: Sequence[_Name]) -> list[bool] | None:
    """Which of two is positive; None where the names do not say."""
    one, two = (it.sign for it in names)
    if one is two or len({it.rest for it in names}) > 1:
        return None
    # "disease" is the positive of "no disease"
    signs = [two is False if one is None else one, one is False if two is None else two]
    return signs if sorted(signs) == [False, True] else None


Counts = NDArray[np.int64]

#: Sums of int64 wrap silently beyond; no cell that is read is a thousandth of it.
_FAR = 2.0**62


def add_up(counts: Counts) -> bool:
    """Whether the last row and the last column hold the sums of the others, of two classes or more.

    Examples
    --------
    >>> add_up(np.array([[6, 2, 8], [0, 26, 26], [6, 28, 34]])), add_up(np.array([[4, 4], [4, 4]]))
    (True, False)
    """
    # zeros are the sum of zeros, and of two equal classes with nothing else the second is the sum of the first
    return len(counts) > 2 and bool(counts.any()) and not _odd(counts) and not _odd(counts.T)


def classes_of(
    source: str, rows: Sequence[str], columns: Sequence[str], counts: Counts, request: Request
) -> tuple[int, int, list[str]]:
    """How many rows and columns are classes and no totals, with a note on those that are.

    Examples
    --------
    >>> names, counts = ["a", "b", "Total"], np.array([[1, 2, 3], [0, 4, 4], [1, 6, 7]])
    >>> classes_of("x.csv", names, names, counts, Request())
    (2, 2, ["The last row and column ('Total') are totals of the others and were left out."])
    """
    height, width = counts.shape
    kept = request.labels or ()
    if rows[-1] in kept or columns[-1] in kept:
        return height, width, []
    of_rows = len(rows) > 2 and is_total(rows[-1], surely=rows[-1] in columns)
    of_columns = len(columns) > 2 and is_total(columns[-1], surely=columns[-1] in rows)
    if height == width:
        if not (of_rows and of_columns):
            return _unnamed(source, rows, columns, counts, request)
    elif not (of_rows and height == width + 1) and not (of_columns and width == height + 1):
        return height, width, []
    else:
        of_rows, of_columns = height > width, width > height
    height, width = height - of_rows, width - of_columns
    if of_rows:
        refuse_odd(source, "row", rows[-1], columns[:width], counts[:, :width])
    if of_columns:
        refuse_odd(source, "column", columns[-1], rows[:height], counts[:height].T)
    if of_rows and of_columns:
        refuse_odd(source, "row", rows[-1], columns, counts)
    return height, width, [_left_out(rows[-1], columns[-1], of_rows, of_columns)]


def _unnamed(
    source: str, rows: Sequence[str], columns: Sequence[str], counts: Counts, request: Request
) -> tuple[int, int, list[str]]:
    """The last row and column are no known words for sums; what they hold decides."""
    size = len(counts)
    last = columns[-1]
    if size == 2 and is_total(last, surely=True) and counts.any() and not (_odd(counts) or _odd(counts.T)):
        raise refusal(source, "only_totals", last)
    if not add_up(counts):
        return size, size, []
    if last and last in rows and np.count_nonzero(counts[:-1, :-1]) == 1:
        # all cases in one cell, or two classes that are always taken for each other and a third without cases
        raise refusal(source, "totals_or_class", last)
    note = _left_out(rows[-1], last, True, True)
    if last and request.grid is None:
        note += " --labels with all the names keeps them as a class."
    return size - 1, size - 1, [note]


def _odd(counts: Counts) -> bool:
    sums = counts[:-1].sum(axis=0)
    return not np.array_equal(sums, counts[-1]) or bool((counts[:-1].sum(axis=0, dtype=float) > _FAR).any())


def refuse_odd(source: str, what: str, name: str, across: Sequence[str], counts: Counts) -> None:
    """Refuse a last row (or column, turned) that is called the sum of the others and is not."""
    if not _odd(counts):
        return
    sums = counts[:-1].sum(axis=0, dtype=object)
    place = next(i for i, (held, due) in enumerate(zip(counts[-1].tolist(), sums, strict=True)) if held != due)
    raise refusal(source, "not_the_sum", what, name, int(counts[-1, place]), across[place], int(sums[place]))


def _left_out(row: str, column: str, of_rows: bool, of_columns: bool) -> str:
    names = [name for name, there in ((row, of_rows), (column, of_columns)) if there and name]
    called = f" ({' and '.join(map(excerpt, dict.fromkeys(names)))})" if names else ""
    if of_rows and of_columns:
        return f"The last row and column{called} are totals of the others and were left out."
    return f"The last {'row' if of_rows else 'column'}{called} is the total of the others and was left out."
