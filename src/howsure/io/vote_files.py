"""Files of battles to `Votes`: a row a battle or a pair with its counts, by the words of the header."""

from __future__ import annotations

import io
import os
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from howsure.data.refusals import of_file, say
from howsure.data.words import (
    ANSWER,
    FIRST_MODEL,
    FIRST_WINS,
    LENGTH,
    LOSER,
    PARTS,
    PROMPT,
    SECOND_MODEL,
    SECOND_WINS,
    TIES,
    VOTER,
    WINNER,
    is_missing,
    word_of,
)  # fmt: skip
from howsure.errors import InvalidFile, excerpt
from howsure.io.case_rows import CodedRows, coded_rows, together
from howsure.io.cells import NotACount, count_of
from howsure.io.contents import holds, table_from
from howsure.io.roles import roles_of
from howsure.io.table import TextTable
from howsure.numerics.arrays import Floats, bincount
from howsure.text.columns_taken import UNUSED, note_columns

if TYPE_CHECKING:
    from howsure.knowledge.battles import BothBad
    from howsure.knowledge.votes import Votes


_EXPECTED = "battles are rows of model_a,model_b,winner, of winner,loser, or of model_a,model_b,wins_a,wins_b,ties"


#: The words of each role.
ROLES = {
    "winner": WINNER, "loser": LOSER, "model_a": FIRST_MODEL, "model_b": SECOND_MODEL, "wins_a": FIRST_WINS,
    "wins_b": SECOND_WINS, "ties": TIES, "voter": VOTER, "prompt": PROMPT, "count": PARTS["count"],
}  # fmt: skip
#: How the columns of the two sides are named, as in length_a, a_length, and sum_assistant_a_tokens.
SIDES = (("a", "b"), ("1", "2"), ("left", "right"))
OF_A_SIDE = (
    "{0}_{1}", "{1}_{0}", "model_{1}_{0}", "{0}_model_{1}", "response_{1}_{0}", "{0}_response_{1}", "assistant_{1}_{0}",
    "{0}_assistant_{1}", "answer_{1}_{0}", "sum_assistant_{1}_{0}",
)  # fmt: skip
#: Bytes of standard input that are looked at.
_HEAD = 2**13


@dataclass(frozen=True)
class VoteColumns:
    """Columns by name; by the words of the header where they are left out."""

    model_a: str | None = None
    model_b: str | None = None
    winner: str | None = None
    voter: str | None = None
    prompt: str | None = None


def is_votes(path: str) -> bool:
    """Whether a file on the disk is a table of battles, by its header."""
    if path == "-":
        return holds(io.BytesIO(_beginning(getattr(sys.stdin, "buffer", None))), is_battles)
    if not os.path.isfile(path) or path.lower().endswith((".eval", ".zip")):
        return False
    if path.lower().endswith((".json", ".jsonl", ".ndjson")):  # long logs are not read a second time
        with open(path, "rb") as document:
            if b"winner" not in document.read(_HEAD):
                return False
    return holds(path, is_battles)


def is_battles(table: TextTable) -> bool:
    """The same of a table."""
    return _form(table, VoteColumns()) is not None


def _beginning(stream: Any) -> bytes:
    """The first lines of standard input, which stay to be read."""
    if hasattr(stream, "peek"):
        data = bytes(stream.peek(_HEAD))[:_HEAD]
    elif stream is not None and stream.seekable():
        at = stream.tell()
        data = stream.read(_HEAD)
        stream.seek(at)
    else:
        return b""
    lines = data.splitlines(keepends=True)
    return b"".join(lines[:-1] if len(lines) > 2 else lines)


def read_votes(
    data: Any, columns: VoteColumns | None = None, *, both_bad: BothBad = "tie", control: Sequence[str] = ()
) -> Votes:  # fmt: skip
    r"""Read battles of models.

    Parameters
    ----------
    data : str, path-like, stream, or data frame
        A row a battle (model_a, model_b, winner; or winner, loser), or a row a pair with its counts.
    columns : VoteColumns, optional
        Columns that have other names; voters and prompts are read where the header names them.
    both_bad : "tie" or "exclude"
        What a vote for neither counts as.
    control : sequence of str
        What is held equal: "position" (the first model is the one shown first), "length" (columns such as length_a and
        length_b, or the texts response_a and response_b), or another number of both, NAME_a and NAME_b.

    Raises
    ------
    InvalidFile
        Other columns, a model against itself, an unknown winner, a single model.

    Examples
    --------
    >>> import io
    >>> read_votes(io.StringIO("model_a,model_b,winner\nx,y,model_a\ny,z,tie\nx,z,z\n"))
    <Votes: 3 battles, 3 models>
    """
    votes: Votes = _read(data, columns or VoteColumns(), None, both_bad, control)[""]
    return votes


