"""Read what a judge said of the answers of several models, and what people said of some."""

from __future__ import annotations

import os
from collections.abc import Sequence

from howsure.data.judged_answers import JudgedAnswers
from howsure.data.words import PARTS, is_missing, role, word_of
from howsure.errors import HowsureError, InvalidFile, excerpt, listing
from howsure.io.case_rows import fitted_rows
from howsure.io.contents import content_of
from howsure.io.opening import opened
from howsure.io.table import TextTable
from howsure.text.formats import plain

__all__ = ["read_judged"]

#: Words of the columns of a judge's verdict, and of what people say.
VERDICT = frozenset(["verdict", "judge", "judged", "grade", "judgement", "judgment"])
LABEL = frozenset(["label", "human", "human_label", "person"])

EXPECTED = (
    "Answers under a judge are item,model,verdict,label, one row an answer, or "
    "item,verdict_A,label_A,verdict_B,label_B, one row an item; a label may be empty"
)


def read_judged(path: str | os.PathLike[str], *, labels: Sequence[str] | None = None) -> JudgedAnswers:
    r"""Read a table of the answers of several models, with verdicts of one judge and people's labels of some.

    Parameters
    ----------
    path : str or path-like
        CSV, TSV, JSON Lines or Parquet, packed or not, "-" for standard input: columns ``item,model,verdict,label``, or
        ``verdict_NAME`` and ``label_NAME`` of each model. A label may be empty.
    labels : sequence of str, optional
        The two true classes of an answer, as in `JudgedAnswers`.

    Raises
    ------
    InvalidFile
        Another table, or what `JudgedAnswers` refuses.

    Examples
    --------
    >>> import tempfile, pathlib
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     file = pathlib.Path(folder, "judged.csv")
    ...     _ = file.write_text("item,model,verdict,label\n1,A,pass,pass\n1,B,pass,fail\n2,A,fail,\n2,B,fail,\n")
    ...     read_judged(file)
    <JudgedAnswers: models A, B, 2 items, truths fail, pass>
    """
    with opened(path) as file:
        content = content_of(file)
        if not isinstance(content, TextTable):
            raise InvalidFile(file.name, f"it is one JSON document. {EXPECTED}.")
        columns = _columns(content)
        cells: list[list[str | None]] = [[] for _ in content.header]
        for _, row in fitted_rows(content):
            for kept, cell in zip(cells, row, strict=True):
                text = content.clean(cell)
                kept.append(None if is_missing(text) else text)
        notes = tuple(content.notes)
    try:
        if "model" in columns:
            parts = (cells[columns[part]] for part in ("id", "model", "verdict", "label"))
            return JudgedAnswers.from_long(*parts, labels=labels, notes=notes)
        frame = {name: cells[i] for name, i in columns.items() if name != "id"}
        if "id" in columns:
            frame["id"] = cells[columns["id"]]
        return JudgedAnswers.from_wide(frame, id="id" if "id" in columns else None, labels=labels, notes=notes)
    except InvalidFile:
        raise
    except HowsureError as error:
        raise InvalidFile(content.source, plain(str(error), 1000)) from None


def _columns(table: TextTable) -> dict[str, int]:
    """Places of the columns of the long form, or under their own names those of the wide one."""
    words = [word_of(cell) for cell in table.header]
    found: dict[str, int] = {}
    wide = {cell: i for i, cell in enumerate(table.header) if words[i].startswith(("verdict_", "judge_"))}
    human = {cell: i for i, cell in enumerate(table.header) if words[i].startswith(("label_", "human_"))}
    ids = [i for i, word in enumerate(words) if word in PARTS["id"]]
    if len(ids) > 1:
        raise table.fault(f"two columns name the item, {listing(excerpt(table.header[i]) for i in ids)}; keep one")
    if ids:
        found["id"] = ids[0]
    if wide and human:
        return found | wide | human
    sought = {
        "model": [i for i, word in enumerate(words) if word in PARTS["model"]],
        "verdict": [i for i, word in enumerate(words) if word in VERDICT],
        "label": [i for i, word in enumerate(words) if word in LABEL]
        or [i for i, cell in enumerate(table.header) if role(cell) == "true"],
    }
    for part, places in sought.items():
        if len(places) != 1 or "id" not in found:
            shown = listing(excerpt(cell) for cell in table.header)
            what = "item" if "id" not in found else part
            many = "no column" if not places or what == "item" else f"{len(places)} columns"
            raise table.fault(f"{many} for the {what} among {shown}. {EXPECTED}")
        found[part] = places[0]
    return found
