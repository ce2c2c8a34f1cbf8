"""The requests, verb by verb: what is asked, in which bounds; and the description of the routes made of them."""

from __future__ import annotations

import json
from functools import cache
from importlib import resources
from typing import Any, get_args

from howsure._version import __version__
from howsure.data.groups import Question
from howsure.numerics.agreement import Scale
from howsure.params import PARAMETERS
from howsure.posterior.priors import PRIORS
from howsure.posterior.shares import Shares
from howsure.units.pooled import Unit
from howsure.web import knowledge
from howsure.web.fields import Schema, choice, either, flag, listed, named, number, object_of, text, whole_number
from howsure.web.limits import LARGEST_COUNT, MOST_SITES, MOST_SLICES, PRIVATE, Limits
from howsure.web.subjects import FILES, WORKBOOK

__all__ = ["BESIDE", "ENDINGS", "WANTS", "openapi", "requests"]

#: Parts of a report that are made only if they are asked for.
WANTS = ("densities", "rates", "predictive", "frequencies", "replication", "outlook", "cost", "sensitivity")

#: What stands beside the answer about one patient; all of it if nothing is said.
BESIDE = ("frequencies", "curve")

#: Where a slider can stand; what calls are worth there is a tenth of a millisecond each.
MOST_STOPS = 400

#: The same of one patient, whose law is found anew at each of them, in some milliseconds.
MOST_STOPS_DEAR = 100

#: The same of a threshold, whose matrix has a law for every metric.
MOST_CUTS = 20

#: Characters of a text that is pasted; longer ones are dropped as files.
MOST_PASTED = 1_000_000

#: Cases of a class of which every table that fits two figures is found in a moment.
MOST_PUBLISHED = 100_000

#: Endings of a text that is data, which the page keeps; and of files that are read.
ENDINGS_OF_DATA = ("", ".csv", ".tsv", ".jsonl", ".ndjson")
ENDINGS_OF_FILES = (".csv", ".tsv", ".json", ".jsonl", ".ndjson", ".xlsx")

#: Kinds of files that can be exported.
ENDINGS = (".html", ".md", ".tex", ".csv", ".json", ".txt")


def _least(name: str) -> int:
    """Lower bound of a parameter, which is the same as on the command line."""
    return int(PARAMETERS[name, ""].low or 0)


