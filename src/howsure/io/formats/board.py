"""Tables with a row a classifier: leaderboards, and two-class matrices by their four cells, tp, fn, fp and tn."""

from __future__ import annotations

import math
import os
import re
from contextlib import suppress
from dataclasses import replace
from itertools import islice
from typing import IO

from howsure.data.confusion import ConfusionMatrix
from howsure.data.counts import LARGEST_COUNT
from howsure.data.refusals import refusal, say
from howsure.data.words import (
    ASKED,
    CELLS,
    CORRECT,
    COUNT,
    ITEM,
    METRIC,
    NAME,
    OTHER_SCORE,
    PLACE,
    SCORE,
    WRONG_ANSWERS,
    is_missing,
    is_summary,
    word_of,
)
from howsure.errors import InvalidArgument, InvalidFile, excerpt, listing
from howsure.io.assembly import assembled, called, chosen_model
from howsure.io.cells import NotACount, count_of, looks_numeric
from howsure.io.contents import table_from
from howsure.io.reading import Board, Reading, Request, Standing
from howsure.io.roles import board_word, roles_of
from howsure.io.table import Row, TextTable
from howsure.text.columns_taken import UNUSED, note_columns
from howsure.text.formats import integer, plain, unguarded
from howsure.text.text_table import csv_text

NAMES = (
    *("name", "model", "classifier", "system", "entry", "test", "id", "study", "site"),
    *("trial", "author", "authors", "first_author", "publication", "reference"),
    *("class", "label", "row_id", "threshold", "thresholds", "cutoff", "cut_off", "cutpoint"),
)
#: Of these the ones that say that all rows are about the same cases, of one classifier.
_OF_ONE = NAMES[-8:]

#: Of these the ones that say that each row is a study.
OF_STUDIES = frozenset(["study", "trial", "author", "authors", "first_author", "publication", "reference"])

#: Columns that tell two studies of one author apart.
YEARS = ("year", "publication_year", "pub_year", "date", "published")

_FOUR = "Each row is one table: name,tp,fn,fp,tn"
#: Rows of a table that is still read by people.
MOST_ROWS = 10_000


class Collection(dict[str, ConfusionMatrix]):
    """Matrices by name, and whether the column of their names says that each is a study."""

    are_studies = False


def is_collection(header: list[str]) -> bool:
    """Whether a header names all of the four cells.

    Examples
    --------
    >>> is_collection(["name", "TP", "FN", "FP", "TN"]), is_collection(["tp", "fn", "fp"])
    (True, False)
    """
    words = {word_of(cell) for cell in header}
    return all(words.intersection(known) for known in CELLS.values())


def read_collection(path: str | os.PathLike[str] | IO[str] | IO[bytes], *, named_by: str | None = None) -> Collection:
    r"""Read a table of classifiers: columns ``name,tp,fn,fp,tn`` in any order, one classifier a row.

    Examples
    --------
    >>> import io
    >>> read_collection(io.StringIO("name,tp,fn,fp,tn\nA,26,0,2,6\n"))["A"].counts.tolist()
    [[6, 2], [0, 26]]
    """
    with table_from(path, _FOUR) as table:
        return collection_of(table, named_by)


def collection_of(table: TextTable, named_by: str | None = None) -> Collection:
    """The same of a table."""
    name = _name_column(table) if named_by is None else table.column(named_by)
    if name is None:
        raise table.fault(say("no_column", "name", table.header, _FOUR))
    if word_of(table.header[name]) in _OF_ONE:
        raise rows_of_one(table, name)
    return _rows(table, name)


def rows_of_one(table: TextTable, name: int | None = None) -> InvalidFile:
    """What is said of four counts by threshold or by class, where a row is expected to be a classifier or a case."""
    at = _name_column(table) if name is None else name
    first = table.peek(1)
    chosen = "--model NAME" if at is None or not first else f"--model {first[0][at].strip()}"
    return table.fault(say("rows_of_one", "" if at is None else table.header[at], chosen))


