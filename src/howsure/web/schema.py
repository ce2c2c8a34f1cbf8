"""The requests, verb by verb: what is asked, in which bounds. Validation and the published OpenAPI both read this."""

from __future__ import annotations

from functools import cache
from typing import get_args

from howsure.data.groups import Question
from howsure.numerics.agreement import Scale
from howsure.params import PARAMETERS
from howsure.posterior.means_over_classes import Shares
from howsure.units.pooled import Unit
from howsure.web import knowledge
from howsure.web.fields import Anything, Choice, Either, Field, Fields, Flag, ListOf, Named, Number, Text, WholeNumber
from howsure.web.limits import LARGEST_COUNT, MOST_SITES, MOST_SLICES, Limits
from howsure.web.written_priors import PriorText

__all__ = ["BESIDE", "ENDINGS", "WANTS", "requests"]

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

#: Endings of a text that is data, which the page keeps.
ENDINGS_OF_DATA = ("", ".csv", ".tsv", ".jsonl", ".ndjson")

#: Kinds of files that can be exported.
ENDINGS = (".html", ".md", ".tex", ".csv", ".json", ".txt")


def _least(name: str) -> int:
    """Lower bound of a parameter, which is the same as on the command line."""
    return int(PARAMETERS[name, ""].low or 0)


