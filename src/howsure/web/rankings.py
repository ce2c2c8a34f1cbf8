"""``rank``: a leaderboard, and how sure each rank is."""

from __future__ import annotations

import csv
import io
from collections.abc import Mapping
from dataclasses import replace
from functools import partial
from typing import Any

import numpy as np

from howsure.data.confusion import ConfusionMatrix
from howsure.data.predictions import Predictions
from howsure.io.formats.board import read_board
from howsure.io.reading import Board
from howsure.metrics import REGISTRY
from howsure.posterior.accuracy import KNOWN
from howsure.posterior.posterior import Posterior, infer
from howsure.posterior.priors import LearnedPrior, Prior, resolve_prior
from howsure.questions.contest import Ranked
from howsure.questions.rank import rank
from howsure.questions.ranking import Ranking, rank_probability
from howsure.text import formats
from howsure.text.spreadsheet import guarded
from howsure.text.svg import fields
from howsure.web import reproduced
from howsure.web.choices import offered, positive_of, titles
from howsure.web.fields import InvalidRequest
from howsure.web.limits import MOST_MATRICES, MOST_MATRICES_DEAR, Limits
from howsure.web.report_parts import answer_words
from howsure.web.shapes import pictures
from howsure.web.subjects import asked_draws, kind_of, level_of, named_matrices, predictions_of, prior_of, seed_of

__all__ = ["answered", "board_text", "made_ranking"]

#: Entries of a board that are drawn, whose fields can still be told apart, or written out in words.
MOST_DRAWN, MOST_WRITTEN = 40, 60

#: Single rates, whose laws are Betas.
QUICK = ("accuracy", "error_rate", "recall", "specificity")

#: Columns that a reader of a page can do without.
LEFT_OUT = ("observed", "E(rank)", "wins")


def answered(request: Mapping[str, Any], limits: Limits) -> dict[str, Any]:
    """The answer to a checked request."""
    made, board = made_ranking(request, limits)
    given = request.get("paired") or request.get("classifiers", [{"matrix": None}])[0]["matrix"]
    choices = list(KNOWN) if given is None else offered(given)
    named = titles([*choices, *filter(None, [request.get("metric")])], positive_of(given or {}))
    shown = {**_shown(made), "choices": choices, "titles": named}
    return {
        "result": made.to_dict(),
        "shown": shown,
        "drawing": _drawing(made, shown),
        "code": reproduced.of_ranking(request, made, board, board_text(request.get("entries", []))),
    }


def made_ranking(request: Mapping[str, Any], limits: Limits) -> tuple[Ranking, Board | None]:
    """The ranking that is asked for, and the board that it was read from."""
    if sum(key in request for key in ("entries", "classifiers", "paired")) != 1:
        raise InvalidRequest("a ranking has entries, or classifiers, or pairs; one of the three", "entries")
    prior, board = prior_of(request), None
    contenders: Predictions | dict[str, Ranked]
    notes: tuple[str, ...] = ()
    if "entries" in request:
        board = _board(request["entries"])
        notes, numbers = board.notes, len(board.standings)
        contenders = {
            it.name: Posterior.from_accuracy(correct=it.correct, n=it.n, prior=prior) for it in board.standings
        }
    elif "classifiers" in request:
        matrices: dict[str, ConfusionMatrix] = named_matrices(request["classifiers"])
        _refuse_long(matrices, request.get("metric", "balanced_accuracy"), prior)
        numbers = sum(len(it.labels) ** 2 for it in matrices.values())
        contenders = {name: infer(matrix, prior) for name, matrix in matrices.items()}
    else:
        given = request["paired"]
        numbers = len(given["cells"]) * len(given["models"])
        contenders = predictions_of(given, limits)
    made = rank(
        contenders,
        metric=request.get("metric"),
        prior=prior if isinstance(contenders, Predictions) else None,
        prizes=request.get("prizes", ()),
        top=request.get("top", 3),
        new_test=request.get("new_test"),
        level=level_of(request),
        kind=kind_of(request),
        draws=asked_draws(request, numbers, limits),
        seed=seed_of(request),
        notes=notes,
    )
    return made, board


def _refuse_long(matrices: Mapping[str, ConfusionMatrix], metric: str, prior: str | Prior | None) -> None:
    count, size = len(matrices), max(len(matrix.labels) for matrix in matrices.values())
    dear = size == 2 or isinstance(resolve_prior(prior, size), LearnedPrior)
    most = MOST_MATRICES_DEAR if dear else MOST_MATRICES
    name = metric.partition("@")[0].strip().lower()
    if count > most and (name not in REGISTRY or REGISTRY[name].name not in QUICK):
        raise InvalidRequest(
            f"a ranking of {count} such matrices by {metric[:40]} takes too long here; rank up to {most}, or by "
            "accuracy, or use the command line, which has no limit",
            "classifiers",
        )