def read_four_cells(table: TextTable, request: Request) -> Reading:
    """One matrix of a table with the columns tp, fn, fp, tn: that of its only row, or of ``model=``."""
    named = _name_column(table)
    if request.model is not None and named is None:
        raise table.fault(say("nothing_to_choose", "column of names", request.model))
    found = _rows(table, named)
    of_classes = named is not None and word_of(table.header[named]) in ("class", "label", "row_id")
    if request.model is None and of_classes and (both := _both_classes(found)) is not None:
        confusion = assembled(table.source, both.counts, both.labels, request)
        return Reading(confusion, table.source, f"{table.kind}tp, fn, fp, tn of both classes", tuple(table.notes))
    name = chosen_model(table.source, list(found), request.model, "the table")
    matrix = found[name]
    notes = [called(matrix.labels, matrix.positive)]
    if request.rows is not None:
        notes.append("The choice of rows was not needed: the columns say which cells are right.")
    of = "" if named is None else f" of {plain(name, 40)}"
    confusion = assembled(table.source, matrix.counts, matrix.labels, request, positive=matrix.positive)
    return Reading(confusion, table.source, f"{table.kind}tp, fn, fp, tn{of}", tuple(notes))


def _both_classes(found: Collection) -> ConfusionMatrix | None:
    """The one matrix that two rows are, each the other turned round, as KNIME writes what it counts of two classes."""
    if len(found) != 2:
        return None
    one, two = (it.counts for it in found.values())
    same = (one == two[::-1, ::-1]).all() and (one != two).any()
    return ConfusionMatrix(two, list(found)) if same else None


def _rows(table: TextTable, name_column: int | None) -> Collection:
    """Matrices by name; the only one is nameless where there is no column of names."""
    columns = roles_of(table, CELLS, alone=True)
    if lacking := [what for what in CELLS if what not in columns]:
        raise table.fault(say("no_column", lacking[0], table.header, _FOUR))
    found = Collection()
    found.are_studies = name_column is not None and word_of(table.header[name_column]) in OF_STUDIES
    rows = list(islice(table.filled(), MOST_ROWS + 1))
    if len(rows) > MOST_ROWS:
        raise table.fault(say("too_many", len(rows), "rows", MOST_ROWS), rows[-1][0])
    year = _year(table, name_column, rows)
    for line, row in rows:
        if name_column is None and found:
            raise table.fault(say("lacking", "a column of names"), line)
        name = "" if name_column is None else table.clean(row[name_column])
        if year is not None and name:
            name = f"{name} {table.clean(row[year])}".rstrip()
        if name_column is not None and is_summary(name) and not any(row[at].strip() for at in columns.values()):
            continue
        if (name_column is not None and not name) or name in found:
            raise table.fault(say("twice", "the name", name) if name else say("lacking", "the name of a row"), line)
        counts: dict[str, int] = {}
        for what, column in columns.items():
            try:
                counts[what] = count_of(row[column])
            except NotACount as fault:
                of = f" of {excerpt(name)}" if name else ""
                raise table.fault(f"{what}{of} {fault}", line) from None
        found[name] = ConfusionMatrix.from_counts(**counts)
    if not found:
        raise table.fault(say("no_rows", "row"))
    return found


def _year(table: TextTable, name_column: int | None, rows: list[Row]) -> int | None:
    """Column of the year that names need, because one of them comes twice."""
    years = [i for i, cell in enumerate(table.header) if word_of(cell) in YEARS and i != name_column]
    if name_column is None or len(years) != 1:
        return None
    names = [table.clean(cells[name_column]) for _, cells in rows if len(cells) > name_column]
    return years[0] if len(set(names)) < len(names) else None


def _name_column(table: TextTable) -> int | None:
    """The column of names; "name" itself before "id" and the like."""
    at = [i for i, cell in enumerate(table.header) if word_of(cell) in NAMES]
    return min(at, key=lambda i: NAMES.index(word_of(table.header[i])), default=None)


