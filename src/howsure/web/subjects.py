"""From the parts of a request to what they are about: matrices, priors, posteriors, predictions, files."""

from __future__ import annotations

import io
from base64 import b64decode
from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import Any

import numpy as np

from howsure.data.confusion import ConfusionMatrix, in_groups
from howsure.data.predictions import Predictions
from howsure.errors import HowsureError, InvalidArgument, InvalidFile, InvalidLabels, excerpt
from howsure.laws.law import DRAWS
from howsure.posterior.posterior import Posterior, infer
from howsure.posterior.priors import PRIORS, Prior
from howsure.posterior.shares import Shares
from howsure.web.limits import Limits
from howsure.web.schema import WORKBOOK, InvalidRequest

Checked = Mapping[str, Any]

#: Pixels of a picture on a phone, and on a wide page.
NARROW, WIDE = 340, 680


def matrix_of(given: Checked, place: str = "matrix", unlabelled: Sequence[int] | None = None) -> ConfusionMatrix:
    """The matrix of a request, with its cases without a truth; says where it is not square."""
    classes, counts = given["classes"], given["counts"]
    if len(counts) != len(classes):
        raise InvalidRequest(
            f"{len(classes)} classes need {len(classes)} rows of counts, not {len(counts)}", f"{place}.counts"
        )
    for i, row in enumerate(counts):
        if len(row) != len(classes):
            raise InvalidRequest(
                f"row {i + 1} has {len(row)} counts, and there are {len(classes)} classes", f"{place}.counts[{i}]"
            )
    if unlabelled is not None and len(unlabelled) != len(classes):
        raise InvalidRequest(f"{len(classes)} classes need {len(classes)} counts, not {len(unlabelled)}", "unlabelled")
    try:
        return ConfusionMatrix(counts, classes, positive=given.get("positive"), unlabelled=unlabelled)
    except InvalidLabels as error:
        raise InvalidRequest(str(error), f"{place}.classes") from None


def in_groups_of(request: Checked, confusion: ConfusionMatrix) -> ConfusionMatrix:
    """The same matrix with the counts by group of a request, about what it asks; says where they are not its counts."""
    cells = request.get("groups")
    if cells is None:
        if "about" in request:
            raise InvalidRequest("about= is of cases in groups, and there are none", "about")
        return confusion
    if confusion.verdicts is not None:
        raise InvalidRequest("groups and cases without a truth cannot be combined", "groups")
    size, labels = len(confusion.labels), confusion.labels
    counts = np.zeros((size, size), dtype=np.int64)
    for i, (_, true, pred, count) in enumerate(cells):
        if true >= size or pred >= size or not count:
            problem = "a cell of a group is [group, true, pred, count], with places of classes and a count above 0"
            raise InvalidRequest(problem, f"groups[{i}]")
        counts[true, pred] += count
    if not np.array_equal(counts, confusion.counts):
        raise InvalidRequest("the counts of the groups do not add up to the matrix", "groups")
    # names in the order of the numbers, so that draws are those of the file
    wide = len(str(max(cell[0] for cell in cells) + 1))
    made = in_groups(confusion, [(f"group {g + 1:0{wide}d}", labels[i], labels[j], n) for g, i, j, n in cells])
    return made if "about" not in request else made.about_groups(request["about"])


def named_matrices(given: list[dict[str, Any]]) -> dict[str, ConfusionMatrix]:
    """Matrices by the names of their classifiers, which must differ."""
    made: dict[str, ConfusionMatrix] = {}
    for i, it in enumerate(given):
        if it["name"] in made:
            raise InvalidRequest(
                f"two classifiers are called {it['name'][:40]!r}; names differ", f"classifiers[{i}].name"
            )
        made[it["name"]] = matrix_of(it["matrix"], f"classifiers[{i}].matrix")
    return made


@lru_cache(8)
def posterior_of(
    confusion: ConfusionMatrix,
    prior: str | Prior | None,
    draws: int,
    seed: int,
    metrics: tuple[str, ...],
    shares: Shares | None = None,
) -> Posterior:
    """What is known from a matrix, kept for the next step of a slider: laws are found out once.

    A posterior keeps what it has drawn, so there is one for each number of draws, seed and set of metrics.
    """
    return infer(confusion, prior, shares=shares)


def prior_of(request: Checked) -> str | Prior | None:
    """The prior: a name, Betas, or nothing."""
    word = prior_word(request)
    if word is None or word in PRIORS:
        return word
    try:
        written = Prior.from_text(word)
    except HowsureError as error:
        raise InvalidRequest(str(error), "prior") from None
    if written is None:
        names = ", ".join(PRIORS)
        problem = f"a prior is one of {names}, or written beta(2,2) or sensitivity=beta(20,2),specificity=beta(9,1)"
        raise InvalidRequest(f"{problem}; not {excerpt(word)}", "prior")
    return written


def prior_word(request: Checked) -> str | None:
    """The prior of a checked request as the library and the command line write it; None for the default.

    Examples
    --------
    >>> prior_word({"prior": {"a": 2, "b": 0.5}}), prior_word({"prior": "jeffreys"})
    ('beta(2,0.5)', 'jeffreys')
    """
    given = request.get("prior")
    if not isinstance(given, dict):
        return given
    a, b = (repr(given[key]).removesuffix(".0") for key in ("a", "b"))
    return f"beta({a},{b})"


def how_of(request: Checked) -> dict[str, Any]:
    """Level, kind and seed where they were asked for; the library has its own where not."""
    return {key: request[key] for key in ("level", "kind", "seed") if key in request}


