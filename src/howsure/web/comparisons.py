"""``compare``: two classifiers, of separate test sets or of the same cases."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from functools import partial
from typing import Any

from howsure.laws import Draws
from howsure.posterior.posterior import Posterior, infer
from howsure.questions.compare import compare
from howsure.questions.comparison import Comparison
from howsure.questions.contenders import chances_picture, classes_picture
from howsure.text import formats
from howsure.web import reproduced
from howsure.web.choices import offered, positive_of, titles
from howsure.web.fields import InvalidRequest
from howsure.web.limits import Limits
from howsure.web.report_parts import answer_words
from howsure.web.reports import matrix_words
from howsure.web.shapes import pictures
from howsure.web.subjects import asked_draws, kind_of, level_of, named_matrices, predictions_of, prior_of, seed_of

__all__ = ["answered", "made_comparison"]

#: The same as of the command line.
METRIC = "balanced_accuracy"


#: What two matrices cannot say.
APART = (
    "Two matrices say nothing about which cases both got wrong; with the answers of both to each case of one test set "
    "the interval is narrower."
)


def answered(request: Mapping[str, Any], limits: Limits) -> dict[str, Any]:
    """The answer to a checked request."""
    made = made_comparison(request, limits)
    first = request["paired"] if "paired" in request else request["classifiers"][0]["matrix"]
    choices = offered(first)
    said = {
        **_shown(made),
        "choices": choices,
        "titles": titles([*choices, request.get("metric", METRIC)], positive_of(first)),
    }
    return {
        "result": made.to_dict(),
        "shown": said,
        "drawing": _drawing(made),
        "code": reproduced.of_comparison(request, made),
    }


def made_comparison(request: Mapping[str, Any], limits: Limits) -> Comparison:
    """The comparison that is asked for."""
    if ("classifiers" in request) == ("paired" in request):
        raise InvalidRequest(
            "a comparison has two classifiers, or the pairs of one test; one of the two", "classifiers"
        )
    options: dict[str, Any] = {
        "metric": request.get("metric", METRIC),
        "rope": request.get("rope"),
        "level": level_of(request),
        "kind": kind_of(request),
        "seed": seed_of(request),
    }
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


def _shown(made: Comparison) -> dict[str, Any]:
    sheet = made.sheet()
    apart = () if made.paired else (APART,)
    return {
        **answer_words(replace(sheet, header=("classifier", *sheet.header[1:]))),
        "note": [*made.warnings, *apart, *made.notes, *sheet.below],
        "sections": _sections(made),
        "matrices": [matrix_words(it.confusion) for it in made.posteriors if isinstance(it, Posterior)],
    }


def _chances(made: Comparison) -> dict[str, Any]:
    """The probabilities that one is better, that they are practically equal, and that the other is better."""
    law = made.difference.law
    words = [
        formats.probability(p, law.n if isinstance(law, Draws) else None)
        for p in (made.p_better, made.p_equal, made.p_worse)
    ]
    (better, same, worse), (one, other) = words, made.names
    equal = [[f"within {made.rope:g}", same]] if made.rope else []
    return {
        "name": "chances",
        "title": "How sure",
        "header": ["", "probability"],
        "rows": [[f"{one} is better", better], *equal, [f"{other} is better", worse]],
    }


def _discordant(made: Comparison) -> list[dict[str, Any]]:
    """Cases on which only one is right decide; the others say nothing about which is better."""
    if made.discordant is None:
        return []
    both_right, only_a, only_b, both_wrong = map(formats.integer, made.discordant)
    a, b = made.names
    rows = [[f"{a} right", both_right, only_a], [f"{a} wrong", only_b, both_wrong]]
    header = ["", f"{b} right", f"{b} wrong"]
    return [{"name": "discordant", "title": "The cases that decide", "header": header, "rows": rows}]


def _classes(made: Comparison) -> list[dict[str, Any]]:
    """The difference of the recall of each class, which the rows have."""
    said = f"Difference of the recall, {' minus '.join(made.ahead)}; the numbers are in the table above."
    known = any(row.low is not None for row in made.per_class)
    return [{"name": "classes", "title": "Class by class", "said": said, "header": [], "rows": []}] if known else []


def _drawing(made: Comparison) -> dict[str, Any]:
    """The difference, the three probabilities, and the difference of each class, as pictures."""
    drawn = {
        "chances": partial(chances_picture, made.law, made.chances, made.names, made.rope or 0.0, turned=made.turned),
        "classes": partial(classes_picture, made.shown_classes, made.ahead, made.kind),
    }
    names = [part["name"] for part in _sections(made)]
    sections = [pictures(drawn[name]) if name in drawn else None for name in names]
    return {"picture": pictures(made.picture), "sections": sections}


def _sections(made: Comparison) -> list[dict[str, Any]]:
    return [_chances(made), *_discordant(made), *_classes(made)]