_NUMBER = re.compile(
    r"(?P<number>(?P<whole>\d*)(?:[.,](?P<decimals>\d*))?)\s*(?P<percent>%)?\s*"
    r"(?:(?:±|\+/?-)\s*[\d.,]+\s*(?P<behind>%)?|[\[(][-\u2013\d.,;%\s]+[\])])?"
)
#: Right answers of so many: 156/164, with their share or without.
_OF = re.compile(r"(\d+)\s*/\s*(\d+)(?:\s*\(\s*[\d.,]+\s*%\s*\))?")
#: Of a number of cases: more are none, and Python refuses to read thousands of them.
MOST_DIGITS = 30
#: What stands in a column of numbers, and in no header.
_AMOUNT = re.compile(r"\d[\d.,' \u202f]*%?")
#: A score with a decimal comma: points in the numbers beside it set thousands apart.
_COMMA = re.compile(r"\d+,\d+\s*%?")
_ROLES = {"the names": NAME, "the right answers": CORRECT, "the scores": SCORE, "the cases": COUNT}
_COLUMNS = "A leaderboard has the columns name,correct,n or name,score,n"


def other_score(header: list[str]) -> str | None:
    """A column of scores beside names that are no share of right answers; None where there is none.

    Examples
    --------
    >>> other_score(["Team", "ROC AUC"]), other_score(["team", "accuracy"])
    ('ROC AUC', None)
    """
    if not any(board_word(cell) in NAME for cell in header):
        return None
    return next((cell for cell in header if board_word(cell) in OTHER_SCORE), None)


def read_board(path: str | os.PathLike[str] | IO[str] | IO[bytes], *, n: int | None = None) -> Board:
    r"""Read ``name,correct,n`` or ``name,score,n``.

    Examples
    --------
    >>> import io
    >>> board = read_board(io.StringIO("name,score,n\na,0.86,50\nb,0.85,50\n"))
    >>> [(x.name, x.correct) for x in board.standings]
    [('a', 43), ('b', 42)]
    >>> board.notes[0][:73]
    "no count of right answers out of 50 gives 1 of the 2 scores: 0.85 of 'b'."
    """
    if n is not None and (isinstance(n, bool) or not isinstance(n, int) or not 1 <= n <= LARGEST_COUNT):
        raise InvalidArgument(say("not_a", "n", "a number of cases, 1 or more", n))
    with table_from(path, _COLUMNS) as table:
        return board_of(table, n)


def board_of(table: TextTable, cases: int | None) -> Board:
    """Read a table as a leaderboard."""
    table = _sized(table)
    found = roles_of(table, _ROLES, alone=True, word=board_word)
    found = roles_of(table, {"the cases": ASKED}, found, alone=True, word=board_word)
    if "the names" not in found and len(named := _texts(table)) == 1:
        found["the names"] = named[0]
    name, correct, score, size = map(found.get, _ROLES)
    if correct is not None and score is None and "%" in table.header[correct]:  # "% resolved"
        score, correct = correct, None
    other = other_score(table.header)
    if correct is None and score is None and other is not None:
        raise table.fault(say("no_ranking_by", other, _COLUMNS))
    if name is None or (correct is None and score is None):
        raise table.fault(say("no_column", "names and right answers", table.header, _COLUMNS))
    if size is None and cases is None:
        marked = f". {say('marked_read')}" if {word_of(cell) for cell in table.header} & ITEM else ""
        raise table.fault(say("no_column", "the number of cases", table.header, f"{_COLUMNS}, or say --n 1000{marked}"))
    lines: list[tuple[int, str, str, int]] = []
    seen: dict[str, int] = {}
    rows = list(table.filled())
    if score is not None and correct is None:
        _refuse_other_scores(table, rows, score)
    points = score is not None and any(_COMMA.fullmatch(raw[score].strip()) for _, raw in rows)
    for line, raw in rows:
        row = [unguarded(cell) for cell in raw]
        who = row[name]
        if not who or is_missing(who):
            raise table.fault(say("lacking", "the name of an entry"), line)
        if is_summary(who):
            raise table.fault(say("totals_row", "name", who), line)
        if who in seen:
            raise table.fault(say("twice_in", "the name", who, f"also in line {seen[who]}"), line)
        seen[who] = line
        if size is not None and not row[size] and cases is None:
            raise table.fault(say("lacking", f"the number of cases of {excerpt(who)}"), line)
        own = cases if size is None or not row[size] else _cases(row[size], table.source, line, points)
        assert own is not None
        if own < 1:
            raise table.fault(say("not_a", f"the number of cases of {excerpt(who)}", "1 or more", own), line)
        lines.append((line, who, row[score if correct is None else correct], own))  # type: ignore[index]  # one of them is there
    if len(lines) < 2:
        raise table.fault(say("one_classifier"))
    taken = {name: "name", size: "cases"} | ({score: "score"} if correct is None else {correct: "right answers"})
    note_columns(table.source, {title: taken.get(at, UNUSED) for at, title in enumerate(table.header)})
    if correct is not None:
        made = [_counted(table.source, *each) for each in lines]
        return Board(tuple(made), table.source)
    return _from_scores(table.source, lines)


