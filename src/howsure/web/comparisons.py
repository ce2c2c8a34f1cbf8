"""``compare``: two classifiers, of separate test sets or of the same cases."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from typing import Any

from howsure.comparison.class_differences import chances_picture, class_words, classes_picture
from howsure.comparison.comparing import compare
from howsure.comparison.comparison import ClassDifference, Comparison
from howsure.laws import Draws
from howsure.posterior.posterior import Posterior, infer
from howsure.questions.compare import drawn_difference
from howsure.questions.differences import lost, places
from howsure.text import formats
from howsure.web import reproduced
from howsure.web.choices import offered, positive_of, titles
from howsure.web.fields import InvalidRequest
from howsure.web.limits import Limits
from howsure.web.reports import matrix_words
from howsure.web.shapes import pictures
from howsure.web.subjects import asked_draws, kind_of, level_of, named_matrices, predictions_of, prior_of, seed_of

__all__ = ["answered", "made_comparison"]

#: The same as of the command line.
METRIC = "balanced_accuracy"


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


def _draws(made: Comparison) -> int | None:
    law = made.difference.law
    return law.n if isinstance(law, Draws) else None


def _shown(made: Comparison) -> dict[str, Any]:
    draws, digits = _draws(made), places(made.difference.law, made.level, made.kind)
    sheet = made.sheet()
    keys = ("name", "observed", "mean", "interval", "better", "law")
    rows = [dict(zip(keys, row, strict=True)) for row in sheet.rows]
    ends = made.difference.interval(made.level, made.kind)
    found = made.discordant
    return {
        "verdict": made.sentence,
        "about": sheet.about,
        "warnings": list(made.warnings),
        "note": [*made.warnings, *made.notes, *sheet.below],
        "footer": sheet.notes[0],
        "interval": formats.interval_name(made.kind, made.level),
        "rows": rows[:2],
        "difference": {
            **rows[2],
            "low": formats.number(ends.low, digits),
            "high": formats.number(ends.high, digits),
        },
        "three": {
            "worse": formats.probability(made.p_worse, draws),
            "same": formats.probability(made.p_equal, draws) if made.rope else "",
            "better": formats.probability(made.p_better, draws),
        },
        "rope": "" if made.rope is None else f"{made.rope:g}",
        "loss": {
            name: lost(value, digits + 1) for name, value in zip(("first", "second"), made.expected_loss, strict=True)
        },
        "per_class": [_class_row(row, made) for row in made.per_class],
        "discordant": None if found is None else {k: formats.integer(v) for k, v in found._asdict().items()},
        "narrowing": "" if made.narrowing is None else f"{made.narrowing:.1f}",
        "paired": made.paired,
        "matrices": [matrix_words(it.confusion) for it in made.posteriors if isinstance(it, Posterior)],
    }


def _class_row(row: ClassDifference, made: Comparison) -> dict[str, str]:
    mean, ends = class_words(row, made.kind)
    drawn = made.draws if row.law == "simulated" else None
    return {
        "label": formats.plain(row.label),
        "n_a": formats.integer(row.n_a),
        "n_b": formats.integer(row.n_b),
        "mean": mean,
        "interval": ends,
        "better": "" if row.p_better is None else formats.probability(row.p_better, drawn),
    }


def _drawing(made: Comparison) -> dict[str, Any]:
    """The three probabilities, the difference, and that of each class, as pictures."""
    parts = partial(chances_picture, made.difference.law, made.chances, made.names, made.rope or 0.0)
    drawn = {"chances": pictures(parts), "difference": pictures(partial(drawn_difference, made))}
    if any(row.low is not None for row in made.per_class):
        drawn["classes"] = pictures(partial(classes_picture, made.per_class, made.names, made.kind))
    return drawn
