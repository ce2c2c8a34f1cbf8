"""The parts of a report that are made only if they are wanted: elsewhere, in people, again, under other priors."""

from __future__ import annotations

from collections.abc import Mapping
from collections.abc import Set as AbstractSet
from dataclasses import asdict, replace
from functools import lru_cache
from typing import Any

import numpy as np

from howsure.answers.sheet import Sheet
from howsure.errors import HowsureError
from howsure.knowledge.protocol import Ask
from howsure.laws import Draws
from howsure.metrics import expected_cost, parse
from howsure.metrics.measure import TEST_RATES, plain_name, spoken_name
from howsure.numerics.arrays import repeat
from howsure.planning.outlook import outlook
from howsure.posterior.posterior import Posterior
from howsure.posterior.questions import NaturalFrequencies, PredictiveValues
from howsure.posterior.questions.predictive import at_home, predictive_curves
from howsure.reporting.report import Report
from howsure.reporting.report import answered as reported
from howsure.reporting.report_row import Row, words
from howsure.text import formats
from howsure.text.svg import bands, people
from howsure.text.svg.canvas import NARROW
from howsure.web.fields import InvalidRequest
from howsure.web.limits import MOST_CLASSES_FORESEEN, MOST_CLASSES_WITH_PARTS
from howsure.web.sheets import LONG, sheet_words
from howsure.web.subjects import how_of, width_of

__all__ = ["TOO_MANY", "Part", "curve_of", "in_people", "label_of", "sentence_of", "stops_of", "worth"]

#: What is said, and what is drawn or moved by a hand.
Part = tuple[dict[str, Any], dict[str, Any] | str | None]

TOO_MANY = "With {} classes this takes minutes; the page shows it for up to {}, and the command line for any number."

#: People that natural frequencies are about, and those whom one sign stands for.
PEOPLE, PEOPLE_PER_SIGN = 10_000, 10


def worth(
    posterior: Posterior, known: Posterior, made: Report, request: Mapping[str, Any], want: AbstractSet[str]
) -> dict[str, Part]:
    """Words and numbers of each part that is wanted; of one that has no answer, the sentence that says why.

    ``known`` is the posterior at the prevalence of its test, ``posterior`` where the request says.
    """
    parts = {"rates": _rates, "predictive": _predictive, "frequencies": _frequencies, "replication": _replication,
             "outlook": _outlook, "cost": _cost, "sensitivity": _sensitivity}  # fmt: skip
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
    asked = reported(posterior, [f"{name}@{positive}" for name in TEST_RATES], made.ask)[0]
    rows = []
    for row in asked.rows:
        said = words(row, made.kind, asked.thresholds)
        title = plain_name(row.name, positive)
        meaning = parse(row.metric, ("0", "1"), "1").metric.description
        rows.append({
            "name": row.name, "title": title, "meaning": meaning, "depends": row.depends_on_prevalence,
            "mean": said.mean, "interval": said.interval, "observed": said.observed,
            "sentence": sentence_of(row, asked, title),
        })  # fmt: skip
    return {"rows": rows, "positive": formats.plain(positive, LONG)}, None


def sentence_of(row: Row, made: Report, title: str) -> str:
    """One number as a sentence that can stand alone: interval, counts, prior, and the prevalence where it matters."""
    said = words(row, made.kind, made.thresholds)
    start = f"{title[:1].upper()}{title[1:]}"
    if not said.interval:
        return f"{start} has no answer."
    kind = formats.interval_name(row.interval or made.kind, made.level)
    rests = [_counts(row, made), f"prior {made.prior.name}"]
    if row.depends_on_prevalence:
        rests.append(_where(row, made))
    return f"{start} is {said.mean} ({kind} {said.low} to {said.high}; {', '.join(rests)})."


def _counts(row: Row, made: Report) -> str:
    """How many of how many a rate was, of a rate of one class; else how many cases there were."""
    counts, labels = made.confusion.counts, made.confusion.labels
    cases = formats.several(made.confusion.n, "case")
    if made.groups is not None or made.confusion.verdicts is not None or made.confusion.folds is not None:
        return cases
    if row.metric == "accuracy":
        return f"{formats.integer(int(np.trace(counts)))} of {cases}"
    if row.label is None:
        return cases
    i = labels.index(row.label)
    rest = np.arange(len(labels)) != i
    within = {
        "recall": counts[i],
        "specificity": np.array([counts[rest][:, rest].sum(), counts[rest, i].sum()]),
        "precision": counts[:, i],
        "negative_predictive_value": np.array([counts[rest][:, rest].sum(), counts[i, rest].sum()]),
    }.get(row.metric)
    if within is None:
        return cases
    right = int(within[i] if row.metric in ("recall", "precision") else within[0])
    return f"{formats.integer(right)} of {formats.integer(int(within.sum()))}"