def votes_by(
    data: Any, by: str, columns: VoteColumns | None = None, *, both_bad: BothBad = "tie", control: Sequence[str] = ()
) -> dict[str, Votes | str]:
    """Read the battles of each value of a column; a sentence where they cannot be ranked."""
    return _read(data, columns or VoteColumns(), by, both_bad, control)


class Style(NamedTuple):
    """Where both sides have a number, or a text whose length it is."""

    name: str
    a: int
    b: int
    texts: bool = False


def _style(table: TextTable, name: str) -> Style | None:
    words = [word_of(cell) for cell in table.header]
    for first, second in SIDES:
        for stem in sorted(LENGTH) if name == "length" else [word_of(name)]:
            for form in OF_A_SIDE:
                a, b = form.format(stem, first), form.format(stem, second)
                if a in words and b in words:
                    return Style(name, words.index(a), words.index(b))
    for first, second in SIDES if name == "length" else ():
        for stem in sorted(ANSWER):
            if f"{stem}_{first}" in words and f"{stem}_{second}" in words:
                return Style(name, words.index(f"{stem}_{first}"), words.index(f"{stem}_{second}"), texts=True)
    return None


def _styles(table: TextTable, control: Sequence[str]) -> list[Style]:
    """What is to be controlled; where nothing is, the lengths that are there, which a note may be about."""
    if not control:
        lengths = None if table.is_large else _style(table, "length")
        return [] if lengths is None or lengths.texts else [lengths]
    from howsure.knowledge.votes import PLACE

    found = []
    for name in dict.fromkeys(control):
        style = None if name == PLACE else _style(table, name)
        if style is None and name != PLACE:
            texts = ", or the texts in response_a and response_b" if name == "length" else ""
            expected = f"What is controlled has two columns of numbers, {name}_a and {name}_b{texts}"
            raise table.fault(say("no_column", name, table.header, expected))
        found += [] if style is None else [style]
    return found


def _form(table: TextTable, columns: VoteColumns) -> dict[str, int] | None:
    """Columns by role: a, b and winner, or a, b, wins of each and ties, or winner and loser; None where none are."""
    named = {role: table.column(name) for role, name in vars(columns).items() if name is not None}
    found = roles_of(table, ROLES, named)
    pair = {"model_a", "model_b"} <= found.keys()
    kept = {"winner", "voter", "prompt", "count"}
    if pair and "winner" in found:
        kept |= {"model_a", "model_b"}
    elif pair and {"wins_a", "wins_b"} <= found.keys():
        kept = {"model_a", "model_b", "wins_a", "wins_b", "ties"}
    elif {"winner", "loser"} <= found.keys():
        kept |= {"loser"}
    else:
        return None
    return {role: at for role, at in found.items() if role in kept}


def _read(
    data: Any, columns: VoteColumns, by: str | None, both_bad: BothBad, control: Sequence[str]
) -> dict[str, Any]:  # fmt: skip
    with table_from(data, _EXPECTED) as table:
        roles = _form(table, columns)
        if roles is None:
            raise table.fault(say("no_column", "two models and who won", table.header, _EXPECTED))
        slices = None if by is None else table.column(by)
        styles = _styles(table, control)
        beside = [at for style in styles for at in (style.a, style.b)]
        places = list(dict.fromkeys([*roles.values(), *([] if slices is None else [slices]), *beside]))
        if table.is_large and not {"voter", "prompt"} & {*roles}:  # one GROUP BY
            from howsure.io.counting.duck import names_there
            from howsure.io.counting.engines import combinations, engine_of

            with engine_of(table, [names_there(table)[at] for at in places]) as engine:
                rows = combinations(engine, table, places)
        else:
            rows = coded_rows(table, places, blank=False)
        if not len(rows):
            raise table.fault(say("no_rows", "row"))
        taken = {at: role for role, at in roles.items()} | ({} if slices is None else {slices: "slice"})
        taken |= {at: style.name for style in styles for at in (style.a, style.b)}
        note_columns(table.source, {name: taken.get(at, UNUSED) for at, name in enumerate(table.header)}, table.notes)
        if slices is None:
            return {"": _votes(table, rows, roles, np.arange(len(rows)), both_bad, styles, control)}
        found: dict[str, Any] = {}
        column = rows[slices].by(lambda text: table.clean(text) or "(blank)")
        for code, name in sorted(enumerate(column.texts), key=lambda it: it[1]):
            try:
                found[name] = _votes(
                    table, rows, roles, np.flatnonzero(column.codes == code), both_bad, styles, control
                )
            except InvalidFile as error:
                found[name] = error.problem
        return found


