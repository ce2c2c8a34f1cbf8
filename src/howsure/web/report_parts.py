"""The parts of a report that are made only if they are wanted: elsewhere, in people, again, under other priors."""

from __future__ import annotations

from collections.abc import Mapping
from collections.abc import Set as AbstractSet
from dataclasses import replace
from functools import lru_cache, partial
from typing import Any

from howsure.errors import HowsureError
from howsure.metrics import parse
from howsure.metrics.plain_names import TEST_RATES, plain_name
from howsure.posterior.knowledge import knowledge_of
from howsure.posterior.posterior import Posterior
from howsure.posterior.questions import NaturalFrequencies, PredictiveValues
from howsure.posterior.questions.predictive import predictive_curves
from howsure.posterior.questions.prior_sensitivity import sensitivity_picture
from howsure.posterior.questions.replication import prediction_picture
from howsure.reporting.report import Report
from howsure.reporting.report import answered as reported
from howsure.reporting.report_row import words
from howsure.text import formats
from howsure.text.sheet import Sheet
from howsure.web.fields import InvalidRequest
from howsure.web.limits import MOST_CLASSES_WITH_PARTS
from howsure.web.shapes import drawn_numbers, pictures
from howsure.web.subjects import level_of

__all__ = ["TOO_MANY", "curve_of", "people", "sheet_words", "stops_of", "worth"]

Part = tuple[Any, dict[str, Any] | None]

TOO_MANY = "With {} classes this takes minutes; the page shows it for up to {}, and the command line for any number."

#: People that natural frequencies are about.
PEOPLE = 10_000


def worth(
    posterior: Posterior, known: Posterior, made: Report, request: Mapping[str, Any], want: AbstractSet[str]
) -> dict[str, Part]:
    """Words and numbers of each part that is wanted; of one that has no answer, the sentence that says why.

    ``known`` is the posterior at the prevalence of its test, ``posterior`` where the request says.
    """
    parts = {"rates": _rates, "predictive": _predictive, "frequencies": _frequencies, "replication": _replication,
             "sensitivity": _sensitivity}  # fmt: skip
    answers: dict[str, Part] = {}
    for name, part in parts.items():
        if name not in want:
            continue
        if len(posterior.labels) > MOST_CLASSES_WITH_PARTS:
            answers[name] = {"silence": TOO_MANY.format(len(posterior.labels), MOST_CLASSES_WITH_PARTS)}, None
            continue
        try:
            answers[name] = part(posterior, known, made, request)
        except HowsureError as error:
            answers[name] = {"silence": str(error)}, None
    return answers


def _rates(posterior: Posterior, known: Posterior, made: Report, request: Mapping[str, Any]) -> Part:
    """The six numbers of a test of two classes, by the names that physicians know."""
    positive = posterior.confusion.positive
    if len(posterior.labels) > 2 or positive is None:
        return {"rows": []}, None
    asked = reported(
        posterior,
        [f"{name}@{positive}" for name in TEST_RATES],
        level=made.level,
        kind=made.kind,
        draws=made.draws,
        seed=made.seed,
    )[0]
    rows = []
    for row in asked.rows:
        said = words(row, made.kind, asked.thresholds)
        title = plain_name(row.name, positive)
        meaning = parse(row.metric, ("0", "1"), "1").metric.description
        rows.append({
            "name": row.name, "title": title, "meaning": meaning, "depends": row.depends_on_prevalence,
            "mean": said.mean, "interval": said.interval, "observed": said.observed,
        })  # fmt: skip
    return {"rows": rows, "positive": formats.plain(positive, 30)}, None


def stops_of(known: Posterior, request: Mapping[str, Any]) -> list[dict[str, Any]]:
    """What calls are worth at each prevalence where a slider can stand: what of the words of `worth` differs there."""
    if len(known.labels) > MOST_CLASSES_WITH_PARTS:
        raise InvalidRequest(TOO_MANY.format(len(known.labels), MOST_CLASSES_WITH_PARTS), "stops")
    curve = curve_of(known, known, _label(known, request), level_of(request))
    words = (sheet_words(replace(curve, here=share).sheet()) for share in request["stops"])
    return [{key: each[key] for key in ("verdict", "rows")} for each in words]


