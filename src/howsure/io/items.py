"""From a file to `Items`: scores, numerators and denominators, counts by label, labels in one cell, counts for BLEU.

Tables are taken by the words of their headers. Long scores (``item,model,run,score``) and logs of evaluations are
read as `howsure.io.logs` reads them; what is more than one score of an item is read here.
"""

from __future__ import annotations

import os
import re
from ast import literal_eval
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np

from howsure.data.outcomes import Outcomes
from howsure.data.refusals import of_file, say
from howsure.data.words import (
    ITEM,
    MAYBE_MODEL,
    OUTCOME,
    PARTS,
    RUN,
    VERDICT,
    classifier_of,
    is_missing,
    names_a_case,
    role,
    usual_range,
    word_of,
)
from howsure.errors import HowsureError, InvalidArgument, InvalidFile, listing
from howsure.io.contents import content_of, frame_table, holds, is_frame
from howsure.io.detections import is_ground_truth, read_detections
from howsure.io.formats.json_documents import Document
from howsure.io.logs.log import logs_by_model, logs_of, notes_of
from howsure.io.logs.scored import LogAsk, of_table
from howsure.io.logs.shapes import MEASURED, is_graded, is_number, named_alone, with_header
from howsure.io.opening import PACKED, opened
from howsure.io.roles import roles_of
from howsure.io.table import TextTable
from howsure.knowledge.item_table import Missing
from howsure.knowledge.items import Items
from howsure.knowledge.protocol import Better, Measured
from howsure.text.columns_taken import UNUSED, note_columns
from howsure.text.formats import plain

#: Pairs of columns that are a numerator and its denominator, and the metric that they make.
RATIOS = {
    ("numerator", "denominator"): "ratio", ("num", "den"): "ratio", ("num", "denom"): "ratio",
    ("errors", "words"): "wer", ("word_errors", "words"): "wer", ("errors", "ref_words"): "wer",
    ("errors", "characters"): "cer", ("errors", "chars"): "cer", ("char_errors", "chars"): "cer",
}  # fmt: skip

#: What scorers of speech print of an utterance: words that were right, substituted, deleted and inserted.
_EDITS = ("hits corr correct", "substitutions sub subs", "deletions del dels", "insertions ins")
EDITS = tuple(frozenset(words.split()) for words in _EDITS)

#: Counts by label, and those of BLEU as sacreBLEU has them.
COUNTS = ("tp", "fp", "fn")
BLEU = (*(f"match{n}" for n in range(1, 5)), *(f"total{n}" for n in range(1, 5)), "hyp_len", "ref_len")

#: Words for what was scored: those of cases, and of what has more than right and wrong.
ITEMS = ITEM | {
    f"{word}{end}"
    for word in ("query", "utterance", "utt", "sentence", "segment", "image", "document", "topic")
    for end in ("", "_id")
}
ROLES = {"item": ITEMS, "system": PARTS["model"] | MAYBE_MODEL, "run": RUN, "group": PARTS["group"]}


@dataclass(frozen=True)
class ItemsAsk:
    """What is wanted of a file of items, and what its scores may be."""

    score: str | None = None
    item: str | None = None
    run: str | None = None
    group: str | None = None
    range: Sequence[float] | None = None
    missing: Missing = "error"
    better: Better = "higher"

    @property
    def of_log(self) -> LogAsk:
        """The same as readers of logs have it; gaps stay, so that they are told of once."""
        return LogAsk(self.score, None, None, self.group, self.item, self.run, "wrong", None, self.range, graded=True)