def _board(entries: list[dict[str, Any]]) -> Board:
    """Entries as a leaderboard, read as the file would be: scores become counts, or are named."""
    kinds = {key for entry in entries for key in ("correct", "score") if key in entry}
    odd = next((i for i, entry in enumerate(entries) if ("correct" in entry) == ("score" in entry)), None)
    if odd is not None or len(kinds) != 1:
        raise InvalidRequest(
            "each entry has the number of right answers (correct), or its score; all of them the same",
            "entries" if odd is None else f"entries[{odd}]",
        )
    return read_board(io.StringIO(board_text(entries)))


def board_text(entries: list[dict[str, Any]]) -> str:
    """Entries as the CSV that ``howsure rank`` reads."""
    key = "correct" if entries and "correct" in entries[0] else "score"
    made = io.StringIO()
    writer = csv.writer(made, lineterminator="\n")
    writer.writerow(["name", key, "n"])
    writer.writerows([guarded(entry["name"]), _plain(entry[key]), entry["n"]] for entry in entries)
    return made.getvalue()


def _plain(value: str | float) -> str:
    """A number without an exponent, as a board prints it; a text as it is."""
    if isinstance(value, float):
        return np.format_float_positional(value, trim="-")
    return str(value)


def _shown(made: Ranking) -> dict[str, Any]:
    surely = np.asarray(made.above) >= made.level
    pairs = len(made.entries) * (len(made.entries) - 1) // 2
    sheet = made.sheet()
    kept = [i for i, title in enumerate(sheet.header) if title not in LEFT_OUT]
    names = [row[0] for row in sheet.rows]
    places = [str(i + 1) for i in range(len(names))]
    numbered = [f"{place}  {name}" for place, name in zip(places, names, strict=True)]
    by_rank, by_pair = _words(made.probabilities, made), _words(made.above, made)
    separated = (
        f"{formats.integer(int(surely.sum()))} of {formats.integer(pairs)} pairs are separated with probability "
        f"{made.level:g} or more. They are outlined, or darker where there is no room for numbers."
    )
    return {
        **answer_words(sheet),
        # the sentence says how many may be best; another way of counting them would only be another number
        "note": list(replace(made, contenders=()).remarks),
        "header": [sheet.header[i] for i in kept],
        "rows": [[row[i] for i in kept] for row in sheet.rows],
        "sections": [
            {"name": "ranks", "title": "How probable each rank is", "said": "", "header": ["entry", *places],
             "rows": [[first, *rest] for first, rest in zip(names, by_rank, strict=False)]},
            {"name": "pairs", "title": "Which pairs are separated", "said": separated,
             "header": ["better than", *places],
             "rows": [[first, *rest] for first, rest in zip(numbered, by_pair, strict=False)]},
        ],
    }  # fmt: skip


def _words(matrix: Any, made: Ranking) -> list[list[str]]:
    """A matrix of probabilities as text; empty where it is too large to read."""
    if len(made.entries) > MOST_WRITTEN:
        return []
    return [[rank_probability(made, p) for p in row] for row in np.asarray(matrix).tolist()]


def _drawing(made: Ranking, shown: Mapping[str, Any]) -> dict[str, Any]:
    """The scores, the probability of each rank, and of every two which is ahead, as pictures."""
    names = [row[0] for row in shown["rows"][:MOST_DRAWN]]
    many = len(names)
    places = [str(i + 1) for i in range(many)]
    ranks = np.asarray(made.probabilities)[:many, :many].tolist()
    # only those ahead in the rows: the other half would say the same
    ahead = [
        [p if i < j else None for j, p in enumerate(row[:many])]
        for i, row in enumerate(np.asarray(made.above)[:many].tolist())
    ]
    numbered = [f"{place}  {name}" for place, name in zip(places, names, strict=True)]
    by_rank, by_pair = ([row[1 : many + 1] for row in part["rows"][:many]] for part in shown["sections"])
    drawn_ranks = partial(
        fields,
        ranks,
        by_rank,
        names,
        places,
        across="rank",
        title=f"Probability of each rank of {many} entries, in the table below",
    )
    drawn_pairs = partial(
        fields,
        ahead,
        by_pair,
        numbered,
        places,
        across="P(row is better than column)",
        sure=made.level,
        title="Probability that the entry of the row is better than that of the column, in the table below",
    )
    return {"picture": pictures(made.picture), "sections": [pictures(drawn_ranks), pictures(drawn_pairs)]}
