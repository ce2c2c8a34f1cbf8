"""``export``: an answer as a file."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from howsure.answers.sheet import Record
from howsure.publish.saving import text_of
from howsure.reporting.report import Report
from howsure.web.contests import made_comparison, made_ranking
from howsure.web.fields import InvalidRequest, checked
from howsure.web.knowledge import made_answer
from howsure.web.limits import MOST_CLASSES_ON_A_PAGE, Limits
from howsure.web.many_tables import made_pool, made_slices
from howsure.web.patients import made_post_test
from howsure.web.plans import made_plan
from howsure.web.reports import made_report
from howsure.web.schema import requests
from howsure.web.score_cuts import made_points

__all__ = ["answered"]

MEDIA = {
    ".html": "text/html",
    ".md": "text/markdown",
    ".tex": "application/x-tex",
    ".csv": "text/csv",
    ".json": "application/json",
    ".txt": "text/plain",
}

#: What papers on tests print beside the numbers of a report.
RATIOS = ("positive_likelihood_ratio", "negative_likelihood_ratio")

MADE: dict[str, Callable[[Mapping[str, Any], Limits], Record]] = {
    "report": made_report,
    "compare": made_comparison,
    "rank": lambda request, limits: made_ranking(request, limits)[0],
    "plan": lambda request, limits: made_plan(request),
    "post_test": lambda request, limits: made_post_test(request, limits)[1],
    "threshold": made_points,
    "pool": made_pool,
    "slices": made_slices,
    "ask": made_answer,
}


def answered(request: Mapping[str, Any], limits: Limits) -> dict[str, Any]:
    """Name, media type and text of the file."""
    verb, ending = request["of"], request["ending"]
    inner = checked(requests(limits)[verb], request["request"], "request")
    size = len(inner["matrix"]["classes"]) if "matrix" in inner else 0
    if verb == "report" and ending == ".html" and size > MOST_CLASSES_ON_A_PAGE:
        raise InvalidRequest(
            f"a page about {size} classes takes minutes; other formats are quick, and the command line has no limit "
            f"(here it is {MOST_CLASSES_ON_A_PAGE})",
            "ending",
        )
    try:
        made = MADE[verb](inner, limits)
        if isinstance(made, Report) and "metrics" not in inner and made.confusion.positive is not None:
            ratios = [f"{name}@{made.confusion.positive}" for name in RATIOS]
            # the sentence on top is about the first one
            names = sorted((row.name for row in made.rows), key=lambda name: name != "balanced_accuracy")
            made = made_report({**inner, "metrics": [*names, *ratios]}, limits)
    except InvalidRequest as error:
        place = error.field or ""
        raise InvalidRequest(error.problem, place if place.startswith("request") else f"request.{place}") from None
    return {
        "name": f"howsure-{verb.replace('_', '-')}{ending}",
        "media": MEDIA[ending],
        "text": text_of(made, ending),
    }
