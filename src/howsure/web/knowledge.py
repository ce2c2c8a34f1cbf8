"""``ask``: what items with scores, battles and ratings say. The text is the data, read as its file would be."""

from __future__ import annotations

import json
import shlex
from collections.abc import Mapping
from dataclasses import replace
from functools import lru_cache
from typing import Any, TypeAlias

from howsure.errors import InvalidFile
from howsure.io.items import is_items, read_items
from howsure.io.opening import opened
from howsure.io.rating_files import is_ratings, read_ratings
from howsure.io.table import Row, TextTable
from howsure.io.vote_files import is_battles, read_votes
from howsure.knowledge.items import Items
from howsure.knowledge.protocol import Knowledge
from howsure.knowledge.ratings import Ratings
from howsure.numerics.agreement import Scale
from howsure.questions.agree import Agreement, agree
from howsure.questions.compare import compare_known as compare
from howsure.questions.differences import Difference
from howsure.questions.estimates import Estimated, estimates
from howsure.questions.rank import rank_known as rank
from howsure.questions.ranking import Ranking
from howsure.web import code
from howsure.web.code import Code
from howsure.web.limits import Limits
from howsure.web.schema import WORKBOOK, InvalidRequest, Kind
from howsure.web.subjects import how_of, stream_of, width_of
from howsure.web.words import answer_words, page

#: What the page calls a text, whose file's name it does not send.
PASTED = "The text"

#: Their answers.
Said: TypeAlias = Estimated | Difference | Ranking | Agreement

#: The function that reads each, and the name of a file in the code that is shown.
READ_BY = {"items": ("read_items", "scores.csv"), "votes": ("read_votes", "votes.csv"),
           "ratings": ("read_ratings", "ratings.csv")}  # fmt: skip

#: Metrics of a report where none is chosen.
MOST_REPORTED = 12

#: Endings of texts that do not show what they are.
LINES = (".jsonl", ".ndjson")

#: Bytes of a request beside the text.
SPARE = 2**12

#: Lines of a text that a command repeats; a longer one stays in its file.
MOST_REPEATED = 200


def kinds_in(table: TextTable, rows: list[Row]) -> list[Kind]:
    """The kinds of data that a table may be, the likeliest first.

    Examples
    --------
    >>> from howsure.io.table import delimited
    >>> kinds_in(TextTable("a", ["model_a", "model_b", "winner"], 1, iter([])), [(2, ["x", "y", "x"])])
    ['votes']
    """

    def seen() -> TextTable:
        return replace(table, rows=iter(rows))

    if is_battles(seen()):
        return ["votes"]
    if is_items(seen()):
        return ["items"]
    read: list[Kind] = ["items"] if is_items(seen(), wide=True) else []
    return [*read, "ratings"] if is_ratings(seen()) else read


def outlined(request: Mapping[str, Any], kinds: list[Kind], limits: Limits) -> dict[str, Any]:
    """What a text holds, as the page keeps it: its kind and its contenders, and the text of a workbook.

    Raises
    ------
    InvalidFile
        A text that is too long to be sent with each question.
    """
    ending, text = request.get("ending", ""), request["text"]
    if ending == WORKBOOK:
        with opened(stream_of(request, PASTED)) as sheet:
            text = "".join(sheet.lines())
    of_workbook = {"text": text} if ending == WORKBOOK else {}
    ending = ending if ending in LINES else ""
    if len(json.dumps(text)) > limits.body - SPARE:
        raise InvalidFile(
            PASTED, f"{len(text) // 1024:,} KiB; the page keeps {limits.body // 1024:,} KiB of scores, battles or "
            "ratings, and the command line reads more"
        )  # fmt: skip
    names = list(_names(_knowledge(text, ending, kinds[0], None, None, None, None)))
    found = {"kind": "data", "of": kinds[0], "kinds": kinds, "names": names, "ending": ending, "notes": []}
    return found | of_workbook


def answered(request: Mapping[str, Any], limits: Limits) -> dict[str, Any]:
    """The answer to a checked request."""
    known, made = _asked(request, limits)
    shown = {
        **answer_words(made.sheet()),
        "of": request["of"],
        "names": list(_names(known)),
        "titles": {name: known.measured(name).called for name in known.metrics},
    }
    return page(made, shown, _code(request, known), picture=made.picture(width=width_of(request)))


def made_answer(request: Mapping[str, Any], limits: Limits) -> Said:
    """The answer itself, for a file of it."""
    return _asked(request, limits)[1]