def read_items(
    *data: Any,
    score: str | None = None,
    item: str | None = None,
    run: str | None = None,
    group: str | None = None,
    range: Sequence[float] | None = None,  # noqa: A002  # the word of the field
    missing: Missing = "error",
    better: Better = "higher",
) -> Items:
    r"""Read scores of items, of one system or of several on the same items.

    Parameters
    ----------
    *data : str, path-like, stream or data frame
        One for all systems, or one for each, named for its file: ``item,score`` (with ``model``, ``run``, ``group``),
        ``item,A,B`` (a column of scores a system), ``item,errors,words``, ``item,label,tp,fp,fn``, true and predicted
        labels ``A|B`` in a cell, counts for BLEU, or a log of an evaluation. Or COCO's ground truth, and then a file of
        detections for each system (``map``, ``map50``, ``map75``).
    score, item, run, group : str, optional
        Columns by name; by the words of the header if left out.
    range, missing, better
        As in `howsure.Items.from_columns`.

    Raises
    ------
    InvalidFile
        What is read here is told there, with the file and the line where there is one.

    Examples
    --------
    >>> import io
    >>> made = read_items(io.StringIO("item,model,score\na,new,5\na,old,4\nb,new,3\nb,old,3\n"), range=(1, 5))
    >>> made.names, made.scores("new").tolist()
    (('new', 'old'), [5.0, 3.0])
    >>> read_items(io.StringIO("utterance,errors,words\na,1,7\nb,0,12\n"), item="utterance").metrics[0]
    'wer'
    """
    return items_in(data, ItemsAsk(score, item, run, group, range, missing, better))


def items_in(data: Sequence[Any], ask: ItemsAsk) -> Items:
    """The same of one file, or of one for each system."""
    if not data:
        raise InvalidArgument(say("no_items"))
    if len(data) == 1:
        return _one(data[0], ask)
    if is_ground_truth(data[0]):
        return read_detections(os.fspath(data[0]), [os.fspath(path) for path in data[1:]])
    logs = [logs_of(path, ask.of_log) for path in data]
    return _of_logs(logs_by_model([os.fspath(path) for path in data], logs), ask, plain(str(data[0]), 200))


def looks_like_items(path: str) -> bool:
    """Whether a file on the disk is a table of items with more than right and wrong, by its header and first rows.

    Logs of evaluations are so where a tool has written them, and their scores are more than right and wrong.
    """
    if not os.path.isfile(path) or path.lower().endswith((".eval", *PACKED)):
        return False
    if not _is_table(path) and (_is_graded_log(path) or path.lower().endswith(".json")):
        return _is_graded_log(path)
    return holds(path, is_items)


def is_items(table: TextTable, *, wide: bool = False) -> bool:
    """The same of a table; with ``wide`` a column of numbers for each system is scores as well."""
    table = with_header(table)
    if _shape(table) not in (None, _wide) or (wide and _shape(table) is _wide):
        return True
    words = [word_of(cell) for cell in table.header]
    if table.header == [*MEASURED]:
        return True  # of trec_eval
    sides = any(role(cell) in ("true", "pred") and word_of(cell) not in PARTS["model"] for cell in table.header)
    others = {*PARTS["count"], *VERDICT}
    rows = table.peek(1000)

    def graded(i: int, least: float, *but: float) -> bool:
        cells = [row[i].strip() for row in rows if not is_missing(row[i].strip())]
        return all(map(is_number, cells)) and any(float(cell) > least and float(cell) not in but for cell in cells)

    itemed = any(word in ITEMS for word in words)
    if "value" in words and "name" in words and "trace_id" in words:
        return True  # scores of Langfuse
    tools = [i for i, it in enumerate(table.header) if it.endswith(("/score", "/value")) or it.startswith("scores.")]
    if any(graded(i, 0, 1) for i in tools):
        return True  # of MLflow and Braintrust
    if not itemed or any(word in others for word in words) or {"true", "pred"} <= set(map(role, table.header)):
        return False
    if any(usual_range(cell) is not None and graded(i, 0) for i, cell in enumerate(table.header)):
        return True
    at = [i for i, word in enumerate(words) if word in OUTCOME]
    if sides or len(at) > 1:
        return False
    if at:
        return any(row[at[0]].strip() not in _RIGHT_AND_WRONG for row in rows)
    return any(is_graded(cell) and graded(i, 1) for i, cell in enumerate(table.header))


def _is_graded_log(path: str) -> bool:
    """Whether a document is what an evaluation tool wrote, with scores that are more than right and wrong."""
    with open(path, "rb") as file:
        if not _TOOLS.search(file.read(_HEAD)):
            return False
    try:
        logs = logs_of(path, ItemsAsk().of_log)
    except InvalidFile as error:
        return error.kind == "choose"  # of several scores, which are named then
    except HowsureError:
        return False
    return any(not set(log.scores.tolist()) <= {0.0, 1.0} for log in logs.values())


