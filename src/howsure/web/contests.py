"""``compare`` and ``rank``: classifiers of separate test sets or of the same cases, or a leaderboard."""

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
from howsure.laws import Draws
from howsure.metrics import REGISTRY
from howsure.posterior.accuracy import KNOWN
from howsure.posterior.posterior import Posterior, infer
from howsure.posterior.priors import LearnedPrior, Prior, resolve_prior
from howsure.questions.compare import compare
from howsure.questions.comparison import Comparison
from howsure.questions.contenders import chances_picture, classes_picture
from howsure.questions.contest import Ranked
from howsure.questions.rank import rank
from howsure.questions.ranking import Ranking, rank_probability
from howsure.text import formats
from howsure.text.formats import guarded
from howsure.text.svg import fields
from howsure.web import code
from howsure.web.choices import offered, positive_of, titles
from howsure.web.fields import InvalidRequest
from howsure.web.limits import MOST_MATRICES, MOST_MATRICES_DEAR, Limits
from howsure.web.sheets import answer_words, matrix_words, page
from howsure.web.subjects import asked_draws, how_of, named_matrices, predictions_of, prior_of, width_of

__all__ = ["board_text", "compared", "made_comparison", "made_ranking", "ranked"]

#: The same as of the command line.
METRIC = "balanced_accuracy"

#: What two matrices cannot say.
APART = (
    "Two matrices say nothing about which cases both got wrong; with the answers of both to each case of one test set "
    "the interval is narrower."
)

#: Entries of a board that are drawn, whose fields can still be told apart, or written out in words.
MOST_DRAWN, MOST_WRITTEN = 40, 60

#: Single rates, whose laws are Betas.
QUICK = ("accuracy", "error_rate", "recall", "specificity")

#: Columns that a reader of a page can do without.
LEFT_OUT = ("observed", "E(rank)", "wins")


def _titles(request: Mapping[str, Any], standard: str | None = None) -> dict[str, str]:
    """What can be chosen in place of the metric, by the names that people know."""
    given = request.get("paired") or request.get("classifiers", [{"matrix": {}}])[0]["matrix"]
    choices = offered(given) if given else list(KNOWN)
    return titles([*choices, *filter(None, [request.get("metric", standard)])], positive_of(given))


# -- Two classifiers ---------------------------------------------------------------------------------------------------


def compared(request: Mapping[str, Any], limits: Limits) -> dict[str, Any]:
    """The answer to a checked request about two classifiers."""
    made = made_comparison(request, limits)
    sheet, width = made.sheet(), width_of(request)
    parts = [_chances(made), *_discordant(made), *_classes(made)]
    said = {
        **answer_words(replace(sheet, header=("classifier", *sheet.header[1:]))),
        "note": [*made.warnings, *(() if made.paired else (APART,)), *made.notes, *sheet.below],
        "sections": [words for words, _ in parts],
        "matrices": [matrix_words(it.confusion) for it in made.posteriors if isinstance(it, Posterior)],
        "titles": _titles(request, METRIC),
    }
    drawn = [None if draw is None else draw(width=width) for _, draw in parts]
    return page(made, said, code.of_comparison(request, made), picture=made.picture(width=width), sections=drawn)


def made_comparison(request: Mapping[str, Any], limits: Limits) -> Comparison:
    """The comparison that is asked for."""
    if ("classifiers" in request) == ("paired" in request):
        raise InvalidRequest(
            "a comparison has two classifiers, or the pairs of one test; one of the two", "classifiers"
        )
    options: dict[str, Any] = {"metric": request.get("metric", METRIC), "rope": request.get("rope"), **how_of(request)}
    if "paired" in request:
        given = request["paired"]
        if len(given["models"]) != 2:
            raise InvalidRequest(f"a comparison is of two classifiers, not {len(given['models'])}", "paired.models")
        options["draws"] = asked_draws(request, 2 * len(given["cells"]), limits)
        return compare(predictions_of(given, limits), prior=prior_of(request), **options)
    matrices = named_matrices(request["classifiers"])
    options["draws"] = asked_draws(request, sum(len(it.labels) ** 2 for it in matrices.values()), limits)
    first, second = (infer(matrix, prior_of(request)) for matrix in matrices.values())
    one, two = matrices
    return compare(first, second, names=(one, two), **options)


#: A further table of an answer, and what draws its picture if it has one.
Part = tuple[dict[str, Any], Any]


def _chances(made: Comparison) -> Part:
    """The probabilities that one is better, that they are practically equal, and that the other is better."""
    law = made.difference.law
    draws = law.n if isinstance(law, Draws) else None
    better, same, worse = (formats.probability(p, draws) for p in (made.p_better, made.p_equal, made.p_worse))
    one, other = made.names
    equal = [[f"within {made.rope:g}", same]] if made.rope else []
    rows = [[f"{one} is better", better], *equal, [f"{other} is better", worse]]
    draw = partial(chances_picture, made.law, made.chances, made.names, made.rope or 0.0, turned=made.turned)
    return {"name": "chances", "title": "How sure", "header": ["", "probability"], "rows": rows}, draw


def _discordant(made: Comparison) -> list[Part]:
    """Cases on which only one is right decide; the others say nothing about which is better."""
    if made.discordant is None:
        return []
    both_right, only_a, only_b, both_wrong = map(formats.integer, made.discordant)
    a, b = made.names
    rows = [[f"{a} right", both_right, only_a], [f"{a} wrong", only_b, both_wrong]]
    header = ["", f"{b} right", f"{b} wrong"]
    return [({"name": "discordant", "title": "The cases that decide", "header": header, "rows": rows}, None)]