def _sized(table: TextTable) -> TextTable:
    """The table with a column of the cases, where right answers say of how many, or wrong ones stand beside them."""
    words = [board_word(cell) for cell in table.header]
    right = [i for i, word in enumerate(words) if word in CORRECT | SCORE]
    wrong = [i for i, word in enumerate(words) if word in WRONG_ANSWERS]
    if len(right) != 1 or {*words} & (COUNT | ASKED):
        return table
    (at,), rows = right, list(table.filled())
    table = replace(table, rows=iter(rows), head=None)
    cells = [unguarded(row[at]).strip() for _, row in rows]
    over = [_OF.fullmatch(cell) for cell in cells]
    if rows and all(over):
        pairs = [(it[1], it[2]) for it in over if it]
        header = ["correct" if i == at else cell for i, cell in enumerate(table.header)]
    elif len(wrong) == 1 and words[at] in CORRECT and not {*words} - NAME - CORRECT - WRONG_ANSWERS - PLACE:
        others = [row[wrong[0]].strip() for _, row in rows]
        if not all(it.isdecimal() and len(it) < MOST_DIGITS for it in (*cells, *others)):
            return table
        pairs = [(one, str(int(one) + int(two))) for one, two in zip(cells, others, strict=True)]
        header = list(table.header)
    else:
        return table
    made = [(line, [*row[:at], k, *row[at + 1 :], n]) for (line, row), (k, n) in zip(rows, pairs, strict=True)]
    return replace(table, header=[*header, "n"], rows=iter(made))


def _texts(table: TextTable) -> list[int]:
    rows = table.peek(MOST_ROWS)
    return [i for i in range(len(table.header)) if rows and not any(looks_numeric(row[i]) for row in rows)]


def _refuse_other_scores(table: TextTable, rows: list[Row], score: int) -> None:
    """Refuse scores that another column calls something else than accuracy, or that are the less the better a place."""
    turned: str | None = None
    for at, title in enumerate(table.header):
        values = [raw[at].strip() for _, raw in rows if len(raw) > at]
        if board_word(title) in METRIC and (other := next((x for x in values if board_word(x) in OTHER_SCORE), None)):
            raise table.fault(say("no_ranking_by", other, _COLUMNS))
        if board_word(title) in PLACE and len(values) == len(rows) and all(x.isdecimal() for x in values):
            ordered = [raw for _, (_, raw) in sorted(zip(map(int, values), rows, strict=True))]
            with suppress(InvalidFile):  # one that is no number is refused where it is read
                scores = [_score(unguarded(raw[score]), table.source, table.line)[0] for raw in ordered]
                turned = title if len(set(scores)) > 1 and scores == sorted(scores) else turned
    if turned is not None:
        raise table.fault(say("places_turned", turned, table.header[score], _COLUMNS))


def headed(table: TextTable) -> tuple[TextTable, tuple[str, ...]]:
    """The table of a leaderboard that came without its header, and a note on it; any other as it is.

    A first line with a number below the name is no header. Right answers are whole and no more than the cases.

    Examples
    --------
    >>> table, notes = headed(TextTable("board", ["a", "43", "50"], 1, iter([(2, ["b", "41", "50"])])))
    >>> table.header, notes
    (['name', 'correct', 'n'], ('It has no header; its columns were taken as name, right answers, number of cases.',))
    >>> headed(TextTable("board", ["name", "score", "n"], 1, iter([])))[1]
    ()
    """
    first = table.header
    if not 2 <= len(first) <= 3 or not all(_AMOUNT.fullmatch(cell.strip()) for cell in first[1:]):
        return table, ()
    rows = [(table.line, first), *table.rows]
    cells = [[unguarded(cell).strip() for cell in row] for _, row in rows if any(row)]
    whole = all(len(row) > 1 and row[1].isdecimal() and _at_most(row[1], row[2:3]) for row in cells)
    header = ["name", "correct" if whole else "score", "n"][: len(first)]
    columns = ["name", "right answers" if whole else "score", "number of cases"][: len(first)]
    note = f"It has no header; its columns were taken as {', '.join(columns)}."
    return replace(table, header=header, rows=iter(rows)), (note,)