#: Bytes of a document that show what wrote it.
_HEAD = 2**16

#: What promptfoo, DeepEval, MLflow, OpenAI evals and Inspect write at the beginning of a file.
_TOOLS = re.compile(
    rb'"promptIdx"|"gradingResult"|"namedScores"|"metricsData"|/score"|/value"|"completion_fns"|"eval_name"|"scorers?"\s*:'
)

_RIGHT_AND_WRONG = frozenset(["0", "1", "0.0", "1.0", "true", "false", "True", "False", "C", "I", ""])


def _one(data: Any, ask: ItemsAsk) -> Items:
    if is_frame(data):
        return _of_table(frame_table(data), ask)
    whole = hasattr(data, "read") or data == "-" or _is_table(os.fspath(data))
    try:
        with opened(data) as file:
            content = content_of(file)
            if not isinstance(content, Document) and (whole or _shape(content, ask) not in (None, _wide)):
                return _of_table(content, ask)
    except HowsureError:
        if whole:
            raise
    return _of_logs(logs_of(data, ask.of_log), ask, plain(os.fspath(data), 200))


def _is_table(path: str) -> bool:
    return Path(path).suffix.lower() not in (".json", ".eval", ".jsonl", ".ndjson")


def _of_logs(logs: Mapping[str, Outcomes], ask: ItemsAsk, source: str) -> Items:
    """Rows of all systems; runs where any system answered an item again."""
    several_runs = any(len({*log.items}) < log.n for log in logs.values())
    columns: dict[str, list[Any]] = {"item": [], "score": [], "system": [], "run": [], "group": []}
    for name, log in logs.items():
        columns["item"] += log.items
        columns["score"] += log.scores.tolist()
        columns["system"] += [name] * log.n
        columns["run"] += log.epochs
        columns["group"] += (log.group or log.items) if log.grouped_by else [""] * log.n
    grouped = any(log.grouped_by for log in logs.values())
    name = named_alone(next(iter(logs.values())).metric or "score")
    better, limits, said = _usual(name, columns["score"], ask)
    with of_file(source, InvalidArgument):
        read = Items.from_columns(
            columns["item"], columns["score"], system=columns["system"] if [*logs] != [""] else None,
            run=columns["run"] if several_runs else None, group=columns["group"] if grouped else None,
            range=limits, missing=ask.missing, better=better,
        )  # fmt: skip
    return read.called(name).but(notes=(*notes_of(logs), *said, *read.notes))


def _usual(name: str, scores: Sequence[float], ask: ItemsAsk) -> tuple[Better, Sequence[float] | None, list[str]]:
    """Better direction and range of a score: as stated, else those of a score of this name, which are noted."""
    values = np.array(scores, dtype=float)
    usual = None if np.isnan(values).all() else usual_range(name, float(np.nanmin(values)), float(np.nanmax(values)))
    if usual is None:
        return ask.better, ask.range, []
    better, limits = usual
    said: list[str] = []
    if better == "lower":
        said.append(say("mean_of_rates", name, name))
    elif ask.range is None:
        said.append(f"{name} is taken to lie between 0 and {limits[1]:g}; --range says otherwise.")
    return "lower" if better == "lower" else ask.better, limits if ask.range is None else ask.range, said


def _of_table(table: TextTable, ask: ItemsAsk) -> Items:
    """By the first of the shapes whose columns are there, else as long scores."""
    shape = _shape(table, ask) if ask.score is None else None
    if shape is None:
        _refuse_words(table, ask)
        return _of_logs(of_table(table, ask.of_log), ask, table.source)
    columns = _Columns(table, ask)
    with of_file(table.source, InvalidArgument):
        return shape(columns, ask)


def _refuse_words(table: TextTable, ask: ItemsAsk) -> None:
    """Refuse words for right and wrong beside numbers: who says what "good" is among scores from 1 to 5."""
    scores = [cell for cell in table.header if (word_of(cell) in OUTCOME if ask.score is None else cell == ask.score)]
    for place in map(table.header.index, scores[:1]):
        cells = [row[place].strip() for row in table.peek(10_000)]
        words = [cell for cell in cells if not is_missing(cell) and not is_number(cell.replace(",", "."))]
        if words and any(is_number(cell) and cell not in _RIGHT_AND_WRONG for cell in cells):
            raise table.fault(say("numbers_and_words", table.header[place], words[0]))