def _asked(request: Mapping[str, Any], limits: Limits) -> tuple[Knowledge, Said]:
    of, question, metric = request["of"], request["question"], request.get("metric")
    known = _knowledge(request["text"], request.get("ending", ""), of, request.get("low"), request.get("high"),
                       request.get("better"), request.get("scale"))  # fmt: skip
    if len(_names(known)) > limits.classifiers:
        raise InvalidRequest(
            f"{len(_names(known)):,} systems, and the page takes {limits.classifiers}; use the command line", "text"
        )
    how = {"draws": request.get("draws"), **how_of(request)}
    if isinstance(known, Ratings):
        if question != "report":
            raise InvalidRequest("ratings are answered under Evaluate: how well the raters agree", "question")
        return known, agree(known, metric, model=request.get("model"), **how)
    ask = known.ask(**how)
    if question == "rank":
        return known, rank(known, metric, ask=ask)
    if question == "compare":
        return known, compare(known, *_pair(known, request), metric, ask=ask, rope=request.get("rope"))
    return known, estimates(known, _metrics(known, metric), ask=ask)


def _metrics(known: Knowledge, metric: str | None) -> list[str] | None:
    """What is reported: all that items have, up to a number that can be read, where none is chosen."""
    if metric is not None:
        return [metric]
    return list(known.metrics[:MOST_REPORTED]) if isinstance(known, Items) else None


def _pair(known: Knowledge, request: Mapping[str, Any]) -> tuple[str, str]:
    """The two that are compared: those that are named, else the first two."""
    if len(known.names) < 2:
        raise InvalidRequest("two systems are compared, and the text has one; it is answered under Evaluate", "text")
    return request.get("a", known.names[0]), request.get("b", known.names[1])


def _names(known: Knowledge) -> tuple[str, ...]:
    return known.raters if isinstance(known, Ratings) else known.names


@lru_cache(8)
def _knowledge(
    text: str, ending: str, of: Kind, low: float | None, high: float | None, better: Any, scale: Scale | None
) -> Knowledge:
    """What a text says, kept for the next question about it."""
    stream = stream_of({"text": text, "ending": ending}, PASTED)
    if of == "votes":
        return read_votes(stream)
    if of == "ratings":
        return read_ratings(stream, scale=scale or "nominal")
    ends = None if low is None or high is None else (low, high)
    if ends is None and low != high:
        raise InvalidRequest("scores have both ends of their scale, or none", "low" if low is None else "high")
    return read_items(stream, range=ends, better=better or "higher")


def _code(request: Mapping[str, Any], known: Knowledge) -> Code:
    """The same from the text, or from a file of it."""
    reader, file = READ_BY[request["of"]]
    verb = "agree" if request["of"] == "ratings" else request["question"]
    short = request["text"].count("\n") < MOST_REPEATED
    terms = {key: request[key] for key in ("better", "scale") if key in request}
    ends = (request["low"], request["high"]) if "low" in request else None
    asked = {key: request[key] for key in ("model", "rope", "kind") if key in request}
    asked |= code.settings({key: value for key, value in request.items() if key != "kind"})
    metric, metrics = request.get("metric"), _metrics(known, request.get("metric"))
    several = verb in ("report", "agree")
    if isinstance(known, Items):
        metric = metric or known.metrics[0]  # says to the command that columns of numbers are scores
    a, b = _pair(known, request) if verb == "compare" else (None, None)
    positional = ["data", *([repr(metrics)] if several and metrics else []), *(map(repr, (a, b)) if b else [])]
    called = code.call(f"hs.io.{reader}", ["io.StringIO(text)" if short else repr(file)], {"range": ends, **terms})
    asking = code.call(f"hs.{verb}", positional, {"metric": None if several else metric, **asked})
    lines = [f"    {line!r}" for line in request["text"].splitlines(keepends=True)]
    text = ["import io", "", "text = (", *lines, ")"] if short else []
    options = {
        "a": a, "b": b, "metric": metrics if several else metric, **asked, **terms,
        "range": None if ends is None else f"{ends[0]:g},{ends[1]:g}",
    }  # fmt: skip
    command = shlex.join(["howsure", verb, file, *code.options(options)])
    if short:
        command = f'cd "$(mktemp -d)"\n{code.printed(request["text"])} > {file}\n{command}'
    return code.texts([*text, f"data = {called}", f"print({asking})"], command)