def _where(row: Row, made: Report) -> str:
    """The prevalence that a number is of; one of many classes is no better than another."""
    if row.label is None and len(made.confusion.labels) > 2:
        return f"each class as common as {'in this test' if made.prevalence is None else 'stated'}"
    label = row.label or made.confusion.positive or made.confusion.labels[-1]
    name = formats.plain(label, LONG)
    if made.prevalence is not None:
        share = 100 * made.prevalence[made.confusion.labels.index(label)]
        return f"where {share:.3g}% of the cases are {name}"
    seen = 100 * int(made.confusion.class_sizes[made.confusion.labels.index(label)]) / max(1, made.confusion.n)
    return f"where cases are {name} as often as in this test, {seen:.3g}%"


def stops_of(known: Posterior, request: Mapping[str, Any], draws: int) -> list[dict[str, Any]]:
    """What calls are worth at each prevalence where a slider can stand: what of the words of `worth` differs there."""
    if len(known.labels) > MOST_CLASSES_WITH_PARTS:
        raise InvalidRequest(TOO_MANY.format(len(known.labels), MOST_CLASSES_WITH_PARTS), "stops")
    curve = curve_of(known, known, label_of(known, request), Ask(draws=draws, **how_of(request)))
    curve.worth(request["stops"])  # all at once, and remembered
    words = (sheet_words(replace(curve, here=share, own=None).sheet()) for share in request["stops"])
    return [{key: each[key] for key in ("verdict", "rows")} for each in words]


def label_of(posterior: Posterior, request: Mapping[str, Any]) -> str:
    """The class that is asked about: the stated one, the positive one, or the first."""
    asked = request.get("label") or posterior.confusion.positive
    return posterior.labels[0] if asked is None else posterior.labels[posterior.confusion.index(asked)]


@lru_cache(8)
def _curve(known: Posterior, label: str, ask: Ask) -> PredictiveValues:
    return predictive_curves(known, [label], **asdict(ask))[0]


def curve_of(posterior: Posterior, known: Posterior, label: str, ask: Ask) -> PredictiveValues:
    """Curves of both predictive values of a class; those of ``known``, the posterior at the prevalence of its test.

    The curves are over all prevalences, so they are found once; where the posterior is among them differs.
    """
    return at_home([_curve(known, label, ask)], posterior, draws=ask.draws, seed=ask.seed)[0]


def _predictive(posterior: Posterior, known: Posterior, made: Report, request: Mapping[str, Any]) -> Part:
    curve = curve_of(posterior, known, label_of(posterior, request), made.ask)
    name, said = formats.plain(curve.label, LONG), sheet_words(curve.sheet())
    both = [
        (f"PPV: is {name} if predicted so", curve.positive.tolist()),
        ("NPV: is not if predicted otherwise", curve.negative.tolist()),
    ]
    axis, width = f"prevalence of {name}", width_of(request)
    drawn = bands(curve.prevalence.tolist(), both, xlabel=axis, title=said["verdict"], width=width)
    return said, {"label": curve.label, "here": curve.here, "picture": drawn}


def _frequencies(posterior: Posterior, known: Posterior, made: Report, request: Mapping[str, Any]) -> Part:
    found = posterior.natural_frequencies(PEOPLE, **asdict(made.ask))
    return in_people(found, label_of(posterior, request), width_of(request))