def _shape(table: TextTable, ask: ItemsAsk | None = None) -> Callable[[_Columns, ItemsAsk], Items] | None:
    """What reads a table that has more of an item than one score; None of one that has not."""
    words = [word_of(cell) for cell in table.header]
    if any(top in words and bottom in words for top, bottom in RATIOS):
        return _ratios
    if all(part & set(words) for part in EDITS):
        return _edits
    if set(BLEU) <= set(words):
        return _bleu
    if set(COUNTS) <= set(words) and any(word in ITEMS for word in words):
        return _counts
    if between_labels(table) is not None:
        return _labels
    if indicator_columns(table):
        return _marked
    if _systems(table, ask):
        return _wide
    return None


class _Columns:
    """The cells of a table by column, and which of them is the item, the system, the group."""

    def __init__(self, table: TextTable, ask: ItemsAsk) -> None:
        self.header, self.words = table.header, [word_of(cell) for cell in table.header]
        self.rows = [[*map(table.clean, cells)] for _, cells in table.filled()]
        self.table = replace(table, rows=iter(enumerate(self.rows, start=2)))
        named = {"item": ask.item, "run": ask.run, "group": ask.group}
        self.places = roles_of(table, ROLES, {role: table.column(name) for role, name in named.items() if name})

    def texts(self, at: int | str) -> list[str | None]:
        """Cells of a column, None where one is blank or says so."""
        place = self.words.index(at) if isinstance(at, str) else at
        return [None if is_missing(row[place]) else row[place] for row in self.rows]

    def numbers(self, at: int | str) -> np.ndarray[Any, np.dtype[np.float64]]:
        """Cells of a column as numbers; a blank is none, and refused."""
        place = self.words.index(at) if isinstance(at, str) else at
        values = []
        for number, text in enumerate(self.texts(place), start=1):
            try:
                values.append(float(str(text)))
            except ValueError:
                raise self.table.fault(
                    say("not_a", f"{self.header[place]} of row {number}", "a number", text or "")
                ) from None
        return np.array(values)

    def of(self, part: str) -> list[str | None] | None:
        """The column of a part, where there is one."""
        return self.texts(self.places[part]) if part in self.places else None

    @property
    def items(self) -> list[str | None]:
        """The items; the number of the row where no column names them."""
        return self.of("item") or [str(i) for i in range(1, len(self.rows) + 1)]

    def said(self, others: Mapping[int, str]) -> None:
        """Say what the columns were taken for."""
        parts = {**{at: part for part, at in self.places.items()}, **others}
        note_columns(self.table.source, {name: parts.get(i, UNUSED) for i, name in enumerate(self.header)})


def _ratios(columns: _Columns, ask: ItemsAsk) -> Items:
    (top, bottom), metric = next((pair, it) for pair, it in RATIOS.items() if set(pair) <= set(columns.words))
    columns.said({columns.words.index(top): "numerator", columns.words.index(bottom): "denominator"})
    read = Items.from_ratios(
        columns.items, columns.numbers(top), columns.numbers(bottom), system=columns.of("system"),
        group=columns.of("group"), range=ask.range, missing=ask.missing, better=ask.better,
    )  # fmt: skip
    return read.but(first=metric)


def _edits(columns: _Columns, ask: ItemsAsk) -> Items:
    """WER of what was substituted, deleted and inserted, of the words that there are."""
    names = [next(word for word in columns.words if word in part) for part in EDITS]
    columns.said({columns.words.index(name): name for name in names})
    hits, *edits = (columns.numbers(name) for name in names)
    read = Items.from_ratios(
        columns.items, sum(edits), hits + edits[0] + edits[1], system=columns.of("system"), group=columns.of("group"),
        range=ask.range, missing=ask.missing, better=ask.better,
    )  # fmt: skip
    return read.but(first="wer")