def _at_most(right: str, cases: list[str]) -> bool:
    """Whether so many answers can be right; what is no plain number of cases does not forbid it."""
    if not (cases and cases[0].isdecimal()):
        return True
    return max(len(right), len(cases[0])) <= MOST_DIGITS and int(right) <= int(cases[0])


def _cases(text: str, source: str, line: int, points: bool) -> int:
    """A number of cases, its thousands set apart by points if these cannot be decimal points."""
    grouped = points and re.fullmatch(r"\d{1,3}(\.\d{3})+", text.strip())
    return _whole(text.replace(".", "") if grouped else text, "the number of cases", source, line)


def _whole(text: str, what: str, source: str, line: int) -> int:
    bare = text.replace("\u202f", "").replace(" ", "")
    if re.fullmatch(r"\d{1,3}(?:([,'\u2019])\d{3})(?:\1\d{3})*", bare):
        bare = re.sub(r"\D", "", bare)
    if not (bare.isascii() and bare.isdigit()) or len(bare) > MOST_DIGITS or int(bare) > LARGEST_COUNT:
        raise refusal(source, "not_a", what, "an integer, 0 or more", text, line=line)
    return int(bare)


def _counted(source: str, line: int, who: str, text: str, n: int) -> Standing:
    right = _whole(text, "the number of right answers", source, line)
    if right > n:
        raise refusal(source, "more_than_all", who, right, n, line=line)
    return Standing(who, right, n)


def _from_scores(source: str, lines: list[tuple[int, str, str, int]]) -> Board:
    """Whole number of right answers nearest to each printed score, and a note on scores that none gives."""
    parsed = [_score(text, source, line) for line, _, text, _ in lines]
    # a column of scores above 1 is a column of percentages
    hundred = any(value > 1 for value, _, percent in parsed if not percent)
    if hundred:
        _refuse_shares_among_percentages(source, lines, parsed)
    shares, units = [], []
    for (line, who, text, _), (value, places, percent) in zip(lines, parsed, strict=True):
        in_percent = percent or hundred
        shares.append(value / 100 if in_percent else value)
        units.append(10.0 ** -(places + 2 * in_percent))
        if shares[-1] > 1:
            raise refusal(source, "not_a", f"the score of {excerpt(who)}", "at most 100%", text, line=line)
    sizes = [n for *_, n in lines]
    counts = [min(n, round(share * n)) for share, n in zip(shares, sizes, strict=True)]
    fits = [abs(k / n - x) <= u / 2 * (1 + 1e-9) for k, n, x, u in zip(counts, sizes, shares, units, strict=True)]
    notes = ["the scores are read as percentages."] if hundred else []
    if not all(fits):
        # some boards cut digits off instead of rounding; then all of their scores must fit that way
        least = [math.ceil(share * n - 1e-9) for share, n in zip(shares, sizes, strict=True)]
        if all(k / n - x < u * (1 - 1e-9) for k, n, x, u in zip(least, sizes, shares, units, strict=True)):
            counts = least
            notes.append("the scores fit counts of right answers only if digits were cut off, not rounded.")
        else:
            notes.append(_impossible([line for line, fit in zip(lines, fits, strict=True) if not fit], len(lines)))
    coarse = [line for line, k, u in zip(lines, counts, units, strict=True) if _is_coarse(k, line[3], u)]
    if coarse:
        notes.append(_rounded(coarse, max(u * line[3] for line, u in zip(lines, units, strict=True)), len(lines)))
    standings = [Standing(who, k, n) for (_, who, _, n), k in zip(lines, counts, strict=True)]
    return Board(tuple(standings), source, tuple(notes))


