"""What each column of a table is: by what the caller names, else by the words of the header, else by its values."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from types import MappingProxyType

from howsure.data.refusals import say
from howsure.data.words import (
    ASKED,
    CORRECT,
    COUNT,
    ELSE_TRUE,
    ITEM,
    MAYBE_MODEL,
    NAME,
    OF_A_KEY,
    ORIGIN,
    OUTCOME,
    PARTS,
    RUN,
    SCORE,
    UNITS,
    VERDICT,
    WHOLES,
    bare_name,
    classifier_of,
    is_missing,
    is_rater,
    is_score,
    may_answer,
    may_count,
    names_a_case,
    role,
    word_of,
)
from howsure.errors import InvalidArgument, InvalidFile, excerpt, listing
from howsure.io.assembly import quoted
from howsure.io.cells import looks_numeric
from howsure.io.reading import Request
from howsure.io.table import TextTable, is_fraction
from howsure.text.columns_taken import UNUSED, columns_sentence, note_columns
from howsure.text.formats import several

#: Columns that programs call for the one that they predict: Prediction (class), predicted_income, survived_pred.
_PREDICTED = re.compile(r"(?:y_)?pred(?:ict(?:ed|ions?))?_\(?(.+?)\)?|(.+)_\(?pred(?:ict(?:ed|ions?)?)?\)?|i(_.+)")
#: What they may add to that one.
_ACTUAL = re.compile(r"(?:true|actual)_(.+)|(.+)_\(?(?:true|truth|actual|orig|original)\)?|f(_.+)")


@dataclass(frozen=True)
class Columns:
    """Positions in a row.

    ``pred`` is {"": position} of the one predicted column, or {classifier: position} of the wide form; ``supposed``
    says that these are all columns that are nothing else, and what they hold has to show that they are classifiers, or
    else ``verdict`` is the prediction. ``judge`` is what a judge says is true, where a truth may be missing.
    """

    true: int
    pred: dict[str, int]
    count: int | None
    model: int | None
    id: int | None
    fold: int | None
    repeat: int | None
    group: int | None
    weight: int | None
    unused: tuple[int, ...]
    supposed: bool = False
    judge: int | None = None
    verdict: int | None = None

    def roles(self, header: Sequence[str], others: Mapping[int, str] = MappingProxyType({})) -> dict[str, str]:
        """Each column by its name, and what it is taken for; of ``others`` somebody else says it."""
        said = {self.true: "truth", **{at: f"prediction of {name}" if name else "prediction"
                                       for name, at in self.pred.items()}}  # fmt: skip
        parts = {what: at for what in _MEANING if (at := getattr(self, what)) is not None}
        said |= {at: _MEANING[what].removeprefix("the ") for what, at in parts.items()}
        said |= {**({} if self.judge is None else {self.judge: "verdict"}), **others}
        return {name: said.get(at, UNUSED) for at, name in enumerate(header)}


def columns_of(
    table: TextTable, request: Request | None = None, others: Mapping[str, str] = MappingProxyType({})
) -> Columns | None:
    """Columns by their names; None if neither truth nor prediction is among them.

    Examples
    --------
    >>> columns = columns_of(TextTable("board.csv", ["id", "y_true", "pred_A", "pred_B", "text"], 1, iter([])))
    >>> columns.true, columns.pred, columns.unused
    (1, {'A': 2, 'B': 3}, (4,))
    >>> columns = columns_of(TextTable("board.csv", ["id", "answer", "forest", "bayes"], 1, iter([])))
    >>> columns.true, columns.pred, columns.supposed
    (1, {'forest': 2, 'bayes': 3}, True)
    """
    request = request or Request()
    chosen = _chosen(table, request, others)
    words = [word_of(cell) for cell in table.header]
    # a column that the caller names has that part and no other
    free = [i for i in range(len(words)) if i not in chosen.values()]
    roles = {i: table.known.get(i) or role(table.header[i]) for i in free}
    models = [i for i in free if words[i] in PARTS["model"]]
    verdicts = [i for i in free if words[i] in VERDICT]
    estimated = request.missing == "estimate"
    pred = [chosen[f"pred {name}"] for name in request.pred]
    wide: dict[str, int] = {}
    if request.pred:
        if len(request.pred) > 1:
            wide, pred = {bare_name(name): chosen[f"pred {name}"] for name in request.pred}, []
        models = [] if wide else models
    else:
        wide = _wide(table, [i for i in free if roles[i] is None or table.header[i] in request.models], request.models)
        wide = _without_scores(table, wide, any(roles[i] == "pred" and i not in models for i in free))
        pred = [i for i in free if roles[i] == "pred" and i not in models and i not in wide.values()]
        pred = [i for i in pred if not is_score(table.header[i])]
        if len(pred) > 1:  # Weka calls the score of its prediction so
            rows = table.peek(ROWS_LOOKED_AT)
            pred = [i for i in pred if not are_fractions(row[i] for row in rows)] or pred
        if not pred and not wide and (estimated or models):
            pred = verdicts
        if not pred and not wide:
            # "model" is a word for the prediction, too, and means it where no other column does
            pred = [i for i in models if roles[i] == "pred"]
            models = [i for i in models if i not in pred]
    true = [chosen["true"]] if "true" in chosen else truths(table, free)
    pair = None if request.pred or "true" in chosen else called_for(table, free)
    if pair and true in ([], [pair[0]]) and {*pred, *wide.values()} <= {pair[1]}:
        true, pred, wide = [pair[0]], [pair[1]], {}
    unmodelled = [i for i in free if words[i] in PARTS["model"] and i not in models]
    known = {what: at for what, at in chosen.items() if what in PARTS}
    named = roles_of(table, PARTS, known, taken=[*chosen.values(), *unmodelled], alone=True)
    parts = {what: named.get(what) for what in PARTS}
    if parts["count"] is None:
        parts["count"] = count_column(table, [i for i in free if i not in (*true, *pred, *wide.values())])
    if parts["model"] is None and not wide and pred:
        found = [i for i in free if words[i] in MAYBE_MODEL and i not in (*true, *pred, *parts.values())]
        parts["model"] = next((i for i in found if has_as_many_rows_each(table, i)), None)
        if parts["model"] is None and len(true) == 1:
            rest = [i for i in free if i not in (*true, *pred, *parts.values())]
            parts["model"] = next((i for i in rest if asked_the_same(table, i, true[0], parts["id"])), None)
    if parts["weight"] is None:
        called = [i for i in free if words[i] == "w" and are_fractions(row[i] for row in looked_at(table))]
        parts["weight"] = next(iter(called), None)
    supposed = False
    chooses = request.model is not None or "model" in chosen
    if "true" in chosen and request.pred and not chooses and names_cases(table, parts["model"], parts):
        parts["model"] = None
    if true and not pred and not wide:
        taken = {*true, *(at for at in parts.values() if at is not None)}
        wide = {table.header[i]: i for i in free if i not in taken and may_answer(table.header[i])}
        supposed = bool(wide)
        pred = [] if supposed else verdicts
    if not true and not pred and (not wide or supposed):
        return None
    truth, prediction = _one(table, true, "the true class"), _one(table, pred, "the predicted class")
    if truth is None or (prediction is None and not wide):
        raise half(table, truth, true + pred + [*wide.values()])
    if prediction is not None and wide:
        raise table.fault(say("two_kinds", [table.header[i] for i in (prediction, *wide.values())]))
    if wide and parts["model"] is not None and not supposed:
        raise table.fault(say("two_kinds", [table.header[parts["model"]], *wide]))
    predictions = {"": prediction} if prediction is not None else wide
    beside = [i for i in verdicts if i not in predictions.values()]
    judge = _one(table, beside, "the judge's verdict") if estimated else None
    used = {truth, *predictions.values(), judge, *parts.values(), *chosen.values()}
    unused = tuple(i for i in range(len(table.header)) if i not in used)
    verdict = beside[0] if supposed and len(beside) == 1 else None
    return Columns(truth, predictions, **parts, unused=unused, supposed=supposed, judge=judge, verdict=verdict)


def _chosen(table: TextTable, request: Request, others: Mapping[str, str]) -> dict[str, int]:
    """Places of the columns that the caller names, in the request or for ``others`` of their parts."""
    group = None if request.group is True else request.group
    units = {"group": group, "fold": request.folds, "repeat": request.repeat}
    named = {"true": request.true, "id": request.id, **units, **others}
    named |= {f"pred {name}": name for name in request.pred}
    places: dict[str, int] = {}
    absent = []
    for part, name in named.items():
        if name is None:
            continue
        titles = list(zip(table.header, table.names, strict=False))
        at = [i for i, both in enumerate(titles) if name in both]
        at = at or [i for i, (cell, _) in enumerate(titles) if name == classifier_of(cell)]
        if len(at) > 1:
            raise table.fault(say("two_columns", excerpt(name), [name, name]))
        if not at:
            absent.append(name)
        elif at[0] in places.values():
            raise InvalidArgument(say("part_twice", name))
        else:
            places[part] = at[0]
    if absent:
        raise InvalidArgument(say("absent_in", "column", absent, table.source, table.header))
    return places


def _wide(table: TextTable, free: Sequence[int], models: Sequence[str]) -> dict[str, int]:
    """Columns of classifiers by their names: ``pred_NAME``, or those that the caller calls classifiers."""
    wide: dict[str, int] = {}
    for i in free:
        cell = table.header[i]
        name = classifier_of(cell) or (cell if cell in models and role(cell) != "true" else None)
        if name is not None and name in wide:
            raise table.fault(say("two_columns", "one classifier", [table.header[wide[name]], cell]))
        if name is not None:
            wide[name] = i
    return wide


def _without_scores(table: TextTable, wide: dict[str, int], beside: bool) -> dict[str, int]:
    """Columns called for a classifier, but for those of fractions, the scores of classes beside the answers."""
    if not wide:
        return wide
    rows = table.peek(ROWS_LOOKED_AT)
    kept = {name: i for name, i in wide.items() if not rows or not are_fractions(row[i] for row in rows)}
    return kept if kept or beside else wide


def truths(table: TextTable, free: Sequence[int]) -> list[int]:
    """Columns of the truth by their names; "answer" and "label" are among them only where there is no better word."""
    if said := [i for i in free if table.known.get(i) == "true"]:
        return said
    words = {i: word_of(table.header[i]) for i in free}
    found = [i for i in free if role(table.header[i]) == "true"]
    if any(words[i] == "obs" for i in found):  # of SAS, which numbers the rows so
        rows = table.peek(ROWS_LOOKED_AT)
        found = [i for i in found if words[i] != "obs" or not numbers_rows(rows, i)]
    if any(words[i] not in ELSE_TRUE for i in found):
        beside_verdict = "verdict" in words.values()
        return [i for i in found if words[i] not in ELSE_TRUE] if beside_verdict else found
    return found or [i for i in free if words[i] in ELSE_TRUE]


def called_for(table: TextTable, free: Sequence[int]) -> tuple[int, int] | None:
    """A column, and the one that is called its prediction; None where no two are, or more than two.

    Examples
    --------
    >>> called_for(TextTable("x.csv", ["age", "income", "predicted_income"], 1, iter([])), [0, 1, 2])
    (1, 2)
    """
    words = {i: word_of(table.header[i]) for i in free if not is_score(table.header[i])}
    of = {i: next(filter(None, found.groups())) for i, word in words.items() if (found := _PREDICTED.fullmatch(word))}
    names = {i: {word, *(it.groups() if (it := _ACTUAL.fullmatch(word)) else ())} for i, word in words.items()}
    pairs = [(j, i) for i, name in of.items() for j in words if i != j and name in names[j]]
    return pairs[0] if len(pairs) == 1 else None


def roles_of(
    table: TextTable,
    wanted: Mapping[str, Collection[str]],
    places: Mapping[str, int] = MappingProxyType({}),
    *,
    taken: Collection[int] = (),
    alone: bool = False,
    word: Callable[[str], str] = word_of,
) -> dict[str, int]:
    """Columns by role, each for one: the places that are known, else those that the words of the header say."""
    found, words = dict(places), [word(cell) for cell in table.header]
    for part, known in wanted.items():
        free = [i for i, it in enumerate(words) if it in known and i not in (*taken, *found.values())]
        if not alone or part in PARTS:
            free = [i for i in free if words[i] == part] or free
        if part not in found and free:
            found[part] = free[0]
            if alone:
                _one(table, free, _MEANING.get(part, part))
    return found


def count_column(table: TextTable, free: Sequence[int]) -> int | None:
    """The column of counts: by its word, or by one that may mean counts where the numbers show it."""
    others = [i for i in range(len(table.header)) if i not in free]
    may = (i for i in free if may_count(table.header[i]) and are_counts(table, i))
    found = roles_of(table, {"count": COUNT}, taken=others, alone=True)
    return found["count"] if found else next(may, None)


_MEANING = {
    "count": "the counts",
    "model": "the classifier",
    "id": "the id of a case",
    "fold": "the fold",
    "repeat": "the repeat",
    "group": "the group",
    "weight": "the weight",
}


def _one(table: TextTable, found: Sequence[int], what: str) -> int | None:
    if len(found) > 1:
        raise table.fault(say("two_columns", what, [table.header[i] for i in found]))
    return found[0] if found else None


def half(table: TextTable, truth: int | None, found: Sequence[int]) -> InvalidFile:
    """Truth without answers, or answers without a truth."""
    there, absent = ("a predicted", "true") if truth is None else ("a true", "predicted")
    example = "y_true" if truth is None else "y_pred"
    several = "" if truth is None else " (of several classifiers: pred_NAME each)"
    which = f"; or say which column it is: {example}='COLUMN'"
    scored = [title for title in table.header if is_score(title)] if truth is not None else []
    hint = ""
    if scored:
        hint = say("may_be_scores", quoted(scored))
    if truth is None and any(word_of(title) in OUTCOME for title in table.header):
        hint = f". {say('marked_read')}"
    elif truth is None and all(word_of(table.header[i]) in PARTS["model"] for i in found):
        hint = say("may_be_board")
    return table.fault(say("half", there, table.header[found[0]], absent, f"{example}{several}{which}{hint}"))


def settled_columns(
    table: TextTable,
    columns: Columns,
    *,
    apart: bool = False,
    grouped: bool = True,
    others: Mapping[int, str] | None = None,
) -> Columns:
    """The columns, with what is to be said of them in the notes of the table.

    Of those that may be classifiers it is those whose first answers are mostly classes of the truth. ``apart`` says
    that each row is a case of its own, which a column of patients or questions whose values come again belies;
    ``grouped`` says that the caller can take groups; ``others`` are columns that it reads besides, with their roles.
    """
    settled = _settled(table, columns)
    header = table.names
    settled = replace(settled, unused=tuple(at for at in settled.unused if at not in (others or ())))
    roles = settled.roles(header, others or {})
    if settled.count is None:
        refuse_unnamed_counts(table, settled.unused)
    apart = apart and settled.count is None
    units = repeated_units(table, settled.unused, kept=not apart, grouped=grouped)
    both = [header[settled.true], *(header[at] for at in settled.pred.values())]
    if len(both) == 2 and all(map(is_rater, both)):
        units = [*units, say("both_raters", quoted(both))]
    note_columns(table.source, roles, units, answered=True, shown=True)
    if settled.unused or (settled.count is not None and word_of(table.header[settled.count]) not in COUNT):
        table.notes.append(columns_sentence(roles))
    table.notes += units
    return settled


def _settled(table: TextTable, columns: Columns) -> Columns:
    if not columns.supposed:
        return columns
    rows = table.peek(ROWS_LOOKED_AT)
    truth = {table.clean(row[columns.true]) for row in rows}
    kept: dict[str, int] = {}
    for name, at in columns.pred.items():
        answers = [answer for answer in (table.clean(row[at]) for row in rows) if not is_missing(answer)]
        # a column that always says the same is rather a constant than a classifier
        if len({*answers}) > 1 and 2 * sum(answer in truth for answer in answers) >= len(answers):
            kept[name] = at
    if not kept and columns.verdict is not None:
        unused = tuple(sorted({*columns.unused, *columns.pred.values()} - {columns.verdict}))
        return replace(columns, pred={"": columns.verdict}, unused=unused, supposed=False)
    if not kept:
        raise half(table, columns.true, [columns.true])
    unused = tuple(sorted({*columns.unused, *columns.pred.values()} - {*kept.values()}))
    names = listing(excerpt(name, 40) for name in kept)
    said = "No column is called a prediction; these answer with classes of the truth and are read"
    table.notes.append(f"{said}: {names}.")
    if columns.model is not None:
        if len(kept) > 1:
            raise table.fault(say("two_kinds", [table.header[columns.model], *kept]))
        kept = dict(zip([""], kept.values(), strict=True))
    return replace(columns, pred=kept, unused=unused, supposed=False)


# -- leaderboards --------------------------------------------------------------------------------------------

_UNIT = re.compile(r"^(?:[%#]|no\.? of|number of)\s*|\s*(?:\(%\)|\[%\]|%|in (?:%|per ?cent))$", re.IGNORECASE)


def board_word(cell: str) -> str:
    """Word of a column, without its unit: "Accuracy (%)" is the accuracy, "# Questions" are questions."""
    return word_of(_UNIT.sub("", cell.strip()))


def is_board(header: list[str]) -> bool:
    """Whether a header is that of a leaderboard.

    Examples
    --------
    >>> is_board(["team", "score", "n"]), is_board(["y_true", "y_pred"])
    (True, False)
    """
    words = {board_word(cell) for cell in header}
    cases = any(role(cell) == "true" and word_of(cell) not in CORRECT for cell in header)
    # of languages, of groups
    of_others = bool(words & CORRECT - {"k"}) and bool(words & (COUNT | ASKED)) and not words & ITEM
    return (of_others or bool(words & NAME)) and bool(words & (CORRECT | SCORE)) and not cases


def names_entries(header: Sequence[str]) -> bool:
    """Whether a table has names of models, and neither truth nor answers.

    Examples
    --------
    >>> names_entries(["Model", "MMLU"]), names_entries(["model", "y_pred"]), names_entries(["model", "gold", "answer"])
    (True, False, False)
    """
    sides = [cell for cell in header if role(cell) is not None and board_word(cell) not in NAME]
    entries = [cell for cell in header if board_word(cell) in NAME]
    return len(entries) == 1 and not sides and not {word_of(cell) for cell in header} & ITEM


def rating_column(header: list[str]) -> str | None:
    """A column of Elo or Arena scores beside the names of models; None where there is none.

    Examples
    --------
    >>> rating_column(["Model", "Arena Score"]), rating_column(["model", "accuracy"])
    ('Arena Score', None)
    """
    if not any(board_word(cell) in NAME for cell in header):
        return None
    return next((cell for cell in header if re.search(r"elo|arena|rating", board_word(cell))), None)


# -- what the values of a column say it is --

#: Rows whose values tell what a column is, where its name does not.
ROWS_LOOKED_AT = 10_000
#: Fewest rows among which numbers beside combinations of many columns that never repeat look like counts.
FEWEST_ROWS = 8
#: Fewest values of a column that come equally often each, for it to name patients, documents or readers.
FEWEST_UNITS = 10
#: Fewest changes of the truth from row to row for its order to tell cases apart from others.
FEWEST_CHANGES = 4
_WHOLE = re.compile(r"[0-9]{1,15}(\.0*)?")
#: What programs call the number of a row.
_NUMBERS = frozenset(["obs", "inst#", "#", "nr", "no", "row", "line"])
#: Parts of the data that a classifier has learned from.
_LEARNED_FROM = frozenset(["train", "training", "train_set", "learn", "learning", "fit"])


def names_cases(table: TextTable, at: int | None, parts: Mapping[str, int | None]) -> bool:
    """Whether a column called "name" or so has nearly as many values as rows: those of patients, and no classifiers."""
    if at is None or parts["count"] is not None:
        return False
    names = [row[at].strip() for row in table.peek(ROWS_LOOKED_AT)]
    return len(names) > 2 and 2 * len(set(names)) > len(names)


def has_as_many_rows_each(table: TextTable, at: int) -> bool:
    """Whether the few values of a column come equally often, as systems do that were asked the same."""
    times = Counter(row[at].strip() for row in looked_at(table))
    return 1 < len(times) < FEWEST_UNITS and len(set(times.values())) == 1 and times.total() > 2 * len(times)


def asked_the_same(table: TextTable, at: int, true: int, case: int | None) -> bool:
    """Whether the few values of a column come with the same ids, or else the same truths in the same order.

    So do the prompts, the settings and the arms of one classifier, whose answers are not cases to be added up.
    """
    word, title = word_of(table.header[at]), table.header[at]
    if word in UNITS | WHOLES | ITEM | RUN | ORIGIN or names_a_case(title) or is_score(title):
        return False
    if not has_as_many_rows_each(table, at):
        return False
    asked: dict[str, list[str]] = {}
    for row in looked_at(table):
        asked.setdefault(row[at].strip(), []).append(row[true if case is None else case].strip())
    first, *others = asked.values()
    if case is not None:
        return len(set(first)) == len(first) and all(set(it) == set(first) for it in others)
    # of sorted cases the order says nothing
    changes = sum(one != two for one, two in pairwise(first))
    return changes >= FEWEST_CHANGES and all(it == first for it in others)


def are_counts(table: TextTable, at: int) -> bool:
    """Whether whole numbers stand beside combinations of other values that never repeat, as counts do.

    Examples
    --------
    >>> rows = [["f", "0", "0", "9"], ["f", "0", "1", "2"], ["m", "0", "0", "4"], ["m", "1", "0", "4"]]
    >>> cells = TextTable("x.csv", ["sex", "true", "pred", "value"], 1, iter(enumerate(rows, start=2)))
    >>> are_counts(cells, 3)
    True
    """
    rows = looked_at(table)
    if len(rows) < 2 or not all(_WHOLE.fullmatch(row[at].strip()) for row in rows):
        return False
    others = [i for i in range(len(table.header)) if i != at]
    values = {i: {row[i].strip() for row in rows} for i in others}
    # an id tells rows apart by itself, and says nothing of the rest
    kept = [i for i in others if len(values[i]) < len(rows) and not names_a_case(table.header[i] or "?")]
    keys = [i for i in others if len(values[i]) == len(rows) and len(rows) > 3 and not numbers_rows(rows, i)]
    combinations_there = {tuple(row[i].strip() for i in kept) for row in rows}
    return not keys and len(kept) > 1 and len(combinations_there) == len(rows)


def numbers_rows(rows: Sequence[Sequence[str]], at: int) -> bool:
    """Whether a column numbers the rows, from 0 or from 1."""
    cells = [row[at].strip() for row in rows]
    return any(cells == [str(i) for i in range(first, len(rows) + first)] for first in (0, 1))


def refuse_unnamed_counts(table: TextTable, unused: Sequence[int], sides: Sequence[int] = ()) -> None:
    """Refuse a column of counts whose name is not known: each of its rows would be one case.

    So are numbers beside ``sides``, the columns of classes, of which no combination comes twice.
    """
    rows = looked_at(table)
    typed = len(rows) < FEWEST_ROWS and (table.unit == "row" or len(table.header) > 3)  # a few rows to try with
    unique = 1 < len({tuple(row[at] for at in sides) for row in rows}) == len(rows) < ROWS_LOOKED_AT
    for at in unused:
        title, cells = table.header[at], [row[at].strip() for row in rows]
        if is_score(title) or (word_of(title) in _NUMBERS and numbers_rows(rows, at)):
            continue
        if not title.strip() or title.lower().startswith("unnamed:"):
            whole = unique and all(map(_WHOLE.fullmatch, cells))
            counts = whole and any(float(one) >= float(two) for one, two in pairwise(cells))
        else:
            counts = not names_a_case(title) and not typed and are_counts(table, at)
            counts = counts or (unique and all(map(looks_numeric, cells)))
        if counts:
            raise table.fault(say("unnamed_counts", title))


def looked_at(table: TextTable) -> list[list[str]]:
    """The first rows; none where they are damaged, which may be where nothing is read."""
    try:
        return table.peek(ROWS_LOOKED_AT)
    except InvalidFile:
        return []


def repeated_units(table: TextTable, columns: Sequence[int], *, kept: bool = False, grouped: bool = True) -> list[str]:
    """Say of columns that nothing uses that their values come again as patients, documents or readers do.

    A column that tells training data from others is refused.

    Examples
    --------
    >>> rows = enumerate([[f"p{i // 3}", "0.5"] for i in range(60)], start=2)
    >>> repeated_units(TextTable("x.csv", ["case", "score"], 1, iter(rows)), [0])[0]
    "Each 'case' comes 3 times; the rows are taken as 60 separate cases, and --group case says that they are not."
    """
    rows, notes = looked_at(table) if columns else [], list[str]()
    _refuse_learned_from(table, columns, rows)
    if kept or not columns:
        return []
    words = [word_of(title) for title in table.header]  # the id of a label beside it is no unit
    cut = " among the first rows" if len(rows) == ROWS_LOOKED_AT else ""
    for at in columns:
        title = table.header[at]
        times = Counter(cell for row in rows if (cell := row[at].strip()) and not is_missing(cell))
        if not times or max(times.values()) == 1 or not title.strip() or is_score(title):
            continue
        word = word_of(title)
        named = word in UNITS | WHOLES | ITEM | {*OF_A_KEY} or word.endswith(tuple(f"_{end}" for end in OF_A_KEY))
        named = (named or names_a_case(title)) and word.removesuffix("_id") not in {*words} - {word}
        even = len(set(times.values())) == 1 and len(times) >= FEWEST_UNITS and times.total() == len(rows)
        if len(times) < 2 or not (named or (even and not all(_WHOLE.fullmatch(it) for it in times))):
            continue
        least, most = min(times.values()), max(times.values())
        often = f"{most} times" if least == most else f"{least} to {most} times"
        shown = excerpt(title, 40)
        bare = title if re.fullmatch(r"[\w.-]+", title) else shown
        taken = f"the rows are taken as {several(len(rows), 'separate case')}{' or more' if cut else ''}"
        advice = f", and --group {bare} says that they are not." if grouped else ", which tell less if they are alike."
        notes.append(f"Each {shown} comes {often}{cut}; {taken}{advice}")
    return notes


def are_fractions(cells: Iterable[str]) -> bool:
    """Whether most cells are numbers between whole ones."""
    there = [cell.strip() for cell in cells if cell.strip()]
    return bool(there) and 2 * sum(is_fraction(cell) for cell in there) > len(there)


def _refuse_learned_from(table: TextTable, unused: Sequence[int], some: Sequence[Sequence[str]]) -> None:
    for at in unused:
        rows = [word_of(row[at]) for row in some]
        learned = sum(word in _LEARNED_FROM for word in rows)
        if 0 < learned < len(rows) and len(set(rows)) < FEWEST_UNITS:
            raise table.fault(say("training", table.header[at], learned, len(rows)))
