"""From a table of answers to `Outcomes` by model: which column is the score, the item, the run, the model."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

from howsure.data.outcomes import Outcomes
from howsure.data.refusals import of_file, say
from howsure.data.repeats import Absent
from howsure.data.words import (
    ITEM,
    MARKS,
    MODEL,
    OF_A_KEY,
    OUTCOME,
    PARTS,
    RESERVED,
    RIGHT,
    RUN,
    UNITS,
    is_missing,
    is_summary,
    role,
    word_of,
)
from howsure.errors import InvalidArgument, excerpt, listing
from howsure.io.logs.shapes import LogAnswers, LogRow, is_graded, is_scored, named_alone, tries_apart, with_header
from howsure.io.roles import repeated_units
from howsure.io.table import TextTable
from howsure.text.columns_taken import UNUSED, note_columns
from howsure.text.formats import integer, plain, several

#: Parts of the names of columns that are never right or wrong, whatever stands in them.
_NO_MARKS = frozenset(["reference", "expected", "output", "outputs", "input", "inputs", "target", "status", "error"])
#: Of tables with a row a score, columns that name the scorer, and of its value.
_VALUES = ("value", "numeric_value")
_SCORERS = ("name", "metric", "metric_name", "score_name", "scorer", "evaluator", "key", "criterion")
#: Names of a row rather than of what was asked: an item only where nothing else names one.
_OF_ROWS = frozenset(["id", "uuid", "uid", "hash", "event_id", "case", "case_id"])
#: Texts that tell items apart where no column names them.
_TEXTS = ("name", "title", "question", "prompt", "input", "inputs", "user_input", "instruction", "query", "text")
#: What a column of one run of all items is called.
_RUN = re.compile(r"(run|epoch|attempt|trial|try|seed|sample|rep|repeat|repetition|r|k)?_?\d+")
#: How promptfoo begins an answer in a table.
_VERDICT = re.compile(r"\[(PASS|FAIL|ERROR)\](\s|$)")
#: The role of a column that names each item once more.
SAME = "as the item"
#: What an answer scores that a scorer calls "P", partly right.
_PARTLY = 0.5


@dataclass(frozen=True)
class LogAsk:
    """What is wanted of a file that holds several answers, and what scores are possible."""

    field: str | None = None
    filter: str | None = None
    threshold: float | None = None
    group: str | None = None
    item: str | None = None
    run: str | None = None
    missing: Absent = "exclude"
    outcomes: Sequence[float] | None = None
    range: Sequence[float] | None = None
    #: Whether scores are wanted rather than what is right or wrong.
    graded: bool = False
    #: What the column of scores is called among the options.
    column: str = "--field"

    def option(self, other: str = "") -> str:
        """The option that names a score on the command line."""
        return "--score" if self.graded else other or self.column


class NoMark(Exception):
    """Half a sentence on a value that is no score; never leaves this package."""


def mark(value: Any, threshold: float | None = None) -> float | None:
    """Score of an answer: 1 for right, 0 for wrong, or another number; None where nothing was scored.

    Examples
    --------
    >>> mark("C"), mark(0), mark(None), mark(0.7, threshold=0.5), mark("0,25")
    (1.0, 0.0, None, 1.0, 0.25)
    """
    if isinstance(value, str):
        text = value.strip()
        if verdict := _VERDICT.match(text):
            return None if verdict[1] == "ERROR" else float(verdict[1] == "PASS")
        if is_missing(text):
            return None
        word = MARKS.get(text.lower())
        if word is not None and (threshold is None or not text.isdigit()):
            return float(word == RIGHT)
        try:
            value = _PARTLY if text == "P" else float(text.replace(",", "."))
        except ValueError:
            value = text
    if value is None or value != value:
        return None
    if not isinstance(value, bool | int | float) or value in (float("inf"), float("-inf")):
        raise NoMark(say("no_mark", value))
    return float(value) if threshold is None or isinstance(value, bool) else float(value >= threshold)


def _score(value: Any, threshold: float | None = None) -> float | None:
    """The same; None of what is no score."""
    try:
        return mark(value, threshold)
    except NoMark:
        return None


def of_table(table: TextTable, ask: LogAsk) -> dict[str, Outcomes]:
    """Scores by model of a table of text; a row an answer, or a row an item and a column a model or a run."""
    table = with_header(table)
    table = table if ask.graded or ask.field is not None else tries_apart(table)
    header, words = table.header, [word_of(cell) for cell in table.header]
    rows = []
    for line, cells in table.filled():
        texts = map(table.clean, cells)
        values = {title: None if is_missing(text) else text for title, text in zip(header, texts, strict=True)}
        rows.append(LogRow(line, table.place(line), values))
    answers = LogAnswers(table.source, rows, list(table.notes), fault=table.fault)
    scorer = _scorer(rows, header)
    columns = (None if scorer is not None or ask.graded else ask.field, ask.item, ask.run)
    named = [title for title in columns if title is not None and title not in header]
    if named:
        raise table.fault(say("absent", "column", named[0], header))
    counted = [i for i, word in enumerate(words) if word in PARTS["weight"] | PARTS["count"] and header[i] != ask.field]
    if counted and any(row.cells[header[counted[0]]] not in ("1", "1.0", None) for row in rows):
        raise table.fault(say("weighted", header[counted[0]], "not 1"))
    sides = [[title for title in header if role(title) == side] for side in ("true", "pred")]
    has_run = ask.run is not None or any(word in RUN for word in words)
    marked = ask.field is not None or any(map(is_graded if ask.graded else is_scored, header)) or scorer is not None
    sure = [] if marked or not sides[0] else _surely_marked(rows, header)
    if sure and (item := _item(answers, ask, sure)) is not None:
        kept = [it for it in header if it in (item, ask.group, ask.run, *sure)]
        rows[:] = [row._replace(cells={key: row.cells[key] for key in kept}) for row in rows]
        if len(sure) == 1:
            return outcomes_by_model(answers, replace(ask, field=sure[0]))
        return _of_columns(answers, item, ask)
    if not marked and sides[0]:
        if not (has_run and len(sides[0]) == len(sides[1]) == 1):
            raise table.fault(say("marks_of_table", header, ask.option()))
        true, pred = sides[0][0], sides[1][0]
        for at, row in enumerate(rows):
            both = [row.cells[true], row.cells[pred]]
            rows[at] = row._replace(cells={**row.cells, "correct": None if None in both else both[0] == both[1]})
        return outcomes_by_model(answers, replace(ask, field="correct"))
    item = _item(answers, ask, []) if rows else next((it for it in header if word_of(it) in ITEM), None)
    if item is None:
        raise table.fault(say("marks_of_table", header, ask.option()))
    if not rows:
        raise table.fault(say("no_rows", "row"))
    if marked or any(word in MODEL for word in words):
        return outcomes_by_model(answers, ask if marked else replace(ask, field=_marks(answers, item, ask)[0]))
    return _of_columns(answers, item, ask)


def _surely_marked(rows: Sequence[LogRow], header: Sequence[str]) -> list[str]:
    """Columns of verdicts beside a truth: cells that begin with [PASS] or [FAIL], or scores as Inspect calls them."""
    values = {title: [str(it) for row in rows if (it := row.cells[title]) is not None] for title in header}
    written = [title for title, them in values.items() if them and all(map(_VERDICT.match, them))]
    scorers = [it for it in header if word_of(it).startswith("score_") and _all_marks(rows, it)]
    return written or scorers[:1] if len(scorers) < 2 else []


def _marks(answers: LogAnswers, item: str, ask: LogAsk) -> list[str]:
    found = []
    header = [*answers.rows[0].cells]
    for title in header:
        values = [value for row in answers.rows if (value := row.cells.get(title)) is not None]
        if title in (item, ask.group) or word_of(title) in RESERVED | UNITS or not values:
            continue
        if _NO_MARKS.intersection(re.split(r"[._]", word_of(title))):
            continue
        if 2 * sum(_score(it) in (0.0, 1.0) for it in values) > len(values):
            found.append(title)
    found = found or [it for it in header if word_of(it) == "status" and _all_marks(answers.rows, it)]
    if not found:
        raise answers.refusal(say("marks_of_table", header, ask.option()))
    return found


def _of_columns(answers: LogAnswers, item: str, ask: LogAsk) -> dict[str, Outcomes]:
    """A row an item: its columns are runs by their names (1, 2 or run_1, run_2), else models."""
    header = [*answers.rows[0].cells]
    runs = [title for title in header if title != item and _RUN.fullmatch(word_of(title))]
    marks = runs if len(runs) > 1 else _marks(answers, item, ask)
    field = marks[0] if len(marks) == 1 else "run" if runs == marks else "right or wrong"
    note_columns(answers.name, {it: "item" if it == item else field if it in marks else UNUSED for it in header})
    what = "run of the items" if runs == marks else "model"
    notes = [f"Each column of right and wrong is a {what}: {listing(map(excerpt, marks))}."] if len(marks) > 1 else []
    many = runs != marks and len(marks) > 1
    rows = [
        row._replace(
            cells={**row.cells, field: row.cells[title]}, item=row.cells[item],
            run=title if runs == marks else "1", model=title if many else "",
        )
        for row in answers.rows
        for title in marks
        # a blank is a run that was not made
        if runs != marks or row.cells[title] is not None or ask.missing in ("wrong", "class")
    ]  # fmt: skip
    long = replace(answers, rows=rows, notes=[*answers.notes, *notes], itemed=True, marks=(field,))
    return outcomes_by_model(long, replace(ask, item=None, run=None))


def outcomes_by_model(answers: LogAnswers, ask: LogAsk) -> dict[str, Outcomes]:
    """Scores by model, "" where the rows name none, of rows that hold an answer each."""
    if not answers.rows:
        raise answers.refusal(say("no_rows", "answer"))
    if answers.rows[0].filter is None and (by := _scorer(answers.rows, [*answers.rows[0].cells])) is not None:
        rows = [row._replace(filter=str(row.cells.get(by))) for row in answers.rows]
        value = next(key for key in answers.rows[0].cells if word_of(key) in _VALUES)
        if any(row.filter == ask.field for row in rows):  # a score by its name
            rows = [row._replace(cells={**row.cells, str(ask.field): row.cells.get(value)}) for row in rows]
            ask = replace(ask, filter=ask.field)
        answers, ask = replace(answers, rows=rows), replace(ask, field=ask.field or value)
    if answers.itemed and (ask.item is not None or ask.run is not None):
        raise answers.refusal(say("not_both", "--item or --repeat", "a log"))
    answers = _of_filter(answers, ask)
    fields = list(dict.fromkeys(key for row in answers.rows for key in row.cells))
    field = _field(answers, fields, ask)
    if not answers.itemed:
        answers = _with_items(answers, fields, field, ask)
    elif str(answers.rows[0].item).startswith(("input ", "query ", "doc_id ")):
        answers.notes.append("The items have no name of their own and are known by their text or number.")
    parts: dict[str, list[tuple[LogRow, str]]] = {}
    for row in answers.rows:
        if row.item in (None, ""):
            raise answers.refusal(say("lacking", "the item of a row"), row.line)
        if is_summary(str(row.item)):
            raise answers.refusal(say("totals_row", "item", row.item), row.line)
        group = "" if ask.group is None else _group(answers, row, ask.group, str(row.item))
        parts.setdefault(plain(row.model, 80), []).append((row, group))
    return {model: _outcomes(answers, part, ask, field) for model, part in parts.items()}


def _with_items(answers: LogAnswers, fields: Sequence[str], field: str, ask: LogAsk) -> LogAnswers:
    """The rows that are answers, with the item, the run and the model of each."""
    notes = list(answers.notes)
    for key in fields:
        if word_of(key) in PARTS["weight"] and any(
            it.cells.get(key) not in (1, "1", "1.0", None) for it in answers.rows
        ):
            raise answers.refusal(say("weighted", key, "not 1"))
    there = [row for row in answers.rows if field in row.cells]
    if len(there) < len(answers.rows):
        gone = len(answers.rows) - len(there)
        notes.append(f"Not answers: {integer(gone)} of {integer(len(answers.rows))} rows have no {field!r}.")
    kept = replace(answers, rows=there)
    models = _models(fields, there, field)
    item = _item(kept, ask, [field, *models])
    if item is None:
        notes.append("No column names the items, so each row is one of its own, and can be paired with no other.")
    elif word_of(item.rsplit(".", 1)[-1]) not in ITEM:
        notes.append(f"Items are known by {excerpt(item, 40)}; --item names another column.")
    run = _run(kept, fields, ask, [field, item, *models])
    notes += _columns(kept, fields, item, {item: "item", run: "run", ask.group: "group", field: "right or wrong",
                                           **dict.fromkeys(models, "model")}, ask)  # fmt: skip
    rows = []
    for row in there:
        names = [row.cells.get(key) for key in models]
        if any(name in (None, "") for name in names):
            raise answers.refusal(say("lacking", "the model of a row"), row.line)
        called = f"{answers.name}, {row.where}" if item is None else row.cells.get(item)
        which = None if run is None else str(row.cells.get(run))
        rows.append(row._replace(item=called, run=which, model=", ".join(map(str, names))))
    if run is None and item is not None and len({(str(row.item), row.model) for row in rows}) < len(rows):
        _refuse_parts(answers, rows, [key for key in fields if key not in (item, field, ask.group, *models)])
        notes.append("No column says which run a row is; the rows of an item are its runs in their order.")
    return replace(kept, rows=rows, notes=notes, itemed=True)


def _refuse_parts(answers: LogAnswers, rows: Sequence[LogRow], keys: Sequence[str]) -> None:
    """Refuse rows of an item that a column of a few values tells apart: a language, a prompt, a judge are no runs."""
    times = Counter((str(row.item), row.model) for row in rows)
    for key in keys:
        values = [row.cells.get(key) for row in rows]
        if word_of(key) == "turn" or any(isinstance(value, list | dict | float | None) for value in values):
            continue  # of the turns of a conversation the mean is what is reported
        whole = Counter((str(row.item), row.model, str(value)) for row, value in zip(rows, values, strict=True))
        if max(whole.values()) == 1 and len(set(map(str, values))) == max(times.values()):
            raise answers.refusal(say("parts_of_items", key, list(dict.fromkeys(map(str, values))), f"--repeat {key}"))


def _scorer(rows: Sequence[LogRow], header: Sequence[str]) -> str | None:
    """The column that names the scorer, of a table with a row a score: a few names that come again beside a value."""
    if not any(word_of(key) in _VALUES for key in header):
        return None
    for key in header:
        names = {row.cells.get(key) for row in rows if not isinstance(row.cells.get(key), list | dict)}
        if word_of(key) in _SCORERS and len(names) > 1 and 2 * len(names) <= len(rows):
            return key
    return None


def _of_filter(answers: LogAnswers, ask: LogAsk) -> LogAnswers:
    """The rows of one filter of lm-evaluation-harness, or of one scorer."""
    filters = [it for it in dict.fromkeys(row.filter for row in answers.rows) if it is not None]
    if not filters:
        if ask.filter is not None:
            raise answers.refusal(say("nothing_to_choose", "filter (of lm-evaluation-harness)", ask.filter))
        return answers
    if ask.filter is not None and ask.filter not in filters:
        raise answers.refusal(say("absent", "filter", ask.filter, filters))
    if ask.filter is None and len(filters) > 1:
        choice = f"{ask.option('--filter')} {plain(filters[0], 40)}"
        raise answers.refusal(say("choose", "scores of each item", filters, choice))
    return replace(answers, rows=[row for row in answers.rows if row.filter == (ask.filter or filters[0])])


def _field(answers: LogAnswers, fields: Sequence[str], ask: LogAsk) -> str:
    """The column of scores: as named, else as the tool says, else by its word, the outermost of several."""
    rows, named = answers.rows, ask.field
    if named is not None:
        there = fields if answers.marks is None else answers.marks
        if ask.graded and named not in there:
            named = _by_its_name(there, rows, named)
        if named not in there:
            what = "field" if answers.marks is None else "metric"
            line = rows[0].line if answers.marks is None else None
            raise answers.refusal(say("absent", what, named, there), line)
        return named
    if answers.marks is not None:
        if not answers.marks:
            raise answers.refusal(say("none_scored", len(rows)))
        if len(answers.marks) > 1:
            choice = f"{ask.option('--metric')} {plain(answers.marks[0], 40)}"
            raise answers.refusal(say("choose", "scores of each answer", answers.marks, choice))
        return answers.marks[0]
    by_name = [key for key in fields if (is_graded if ask.graded else is_scored)(key)]
    if ask.graded:
        by_name = _numbers_of(by_name, rows) or _numbers_of([key for key in fields if "." in key], rows) or by_name
    found = {key: values for key in by_name if (values := _read(rows, key, ask.threshold)) is not None}
    depth = min((key.count(".") for key in found), default=0)
    outer = [key for key in found if key.count(".") == depth]
    if ask.graded and outer:
        _refuse_other_readings(answers, fields, outer)
    if not outer and len(by_name) == 1 and not isinstance(rows[0].cells.get(by_name[0]), list | dict):
        return by_name[0]
    if not outer:
        one = [key for key in fields if _all_marks(rows, key)]
        hint = f" ({listing(map(excerpt, one), 6)} may be it)" if one else ""
        raise answers.refusal(say("no_column", f"what is right{hint}", fields, f"Name it with {ask.option()}"))
    if any(found[key] != found[outer[0]] for key in outer):
        there = [named_alone(key) for key in outer] if ask.graded else outer
        raise answers.refusal(say("choose", "scores of each answer", there, ask.option()))
    return next((key for key in outer if all(isinstance(row.cells.get(key), bool) for row in rows)), outer[0])


def _refuse_other_readings(answers: LogAnswers, fields: Sequence[str], scores: Sequence[str]) -> None:
    """Ask where a tool has written scores beside right and wrong, or beside true and predicted classes."""
    if not all(set("./") & set(key) for key in scores):
        return
    marks = [key for key in fields if word_of(key) in OUTCOME and _all_marks(answers.rows, key)]
    if marks:
        there = [*map(named_alone, scores), *marks]
        raise answers.refusal(say("choose", "scores of each answer", there, "--score"))
    sides = [[key for key in fields if role(key) == side] for side in ("true", "pred")]
    if any(len(side) != 1 for side in sides):
        return
    true, called = ({str(row.cells.get(key)) for row in answers.rows} for (key,) in sides)
    if len(true) > 1 and true & called and 2 * len(true | called) <= len(answers.rows):
        title = plain(named_alone(scores[0]), 40)
        raise answers.refusal(say("two_readings", *sides, title, *(plain(key, 40) for (key,) in sides), title))


def _by_its_name(fields: Sequence[str], rows: Sequence[LogRow], name: str) -> str:
    """The outermost column of a score that is called so, without the objects that it is in; else the name."""
    found = _numbers_of([key for key in fields if named_alone(key) == name], rows)
    return min(found, key=lambda key: key.count("."), default=name)


def _numbers_of(fields: Sequence[str], rows: Sequence[LogRow]) -> list[str]:
    """Columns of numbers that are not just true and false; of texts those that are numbers."""
    values = {key: [it for row in rows if not isinstance(it := row.cells.get(key), bool)] for key in fields}
    return [key for key in fields if any(_score(it) is not None for it in values[key])]


def _read(rows: Sequence[LogRow], key: str, threshold: float | None) -> list[float | None] | None:
    """Scores of a column; None where a list or an object stands in it."""
    values = [row.cells.get(key) for row in rows]
    scores = [_score(it, threshold) for it in values]
    nested = any(isinstance(it, list | dict) for it in values)
    return None if nested or all(score is None for score in scores) else scores


def _all_marks(rows: Sequence[LogRow], key: str) -> bool:
    """Whether every value of a column says right or wrong, and both come."""
    values = {it for row in rows if not isinstance(it := row.cells.get(key), list | dict)}
    return 1 < len(values) <= 3 and all(_score(it) in (0.0, 1.0) for it in values)


def _models(fields: Sequence[str], rows: Sequence[LogRow], field: str) -> list[str]:
    found: dict[str, str] = {}
    for key in fields:
        first, _, rest = key.partition(".")
        if (
            key != field
            and word_of(first) in MODEL | {"classifier", "generator", "system"}
            and rest in ("", "id", "name")
        ):
            found.setdefault(first, key)
    prompts = [key for key in fields if word_of(key) in ("promptidx", "prompt_idx")]

    def names(*keys: str) -> int:
        return len({tuple(str(row.cells.get(key)) for key in keys) for row in rows})

    if names(*found.values()) == names(*found.values(), *prompts):  # each model had one prompt
        prompts = []
    differ = [key for key in (*found.values(), *prompts) if names(key) > 1]
    return differ or [key for key in found.values() if "." not in key and word_of(key) in ("model", "classifier")]


def _item(answers: LogAnswers, ask: LogAsk, taken: Sequence[str]) -> str | None:
    """The column that names what was asked: by its word, else by its values; None where nothing does."""
    rows = answers.rows
    fields = list(dict.fromkeys(key for row in rows for key in row.cells))
    if ask.item is not None:
        if ask.item not in fields:
            raise answers.refusal(say("absent", "column", ask.item, fields))
        return ask.item
    values = {key: [row.cells.get(key) for row in rows] for key in fields
              if key not in (*taken, ask.group, ask.field, ask.run)}  # fmt: skip
    many = len(rows) > 1
    varied = {
        key: them
        for key, them in values.items()
        if all(isinstance(it, str | int) and not isinstance(it, bool) for it in them if it is not None)
        and (len(set(them)) > 1 or not many)
    }
    if "root_span_id" in fields:  # of Braintrust, whose ids are those of one experiment
        asked = [key for key in ("dataset_record_id", "input") if any(values.get(key, ()))]
        if asked:
            return asked[0]
    runs = [it for it in varied if word_of(it) in RUN]
    ranks: dict[str, tuple[bool, int, int]] = {}
    for place, key in enumerate(fields):
        word = word_of(key.rsplit(".", 1)[-1])
        named = word in ITEM or word.endswith(OF_A_KEY) or key in ("item", "task", "question")
        if key in varied and named and word not in RUN and word not in UNITS and word not in ("promptidx", "run_id"):
            # where runs are told apart, what comes once a row names the row
            once = bool(runs) and len(set(varied[key])) == len(rows)
            ranks[key] = (once, 2 if word in _OF_ROWS else 0 if word in ITEM else 1, place)
    if ranks:
        return min(ranks, key=ranks.__getitem__)
    if (named_only := next((key for key in fields if word_of(key) in ITEM and key in values), None)) is not None:
        return named_only
    unique = [key for key, them in varied.items() if len(set(them)) == len(rows) and many and role(key) is None
              and word_of(key) not in RUN | MODEL]  # fmt: skip
    texts = sorted((_TEXTS.index(word), key) for key in unique if (word := word_of(key)) in _TEXTS)
    return texts[0][1] if texts else unique[0] if len(unique) == 1 else None


def _run(answers: LogAnswers, fields: Sequence[str], ask: LogAsk, taken: Sequence[str | None]) -> str | None:
    if ask.run is not None:
        if ask.run not in fields:
            raise answers.refusal(say("absent", "column", ask.run, fields))
        return ask.run
    found = [it for it in fields if word_of(it) in RUN and it not in taken and it != ask.group]
    differ = [it for it in found if len({str(row.cells.get(it)) for row in answers.rows}) > 1] or found[:1]
    if len(differ) > 1:
        raise answers.refusal(say("choose", "columns that may be the run", differ, "--repeat"))
    return differ[0] if differ else None


def _columns(
    answers: LogAnswers, fields: Sequence[str], item: str | None, taken: dict[str | None, str], ask: LogAsk
) -> list[str]:
    """Say what each column was taken for, and of those that nothing uses that their values come again."""
    rows = answers.rows
    single = [key for key in fields if not isinstance(rows[0].cells.get(key), list | dict)]
    # what comes again with its item, in its runs or once a model, is no group of its own
    firsts = rows if item is None else list({row.cells.get(item): row for row in reversed(rows)}.values())
    first = {row.cells.get(item): row for row in firsts} if item is not None else {}
    free = [(i, key) for i, key in enumerate(single) if key not in taken]
    of_item = [
        i for i, key in free
        if item is None or all(row.cells.get(key) == first[row.cells.get(item)].cells.get(key) for row in rows)
    ]  # fmt: skip
    units: list[str] = []
    for shown, places in ((firsts, of_item), (rows, [i for i, _ in free if i not in of_item])):
        cells = ((i, [str(row.cells.get(key, "")) for key in single]) for i, row in enumerate(shown, start=1))
        units += repeated_units(TextTable(answers.name, single, 1, cells), places, kept=ask.group is not None)
    roles = {key: taken.get(key, UNUSED) for key in single}
    if len(firsts) < len(rows):
        roles |= {single[i]: SAME for i in of_item if len({row.cells.get(single[i]) for row in firsts}) == len(firsts)}
    note_columns(answers.name, roles, units, answered=True)
    return units if len(rows) > 1 else []


def _group(answers: LogAnswers, row: LogRow, field: str, item: str) -> str:
    value = row.cells.get(field)
    if isinstance(value, str | int | float | bool) and value == value and str(value).strip():
        return str(value)
    marks = answers.marks or ()
    known = [key for key, it in row.cells.items() if isinstance(it, str | int | float | bool) and key not in marks]
    raise answers.refusal(say("no_group", item, row.where, field, known), row.line)


def _outcomes(answers: LogAnswers, part: Sequence[tuple[LogRow, str]], ask: LogAsk, field: str) -> Outcomes:
    notes, seen, times = list(answers.notes), dict[tuple[str, str], LogRow](), Counter[str]()
    kept, unscored = list[tuple[Any, ...]](), list[tuple[Any, ...]]()
    for row, group in part:
        item = str(row.item)
        times[item] += 1
        epoch = str(times[item]) if row.run is None else row.run
        before = seen.setdefault((item, epoch), row)
        if before is not row:
            where = f"in run {excerpt(epoch, 20)} ({before.where} and {row.where})"
            raise answers.refusal(say("twice_in", "the item", item, where), row.line)
        try:
            score = mark(row.cells.get(field), ask.threshold)
        except NoMark as reason:
            raise answers.refusal(f"{excerpt(field)} of {excerpt(item, 40)} ({row.where}) {reason}", row.line) from None
        (unscored if score is None else kept).append((item, epoch, score, group))
    if unscored and ask.missing == "error":
        first = unscored[0]
        raise answers.refusal(say("unscored", several(len(unscored), "run"), first[0], first[1]))
    failed = [it for it in kept if it[2] == -1]
    others = [it[2] for it in kept if it[2] != -1]
    if failed and ask.range is ask.outcomes is None and others and min(others) >= 0:
        raise answers.refusal(say("minus_one", field, len(failed)))
    if not kept:
        raise answers.refusal(say("none_scored", len(part)))
    if unscored and ask.missing == "exclude":
        notes.append(f"Set aside: {integer(len(unscored))} of {several(len(part), 'answer')} that were not scored.")
    notes += _absent(seen)
    if ask.missing in ("wrong", "class"):
        kept += unscored
    with of_file(answers.name, InvalidArgument):
        return Outcomes(
            [it[0] for it in kept], [it[2] for it in kept], epochs=[it[1] for it in kept],
            group=[it[3] for it in kept] if ask.group is not None else None, grouped_by=ask.group or "",
            source=answers.name, metric=field, notes=notes, outcomes=ask.outcomes, range=ask.range,
            missing=ask.missing if unscored else "error",
        )  # fmt: skip


def _absent(answers: Any) -> list[str]:
    """That items are not in all epochs, where these are named; the same text again is no epoch of the others."""
    epochs, items = Counter(epoch for _, epoch in answers), {item for item, _ in answers}
    gone = {epoch: len(items) - times for epoch, times in epochs.items() if times < len(items)}
    # an epoch that more than half of the items lack is that of a few questions that come again
    if len(epochs) < 2 or any(2 * missing > len(items) for missing in gone.values()) or not gone:
        return []
    where = ", ".join(f"{count} in epoch {plain(epoch, 20)}" for epoch, count in gone.items())
    grid = f"{several(len(items), 'item')} in {len(epochs)} epochs would have ({where})"
    return [f"Missing: {integer(sum(gone.values()))} of the {integer(len(items) * len(epochs))} answers that {grid}."]