@cache
def requests(limits: Limits) -> dict[str, Schema]:
    """Schema of the request of each verb.

    Examples
    --------
    >>> from howsure.web.limits import PRIVATE
    >>> list(requests(PRIVATE))[:4]
    ['report', 'compare', 'rank', 'plan']
    """
    label = text("a class or classifier name", limits.label)
    count = whole_number("a count", 0, LARGEST_COUNT)
    cases = whole_number("a number of cases", 1, LARGEST_COUNT)
    share = number("a share", 0, 1)
    inside = number("a share strictly between 0 and 1", 1e-9, 1 - 1e-9)
    metric = text("a metric", limits.label + 100)
    classes = listed("classes", label, limits.classes, 2)
    matrix = object_of(
        "a matrix (rows are truth, columns are prediction)",
        "classes counts",
        classes=classes,
        counts=listed("rows of counts", listed("counts", count, limits.classes, 2), limits.classes, 2),
        positive=label,
    )
    classifier = object_of("a classifier", "name matrix", name=label, matrix=matrix)
    place = whole_number("the place of a class", 0, limits.classes - 1)
    part = either(
        "a part of a cell",
        whole_number("a class or a count", 0, LARGEST_COUNT),
        listed("answers", place, limits.classifiers, 2),
    )
    paired = object_of(
        "pairs: the same cases answered by several classifiers",
        "classes models cells",
        classes=classes,
        positive=label,
        models=listed("names of classifiers", label, limits.classifiers, 2),
        cells=listed("cells", listed("a cell [true, [answers], count]", part, 3, 3), limits.patterns, 1),
    )
    pseudo = number("a pseudo-count", 0, 1e12)
    common = {
        "narrow": flag("narrow, pictures for a phone,"),
        "prior": either(
            f"a prior ({', '.join(PRIORS)}, beta(2,2) for every recall, or a Beta of each, a=beta(20,2),b=beta(9,1))",
            text("a prior", 400),
            object_of("a prior Beta(a, b)", "a b", a=pseudo, b=pseudo),
        ),
        "level": number("level, the probability inside the intervals,", 1e-9, 1 - 1e-9),
        "kind": choice("kind of interval", ("hdi", "central")),
        "draws": whole_number("draws", _least("draws"), limits.draws),
        "seed": whole_number("seed", _least("seed"), LARGEST_COUNT),
    }
    exact = {key: common[key] for key in ("narrow", "prior", "level", "kind", "seed")}
    elsewhere = either(
        "a prevalence",
        listed("shares", share, limits.classes, 2),
        object_of("a prevalence", "label", label=label, share=share, cases=count, of=cases),
    )
    cost = number("a cost", 1e-9, 1e9)
    costs = object_of("costs of errors", "fp fn", fp=cost, fn=cost)
    further = whole_number("more, the further cases,", 1, 1_000_000)
    report = object_of(
        "a report",
        "matrix",
        matrix=matrix,
        unlabelled=listed("cases without a truth, by prediction,", count, limits.classes, 2),
        groups=listed("cells of groups [group, true, pred, count]", listed("a cell", count, 4, 4), limits.patterns, 1),
        about=choice("what numbers are about where cases come in groups", get_args(Question)),
        metrics=listed("metrics", metric, 500, 1),
        prevalence=elsewhere,
        shares=choice("shares of the classes", get_args(Shares)),
        thresholds=named("thresholds", metric, number("a threshold"), 500),
        below=named("upper thresholds", metric, number("a threshold"), 500),
        want=listed("wants", choice("a part of a report", WANTS), len(WANTS)),
        stops=listed("stops of a slider, shares of the label", inside, MOST_STOPS, 1),
        label=label,
        replicate=whole_number("replicate, the cases of a new test,", 1, 10_000_000),
        outlook=object_of(
            "what further cases would change",
            "metric above more",
            metric=metric,
            above=number("above, a threshold,"),
            more=further,
        ),
        cost=costs,
        **common,
    )
    compare = object_of(
        "a comparison",
        "",
        classifiers=listed("classifiers", classifier, 2, 2),
        paired=paired,
        metric=metric,
        rope=number("rope", 0),
        **common,
    )
    score = either("a score", number("a score", 0, 100), text("a score", 40))
    entry = object_of("an entry", "name n", name=label, n=cases, correct=count, score=score)
    rank = object_of(
        "a ranking",
        "",
        entries=listed("entries", entry, limits.classifiers, 2),
        classifiers=listed("classifiers", classifier, limits.classifiers, 2),
        paired=paired,
        metric=metric,
        prizes=listed("prizes", number("a prize", -1e15, 1e15), limits.classifiers),
        top=whole_number("top", 1, limits.classifiers),
        new_test=whole_number("new_test, the cases of a new test set,", 1, 10_000_000),
        **common,
    )
    values = named("named values", text("a name", 40), number("a value"), 8)
    plan = object_of(
        "a plan",
        "metric",
        metric=metric,
        width=number("width"),
        above=either("above", number("a threshold"), choice("above", ("chance",))),
        below=number("below"),
        difference=number("difference"),
        margin=number("margin"),
        detect=choice("what to find for n cases", ("difference", "width", "above", "below")),
        n=whole_number("n, the cases one has,", 1, 10_000_000),
        assurance=number("assurance", 1e-9, 1 - 1e-9),
        guess=either("a guess", number("a guess"), values),
        mode=number("mode"),
        concentration=number("concentration"),
        pilot=matrix,
        prevalence=elsewhere,
        classes=whole_number("classes", 2, limits.classes),
        paired=either("paired", number("a share of disagreement"), values),
        design=either("a design", choice("a design", ("optimal",)), listed("shares", share, limits.classes, 2)),
        **{key: common[key] for key in ("narrow", "prior", "level", "seed")},
    )
    post_test = object_of(
        "a post-test question",
        "matrix pre_test",
        matrix=matrix,
        pre_test=either("a pre-test probability", share, named("shares", label, share, limits.classes)),
        label=label,
        results=listed("results", label, 20, 1),
        stops=listed("stops of a slider, pre-test probabilities of the label", inside, MOST_STOPS_DEAR, 1),
        want=listed("wants", choice("a part of an answer about one patient", BESIDE), len(BESIDE)),
        **common,
    )
    scored = listed("a cell [score, cases of the first class, cases of the second]", number("a number"), 3, 3)
    scores = object_of(
        "scores of two classes",
        "classes cells",
        classes=listed("the two classes", label, 2, 2),
        positive=label,
        cells=listed("cells", scored, limits.patterns, 2),
    )
    threshold = object_of(
        "a threshold on scores",
        "scores",
        scores=scores,
        at=number("a threshold"),
        curve=choice("a curve", ("roc", "precision_recall")),
        best=choice("what to be best for", ("balanced_accuracy", "f1", "cost")),
        cost=costs,
        net_benefit=flag("net_benefit, of scores that are probabilities,"),
        prevalence=inside,
        stops=listed("stops of a slider, thresholds,", number("a threshold"), MOST_CUTS, 1),
        **exact,
    )
    table = object_of("a table of four cells", "name tp fn fp tn", name=label, tp=count, fn=count, fp=count, tn=count)
    pool = object_of(
        "a pool of sites or studies",
        "tables",
        tables=listed("tables", table, MOST_SITES, 2),
        metric=metric,
        unit=choice("what each table is", get_args(Unit)),
        **{key: common[key] for key in ("narrow", "level", "kind", "seed")},
    )
    slices = object_of(
        "a report by slice", "tables", tables=listed("tables", table, MOST_SLICES, 2), metric=metric, **exact
    )
    end = number("an end of the scale")
    ask = object_of(
        "a question about items with scores, battles or ratings",
        "text of question",
        text=text("the text of the data", MOST_PASTED),
        ending=choice("the ending of its file", ENDINGS_OF_DATA),
        of=choice("what the text holds", get_args(knowledge.Kind)),
        question=choice("a question", get_args(knowledge.Question)),
        metric=metric,
        a=label,
        b=label,
        model=label,
        low=end,
        high=end,
        better=choice("the better direction", ("higher", "lower")),
        scale=choice("what categories are", get_args(Scale)),
        rope=number("rope", 0),
        **{key: common[key] for key in ("narrow", "level", "kind", "draws", "seed")},
    )
    reading = object_of(
        "a file to read",
        "text",
        # the bytes of a workbook are a third more in base64
        text=text("the text of the file", limits.upload * 4 // 3 + 4, 0),
        ending=choice("the ending of the file", ENDINGS_OF_FILES),
        sheet=text("the name or the number of a sheet of a workbook", 100),
        rows=choice("what a row of an undeclared matrix is", ("true", "pred")),
        positive=label,
        labels=classes,
        model=label,
        missing=choice("what becomes of cases without an answer", ("error", "wrong", "class", "exclude")),
        group=text("the column of the groups", limits.label),
        scores=flag("scores, read true classes and scores,"),
        tables=flag("tables, read the four cells of a study or slice a row,"),
        board=flag("board, read a leaderboard without its header too,"),
        separate=flag("separate, do not pair what could be paired,"),
        n=cases,
    )
    pasting = object_of(
        "a text pasted into a cell of the matrix",
        "text",
        text=text("the pasted text", MOST_PASTED, 0),
        classes=listed("class names of the matrix, for a text without any,", label, limits.classes, 2),
    )
    figure = text("a printed figure such as 0.84 or 84%", 20)
    members = whole_number("a number of cases", 1, MOST_PUBLISHED)
    reconstruction = object_of(
        "the figures of an abstract",
        "sensitivity specificity",
        sensitivity=figure,
        specificity=figure,
        positives=members,
        negatives=members,
        n=whole_number("a number of cases in all", 2, 2 * MOST_PUBLISHED),
        prevalence=figure,
    )
    made = {
        "report": report, "compare": compare, "rank": rank, "plan": plan, "post_test": post_test,
        "threshold": threshold, "pool": pool, "slices": slices, "ask": ask,
    }  # fmt: skip
    export = object_of(
        "an export",
        "of request ending",
        of=choice("what to export", tuple(made)),
        request={"type": "object", "description": "a request of the verb that `of` names"},
        ending=choice("an ending", ENDINGS),
    )
    return {**made, "import": reading, "paste": pasting, "reconstruct": reconstruction, "export": export}


SUMMARIES = {
    "report": "One classifier: each metric with its interval",
    "compare": "Which of two classifiers is better",
    "rank": "A leaderboard, and how sure each rank is",
    "plan": "How many cases a test needs",
    "post_test": "One patient or sample after a test result",
    "threshold": "Scores of two classes: the matrix and its metrics at a threshold",
    "pool": "Studies or sites: a typical one, the spread between them, a new one",
    "slices": "A metric of each of many slices, and which stand out from the rest",
    "ask": "Items with scores, battles, ratings: each one, two of them, or all",
    "export": "An answer as a file",
    "import": "Read a matrix, predictions or a leaderboard",
    "reconstruct": "The matrix behind a published sensitivity and specificity",
    "paste": "Read what was pasted into a cell of the matrix",
}

#: Verbs whose result is an answer with a schema, and the name of that.
RESULTS = {"threshold": "operating_points"} | {
    verb: verb for verb in ("report", "compare", "rank", "plan", "post_test", "pool", "slices")
}

REFUSALS = {
    400: "no JSON, or a Host that is not answered",
    403: "asked by the page of another site",
    408: "the body came too slowly",
    413: "the body is too large",
    415: "another media type",
    422: "a request that has no answer",
    429: "too many at once; try again after Retry-After seconds",
    503: "the answer takes too long",
}


def openapi(limits: Limits = PRIVATE) -> dict[str, Any]:
    """OpenAPI 3.1 of a server with these limits.

    Examples
    --------
    >>> sorted(openapi()["paths"])[:2]
    ['/api/v1/compare', '/api/v1/export']
    """
    schemas = requests(limits)
    refusals = {
        str(status): {
            "description": why,
            "content": {"application/json": {"schema": {"$ref": "#/components/schemas/Refusal"}}},
        }
        for status, why in REFUSALS.items()
    }
    paths: dict[str, Any] = {
        "/healthz": {"get": {"summary": "Whether the server runs", "responses": {"200": _ok("its status")}}}
    }
    for verb, summary in SUMMARIES.items():
        if verb == "import" and not limits.imports:
            continue
        body = {"application/json": {"schema": {"$ref": f"#/components/schemas/{verb}"}}}
        operation: dict[str, Any] = {"summary": summary, "operationId": verb}
        if verb == "import":
            body = {
                media: {
                    "schema": {"type": "string", "format": "binary"} if FILES[media] == WORKBOOK else {"type": "string"}
                }
                for media in FILES
            }
            operation["parameters"] = _query(schemas["import"])
        operation["requestBody"] = {"required": True, "content": body}
        operation["responses"] = {"200": _ok("the answer", RESULTS.get(verb)), **refusals}
        paths[f"/api/v1/{verb}"] = {"post": operation}
    components = {verb: schema for verb, schema in schemas.items() if verb != "import"}
    words = {"type": "string"}
    refusal = object_of("why there is no answer", "code message", code=words, message=words, field=words)
    return {
        "openapi": "3.1.0",
        "info": {
            "title": "howsure",
            "version": __version__,
            "description": "Rows of a matrix are truth, columns are prediction, everywhere.",
        },
        "paths": dict(sorted(paths.items())),
        "components": {"schemas": {**components, "Refusal": refusal}},
    }


def _ok(what: str, result: str | None = None) -> dict[str, Any]:
    """An answer, whose ``result`` is what a schema of the package says."""
    schema: dict[str, Any] = {"type": "object"}
    if result is not None:
        file = resources.files("howsure.answers").joinpath(f"schemas/{result}.schema.json")
        schema |= {"required": ["result"], "properties": {"result": json.loads(file.read_text(encoding="utf-8"))}}
    return {"description": what, "content": {"application/json": {"schema": schema}}}


def _query(schema: dict[str, Any]) -> list[dict[str, Any]]:
    """Options of an import, each a query parameter."""
    return [
        {"name": name, "in": "query", "required": False, "schema": _bare(kind)}
        for name, kind in schema["properties"].items()
        if name not in ("text", "ending")
    ]


def _bare(kind: dict[str, Any]) -> dict[str, Any]:
    """A schema without null, which a query cannot say."""
    kinds = [each for each in kind.get("anyOf", [kind]) if each.get("type") != "null"]
    return {"type": "string", "maxLength": 10_000} if kinds[0]["type"] == "array" else kinds[0]