def _votes(
    table: TextTable, rows: CodedRows, roles: dict[str, int], some: Any, both_bad: BothBad, styles: Sequence[Style],
    control: Sequence[str],
) -> Votes:  # fmt: skip
    """The battles of some rows, each different row once where no voter or prompt joins them."""
    from howsure.knowledge.votes import Votes  # any file is looked at for battles, few hold some

    clusters = [role for role in ("voter", "prompt") if role in roles]
    times: Floats = rows.times[some].astype(float)
    if not clusters:
        beside = [at for style in styles for at in (style.a, style.b)]
        key = together(*(rows[at].codes[some] for at in (*roles.values(), *beside)))
        first, code = np.unique(key, return_index=True, return_inverse=True)[1:]
        some, times = some[first], bincount(code, weights=times).astype(float)

    def cells(role: str) -> list[str]:
        column = rows[roles[role]].by(table.clean)
        texts = np.array([*column.texts, ""], dtype=object)
        if role not in ("ties", "count", "voter", "prompt"):
            lacking = [row for row in some if is_missing(texts[column.codes[row]])]
            if lacking:
                raise rows.fault(say("lacking", f"{role} (column {table.header[roles[role]]})"), int(lacking[0]))
        return texts[column.codes[some]].tolist()  # type: ignore[no-any-return]  # of texts

    def counts(role: str) -> Any:
        values = []
        for text, row in zip(cells(role), some, strict=True):
            try:
                values.append(count_of(text) if text else 0)
            except NotACount as reason:
                raise rows.fault(f"the count of {excerpt(table.header[roles[role]])} {reason}", int(row)) from None
        return np.array(values, dtype=float)

    apart: dict[str, tuple[Floats, Floats]] = {}
    for style in styles:
        a, b = (_sizes(rows, at, some, style, bool(control)) for at in (style.a, style.b))
        if a is not None and b is not None:
            apart[style.name] = a, b
    options: dict[str, Any] = {"both_bad": both_bad, "notes": tuple(table.notes), "styles": apart}
    with of_file(table.source):
        if "wins_a" in roles:
            one, other = cells("model_a"), cells("model_b")
            each = [times * counts(role) if role in roles else 0 * times for role in ("wins_a", "wins_b", "ties")]
            words = [word for word in ("model_a", "model_b", "tie") for _ in one]
            options["styles"] = {name: [np.tile(it, 3) for it in pair] for name, pair in apart.items()}
            found = Votes.from_columns(3 * one, 3 * other, words, count=np.concatenate(each), **options)
            return found.controlled(*control)
        if "count" in roles:
            times = times * counts("count")
        if "loser" in roles:
            winner = cells("winner")
            found = Votes.from_columns(winner, cells("loser"), winner, count=times, ordered=False, **options)
            return found.controlled(*control)
        joined: dict[str, Any] = {role: _known(cells(role)) for role in clusters} if "count" not in roles else {}
        won = cells("winner")
        title = table.header[roles["winner"]]
        if {*won} == {"0", "1"} and word_of(title).startswith(("winn", "prefer", "choice")):
            raise table.fault(say("winner_by_number", title))
        found = Votes.from_columns(
            cells("model_a"), cells("model_b"), won,
            count=None if joined else times, **joined, **options,
        )  # fmt: skip
        return found.controlled(*control)


def _sizes(rows: CodedRows, at: int, some: Any, style: Style, wanted: bool) -> Floats | None:
    values = []
    for text, row in zip(rows[at].texts, rows[at].first.tolist(), strict=True):
        try:
            values.append(float(len(text)) if style.texts else float(text))
        except ValueError:
            values.append(-1.0)
        if not 0 <= values[-1] < np.inf:
            if not wanted:
                return None
            raise rows.fault(f"{excerpt(text)} is no {style.name} (column {rows.table.header[at]})", int(row))
    sizes: Floats = np.array([*values, 0.0])[rows[at].codes[some]]
    return sizes


def _known(names: Sequence[str]) -> list[str]:
    """Names of clusters; a row without one is its own."""
    return [f"row {at}" if is_missing(name) else name for at, name in enumerate(names)]