def _refuse_shares_among_percentages(
    source: str, lines: list[tuple[int, str, str, int]], parsed: list[tuple[float, int, bool]]
) -> None:
    """0.91 beside 90 is 91% to whoever wrote it; read as a percentage it would come last."""
    above = next(line for line, (value, _, percent) in zip(lines, parsed, strict=True) if value > 1 and not percent)
    for (number, who, text, _), (value, _, percent) in zip(lines, parsed, strict=True):
        if 0 < value <= 1 and not percent:
            raise refusal(source, "share_among_percentages", text, who, above[2], above[1], line=number)


def _is_coarse(right: int, n: int, unit: float) -> bool:
    """Whether the half of a unit by which a score was rounded is over a quarter of its standard deviation."""
    share = (right + 1) / (n + 2)
    return unit * n >= 2 and unit / 2 > 0.25 * math.sqrt(share * (1 - share) / n)


def _rounded(coarse: list[tuple[int, str, str, int]], most: float, of: int) -> str:
    """Scores so short that several counts of right answers print the same."""
    shown = listing(f"{text} of {excerpt(who, 40)}" for _, who, text, _ in coarse[:3])
    return say("scores_rounded", len(coarse), of, int(most) + 1, shown)


def _impossible(odd: list[tuple[int, str, str, int]], of: int) -> str:
    sizes = {n for *_, n in odd}
    each = "" if len(sizes) == 1 else " out of {}"
    shown = listing(f"{text} of {excerpt(who, 40)}{each.format(integer(n))}" for _, who, text, n in odd)
    where = f" out of {integer(sizes.pop())}" if len(sizes) == 1 else ""
    return say("scores_impossible", where, len(odd), of, shown)


def _score(text: str, source: str, line: int) -> tuple[float, int, bool]:
    match = _NUMBER.fullmatch(text.strip())
    if match is None or not (match["whole"] or match["decimals"]):
        raise refusal(source, "not_a", "a score", "a share or a percentage such as 0.934 or 93.4%", text, line=line)
    percent = bool(match["percent"] or match["behind"])
    return float(match["number"].replace(",", ".")), len(match["decimals"] or ""), percent


# -- columns set apart by blanks, as a board is copied from a page or a terminal -----------------------------------

#: A rank or none, a name that may have blanks in it, and one or two numbers.
_SPACED = re.compile(
    r"(?:#?\d{1,4}[.)]?\s+)?(?P<name>\S+(?:\s+\S+)*?)\s+(?P<first>\d[\d.,]*\s?%?)(?:\s+(?P<second>\d[\d.,]*))?"
)

#: Words of a header, a unit behind them or not.
_SPACED_WORDS = {
    kind: re.compile(rf"\b(?:{'|'.join(sorted(map(re.escape, words), key=len)[::-1]).replace('_', '[ _]')})\b")
    for kind, words in (("name", NAME), ("correct", CORRECT), ("score", SCORE), ("n", COUNT | ASKED))
}


def with_commas(text: str) -> str:
    r"""Write such a leaderboard as name, score or correct, n; any other text stays as it is.

    Examples
    --------
    >>> print(with_commas("Rank Team Accuracy (%) Test cases\n1 Alpha One 91.2 2000\n2 Beta 90.5 2000\n"), end="")
    name,score,n
    Alpha One,91.2,2000
    Beta,90.5,2000
    >>> with_commas("name,score,n\na,0.9,50\n")
    'name,score,n\na,0.9,50\n'
    """
    lines = [line.strip() for line in text.splitlines() if line.strip()]
    if len(lines) < 2 or any(re.search(r"[\t;|]|,(?!\d)", line) for line in lines):
        return text
    titles = _spaced_titles(lines[0])
    rows = [_SPACED.fullmatch(line) for line in (lines[1:] if titles else lines)]
    if not all(rows) or len({row["second"] is None for row in rows if row}) > 1:
        return text
    cells = [[row["name"], row["first"], *filter(None, [row["second"]])] for row in rows if row]
    if titles and len(titles) != len(cells[0]):
        return text
    return csv_text(titles or cells[0], cells if titles else cells[1:])


def _spaced_titles(line: str) -> list[str]:
    lower = line.casefold()
    places = {kind: match.start() for kind, words in _SPACED_WORDS.items() if (match := words.search(lower))}
    found = sorted(places, key=lambda kind: places[kind])
    return found if found[:1] == ["name"] and ("score" in found) != ("correct" in found) else []