def _label(posterior: Posterior, request: Mapping[str, Any]) -> str:
    """The class of the predictive curves."""
    asked = request.get("label")
    if asked is not None:
        return posterior.labels[posterior.confusion.index(asked)]
    return posterior.confusion.positive or posterior.labels[0]


@lru_cache(8)
def _curve(known: Posterior, label: str, level: float) -> PredictiveValues:
    return predictive_curves(known, [label], level=level)[0]


def curve_of(posterior: Posterior, known: Posterior, label: str, level: float) -> PredictiveValues:
    """Curves of both predictive values of a class; those of ``known``, the posterior at the prevalence of its test.

    The curves are over all prevalences, so they are found once; where the posterior is among them differs.
    """
    here = float(knowledge_of(posterior).shares[posterior.labels.index(label)])
    return replace(_curve(known, label, level), here=here)


def _predictive(posterior: Posterior, known: Posterior, made: Report, request: Mapping[str, Any]) -> Part:
    curve = curve_of(posterior, known, _label(posterior, request), made.level)
    drawing = {
        "label": curve.label,
        "here": curve.here,
        "prevalence": drawn_numbers(curve.prevalence),
        **{
            name: dict(zip(("low", "median", "high"), map(drawn_numbers, lines), strict=True))
            for name, lines in (("positive", curve.positive), ("negative", curve.negative))
        },
    }
    return sheet_words(curve.sheet()), drawing


def _frequencies(posterior: Posterior, known: Posterior, made: Report, request: Mapping[str, Any]) -> Part:
    found = posterior.natural_frequencies(PEOPLE, level=made.level, kind=made.kind, draws=made.draws, seed=made.seed)
    return people(found, _label(posterior, request)), None


def people(found: NaturalFrequencies, label: str) -> dict[str, Any]:
    """Natural frequencies in lines about one class, and as whole numbers for a picture of people."""
    i = found.labels.index(label)
    hits, total = found.counts[i][i], sum(found.counts[i])
    alarms = sum(row[i] for row in found.counts) - hits
    rest = found.of - total - alarms
    name = formats.plain(label, 30)
    words = (
        (hits, f"are {name} and called so"),
        (total - hits, f"are {name} and missed"),
        (alarms, f"are called {name} by mistake (false alarms)"),
        (rest, f"are not {name} and not called so"),
    )
    return {
        "of": formats.integer(found.of),
        "label": name,
        "lines": [f"{formats.integer(count)} {text}." for count, text in words],
        "icons": dict(zip(("hits", "missed", "alarms", "rest"), (count for count, _ in words), strict=True)),
        **sheet_words(found.sheet()),
    }


def _replication(posterior: Posterior, known: Posterior, made: Report, request: Mapping[str, Any]) -> Part:
    again = posterior.predict(
        request.get("replicate"), level=made.level, kind=made.kind, draws=made.draws, seed=made.seed
    )
    return sheet_words(again.sheet()), pictures(partial(prediction_picture, again))


def _sensitivity(posterior: Posterior, known: Posterior, made: Report, request: Mapping[str, Any]) -> Part:
    metric = made.rows[0].name if request.get("metrics") else "balanced_accuracy"
    answers = posterior.prior_sensitivity(metric, level=made.level, kind=made.kind, draws=made.draws, seed=made.seed)
    return {"metric": metric, **sheet_words(answers.sheet())}, pictures(partial(sensitivity_picture, answers))


def sheet_words(sheet: Sheet) -> dict[str, Any]:
    """A sheet as plain data: its sentence, its table, and what stands below."""
    return {
        "verdict": sheet.headline,
        "header": list(sheet.header),
        "rows": [list(row) for row in sheet.rows],
        "notes": list(sheet.notes),
    }