def _classes(made: Comparison) -> list[Part]:
    """The difference of the recall of each class, which the rows have."""
    if all(row.low is None for row in made.per_class):
        return []
    said = f"Difference of the recall, {' minus '.join(made.ahead)}; the numbers are in the table above."
    draw = partial(classes_picture, made.shown_classes, made.ahead, made.kind)
    return [({"name": "classes", "title": "Class by class", "said": said, "header": [], "rows": []}, draw)]


# -- A leaderboard -----------------------------------------------------------------------------------------------------


def ranked(request: Mapping[str, Any], limits: Limits) -> dict[str, Any]:
    """The answer to a checked request about a leaderboard."""
    made, board = made_ranking(request, limits)
    sheet, width = made.sheet(), width_of(request)
    kept = [i for i, title in enumerate(sheet.header) if title not in LEFT_OUT]
    parts = [_ranks(made, sheet.rows), _pairs(made, sheet.rows)]
    said = {
        **answer_words(sheet),
        # the sentence says how many may be best; another way of counting them would only be another number
        "note": list(replace(made, contenders=()).remarks),
        "header": [sheet.header[i] for i in kept],
        "rows": [[row[i] for i in kept] for row in sheet.rows],
        "sections": [words for words, _ in parts],
        "titles": _titles(request),
    }
    drawn = [draw(width=width) for _, draw in parts]
    reproduced = code.of_ranking(request, made, board, board_text(request.get("entries", [])))
    return page(made, said, reproduced, picture=made.picture(width=width), sections=drawn)


def made_ranking(request: Mapping[str, Any], limits: Limits) -> tuple[Ranking, Board | None]:
    """The ranking that is asked for, and the board that it was read from."""
    if sum(key in request for key in ("entries", "classifiers", "paired")) != 1:
        raise InvalidRequest("a ranking has entries, or classifiers, or pairs; one of the three", "entries")
    prior, board = prior_of(request), None
    contenders: Predictions | dict[str, Ranked]
    if "entries" in request:
        board = _board(request["entries"])
        numbers = len(board.standings)
        contenders = {
            it.name: Posterior.from_accuracy(correct=it.correct, n=it.n, prior=prior) for it in board.standings
        }
    elif "classifiers" in request:
        matrices: dict[str, ConfusionMatrix] = named_matrices(request["classifiers"])
        _refuse_long(matrices, request.get("metric", METRIC), prior)
        numbers = sum(len(it.labels) ** 2 for it in matrices.values())
        contenders = {name: infer(matrix, prior) for name, matrix in matrices.items()}
    else:
        given = request["paired"]
        numbers = len(given["cells"]) * len(given["models"])
        contenders = predictions_of(given, limits)
    asked: dict[str, Any] = {key: request[key] for key in ("metric", "prizes", "top", "new_test") if key in request}
    made = rank(
        contenders,
        prior=prior if isinstance(contenders, Predictions) else None,
        draws=asked_draws(request, numbers, limits),
        notes=() if board is None else board.notes,
        **asked,
        **how_of(request),
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
    return np.format_float_positional(value, trim="-") if isinstance(value, float) else str(value)


def _ranks(made: Ranking, rows: tuple[tuple[str, ...], ...]) -> Part:
    """How probable each rank is."""
    names = [row[0] for row in rows]
    places = [str(i + 1) for i in range(len(rows))]
    words = _words(made.probabilities, made)
    many = min(len(names), MOST_DRAWN)
    title = f"Probability of each rank of {many} entries, in the table below"
    said = [row[:many] for row in words[:many]]
    values = np.asarray(made.probabilities)[:many, :many].tolist()
    draw = partial(fields, values, said, names[:many], places[:many], across="rank", title=title)
    table = [[first, *rest] for first, rest in zip(names, words, strict=False)]
    part = {"name": "ranks", "title": "How probable each rank is", "said": "", "header": ["entry", *places]}
    return {**part, "rows": table}, draw


def _pairs(made: Ranking, rows: tuple[tuple[str, ...], ...]) -> Part:
    """Of every two, how probably one is better."""
    places = [str(i + 1) for i in range(len(rows))]
    names = [f"{place}  {row[0]}" for place, row in zip(places, rows, strict=True)]
    words = _words(made.above, made)
    many, surely = min(len(names), MOST_DRAWN), np.asarray(made.above) >= made.level
    # only those ahead in the rows: the other half would say the same
    values = [
        [p if i < j else None for j, p in enumerate(row[:many])]
        for i, row in enumerate(np.asarray(made.above)[:many].tolist())
    ]
    title = "Probability that the entry of the row is better than that of the column, in the table below"
    draw = partial(fields, values, [row[:many] for row in words[:many]], names[:many], places[:many],
                   across="P(row is better than column)", sure=made.level, title=title)  # fmt: skip
    said = (
        f"{formats.integer(int(surely.sum()))} of {formats.integer(len(rows) * (len(rows) - 1) // 2)} pairs are "
        f"separated with probability {made.level:g} or more. They are outlined, or darker where there is no room for "
        "numbers."
    )
    table = [[first, *rest] for first, rest in zip(names, words, strict=False)]
    part = {"name": "pairs", "title": "Which pairs are separated", "said": said, "header": ["better than", *places]}
    return {**part, "rows": table}, draw


def _words(matrix: Any, made: Ranking) -> list[list[str]]:
    """A matrix of probabilities as text; empty where it is too large to read."""
    if len(made.entries) > MOST_WRITTEN:
        return []
    return [[rank_probability(made, p) for p in row] for row in np.asarray(matrix).tolist()]
