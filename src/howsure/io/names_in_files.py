"""Names of classes and classifiers as files have them: looked at, chosen, and said in a sentence."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Sequence

from howsure.data.labels import LONGEST_LABEL
from howsure.data.words import SHEET_ERRORS, Role, bare_name
from howsure.errors import InvalidFile, excerpt, listing
from howsure.io.table import TextTable
from howsure.text.formats import integer, plain

__all__ = [
    "MOST_CLASSES",
    "MOST_CLASSES_LISTED",
    "SEVERAL_CLASSES",
    "called",
    "cell_name",
    "checked_label",
    "chosen_model",
    "multilabel",
    "quoted",
]

#: Classes of a matrix that is written out whole: K x K cells of more would not fit.
MOST_CLASSES = 5_000

#: Classes of a list of cases or counts: more are free text or ids in the wrong column.
MOST_CLASSES_LISTED = 100_000


#: Behind a label that names more than one class.
SEVERAL_CLASSES = (
    "names several classes at once, and a case has one here. Of several labels a case each class is a question of its "
    "own: one file a class, with yes and no. --labels with all names takes combinations as classes"
)


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


def checked_label(source: str | TextTable, label: str, line: int | None) -> str:
    """Give the label back, unless it is too long for one, or an error of a spreadsheet."""
    problem = ""
    if label in SHEET_ERRORS:
        problem = (
            f"{excerpt(label)} is an error of the spreadsheet, and no class; mend the cell there and save it again"
        )
    elif len(label) > LONGEST_LABEL:
        problem = f"a label of {integer(len(label))} characters, {excerpt(label, 30)}; at most {integer(LONGEST_LABEL)}"
        problem += " are read. Is this column free text and not a class?"
    if problem:
        raise InvalidFile(source, problem, line) if isinstance(source, str) else source.fault(problem, line)
    return label


def chosen_model(source: str, models: list[str], model: str | None, what: str) -> str:
    """Choose the one classifier to read, of those in the file: by its name, or by the whole name of its column.

    Raises
    ------
    InvalidFile
        Several and none chosen, or one chosen that is not there.
    """
    if model is not None:
        for name in (model.strip(), bare_name(model.strip())):
            if name in models:
                return name
    if model is not None:
        raise InvalidFile(source, f"no classifier {excerpt(model)} in {what}; there are {quoted(models)}")
    if len(models) > 1:
        problem = f"{what} holds {len(models)} classifiers: {quoted(models)}"
        cases = " If it names the cases, call it id." if what.startswith("column") else ""
        raise InvalidFile(source, f"{problem}. Choose one with --model {plain(models[0], 40)}.{cases}")
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
