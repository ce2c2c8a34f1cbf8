"""``compare``, ``rank``, ``pool`` and ``slices``: several classifiers, a leaderboard, or many tables of two classes."""

from __future__ import annotations

import csv
import io
from collections.abc import Mapping
from dataclasses import replace
from functools import partial
from typing import Any, cast

import numpy as np

from howsure.answers.sheet import Sheet
from howsure.data.confusion import ConfusionMatrix
from howsure.data.predictions import Predictions
from howsure.data.slices import Slices
from howsure.io.formats.board import read_board
from howsure.io.reading import Board
from howsure.laws import Draws
from howsure.metrics import REGISTRY
from howsure.metrics.measure import spoken_name
from howsure.numerics.arrays import Floats
from howsure.posterior.accuracy import KNOWN
from howsure.posterior.posterior import Posterior, infer
from howsure.posterior.priors import LearnedPrior, Prior, resolve_prior
from howsure.questions.compare import compare
from howsure.questions.comparison import Comparison
from howsure.questions.contest import Ranked
from howsure.questions.rank import rank
from howsure.questions.ranking import Ranking, rank_probability
from howsure.reporting.slice_report import SliceReport, slice_report
from howsure.text import formats
from howsure.text.formats import guarded
from howsure.text.svg import fields
from howsure.units.pooled import Pooled, pool
from howsure.web import code
from howsure.web.limits import MOST_MATRICES, MOST_MATRICES_DEAR, Limits
from howsure.web.schema import InvalidRequest
from howsure.web.subjects import asked_draws, how_of, named_matrices, predictions_of, prior_of, width_of
from howsure.web.words import answer_words, matrix_words, metrics_of, offered, page, positive_of, titles

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


#: A further table of an answer, and what draws its picture if it has one.
Part = tuple[dict[str, Any], Any]


def _drawn(parts: list[Part], width: float) -> list[str | None]:
    return [None if draw is None else draw(width=width) for _, draw in parts]


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
    reproduced, picture = code.of_comparison(request, made), made.picture(width=width)
    return page(made, said, reproduced, picture=picture, sections=_drawn(parts, width))


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


def _chances(made: Comparison) -> Part:
    """The probabilities that one is better, that they are practically equal, and that the other is better."""
    law = made.difference.law
    draws = law.n if isinstance(law, Draws) else None
    better, same, worse = (formats.probability(p, draws) for p in (made.p_better, made.p_equal, made.p_worse))
    one, other = made.names
    equal = [[f"within {made.rope:g}", same]] if made.rope else []
    rows = [[f"{one} is better", better], *equal, [f"{other} is better", worse]]
    return {"name": "chances", "title": "How sure", "header": ["", "probability"], "rows": rows}, made._chances_picture


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
    return [
        ({"name": "classes", "title": "Class by class", "said": said, "header": [], "rows": []}, made._classes_picture)
    ]


# -- A leaderboard -----------------------------------------------------------------------------------------------------


def ranked(request: Mapping[str, Any], limits: Limits) -> dict[str, Any]:
    """The answer to a checked request about a leaderboard."""
    made = made_ranking(request, limits)
    sheet, width = made.sheet(), width_of(request)
    kept = [i for i, title in enumerate(sheet.header) if title not in LEFT_OUT]
    names = [row[0] for row in sheet.rows]
    parts = [_ranks(made, names), _pairs(made, names)]
    said = {
        **answer_words(sheet),
        # the sentence says how many may be best; another way of counting them would only be another number
        "note": list(replace(made, contenders=()).remarks),
        "header": [sheet.header[i] for i in kept],
        "rows": [[row[i] for i in kept] for row in sheet.rows],
        "sections": [words for words, _ in parts],
        "titles": _titles(request),
    }
    board = _board(request["entries"]) if "entries" in request else None
    reproduced = code.of_ranking(request, made, board, _board_text(request.get("entries", [])))
    return page(made, said, reproduced, picture=made.picture(width=width), sections=_drawn(parts, width))


def made_ranking(request: Mapping[str, Any], limits: Limits) -> Ranking:
    """The ranking that is asked for."""
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
    return rank(
        contenders,
        prior=prior if isinstance(contenders, Predictions) else None,
        draws=asked_draws(request, numbers, limits),
        notes=() if board is None else board.notes,
        **asked,
        **how_of(request),
    )


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
    return read_board(io.StringIO(_board_text(entries)))


def _board_text(entries: list[dict[str, Any]]) -> str:
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


def _ranks(made: Ranking, names: list[str]) -> Part:
    """How probable each rank is."""
    drawn = f"Probability of each rank of {min(len(names), MOST_DRAWN)} entries, in the table below"
    said = {"name": "ranks", "title": "How probable each rank is", "said": ""}
    return _field(made, np.asarray(made.probabilities), names, said, "entry", title=drawn, across="rank")