def in_people(found: NaturalFrequencies, label: str, width: float) -> Part:
    """Natural frequencies in lines about one class, and as a picture of people."""
    i = found.labels.index(label)
    name = formats.plain(label, LONG)
    words = (
        (found.found[i], f"are {name} and predicted so"),
        (found.missed[i], f"are {name} and missed"),
        (found.false_alarms[i], f"are predicted {name} by mistake (false alarms)"),
        (found.false_alarms[i].others, f"are not {name} and not predicted so"),
    )
    lines = [f"{share} {text}." for share, text in words]
    # what is rare keeps a sign of its own
    signs = [-(-share.count // PEOPLE_PER_SIGN) for share, _ in words]
    said = sheet_words(found.sheet())
    shown, note = lines, "ten people; less than ten still has one."
    if width < NARROW:  # where there is little room, what is said in brackets gives way
        shown = [f"{str(share).partition(' (')[0]} {text.partition(' (')[0]}." for share, text in words]
        note = "up to ten people."
    drawn = people(signs, shown, note=f"One sign stands for {note}", title=said["verdict"], width=width)
    return {"of": formats.integer(found.of), "label": name, "lines": lines, **said}, {"picture": drawn}


def _replication(posterior: Posterior, known: Posterior, made: Report, request: Mapping[str, Any]) -> Part:
    again = posterior.predict(request.get("replicate"), **asdict(made.ask))
    sheet = again.sheet()
    rows = tuple((_called(row[0], posterior), *row[1:]) for row in sheet.rows)
    return sheet_words(replace(sheet, rows=rows)), again.picture(width=width_of(request))


def _called(metric: str, posterior: Posterior) -> str:
    """The name that people know a metric by, where it has one."""
    return spoken_name(metric, posterior.confusion.positive if len(posterior.labels) == 2 else None)


def _outlook(posterior: Posterior, known: Posterior, made: Report, request: Mapping[str, Any]) -> Part:
    asked = request.get("outlook")
    if asked is None:
        raise InvalidRequest("an outlook needs a metric, the threshold it is to be above, and how many more cases")
    metric, more = asked["metric"], asked["more"]
    if len(posterior.labels) > MOST_CLASSES_FORESEEN and metric != "accuracy":
        raise InvalidRequest(TOO_MANY.format(len(posterior.labels), MOST_CLASSES_FORESEEN), "outlook.metric")
    found = outlook(posterior, metric, above=asked["above"], more=more, level=made.level, seed=made.seed)
    name = parse(metric, posterior.labels, posterior.confusion.positive).name
    title = _called(name, posterior)
    names = {"above": f"above {asked['above']:.4g}", "below": f"below {asked['above']:.4g}", "open": "still open"}
    rows = [(names[key], formats.probability(found.later[key], found.futures or None)) for key in names]
    note = f"Settled is what has a probability of {formats.level_words(made.level)} or more. " + (
        f"From {formats.integer(found.futures)} simulated continuations." if found.futures else "Exact."
    )
    return sheet_words(
        Sheet(replace(found, metric=title).sentence, ("then it is", "probability"), tuple(rows), notes=(note,))
    ), None


def _cost(posterior: Posterior, known: Posterior, made: Report, request: Mapping[str, Any]) -> Part:
    """What a case costs, compared with predicting one class always; the difference is linear too, and as exact."""
    labels, positive = posterior.labels, posterior.confusion.positive
    if len(labels) > 2 or positive is None:
        raise InvalidRequest("costs of a miss and a false alarm are those of two classes, one of them positive", "cost")
    at, asked = labels.index(positive), request.get("cost", {"fp": 1.0, "fn": 1.0})
    costs = np.zeros((2, 2))
    costs[1 - at, at], costs[at, 1 - at] = asked["fp"], asked["fn"]
    every = {name: repeat(costs[:, [i]], 2, axis=1) for i, name in enumerate(labels)}
    tables = [costs, *every.values()]
    found = reported(posterior, [expected_cost(it, name=f"cost{k}") for k, it in enumerate(tables)], made.ask)[0]
    less = [posterior.of(expected_cost(costs - it), draws=made.draws, seed=made.seed) for it in every.values()]
    cheaper = [(it.prob(below=0), it.law.n if isinstance(it.law, Draws) else None) for it in less]
    names = ["this classifier", *(f"predicting all {formats.plain(name, LONG)}" for name in labels)]
    said = [words(row, made.kind, found.thresholds) for row in found.rows]
    rows = []
    for name, row, it, p in zip(names, found.rows, said, [None, *cheaper], strict=True):
        # at a stated prevalence it is known what predicting all the same costs
        mean, ends = (f"{row.mean:.4g}", "") if row.mean is not None and row.low == row.high else (it.mean, it.interval)
        rows.append((name, mean, ends, "" if p is None else formats.probability(*p)))
    rival = min((0, 1), key=lambda k: found.rows[1 + k].mean or 0.0)
    verdict = (
        f"A case costs {rows[0][1]} on average ({formats.interval_name(made.kind, made.level)} {rows[0][2]}); "
        f"P(less than {names[1 + rival]}) {formats.equals(*cheaper[rival])}."
    )
    header = ("predictions", "cost of a case", formats.interval_name(made.kind, made.level), "P(cheaper)")
    where = "at the stated prevalence" if posterior is not known else "at the prevalence of the test set"
    costing = f"A false alarm costs {asked['fp']:.4g}, a miss {asked['fn']:.4g}, the other cases nothing"
    note = f"{costing}; {where}; {said[0].law}."
    return sheet_words(Sheet(verdict, header, tuple(rows), notes=(note,))), None


def _sensitivity(posterior: Posterior, known: Posterior, made: Report, request: Mapping[str, Any]) -> Part:
    metric = made.rows[0].name if request.get("metrics") else "balanced_accuracy"
    answers = posterior.prior_sensitivity(metric, **asdict(made.ask))
    said = replace(answers, metric=_called(answers.metric, posterior))
    return {"metric": metric, **sheet_words(said.sheet())}, said.picture(width=width_of(request))