@cache
def requests(limits: Limits) -> dict[str, Fields]:
    """Schema of the request of each verb.

    Examples
    --------
    >>> from howsure.web.limits import PRIVATE
    >>> list(requests(PRIVATE))[:4]
    ['report', 'compare', 'rank', 'plan']
    """
    label = Text("a class or classifier name", limits.label)
    count = WholeNumber("a count", 0, LARGEST_COUNT)
    cases = WholeNumber("a number of cases", 1, LARGEST_COUNT)
    share = Number("a share", 0, 1)
    inside = Number("a share strictly between 0 and 1", 1e-9, 1 - 1e-9)
    metric = Text("a metric", limits.label + 100)
    classes = ListOf("classes", label, limits.classes, 2)
    matrix = Fields(
        "a matrix (rows are truth, columns are prediction)",
        {
            "classes": classes,
            "counts": ListOf("rows of counts", ListOf("counts", count, limits.classes, 2), limits.classes, 2),
            "positive": label,
        },
        frozenset(["classes", "counts"]),
    )
    classifier = Fields("a classifier", {"name": label, "matrix": matrix}, frozenset(["name", "matrix"]))
    place = WholeNumber("the place of a class", 0, limits.classes - 1)
    answers = ListOf("answers", place, limits.classifiers, 2)
    part = Either("a part of a cell", {"number": WholeNumber("a class or a count", 0, LARGEST_COUNT), "list": answers})
    cell = ListOf("a cell [true, [answers], count]", part, 3, 3)
    paired = Fields(
        "pairs: the same cases answered by several classifiers",
        {
            "classes": classes,
            "positive": label,
            "models": ListOf("names of classifiers", label, limits.classifiers, 2),
            "cells": ListOf("cells", cell, limits.patterns, 1),
        },
        frozenset(["classes", "models", "cells"]),
    )
    pseudo = Number("a pseudo-count", 0, 1e12)
    common: dict[str, Field] = {
        "prior": Either(
            "a prior",
            {
                "string": PriorText("a prior"),
                "object": Fields("a prior Beta(a, b)", {"a": pseudo, "b": pseudo}, frozenset(["a", "b"])),
            },
        ),
        "level": Number("level, the probability inside the intervals,", 1e-9, 1 - 1e-9),
        "kind": Choice("kind of interval", ("hdi", "central")),
        "draws": WholeNumber("draws", _least("draws"), limits.draws),
        "seed": WholeNumber("seed", _least("seed"), LARGEST_COUNT),
    }
    most = limits.patterns
    elsewhere = Either(
        "a prevalence",
        {
            "list": ListOf("shares", share, limits.classes, 2),
            "object": Fields(
                "a prevalence",
                {"label": label, "share": share, "cases": count, "of": cases},
                frozenset(["label"]),
            ),
        },
    )
    cost = Number("a cost", 1e-9, 1e9)
    costs = Fields("costs of errors", {"fp": cost, "fn": cost}, frozenset(["fp", "fn"]))
    more = WholeNumber("more, the further cases,", 1, 1_000_000)
    outlook = Fields(
        "what further cases would change",
        {"metric": metric, "above": Number("above, a threshold,"), "more": more},
        frozenset(["metric", "above", "more"]),
    )
    report = Fields(
        "a report",
        {
            "matrix": matrix,
            "unlabelled": ListOf("cases without a truth, by prediction,", count, limits.classes, 2),
            "groups": ListOf("cells of groups [group, true, pred, count]", ListOf("a cell", count, 4, 4), most, 1),
            "about": Choice("what numbers are about where cases come in groups", get_args(Question)),
            "metrics": ListOf("metrics", metric, 500, 1),
            "prevalence": elsewhere,
            "shares": Choice("shares of the classes", get_args(Shares)),
            "thresholds": Named("thresholds", metric, Number("a threshold"), 500),
            "below": Named("upper thresholds", metric, Number("a threshold"), 500),
            "want": ListOf("wants", Choice("a part of a report", WANTS), len(WANTS)),
            "stops": ListOf("stops of a slider, shares of the label", inside, MOST_STOPS, 1),
            "label": label,
            "replicate": WholeNumber("replicate, the cases of a new test,", 1, 10_000_000),
            "outlook": outlook,
            "cost": costs,
            **common,
        },
        frozenset(["matrix"]),
    )
    compare = Fields(
        "a comparison",
        {
            "classifiers": ListOf("classifiers", classifier, 2, 2),
            "paired": paired,
            "metric": metric,
            "rope": Number("rope", 0),
            **common,
        },
    )
    score = Either("a score", {"number": Number("a score", 0, 100), "string": Text("a score", 40)})
    entry = Fields("an entry", {"name": label, "n": cases, "correct": count, "score": score}, frozenset(["name", "n"]))
    rank = Fields(
        "a ranking",
        {
            "entries": ListOf("entries", entry, limits.classifiers, 2),
            "classifiers": ListOf("classifiers", classifier, limits.classifiers, 2),
            "paired": paired,
            "metric": metric,
            "prizes": ListOf("prizes", Number("a prize", -1e15, 1e15), limits.classifiers),
            "top": WholeNumber("top", 1, limits.classifiers),
            "new_test": WholeNumber("new_test, the cases of a new test set,", 1, 10_000_000),
            **common,
        },
    )
    named = Named("named values", Text("a name", 40), Number("a value"), 8)
    threshold = Either("above", {"number": Number("a threshold"), "string": Choice("above", ("chance",))})
    plan = Fields(
        "a plan",
        {
            "metric": metric,
            "width": Number("width"),
            "above": threshold,
            "below": Number("below"),
            "difference": Number("difference"),
            "margin": Number("margin"),
            "detect": Choice("what to find for n cases", ("difference", "width", "above", "below")),
            "n": WholeNumber("n, the cases one has,", 1, 10_000_000),
            "assurance": Number("assurance", 1e-9, 1 - 1e-9),
            "guess": Either("a guess", {"number": Number("a guess"), "object": named}),
            "mode": Number("mode"),
            "concentration": Number("concentration"),
            "pilot": matrix,
            "prevalence": elsewhere,
            "classes": WholeNumber("classes", 2, limits.classes),
            "paired": Either("paired", {"number": Number("a share of disagreement"), "object": named}),
            "design": Either(
                "a design",
                {
                    "string": Choice("a design", ("optimal",)),
                    "list": ListOf("shares", share, limits.classes, 2),
                },
            ),
            **{key: common[key] for key in ("prior", "level", "seed")},
        },
        frozenset(["metric"]),
    )
    before = Either(
        "a pre-test probability", {"number": share, "object": Named("shares", label, share, limits.classes)}
    )
    post_test = Fields(
        "a post-test question",
        {
            "matrix": matrix,
            "pre_test": before,
            "label": label,
            "results": ListOf("results", label, 20, 1),
            "stops": ListOf("stops of a slider, pre-test probabilities of the label", inside, MOST_STOPS_DEAR, 1),
            "want": ListOf("wants", Choice("a part of an answer about one patient", BESIDE), len(BESIDE)),
            **common,
        },
        frozenset(["matrix", "pre_test"]),
    )
    scored = ListOf("a cell [score, cases of the first class, cases of the second]", Number("a number"), 3, 3)
    scores = Fields(
        "scores of two classes",
        {
            "classes": ListOf("the two classes", label, 2, 2),
            "positive": label,
            "cells": ListOf("cells", scored, limits.patterns, 2),
        },
        frozenset(["classes", "cells"]),
    )
    cut = Fields(
        "a threshold on scores",
        {
            "scores": scores,
            "at": Number("a threshold"),
            "curve": Choice("a curve", ("roc", "precision_recall")),
            "best": Choice("what to be best for", ("balanced_accuracy", "f1", "cost")),
            "cost": costs,
            "net_benefit": Flag("net_benefit, of scores that are probabilities,"),
            "prevalence": inside,
            "stops": ListOf("stops of a slider, thresholds,", Number("a threshold"), MOST_CUTS, 1),
            **{key: common[key] for key in ("prior", "level", "kind", "seed")},
        },
        frozenset(["scores"]),
    )
    four = dict.fromkeys(("tp", "fn", "fp", "tn"), count)
    table = Fields("a table of four cells", {"name": label, **four}, frozenset(["name", *four]))
    pool = Fields(
        "a pool of sites or studies",
        {
            "tables": ListOf("tables", table, MOST_SITES, 2),
            "metric": metric,
            "unit": Choice("what each table is", get_args(Unit)),
            **{key: common[key] for key in ("level", "kind", "seed")},
        },
        frozenset(["tables"]),
    )
    slices = Fields(
        "a report by slice",
        {
            "tables": ListOf("tables", table, MOST_SLICES, 2),
            "metric": metric,
            **{key: common[key] for key in ("prior", "level", "kind", "seed")},
        },
        frozenset(["tables"]),
    )
    number = Number("an end of the scale")
    ask = Fields(
        "a question about items with scores, battles or ratings",
        {
            "text": Text("the text of the data", MOST_PASTED),
            "ending": Choice("the ending of its file", ENDINGS_OF_DATA),
            "of": Choice("what the text holds", get_args(knowledge.Kind)),
            "question": Choice("a question", get_args(knowledge.Question)),
            "metric": metric,
            "a": label,
            "b": label,
            "model": label,
            "low": number,
            "high": number,
            "better": Choice("the better direction", ("higher", "lower")),
            "scale": Choice("what categories are", get_args(Scale)),
            "rope": Number("rope", 0),
            **{key: common[key] for key in ("level", "kind", "draws", "seed")},
        },
        frozenset(["text", "of", "question"]),
    )
    reading = Fields(
        "a file to read",
        {
            # the bytes of a workbook are a third more in base64
            "text": Text("the text of the file", limits.upload * 4 // 3 + 4, 0),
            "ending": Choice("the ending of the file", (".csv", ".tsv", ".json", ".jsonl", ".ndjson", ".xlsx")),
            "sheet": Text("the name or the number of a sheet of a workbook", 100),
            "rows": Choice("what a row of an undeclared matrix is", ("true", "pred")),
            "positive": label,
            "labels": classes,
            "model": label,
            "missing": Choice("what becomes of cases without an answer", ("error", "wrong", "class", "exclude")),
            "group": Text("the column of the groups", limits.label),
            "scores": Flag("scores, read true classes and scores,"),
            "tables": Flag("tables, read the four cells of a study or slice a row,"),
            "board": Flag("board, read a leaderboard without its header too,"),
            "separate": Flag("separate, do not pair what could be paired,"),
            "n": cases,
        },
        frozenset(["text"]),
    )
    pasting = Fields(
        "a text pasted into a cell of the matrix",
        {
            "text": Text("the pasted text", MOST_PASTED, 0),
            "classes": ListOf("class names of the matrix, for a text without any,", label, limits.classes, 2),
        },
        frozenset(["text"]),
    )
    figure = Text("a printed figure such as 0.84 or 84%", 20)
    members = WholeNumber("a number of cases", 1, MOST_PUBLISHED)
    reconstruction = Fields(
        "the figures of an abstract",
        {
            "sensitivity": figure,
            "specificity": figure,
            "positives": members,
            "negatives": members,
            "n": WholeNumber("a number of cases in all", 2, 2 * MOST_PUBLISHED),
            "prevalence": figure,
        },
        frozenset(["sensitivity", "specificity"]),
    )
    made = {
        "report": report,
        "compare": compare,
        "rank": rank,
        "plan": plan,
        "post_test": post_test,
        "threshold": cut,
        "pool": pool,
        "slices": slices,
        "ask": ask,
    }
    export = Fields(
        "an export",
        {
            "of": Choice("what to export", tuple(made)),
            "request": Anything("a request of the verb that `of` names"),
            "ending": Choice("an ending", ENDINGS),
        },
        frozenset(["of", "request", "ending"]),
    )
    return {**made, "import": reading, "paste": pasting, "reconstruct": reconstruction, "export": export}
