"""What a request may hold, declared once as JSON Schema: verb by verb, and one function that checks a value by it.

The description of the routes is made of the same.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from difflib import get_close_matches
from functools import cache
from importlib import resources
from typing import Any, Literal, TypeAlias, get_args

from howsure._version import __version__
from howsure.data.counts import LARGEST_COUNT
from howsure.data.groups import Question as AboutGroups
from howsure.errors import InvalidArgument, excerpt, listing
from howsure.numerics.agreement import Scale
from howsure.params import PARAMETERS
from howsure.posterior.priors import PRIORS
from howsure.posterior.shares import Shares
from howsure.units.pooled import Unit
from howsure.web.limits import MOST_SITES, MOST_SLICES, PRIVATE, Limits

#: JSON Schema; its ``description`` is what a refusal calls the value.
Schema: TypeAlias = dict[str, Any]

NULL: Schema = {"type": "null"}

#: Types by the name that a refusal has for them.
SPOKEN = {"array": "list", "integer": "number"}

#: The largest number where no other bound is named.
HUGE = 1e300


class InvalidRequest(InvalidArgument):
    """A request that is not one; ``field`` is the place, such as ``matrix.counts[1][0]``."""

    def __init__(self, problem: str, field: str | None = None) -> None:
        self.problem, self.field = problem, field
        super().__init__(problem)

    def __reduce__(self) -> tuple[object, ...]:
        return (type(self), (self.problem, self.field))


def text(what: str, most: int = 200, least: int = 1) -> Schema:
    """A text of so many characters."""
    return {"type": "string", "minLength": least, "maxLength": most, "description": what}


def whole_number(what: str, low: int, high: int) -> Schema:
    """A whole number between two others."""
    return {"type": "integer", "minimum": low, "maximum": high, "description": what}


def number(what: str, low: float = -HUGE, high: float = HUGE) -> Schema:
    """A finite number between two others."""
    return {"type": "number", "minimum": low, "maximum": high, "description": what}


def flag(what: str) -> Schema:
    """True or false."""
    return {"type": "boolean", "description": what}


def choice(what: str, words: Sequence[str]) -> Schema:
    """One of a few words."""
    return {"type": "string", "enum": list(words), "description": what}


def listed(what: str, each: Schema, most: int, least: int = 0) -> Schema:
    """So many values of one kind."""
    return {"type": "array", "items": each, "minItems": least, "maxItems": most, "description": what}


def either(what: str, *kinds: Schema) -> Schema:
    """A value of one of several kinds, told apart by their type."""
    return {"anyOf": list(kinds), "description": what}


def object_of(what: str, required: str, **properties: Schema) -> Schema:
    """Named fields; a null for one that is not required is the same as leaving it out."""
    needed = required.split()
    fields = {key: kind if key in needed else {"anyOf": [kind, NULL]} for key, kind in properties.items()}
    return {
        "type": "object",
        "properties": fields,
        "required": sorted(needed),
        "additionalProperties": False,
        "description": what,
    }


def named(what: str, name: Schema, each: Schema, most: int) -> Schema:
    """Values of one kind under free names, such as a threshold for each metric."""
    lengths = {key: name[key] for key in ("minLength", "maxLength")}
    return {
        "type": "object",
        "additionalProperties": each,
        "propertyNames": lengths | {"description": name["description"]},
        "maxProperties": most,
        "description": what,
    }


def checked(schema: Schema, value: Any, place: str) -> Any:
    """The value as its schema has it.

    Raises
    ------
    InvalidRequest
        With its place, what was expected and what came.

    Examples
    --------
    >>> checked(object_of("a request", "n", n=whole_number("n", 1, 9)), {"n": 3.0}, "")
    {'n': 3}
    """
    kinds = [schema]
    while "anyOf" in kinds[0]:
        schema = kinds[0]
        kinds = [kind for kind in schema["anyOf"] if kind != NULL]
    fitting = [kind for kind in kinds if len(kinds) == 1 or kind["type"] in _types_of(value)]
    if not fitting:
        words = " or a ".join(SPOKEN.get(str(kind["type"]), str(kind["type"])) for kind in kinds)
        raise InvalidRequest(f"{schema['description']} is a {words}; not {excerpt(value)}", place)
    return CHECKS[fitting[0]["type"]](fitting[0], value, place)


def _types_of(value: Any) -> tuple[str, ...]:
    if isinstance(value, bool):
        return ("boolean",)
    if isinstance(value, int | float):
        return "number", "integer"
    kinds: dict[type, str] = {str: "string", list: "array", dict: "object"}
    return (kinds.get(type(value), "value"),)


def _text(schema: Schema, value: Any, place: str) -> str:
    what = schema["description"]
    if "enum" in schema:
        if not isinstance(value, str) or value not in schema["enum"]:
            raise InvalidRequest(f"{what} is one of {', '.join(schema['enum'])}; not {excerpt(value)}", place)
        return value
    least, most = schema["minLength"], schema["maxLength"]
    if not isinstance(value, str):
        raise InvalidRequest(f"{what} is a text, not {excerpt(value)}", place)
    if not value and least:
        raise InvalidRequest(f"{what} is missing; this one is empty", place)
    if not least <= len(value) <= most:
        raise InvalidRequest(f"{what} has {least} to {most} characters; {excerpt(value, 40)} has {len(value)}", place)
    if any("\ud800" <= c <= "\udfff" for c in value):
        raise InvalidRequest(f"{what} holds half a character (a lone surrogate): {excerpt(value, 40)}", place)
    return value


def _whole(schema: Schema, value: Any, place: str) -> int:
    what, low, high = schema["description"], schema["minimum"], schema["maximum"]
    whole = isinstance(value, int) and not isinstance(value, bool)
    whole = whole or (isinstance(value, float) and value.is_integer())  # JSON does not tell 3.0 from 3
    if not whole or not low <= value <= high:
        shown = excerpt(value) if len(str(value)) < 400 else "a longer number"
        span = f"of {low:,} or more" if high >= LARGEST_COUNT else f"from {low:,} to {high:,}"
        share = what == "a count" and isinstance(value, float) and 0 < value < 1
        advice = ". If these are proportions, enter the numbers of cases" if share else ""
        raise InvalidRequest(f"{what} is an integer {span}; not {shown}{advice}", place)
    return int(value)


def _number(schema: Schema, value: Any, place: str) -> float:
    low, high = schema["minimum"], schema["maximum"]
    is_number = isinstance(value, int | float) and not isinstance(value, bool)
    if not is_number or not low <= value <= high:  # NaN and infinity are in no bounds
        between = "" if high >= HUGE else f" from {low:g} to {high:g}"
        shown = excerpt(value) if not isinstance(value, int) or abs(value) < 10**40 else "a longer one"
        raise InvalidRequest(f"{schema['description']} is a number{between}, not {shown}", place)
    return float(value)


def _flag(schema: Schema, value: Any, place: str) -> bool:
    if not isinstance(value, bool):
        raise InvalidRequest(f"{schema['description']} is true or false, not {excerpt(value)}", place)
    return value


def _list(schema: Schema, value: Any, place: str) -> list[Any]:
    what, least, most = schema["description"], schema["minItems"], schema["maxItems"]
    if not isinstance(value, list):
        raise InvalidRequest(f"{what} are a list, not {excerpt(value)}", place)
    if not value and least:
        raise InvalidRequest(f"{what} is missing; this one is empty", place)
    if not least <= len(value) <= most:
        raise InvalidRequest(f"{what} are {least:,} to {most:,} in number, not {len(value):,}", place)
    return [checked(schema["items"], element, f"{place}[{i}]") for i, element in enumerate(value)]


def _object(schema: Schema, value: Any, place: str) -> dict[str, Any]:
    what, known = schema["description"], schema.get("properties")
    if not isinstance(value, dict):
        verb = "are" if "maxProperties" in schema else "is"
        raise InvalidRequest(f"{what} {verb} an object, not {excerpt(value)}", place or None)
    if "maxProperties" in schema:
        if len(value) > schema["maxProperties"]:
            raise InvalidRequest(f"{what} are at most {schema['maxProperties']:,}, not {len(value):,}", place)
        name = {"type": "string", **schema["propertyNames"]}
        return {
            checked(name, key, place): checked(schema["additionalProperties"], each, _join(place, key))
            for key, each in value.items()
        }
    if known is None:  # it is checked elsewhere
        return value
    for key in value:
        if key not in known:
            near = get_close_matches(str(key), known, n=1)
            advice = f"Did you mean {near[0]!r}?" if near else f"Known: {listing(known, 40)}."
            raise InvalidRequest(f"{what} has no field {excerpt(key, 40)}. {advice}", _join(place, key))
    made = {}
    for key, kind in known.items():
        if value.get(key) is not None:
            made[key] = checked(kind, value[key], _join(place, key))
        elif key in schema["required"]:
            raise InvalidRequest(f"{what} needs the field {key!r}", _join(place, key))
    return made


def _join(place: str, key: object) -> str:
    short = str(key) if len(str(key)) <= 60 else f"{str(key)[:57]}..."
    return f"{place}.{short}" if place else short


CHECKS: Mapping[str, Callable[[Schema, Any, str], Any]] = {
    "string": _text,
    "integer": _whole,
    "number": _number,
    "boolean": _flag,
    "array": _list,
    "object": _object,
}


# -- Each verb ---------------------------------------------------------------------------------------------------------

#: Kinds of data that are more than a matrix, and what can be asked of them; a report on ratings is their agreement.
Kind: TypeAlias = Literal["items", "votes", "ratings"]
Question: TypeAlias = Literal["report", "compare", "rank"]

#: Parts of a report that are made only if they are asked for.
WANTS = ("densities", "rates", "predictive", "frequencies", "replication", "outlook", "cost", "sensitivity")

#: What stands beside the answer about one patient; all of it if nothing is said.
BESIDE = ("frequencies", "curve")

#: Characters of a text that is pasted; longer ones are dropped as files.
MOST_PASTED = 1_000_000

#: Cases of a class of which every table that fits two figures is found in a moment.
MOST_PUBLISHED = 100_000

#: The one kind of file that is no text; media types of files to import, and the ending that each stands for.
WORKBOOK = ".xlsx"
FILES = {
    "text/csv": ".csv",
    "text/tab-separated-values": ".tsv",
    "application/x-ndjson": ".jsonl",
    "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet": WORKBOOK,
}

#: Endings of a text that is data, which the page keeps; of files that are read; and of those that are exported.
ENDINGS_OF_DATA = ("", ".csv", ".tsv", ".jsonl", ".ndjson")
ENDINGS_OF_FILES = (".csv", ".tsv", ".json", ".jsonl", ".ndjson", WORKBOOK)
ENDINGS = (".html", ".md", ".tex", ".csv", ".json", ".txt")


def _least(name: str) -> int:
    """Lower bound of a parameter, which is the same as on the command line."""
    return int(PARAMETERS[name, ""].low or 0)


@cache
def requests(limits: Limits) -> dict[str, Schema]:
    """Schema of the request of each verb."""
    label = text("a class or classifier name", limits.label)
    count = whole_number("a count", 0, LARGEST_COUNT)
    cases = whole_number("a number of cases", 1, LARGEST_COUNT)
    share, threshold = number("a share", 0, 1), number("a threshold")
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
    answers = listed("answers", whole_number("the place of a class", 0, limits.classes - 1), limits.classifiers, 2)
    part = either("a part of a cell", whole_number("a class or a count", 0, LARGEST_COUNT), answers)
    paired = object_of(
        "pairs: the same cases answered by several classifiers",
        "classes models cells",
        classes=classes,
        positive=label,
        models=listed("names of classifiers", label, limits.classifiers, 2),
        cells=listed("cells", listed("a cell [true, [answers], count]", part, 3, 3), limits.patterns, 1),
    )
    pseudo = number("a pseudo-count", 0, 1e12)
    prior = either(
        f"a prior ({', '.join(PRIORS)}, beta(2,2) for every recall, or a Beta of each, a=beta(20,2),b=beta(9,1))",
        text("a prior", 400),
        object_of("a prior Beta(a, b)", "a b", a=pseudo, b=pseudo),
    )
    common = {
        "narrow": flag("narrow, pictures for a phone,"),
        "prior": prior,
        "level": number("level, the probability inside the intervals,", 1e-9, 1 - 1e-9),
        "kind": choice("kind of interval", ("hdi", "central")),
        "draws": whole_number("draws", _least("draws"), limits.draws),
        "seed": whole_number("seed", _least("seed"), LARGEST_COUNT),
    }

    def but(words: str) -> dict[str, Schema]:
        return {key: kind for key, kind in common.items() if key not in words.split()}

    elsewhere = either(
        "a prevalence",
        listed("shares", share, limits.classes, 2),
        object_of("a prevalence", "label", label=label, share=share, cases=count, of=cases),
    )
    cost = number("a cost", 1e-9, 1e9)
    costs = object_of("costs of errors", "fp fn", fp=cost, fn=cost)
    outlook = {
        "metric": metric,
        "above": number("above, a threshold,"),
        "more": whole_number("more, the further cases,", 1, 1_000_000),
    }
    report = object_of(
        "a report",
        "matrix",
        matrix=matrix,
        unlabelled=listed("cases without a truth, by prediction,", count, limits.classes, 2),
        groups=listed("cells of groups [group, true, pred, count]", listed("a cell", count, 4, 4), limits.patterns, 1),
        about=choice("what numbers are about where cases come in groups", get_args(AboutGroups)),
        metrics=listed("metrics", metric, 500, 1),
        prevalence=elsewhere,
        shares=choice("shares of the classes", get_args(Shares)),
        thresholds=named("thresholds", metric, threshold, 500),
        below=named("upper thresholds", metric, threshold, 500),
        want=listed("wants", choice("a part of a report", WANTS), len(WANTS)),
        label=label,
        replicate=whole_number("replicate, the cases of a new test,", 1, 10_000_000),
        outlook=object_of("what further cases would change", " ".join(outlook), **outlook),
        cost=costs,
        **common,
    )
    pair = listed("classifiers", classifier, 2, 2)
    rope = number("rope", 0)
    compare = object_of("a comparison", "", classifiers=pair, paired=paired, metric=metric, rope=rope, **common)
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
        above=either("above", threshold, choice("above", ("chance",))),
        **{key: number(key) for key in ("width", "below", "difference", "margin", "mode", "concentration")},
        detect=choice("what to find for n cases", ("difference", "width", "above", "below")),
        n=whole_number("n, the cases one has,", 1, 10_000_000),
        have=whole_number("have, the cases of which it is said beside the plan what they show,", 1, 10_000_000),
        assurance=number("assurance", 1e-9, 1 - 1e-9),
        guess=either("a guess", number("a guess"), values),
        pilot=matrix,
        prevalence=elsewhere,
        classes=whole_number("classes", 2, limits.classes),
        paired=either("paired", number("a share of disagreement"), values),
        design=either("a design", choice("a design", ("optimal",)), listed("shares", share, limits.classes, 2)),
        **but("kind draws"),
    )
    post_test = object_of(
        "a post-test question",
        "matrix pre_test",
        matrix=matrix,
        pre_test=either("a pre-test probability", share, named("shares", label, share, limits.classes)),
        label=label,
        results=listed("results", label, 20, 1),
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
    at_threshold = object_of(
        "a threshold on scores",
        "scores",
        scores=scores,
        at=threshold,
        curve=choice("a curve", ("roc", "precision_recall")),
        best=choice("what to be best for", ("balanced_accuracy", "f1", "cost")),
        cost=costs,
        net_benefit=flag("net_benefit, of scores that are probabilities,"),
        prevalence=inside,
        **but("draws"),
    )
    table = object_of("a table of four cells", "name tp fn fp tn", name=label, tp=count, fn=count, fp=count, tn=count)
    end = number("an end of the scale")
    ask = object_of(
        "a question about items with scores, battles or ratings",
        "text of question",
        text=text("the text of the data", MOST_PASTED),
        ending=choice("the ending of its file", ENDINGS_OF_DATA),
        of=choice("what the text holds", get_args(Kind)),
        question=choice("a question", get_args(Question)),
        metric=metric,
        a=label,
        b=label,
        model=label,
        low=end,
        high=end,
        better=choice("the better direction", ("higher", "lower")),
        scale=choice("what categories are", get_args(Scale)),
        rope=rope,
        **but("prior"),
    )
    pool = {"tables": listed("tables", table, MOST_SITES, 2), "metric": metric}
    pool["unit"] = choice("what each table is", get_args(Unit))
    tables = listed("tables", table, MOST_SLICES, 2)
    made = {
        "report": report, "compare": compare, "rank": rank, "plan": plan, "post_test": post_test,
        "threshold": at_threshold,
        "pool": object_of("a pool of sites or studies", "tables", **pool, **but("prior draws")),
        "slices": object_of("a report by slice", "tables", tables=tables, metric=metric, **but("draws")),
        "ask": ask,
    }  # fmt: skip
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
    export = object_of(
        "an export",
        "of request ending",
        of=choice("what to export", tuple(made)),
        request={"type": "object", "description": "a request of the verb that `of` names"},
        ending=choice("an ending", ENDINGS),
    )
    return {**made, "import": reading, "paste": pasting, "reconstruct": reconstruction, "export": export}


# -- The description of the routes -------------------------------------------------------------------------------------

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
    """OpenAPI 3.1 of a server with these limits."""
    schemas = requests(limits)
    refused = _media({"$ref": "#/components/schemas/Refusal"})
    refusals = {str(status): {"description": why, "content": refused} for status, why in REFUSALS.items()}
    health = {"summary": "Whether the server runs", "responses": {"200": _ok("its status")}}
    paths: dict[str, Any] = {"/healthz": {"get": health}}
    for verb, summary in SUMMARIES.items():
        if verb == "import" and not limits.imports:
            continue
        body = _media({"$ref": f"#/components/schemas/{verb}"})
        operation: dict[str, Any] = {"summary": summary, "operationId": verb}
        if verb == "import":
            binary = {"format": "binary"}
            body = {
                media: {"schema": {"type": "string", **(binary if ending == WORKBOOK else {})}}
                for media, ending in FILES.items()
            }
            operation["parameters"] = _query(schemas["import"])
        operation["requestBody"] = {"required": True, "content": body}
        operation["responses"] = {"200": _ok("the answer", RESULTS.get(verb)), **refusals}
        paths[f"/api/v1/{verb}"] = {"post": operation}
    components = {verb: schema for verb, schema in schemas.items() if verb != "import"}
    words = {"type": "string"}
    refusal = object_of("why there is no answer", "code message", code=words, message=words, field=words)
    rows = "Rows of a matrix are truth, columns are prediction, everywhere."
    return {
        "openapi": "3.1.0",
        "info": {"title": "howsure", "version": __version__, "description": rows},
        "paths": dict(sorted(paths.items())),
        "components": {"schemas": {**components, "Refusal": refusal}},
    }


def _media(schema: Schema) -> dict[str, Any]:
    return {"application/json": {"schema": schema}}


def _ok(what: str, result: str | None = None) -> dict[str, Any]:
    """An answer, whose ``result`` is what a schema of the package says."""
    schema: dict[str, Any] = {"type": "object"}
    if result is not None:
        file = resources.files("howsure.answers").joinpath(f"schemas/{result}.schema.json")
        schema |= {"required": ["result"], "properties": {"result": json.loads(file.read_text(encoding="utf-8"))}}
    return {"description": what, "content": _media(schema)}


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