def _counts(columns: _Columns, ask: ItemsAsk) -> Items:
    """Long: a row an item (and label, and system) with its true and false positives and false negatives."""
    at = next((i for i, word in enumerate(columns.words) if word in ("label", "class", "type")), None)
    labels = columns.texts(at) if at is not None else ["all"] * len(columns.rows)
    columns.said({columns.words.index(name): name for name in COUNTS} | ({} if at is None else {at: "label"}))
    systems = columns.of("system") or [""] * len(columns.rows)
    items, names = list(dict.fromkeys(map(str, columns.items))), list(dict.fromkeys(map(str, labels)))
    counts = {str(name): tuple(np.zeros((len(items), len(names))) for _ in COUNTS) for name in dict.fromkeys(systems)}
    rows, places = ({name: i for i, name in enumerate(them)} for them in (items, names))
    numbers = [columns.numbers(name) for name in COUNTS]
    for i, (item, label, system) in enumerate(zip(columns.items, labels, systems, strict=True)):
        for part, values in zip(counts[str(system)], numbers, strict=True):
            part[rows[str(item)], places[str(label)]] += values[i]
    return Items.from_counts(items, names, {name: (a, b, c) for name, (a, b, c) in counts.items()})


def _bleu(columns: _Columns, ask: ItemsAsk) -> Items:
    columns.said({columns.words.index(name): name for name in BLEU})
    systems = np.array(columns.of("system") or [""] * len(columns.rows))
    names, item = list(dict.fromkeys(systems.tolist())), np.array(list(map(str, columns.items)))
    items = list(dict.fromkeys(item.tolist()))
    values = {name: columns.numbers(name) for name in BLEU}
    sums: dict[str, list[Any]] = {"matches": [], "totals": [], "length": [], "reference": []}
    for name in names:
        rows = np.flatnonzero(systems == name)
        order = dict(zip(item[rows].tolist(), rows.tolist(), strict=True))
        if set(order) != set(items) or len(rows) > len(order):
            raise columns.table.fault(say("each_once", name or "the system"))
        at = [order[it] for it in items]
        sums["matches"].append(np.column_stack([values[f"match{n}"][at] for n in (1, 2, 3, 4)]))
        sums["totals"].append(np.column_stack([values[f"total{n}"][at] for n in (1, 2, 3, 4)]))
        sums["length"].append(values["hyp_len"][at])
        sums["reference"].append(values["ref_len"][at])
    return Items(
        tuple(items), tuple(names), {name: np.array(rows) for name, rows in sums.items()},
        score=Measured("bleu", "BLEU", "higher", (0.0, 100.0)),
    )  # fmt: skip


def _labels(columns: _Columns, ask: ItemsAsk) -> Items:
    found = label_columns(columns.header)
    assert found is not None
    true, answers = found
    columns.said({true: "true labels", **{at: f"labels of {name}".rstrip(" of") for name, at in answers.items()}})
    between = between_labels(columns.table) or "|"
    sets = {at: [labels_of(cell, between) for cell in columns.texts(at)] for at in (true, *answers.values())}
    labels = sorted({label for cells in sets.values() for cell in cells for label in cell})
    place = {label: i for i, label in enumerate(labels)}

    def marks(at: int) -> Any:
        rows = np.zeros((len(columns.rows), len(labels)))
        for i, cell in enumerate(sets[at]):
            rows[i, [place[label] for label in cell]] = 1
        return rows

    return Items.from_labels(
        marks(true), {name: marks(at) for name, at in answers.items()}, labels, items=list(map(str, columns.items)),
        group=columns.of("group"),
    )  # fmt: skip


def _marked(columns: _Columns, ask: ItemsAsk) -> Items:
    found = indicator_columns(columns.table)
    columns.said({i: f"{side} {label}" for label, sides in found.items() for side, i in sides.items()})
    truth, answers = (
        np.array([
            [(text or "").casefold() in ("1", "1.0", "true") for text in columns.texts(sides[side])]
            for sides in found.values()
        ], dtype=float).T
        for side in ("true", "pred")
    )  # fmt: skip
    return Items.from_labels(truth, answers, [*found], items=list(map(str, columns.items)), group=columns.of("group"))


