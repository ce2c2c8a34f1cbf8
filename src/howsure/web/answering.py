"""One pure function from a request to an answer; it knows no web framework and no files.

Also the same as bytes or a refusal, which a thread of the server and a process of its own both send; and as a file.
"""

from __future__ import annotations

from base64 import b64encode
from collections.abc import Callable, Iterable, Mapping
from typing import Any

from howsure.answers.sheet import Record
from howsure.errors import HowsureError, InvalidCounts, InvalidFile, UnknownMetric, UnknownPrior
from howsure.io.formats.json_documents import parsed
from howsure.io.opening import unpacked_at_most
from howsure.publish.saving import text_of
from howsure.reporting.report import Report
from howsure.web import contests, importing, knowledge, plans, reports, score_cuts, worth
from howsure.web.limits import MOST_CLASSES_ON_A_PAGE, PRIVATE, Limits, Refusal, as_json
from howsure.web.schema import FILES, WORKBOOK, InvalidRequest, checked, requests
from howsure.web.words import for_page


def handle(request: Mapping[str, Any], *, limits: Limits = PRIVATE) -> dict[str, Any]:
    """Answer one request.

    Parameters
    ----------
    request : mapping
        Its ``verb``, and the fields of that verb; see `howsure.web.schema`. Rows of a matrix are truth.
    limits : Limits
        How large it may be.

    Returns
    -------
    dict
        ``result`` (what the command line prints with ``--json``), ``shown`` (text, digits cut), ``drawing`` (numbers
        for pictures), ``code`` (Python and a command that give the same). Ready for JSON.

    Raises
    ------
    InvalidRequest
        A field that is unknown, missing, or outside its bounds; with its place.
    HowsureError
        A question without an answer.

    Examples
    --------
    >>> matrix = {"classes": ["high", "low"], "counts": [[26, 0], [2, 6]], "positive": "low"}
    >>> answer = handle({"verb": "report", "matrix": matrix, "metrics": ["recall@low"]})
    >>> answer["shown"]["rows"][0]["interval"], answer["result"]["metrics"][0]["law"]
    ('0.44 to 0.96', 'exact')
    """
    if not isinstance(request, Mapping):
        raise InvalidRequest("a request is an object with a verb")
    verb = request.get("verb")
    if not isinstance(verb, str) or verb not in VERBS:
        raise InvalidRequest(f"verb is one of {', '.join(VERBS)}", "verb")
    if verb == "import" and not limits.imports:
        raise InvalidRequest("this server reads no files; enter the counts, or run howsure serve yourself", "verb")
    given = {key: value for key, value in request.items() if key != "verb"}
    with unpacked_at_most(limits.upload):
        return _spoken(VERBS[verb](checked(requests(limits)[verb], given, ""), limits))


# -- An answer as a file -----------------------------------------------------------------------------------------------

MEDIA = {
    ".html": "text/html", ".md": "text/markdown", ".tex": "application/x-tex", ".csv": "text/csv",
    ".json": "application/json", ".txt": "text/plain",
}  # fmt: skip

#: What papers on tests print beside the numbers of a report.
RATIOS = ("positive_likelihood_ratio", "negative_likelihood_ratio")

MADE: dict[str, Callable[[Mapping[str, Any], Limits], Record]] = {
    "report": reports.made_report,
    "compare": contests.made_comparison,
    "rank": contests.made_ranking,
    "plan": plans.made_plan,
    "post_test": worth.made_post_test,
    "threshold": score_cuts.made_points,
    "pool": contests.made_pool,
    "slices": contests.made_slices,
    "ask": knowledge.made_answer,
}


def exported(request: Mapping[str, Any], limits: Limits) -> dict[str, Any]:
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
            made = reports.made_report({**inner, "metrics": [*names, *ratios]}, limits)
    except InvalidRequest as error:
        place = error.field or ""
        raise InvalidRequest(error.problem, place if place.startswith("request") else f"request.{place}") from None
    name = f"howsure-{verb.replace('_', '-')}{ending}"
    return {"name": name, "media": MEDIA[ending], "text": text_of(made, ending)}


VERBS: dict[str, Callable[[Mapping[str, Any], Limits], dict[str, Any]]] = {
    "report": reports.answered,
    "compare": contests.compared,
    "rank": contests.ranked,
    "plan": plans.answered,
    "post_test": worth.post_tested,
    "threshold": score_cuts.answered,
    "pool": contests.pooled,
    "slices": contests.sliced,
    "ask": knowledge.answered,
    "import": importing.answered,
    "paste": importing.pasted,
    "reconstruct": importing.reconstructed,
    "export": exported,
}

# -- The words of the page ---------------------------------------------------------------------------------------------

