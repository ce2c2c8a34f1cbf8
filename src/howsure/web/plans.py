"""``plan``: how many cases a test needs, or what a number of cases can show."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from math import sqrt
from typing import Any, cast

from howsure.errors import HowsureError, excerpt, listing
from howsure.metrics import REGISTRY
from howsure.metrics.measure import put_plainly, spoken_name
from howsure.planning.plan import Plan, thumb_rule
from howsure.planning.sample_size import detect, plan
from howsure.posterior.posterior import Posterior, infer
from howsure.posterior.priors import LearnedPrior, resolve_prior
from howsure.text import formats
from howsure.text.svg import sizes
from howsure.web import code
from howsure.web.limits import COUNTED, Limits
from howsure.web.schema import InvalidRequest
from howsure.web.subjects import elsewhere, how_of, matrix_of, prior_of, width_of
from howsure.web.words import for_page, matrix_words, page, positive_of

#: From here on the rule of thumb is said, where it holds: below, 2 / sqrt(n) says that a rate lies between 0 and 1.
RULE_FROM = 20

#: Above so many classes a simulated plan takes over ten seconds: for the balanced accuracy, and for other metrics.
MOST_CLASSES, MOST_CLASSES_OF_TABLES = 10, 5

#: Smaller goals than this take as long, and smaller differences between separate test sets; or more cases of those.
LEAST, LEAST_DIFFERENCE, MOST_CASES = 0.002, 0.01, 100_000

#: The one metric besides single rates whose widths are planned for under a prior that each test learns, in 1 to 3 s of
#: CPU at 2 to 5 classes; a narrower width, or more cases, takes half a minute.
LEARNED_SUMS, LEAST_LEARNED, MOST_LEARNED = ("balanced_accuracy", "recall@macro"), 0.01, 30_000

#: What plans without a pilot call the positive class of two.
SUPPOSED_POSITIVE = "positive"


def answered(request: Mapping[str, Any], limits: Limits) -> dict[str, Any]:
    """The answer to a checked request."""
    made = made_plan(request, limits)
    positive = positive_of(request["pilot"]) if "pilot" in request else SUPPOSED_POSITIVE
    spoken = replace(made, metric=spoken_name(made.metric, positive))
    # rates that were guessed are those of the positive class and the other
    names = [made.metric, *(["recall"] if isinstance(request.get("guess"), Mapping) else [])]
    remarks = [put_plainly(it, names, positive) for it in made.remarks]
    matrix = matrix_words(matrix_of(request["pilot"], "pilot")) if "pilot" in request else None
    shown = {**_shown(spoken), "note": remarks, "matrix": matrix, **_have(request, limits)}
    drawn = _drawn(spoken, width_of(request))
    return page(made, shown, code.of_plan(request), picture=None, sections=[drawn])


def _have(request: Mapping[str, Any], limits: Limits) -> dict[str, Any]:
    """What the cases that one has can show, or why that is not to be had."""
    if "have" not in request:
        return {}
    try:
        return {"have": {"said": made_plan({**request, "n": request["have"]}, limits).sentence, "wrong": False}}
    except HowsureError as error:
        return {"have": {"said": for_page(str(error)), "wrong": True}}


def made_plan(request: Mapping[str, Any], _: Limits) -> Plan:
    """The plan that is asked for."""
    _ask_which(request)
    _refuse_long(request)
    options: dict[str, Any] = {
        "pilot": _pilot(request),
        "prior": prior_of(request),
        "assurance": request.get("assurance", 0.95),
        **how_of(request),
        **{key: request[key] for key in code.SUPPOSED if key in request},
    }
    if "detect" not in request:
        goals: dict[str, Any] = {key: request[key] for key in code.GOALS if key in request}
        return cast("Plan", plan(request["metric"], n=request.get("n"), **goals, **options))  # the page has matrices
    if "n" not in request:
        raise InvalidRequest("to find what n cases can show, say n", "n")
    stated = [goal for goal in code.GOALS if goal != "margin" and goal in request]
    if stated:
        raise InvalidRequest(f"detect finds the goal itself; leave {stated[0]} out", stated[0])
    return detect(request["metric"], request["n"], goal=request["detect"], margin=request.get("margin", 0.0), **options)


def _ask_which(request: Mapping[str, Any]) -> None:
    """Refuse a rate of one class where nothing says of which of two."""
    pilot, name = request.get("pilot"), _name(request)
    if pilot is None or len(pilot["classes"]) > 2 or positive_of(pilot) is not None or "@" in request["metric"]:
        return
    if name in REGISTRY and REGISTRY[name].per == "class":
        raise InvalidRequest(
            f"{spoken_name(request['metric'], SUPPOSED_POSITIVE)} is of one class, and nothing says which of "
            f"{listing(map(excerpt, pilot['classes']))} is the positive one; choose it below the pilot",
            "pilot.positive",
        )


def _name(request: Mapping[str, Any]) -> str:
    """The metric without its class and its options, by its own name."""
    name = str(request["metric"]).partition("@")[0].partition("(")[0].strip().lower()
    return REGISTRY[name].name if name in REGISTRY else name


def _refuse_long(request: Mapping[str, Any]) -> None:
    """Refuse what takes long, before it begins."""
    classes = len(request["pilot"]["classes"]) if "pilot" in request else request.get("classes", 2)
    name, called, n = _name(request), request["metric"][:40], request.get("n", 0)
    most = MOST_CLASSES if name == "balanced_accuracy" else MOST_CLASSES_OF_TABLES
    learned = isinstance(resolve_prior(prior_of(request), classes), LearnedPrior)
    # two classifiers are planned under a fixed prior unless the learned one is named
    apart = request.get("detect") == "difference" or not {"difference", "margin"}.isdisjoint(request)
    sums = not {name, request["metric"].strip()}.isdisjoint(LEARNED_SUMS) and classes <= MOST_CLASSES_OF_TABLES
    widths = learned and sums and "width" in request
    other = learned and not widths and name not in COUNTED and not (apart and "prior" not in request)
    flat = "choose the prior 'flat', or use the command line"
    separate = "paired" not in request
    least = {"width": LEAST, **dict.fromkeys(("difference", "margin"), LEAST_DIFFERENCE if separate else LEAST)}
    long = [
        (classes > most and name not in COUNTED, "metric",
         f"a plan for {called} with {classes} classes is simulated, which takes too long here; the page takes {most}, "
         "and the command line has no limit"),
        (widths and request["width"] < LEAST_LEARNED, "width",
         f"under a learned prior the page plans for a width of {LEAST_LEARNED:g} or more; {flat}"),
        (widths and n > MOST_LEARNED, "n",
         f"under a learned prior the page takes up to {MOST_LEARNED:,} cases; {flat}"),
        (other, "prior",
         f"a plan for {called} with {classes} classes learns the prior of each of hundreds of simulated tests, which "
         f"takes too long here; {flat}"),
        *((0 < request.get(goal, 1.0) < smallest, goal,
           f"the page plans for a {goal} of {smallest:g} or more; the command line for less")
          for goal, smallest in least.items()),
        (request.get("detect") == "difference" and separate and n > MOST_CASES, "n",
         f"the page finds differences for up to {MOST_CASES:,} cases; the command line for more"),
    ]  # fmt: skip
    for is_so, field, words in long:
        if is_so:
            raise InvalidRequest(words, field)


def _pilot(request: Mapping[str, Any]) -> Posterior | None:
    if "pilot" not in request:
        if "prevalence" in request:
            raise InvalidRequest("a prevalence is that of a pilot; without one guess it", "prevalence")
        return None
    return elsewhere(infer(matrix_of(request["pilot"], "pilot"), prior_of(request)), request)


def _shown(made: Plan) -> dict[str, Any]:
    sheet = made.sheet()
    return {
        "verdict": made.sentence,
        "warnings": [],
        "footer": sheet.small_print[0],
        "header": ["", "cases"],
        "rows": [["needed", formats.integer(made.n)], *([] if len(made.per_class) < 2 else _classes(made))],
        "sections": [{
            "name": "plan", "title": "More cases, surer answers", "said": _rule(made), "header": list(sheet.header),
            "rows": [list(row) for row in sheet.rows],
        }],
    }  # fmt: skip


def _classes(made: Plan) -> list[list[str]]:
    """How many cases of each class there will be, and of all where that is another number."""
    rows = [[f"of {formats.plain(label)}", formats.integer(n)] for label, n in made.per_class.items()]
    return rows if made.total in (None, made.n) else [*rows, ["in all", formats.integer(made.total)]]


def _rule(made: Plan) -> str:
    """The rule of thumb, where it holds."""
    if made.n <= RULE_FROM or not thumb_rule(made):
        return ""
    return (
        f"Dashed: the rule of thumb 2/√n, drawn above {RULE_FROM} cases: "
        f"2/√{formats.integer(made.n)} = {2 / sqrt(made.n):.3g}."
    )


def _drawn(made: Plan, width: float) -> str:
    """The curve that leads to the number of cases, as a picture; the rule of thumb is drawn where it holds."""
    of_width = made.goal.kind == "width"
    rule = [value if p.n > RULE_FROM else None for p, value in zip(made.curve, thumb_rule(made), strict=False)]
    return sizes(
        [p.n for p in made.curve],
        [[getattr(p, part) for p in made.curve] for part in ("low", "middle", "high")],
        target=made.mark,
        chosen=made.n,
        ylabel=made.measured if of_width else "certainty; band: 9 of 10 tests",
        title=f"{made.sentence} The curve is in the table below.",
        rule=rule,
        rule_name="2/√n",
        width=width,
    )