def _systems(table: TextTable, ask: ItemsAsk | None) -> dict[str, int]:
    words = [word_of(cell) for cell in table.header]
    item = None if ask is None else ask.item
    sides = any(role(title) == "true" for title in table.header)
    if sides or not (item in table.header or any(word in ITEMS for word in words)):
        return {}
    taken = ITEMS | RUN | OUTCOME | {word for part in PARTS.values() for word in part}
    rows = table.peek(1000)
    found = {}
    for i, word in enumerate(words):
        title = table.header[i]
        if word in taken or title == item or not title or names_a_case(title):
            continue
        if usual_range(title) is not None:
            return {}  # metrics of one system
        cells = [row[i].strip() for row in rows if not is_missing(row[i].strip())]
        if cells and all(map(is_number, cells)):
            found[table.header[i]] = i
        else:
            return {}
    graded = any(row[i].strip() not in _RIGHT_AND_WRONG for row in rows for i in found.values())
    return found if len(found) > 1 and graded else {}


def _wide(columns: _Columns, ask: ItemsAsk) -> Items:
    systems = _systems(columns.table, ask)
    columns.said({at: f"scores of {name}" for name, at in systems.items()})
    many = len(columns.rows)
    cells = [text for at in systems.values() for text in columns.texts(at)]
    run, group = columns.of("run"), columns.of("group")
    read = Items.from_columns(
        columns.items * len(systems), cells, system=[name for name in systems for _ in range(many)],
        run=None if run is None else run * len(systems), group=None if group is None else group * len(systems),
        range=ask.range, missing=ask.missing, better=ask.better,
    )  # fmt: skip
    return read.but(notes=(f"Each column of scores is a system: {listing(systems)}.", *read.notes))


# -- several labels of an item -------------------------------------------------------------------------------------

#: Between the labels of one cell.
BETWEEN = "|;"

#: What stands before a label, or behind it, where a column says whether an item has it.
_HAS = re.compile(
    r"(?:y_)?(true|gold|actual|truth|pred|predicted|prediction)[_.](.+)|(.+)[_.](true|gold|actual|pred|predicted)"
)


def label_columns(header: Sequence[str]) -> tuple[int, dict[str, int]] | None:
    """The column of true labels, and those of answers by system."""
    true = [i for i, cell in enumerate(header) if role(cell) == "true"]
    wide = {name: i for i, cell in enumerate(header) if (name := classifier_of(cell)) is not None}
    one = [i for i, cell in enumerate(header) if role(cell) == "pred" and i not in wide.values()]
    answers = wide or ({"": one[0]} if len(one) == 1 else {})
    return (true[0], answers) if len(true) == 1 and answers else None


def labels_of(cell: str | None, between: str) -> set[str]:
    """The labels of a cell."""
    if cell is not None and cell.startswith("["):  # a list as JSON and Python write it
        try:
            return {str(part) for part in literal_eval(cell)}
        except (ValueError, SyntaxError, TypeError):
            pass
    return {part.strip() for part in (cell or "").split(between) if part.strip()}


def between_labels(table: TextTable) -> str | None:
    """What stands between the labels of one cell; None where cells hold one class each.

    A semicolon may be part of a name: between labels these come again in other company.
    """
    found = label_columns(table.header)
    if found is None:
        return None
    at = (found[0], *found[1].values())
    cells = {row[i].strip() for row in table.peek(1000) for i in at}
    if any(BETWEEN[0] in cell for cell in cells) or any(cell[:1] == "[" and cell[-1:] == "]" for cell in cells):
        return BETWEEN[0]
    many = [cell for cell in cells if BETWEEN[1] in cell]
    parts = {part for cell in cells for part in labels_of(cell, BETWEEN[1])}
    return BETWEEN[1] if many and len(parts) <= len(cells) else None


def indicator_columns(table: TextTable) -> dict[str, dict[str, int]]:
    """Columns of 0 and 1 by label: whether an item has it, and whether it was said to; nothing where others are."""
    found: dict[str, dict[str, int]] = {}
    for i, cell in enumerate(table.header):
        if (match := _HAS.fullmatch(cell.strip())) is not None:
            side, label = (match[1], match[2]) if match[1] else (match[4], match[3])
            found.setdefault(label, {})["pred" if side.startswith("pred") else "true"] = i
    complete = len(found) > 1 and all(len(sides) == 2 for sides in found.values())
    at = [i for sides in found.values() for i in sides.values()]
    marks = {row[i].strip().casefold() for row in table.peek(1000) for i in at}
    return found if complete and marks <= {"0", "1", "0.0", "1.0", "true", "false"} else {}