def width_of(request: Checked) -> float:
    """Pixels of a picture: on a phone, or beside the inputs of a wide page, which scales it to the room there is."""
    return NARROW if request.get("narrow") else WIDE


def asked_draws(request: Checked, numbers: int, limits: Limits) -> int:
    """Draws that were asked for, or that the limits leave where none were; refuses more than they leave.

    Parameters
    ----------
    request : mapping
        Checked.
    numbers : int
        Random numbers that one draw takes.
    limits : Limits
        Of the server.
    """
    most = affordable_draws(numbers, limits)
    if "draws" not in request:
        return min(DRAWS, most)
    if request["draws"] > most:
        raise InvalidRequest(
            f"{request['draws']:,} draws of {numbers:,} numbers each are more than this server computes at once; "
            f"ask for {most:,}, or use the command line, which has no limit",
            "draws",
        )
    return int(request["draws"])


def affordable_draws(numbers: int, limits: Limits) -> int:
    """Draws within the limits, rounded down to hundreds."""
    return max(100, min(limits.draws, limits.numbers // max(1, numbers) // 100 * 100))


def elsewhere(posterior: Posterior, request: Checked) -> Posterior:
    """The posterior where the request says."""
    given = request.get("prevalence")
    if given is None:
        return posterior
    if isinstance(given, list):
        return _moved(posterior, given)
    label = given["label"]
    counted = "cases" in given or "of" in given
    if counted == ("share" in given) or ("cases" in given) != ("of" in given):
        raise InvalidRequest(
            'a prevalence has a label and a share, or a label and counts: {"label": "ill", "share": 0.02} or '
            '{"label": "ill", "cases": 10, "of": 500}',
            "prevalence",
        )
    if not counted:
        return _moved(posterior, {label: given["share"]})
    return posterior.at_prevalence(cases=counted_cases(posterior.confusion, label, given["cases"], given["of"]))


def _moved(posterior: Posterior, shares: Any) -> Posterior:
    """The posterior at stated shares; what is wrong with them is said at their field."""
    try:
        return posterior.at_prevalence(shares)
    except InvalidArgument as error:
        raise InvalidRequest(str(error), "prevalence") from None


def counted_cases(confusion: ConfusionMatrix, label: str, cases: int, of: int) -> list[int]:
    """Cases of both classes, from those of one and of both together."""
    place = confusion.index(label)
    if len(confusion.labels) != 2:
        raise InvalidRequest(
            f"k of n cases is for two classes, and there are {len(confusion.labels)}; state the shares", "prevalence"
        )
    if cases > of:
        raise InvalidRequest(f"{cases:,} cases of {label[:40]!r} are more than all {of:,}", "prevalence.cases")
    return [cases if i == place else of - cases for i in range(2)]


def before_of(posterior: Posterior, request: Checked) -> float | dict[str, float]:
    """Pre-test probability of the class that is asked about, or of each."""
    before, label = request["pre_test"], request.get("label")
    if isinstance(before, dict):
        if label is not None and label not in before:
            raise InvalidRequest(f"pre_test has no share of {label[:40]!r}", "pre_test")
        return dict(before)
    if label is None and posterior.confusion.positive is None:
        raise InvalidRequest(
            f"with {len(posterior.labels)} classes say which one the pre-test probability is of (label)", "label"
        )
    return float(before) if label is None else {label: float(before)}


def predictions_of(given: Checked, limits: Limits) -> Predictions:
    """The cases of a paired request, one by one."""
    classes, models = given["classes"], given["models"]
    if len(set(models)) < len(models):
        raise InvalidRequest("two classifiers have the same name; names differ", "paired.models")
    truth: list[str] = []
    answers: list[list[str]] = [[] for _ in models]
    for i, (true, said, count) in enumerate(given["cells"]):
        place = f"paired.cells[{i}]"
        if isinstance(true, list) or not isinstance(said, list) or isinstance(count, list) or len(said) != len(models):
            raise InvalidRequest(f"a cell is [true, [an answer of each of {len(models)} classifiers], count]", place)
        if max(true, *said) >= len(classes):
            raise InvalidRequest(f"there are {len(classes)} classes, numbered from 0", place)
        if len(truth) + count > limits.cases:
            raise InvalidRequest(
                f"more than {limits.cases:,} cases in pairs; the command line has no such limit", f"{place}[2]"
            )
        truth += [classes[true]] * count
        for column, answer in zip(answers, said, strict=True):
            column += [classes[answer]] * count
    if not truth:
        raise InvalidRequest("all cells are empty; a comparison needs one case at least", "paired.cells")
    return Predictions(truth, dict(zip(models, answers, strict=True)), labels=classes, positive=given.get("positive"))


# -- The file of an import ---------------------------------------------------------------------------------------------


def stream_of(request: Mapping[str, Any], source: str) -> io.BytesIO:
    """Bytes of the file, named by what the page calls it, its ending and its sheet.

    Raises
    ------
    InvalidFile
        A workbook that is no base64.

    Examples
    --------
    >>> stream_of({"text": "a,b", "ending": ".tsv"}, "the file").name
    'the file.tsv'
    >>> stream_of({"text": "UEs=", "ending": ".xlsx", "sheet": "2"}, "the file").name
    'the file.xlsx#2'
    """
    ending = request.get("ending", ".csv")
    data = request["text"].encode()
    if ending == WORKBOOK:
        try:
            data = b64decode(data, validate=True)
        except ValueError:
            raise InvalidFile(source, "a workbook is sent as its bytes, in JSON in base64; this is neither") from None
    stream = io.BytesIO(data)
    sheet = request.get("sheet")
    stream.name = f"{source}{ending}" + ("" if sheet is None else f"#{sheet}")
    return stream