def _pairs(made: Ranking, names: list[str]) -> Part:
    """Of every two, how probably one is better."""
    above = np.asarray(made.above)
    surely, pairs = int((above >= made.level).sum()), len(names) * (len(names) - 1) // 2
    words = (
        f"{formats.integer(surely)} of {formats.integer(pairs)} pairs are separated with probability {made.level:g} or "
        "more. They are outlined, or darker where there is no room for numbers."
    )
    said = {"name": "pairs", "title": "Which pairs are separated", "said": words}
    return _field(
        made, above, [f"{i + 1}  {name}" for i, name in enumerate(names)], said, "better than", sure=made.level,
        title="Probability that the entry of the row is better than that of the column, in the table below",
        across="P(row is better than column)",
    )  # fmt: skip


def _field(made: Ranking, matrix: Floats, names: list[str], said: dict[str, Any], corner: str, **drawn: Any) -> Part:
    """Probabilities as a table, which is empty where it is too large to read, and what draws them.

    Of pairs only those ahead in the rows are drawn: the other half would say the same.
    """
    places = [str(i + 1) for i in range(len(names))]
    words = [[rank_probability(made, p) for p in row] for row in matrix.tolist()] if len(names) <= MOST_WRITTEN else []
    many = min(len(names), MOST_DRAWN)
    shown = [
        [p if i < j or "sure" not in drawn else None for j, p in enumerate(row[:many])]
        for i, row in enumerate(matrix[:many].tolist())
    ]
    draw = partial(fields, shown, [row[:many] for row in words[:many]], names[:many], places[:many], **drawn)
    rows = [[first, *rest] for first, rest in zip(names, words, strict=False)]
    return {**said, "header": [corner, *places], "rows": rows}, draw


# -- Many tables of two classes, as a sample of a population of sites, or each for itself ------------------------------

#: The classes of tables that have four cells.
NAMES = ("negative", "positive")

#: Rates that can be pooled alone, and both together, which has no name.
POOLED = ("", "accuracy", "recall@positive", "recall@negative", "precision@positive", "precision@negative")


def pooled(request: Mapping[str, Any], limits: Limits) -> dict[str, Any]:
    """What is known of a typical site, of the spread between sites and of a new one."""
    made = made_pool(request, limits)
    shown, drawn = _shown(made.sheet(), POOLED), made.picture(width=width_of(request))
    return page(made, shown, code.of_pool(request), picture=drawn)


def sliced(request: Mapping[str, Any], limits: Limits) -> dict[str, Any]:
    """A metric of each table, the worst first, and which stand out from the rest."""
    made = made_slices(request, limits)
    name = spoken_name(made.metric, NAMES[1])
    spoken = replace(made, metric=name[0].upper() + name[1:])  # which begins the sentence and the title of the picture
    shown, drawn = _shown(spoken._sheet(len(made.rows)), metrics_of(NAMES)), spoken.picture(width=width_of(request))
    return page(made, shown, code.of_slices(request), picture=drawn)


def made_pool(request: Mapping[str, Any], limits: Limits) -> Pooled:
    """The pool that is asked for."""
    made = pool(_tables(request), metric=request.get("metric"), unit=request.get("unit", "site"), **how_of(request))
    return cast("Pooled", made)  # of tables


def made_slices(request: Mapping[str, Any], limits: Limits) -> SliceReport:
    """The report by slice that is asked for."""
    # in the order in which the command line finds them in a file, so that draws are the same
    slices = Slices(dict(sorted(_tables(request).items())), by="name")
    return slice_report(slices, request.get("metric"), prior_of(request), **how_of(request))


def _tables(request: Mapping[str, Any]) -> dict[str, ConfusionMatrix]:
    found: dict[str, ConfusionMatrix] = {}
    place: dict[str, int] = {}
    for i, given in enumerate(request["tables"]):
        cells = {name: given[name] for name in ("tp", "fn", "fp", "tn")}
        if given["name"] in found:
            rows = f"in rows {place[given['name']]} and {i + 1}"
            raise InvalidRequest(
                f"the name {given['name']!r} comes twice, {rows}; each table has its own", f"tables[{i}].name"
            )
        if not sum(cells.values()):
            raise InvalidRequest(f"{given['name']!r} in row {i + 1} has no cases; leave it out", f"tables[{i}]")
        place[given["name"]] = i + 1
        found[given["name"]] = ConfusionMatrix.from_counts(**cells)
    return found


def _shown(sheet: Sheet, choices: tuple[str, ...]) -> dict[str, Any]:
    *notes, footer = sheet.small_print
    below = {"about": " ".join(sheet.below), "note": [*sheet.warnings, *notes], "footer": footer}
    return {**answer_words(sheet), **below, "titles": titles(choices, NAMES[1])}