#: The field that an error of the library is about.
PLACES = {UnknownPrior: "prior", UnknownMetric: "metric", InvalidCounts: "matrix.counts"}


def complaint(error: HowsureError) -> dict[str, str | None]:
    """An error as data: its code, one sentence, and the field it is about."""
    elsewhere = next((name for kind, name in PLACES.items() if isinstance(error, kind)), None)
    place = error.field if isinstance(error, InvalidRequest) else elsewhere
    return {"code": type(error).__name__, "message": for_page(str(error)), "field": place}


def _spoken(answer: dict[str, Any]) -> dict[str, Any]:
    """An answer whose notes are in the words of the page."""
    shown = answer.get("shown", {})
    said: dict[str, Any] = {key: [for_page(it) for it in shown[key]] for key in ("note", "warnings") if key in shown}
    said |= {key: for_page(shown[key]) for key in ("footer", "left_out") if isinstance(shown.get(key), str)}
    return {**answer, "shown": {**shown, **said}} if said else answer


# -- As bytes ----------------------------------------------------------------------------------------------------------

#: Options of an import that are true or false.
SWITCHES = ("separate", "scores", "tables", "board")


def request_of(verb: str, body: bytes, media: str, query: Iterable[tuple[str, str]]) -> Any:
    """The request, without its verb, that a body says, of an import with its options in the query.

    Raises
    ------
    Refusal
        What is no JSON or no text, an option that comes twice, or that is the body or its type.
    """
    try:
        if verb != "import":
            return parsed("the request", body.decode("utf-8"))
        text = b64encode(body).decode() if FILES[media] == WORKBOOK else body.decode("utf-8")
    except InvalidFile as error:
        raise Refusal(400, "InvalidJSON", f"the body is no JSON that can be read: {error.problem}") from None
    except UnicodeDecodeError:
        if verb != "import":
            raise Refusal(400, "InvalidJSON", "the body is no JSON that can be read: not UTF-8") from None
        raise Refusal(400, "NotUTF8", "the file is not UTF-8; save it so (in a spreadsheet: CSV UTF-8)") from None
    return {**_options(query), "ending": FILES[media], "text": text}


def _options(query: Iterable[tuple[str, str]]) -> dict[str, Any]:
    """Options of an import.

    Examples
    --------
    >>> _options([("n", "80"), ("separate", "true"), ("labels", "cat, dog")])
    {'n': 80, 'separate': True, 'labels': ['cat', 'dog']}
    """
    found: dict[str, Any] = {}
    for key, value in query:
        if key in found:
            raise Refusal(422, "InvalidRequest", "an option of the query comes twice", key[:60])
        if key in ("text", "ending"):
            raise Refusal(422, "InvalidRequest", f"{key} is the body and its type, not an option", key)
        if key == "n" and value.isdecimal() and len(value) < 17:
            found[key] = int(value)
        elif key in SWITCHES and value in ("true", "false"):
            found[key] = value == "true"
        else:
            found[key] = [name.strip() for name in value.split(",")] if key == "labels" else value
    return found


_TWO = {"classes": ["a", "b"], "counts": [[6, 2], [1, 7]]}
_THREE = {"classes": ["a", "b", "c"], "counts": [[6, 2, 0], [1, 7, 0], [0, 1, 5]]}

#: Asked at the start, so that the first visitor finds everything loaded; the first page comes first.
WARM: tuple[dict[str, Any], ...] = (
    {"verb": "report", "matrix": _TWO, "want": ["densities", "predictive", "frequencies"]},
    {"verb": "report", "matrix": _THREE, "want": ["densities"], "prior": "learned", "draws": 4000},
    {"verb": "compare", "classifiers": [{"name": "a", "matrix": _TWO}, {"name": "b", "matrix": _TWO}]},
    {"verb": "rank", "entries": [{"name": "a", "correct": 6, "n": 9}, {"name": "b", "correct": 7, "n": 9}]},
    {"verb": "post_test", "matrix": _TWO, "pre_test": 0.1, "label": "b"},
)


def answer_to(verb: str, request: Any, limits: Limits) -> bytes:
    """The answer as JSON.

    Raises
    ------
    Refusal
        A request that is none, a question without an answer (422), or one whose answer does not fit in memory (503).
    """
    if not isinstance(request, dict) or "verb" in request:
        raise Refusal(422, "InvalidRequest", "the body is an object of the fields of a request, without its verb")
    try:
        return as_json(handle({**request, "verb": verb}, limits=limits))
    except HowsureError as error:
        said = complaint(error)
        raise Refusal(422, str(said["code"]), str(said["message"]), said["field"]) from None
    except MemoryError:
        raise Refusal(503, "TooLarge", "the answer does not fit in memory; ask for fewer draws", wait=5) from None
