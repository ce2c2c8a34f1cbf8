"""``post_test``: one patient or sample, before and after the test has spoken."""

from __future__ import annotations

import itertools
from collections.abc import Mapping
from dataclasses import asdict
from typing import Any

import numpy as np

from howsure.errors import HowsureError
from howsure.knowledge.protocol import Ask
from howsure.laws.law import SEED
from howsure.posterior.posterior import Posterior
from howsure.posterior.questions import PostTest
from howsure.text import formats
from howsure.text.svg import bands
from howsure.web import code
from howsure.web.fields import InvalidRequest
from howsure.web.limits import MOST_CLASSES_WITH_PARTS, Limits
from howsure.web.report_parts import PEOPLE, TOO_MANY, Part, curve_of, in_people, label_of
from howsure.web.schema import BESIDE
from howsure.web.sheets import LONG, matrix_words, page, sheet_words
from howsure.web.subjects import asked_draws, before_of, how_of, matrix_of, posterior_of, prior_of, width_of

__all__ = ["answered", "made_post_test"]


def answered(request: Mapping[str, Any], limits: Limits) -> dict[str, Any]:
    """The answer to a checked request; of the stops of a slider, the words at each of them and no more."""
    if "stops" in request:
        return {"shown": {"stops": _stops(request, limits)}, "drawing": {"stops": request["stops"]}}
    posterior, made = made_post_test(request, limits)
    want = request.get("want", BESIDE)
    label, width = label_of(posterior, request), width_of(request)
    ask = Ask(draws=_draws(request, len(posterior.labels), limits), **how_of(request))
    words = _words(posterior, made, request, limits)
    shown = {"note": words.pop("notes"), "warnings": [], **words, "matrix": matrix_words(posterior.confusion)}
    drawing: dict[str, Any] = {"picture": None, "here": made.pre_test[posterior.labels.index(label)]}
    if "frequencies" in want:
        shown["frequencies"], drawing["frequencies"] = _people(posterior, label, made, ask, width)
    if "curve" in want:
        drawing["curve"] = _curve(posterior, label, ask, width)
    return page(made, shown, code.of_post_test(request, posterior), **drawing)


def made_post_test(request: Mapping[str, Any], limits: Limits) -> tuple[Posterior, PostTest]:
    """The posterior, and its answer."""
    posterior = _posterior(request, limits)
    return posterior, _asked(posterior, request, request.get("results"), limits)


def _posterior(request: Mapping[str, Any], limits: Limits) -> Posterior:
    """What is known of the test."""
    confusion = matrix_of(request["matrix"])
    size = len(confusion.labels)
    if "results" not in request and size > MOST_CLASSES_WITH_PARTS:
        raise InvalidRequest(
            f"answers after each of {size} results take too long here; say what the test said (results), or use the "
            f"command line, which has no limit (here it is {MOST_CLASSES_WITH_PARTS})",
            "results",
        )
    draws = _draws(request, size, limits)
    return posterior_of(confusion, prior_of(request), draws, request.get("seed", SEED), ())


def _draws(request: Mapping[str, Any], size: int, limits: Limits) -> int:
    """Draws of an answer; where no result is named there is a course of tables for each, and for each stop anew."""
    courses = 1 if "results" in request or size == 2 else size
    return asked_draws(request, size**2 * courses * len(request.get("stops", "1")), limits)


def _asked(posterior: Posterior, request: Mapping[str, Any], results: list[str] | None, limits: Limits) -> PostTest:
    return posterior.post_test(
        before_of(posterior, request),
        results,
        draws=_draws(request, len(posterior.labels), limits),
        **how_of(request),
    )


def _words(posterior: Posterior, made: PostTest, request: Mapping[str, Any], limits: Limits) -> dict[str, Any]:
    """The answer in words; of several results also what was known after each of them."""
    results = request.get("results", [])
    steps = (_asked(posterior, request, results[:k], limits).sheet().rows for k in range(1, len(results)))
    words = sheet_words(made.sheet())
    return {**words, "rows": [*map(list, itertools.chain(*steps)), *words["rows"]]}


def _stops(request: Mapping[str, Any], limits: Limits) -> list[dict[str, Any]]:
    """The answer at each pre-test probability where a slider can stand: what of its words differs there."""
    posterior = _posterior(request, limits)
    stops = []
    for share in request["stops"]:
        there = {**request, "pre_test": share}
        words = _words(posterior, _asked(posterior, there, request.get("results"), limits), there, limits)
        stops.append({key: words[key] for key in ("verdict", "rows")})
    return stops


def _people(posterior: Posterior, label: str, made: PostTest, ask: Ask, width: float) -> Part:
    """Natural frequencies where the class has its pre-test probability."""
    if len(posterior.labels) > MOST_CLASSES_WITH_PARTS:
        return {"silence": TOO_MANY.format(len(posterior.labels), MOST_CLASSES_WITH_PARTS)}, None
    try:
        there = posterior.at_prevalence(dict(zip(posterior.labels, made.pre_test, strict=True)))
        return in_people(there.natural_frequencies(PEOPLE, **asdict(ask)), label, width)
    except HowsureError as error:
        return {"silence": str(error)}, None


def _curve(posterior: Posterior, label: str, ask: Ask, width: float) -> str | dict[str, str]:
    """Post-test against pre-test probability after either result, as a picture; or why there is none."""
    if len(posterior.labels) > MOST_CLASSES_WITH_PARTS:
        return {"silence": TOO_MANY.format(len(posterior.labels), MOST_CLASSES_WITH_PARTS)}
    try:
        curve = curve_of(posterior, posterior, label, ask)
    except HowsureError as error:
        return {"silence": formats.plain(str(error), 400)}
    shares, name = curve.prevalence.tolist(), formats.plain(label, LONG)
    after = (("after positive", curve.positive), ("after negative", 1 - np.asarray(curve.negative)[::-1]))
    title = f"Probability of {name} after one test, by the probability before it"
    drawn = [(words, lines.tolist()) for words, lines in after]
    axis = f"probability of {name} before the test"
    return bands(shares, drawn, rule=("no test", shares), xlabel=axis, title=title, width=width)
