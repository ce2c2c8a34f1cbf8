"""What calls are worth beside a report: elsewhere, in people, again, in costs, under other priors; of one patient."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from collections.abc import Set as AbstractSet
from dataclasses import asdict, replace
from functools import lru_cache, partial
from itertools import chain
from typing import Any

import numpy as np

from howsure.answers.sheet import Sheet
from howsure.errors import HowsureError
from howsure.knowledge.protocol import Ask
from howsure.laws import Draws
from howsure.laws.law import SEED
from howsure.metrics import expected_cost, parse
from howsure.metrics.measure import TEST_RATES, plain_name, spoken_name
from howsure.numerics.arrays import repeat
from howsure.planning.outlook import outlook
from howsure.posterior.posterior import Posterior
from howsure.posterior.questions import NaturalFrequencies, PostTest, PredictiveValues
from howsure.posterior.questions.predictive import at_home, predictive_curves
from howsure.reporting.report import Report
from howsure.reporting.report import answered as reported
from howsure.reporting.report_row import Row, words
from howsure.text import formats
from howsure.text.svg import bands, people
from howsure.text.svg.canvas import NARROW
from howsure.web import code
from howsure.web.limits import MOST_CLASSES_FORESEEN, MOST_CLASSES_WITH_PARTS, Limits
from howsure.web.schema import BESIDE, InvalidRequest
from howsure.web.subjects import asked_draws, before_of, how_of, matrix_of, posterior_of, prior_of, width_of
from howsure.web.words import LONG, matrix_words, page, sheet_words

#: What is said, and what is drawn or moved by a hand.
Part = tuple[dict[str, Any], dict[str, Any] | str | None]

TOO_MANY = "With {} classes this takes minutes; the page shows it for up to {}, and the command line for any number."

#: People that natural frequencies are about, and those whom one sign stands for.
PEOPLE, PEOPLE_PER_SIGN = 10_000, 10


def _or_silence(size: int, part: Callable[[], Part]) -> Part:
    """A part about so many classes; of one that has no answer, the sentence that says why."""
    if size > MOST_CLASSES_WITH_PARTS:
        return {"silence": TOO_MANY.format(size, MOST_CLASSES_WITH_PARTS)}, None
    try:
        return part()
    except HowsureError as error:
        return {"silence": str(error)}, None


def worth(
    posterior: Posterior, known: Posterior, made: Report, request: Mapping[str, Any], want: AbstractSet[str]
) -> dict[str, Part]:
    """Words and numbers of each part that is wanted; of one that has no answer, the sentence that says why.

    ``known`` is the posterior at the prevalence of its test, ``posterior`` where the request says.
    """
    parts = {"rates": _rates, "predictive": _predictive, "frequencies": _frequencies, "replication": _replication,
             "outlook": _outlook, "cost": _cost, "sensitivity": _sensitivity}  # fmt: skip
    return {
        name: _or_silence(len(posterior.labels), partial(part, posterior, known, made, request))
        for name, part in parts.items()
        if name in want
    }


def _rates(posterior: Posterior, known: Posterior, made: Report, request: Mapping[str, Any]) -> Part:
    """The six numbers of a test of two classes, by the names that physicians know."""
    positive = posterior.confusion.positive
    if len(posterior.labels) > 2 or positive is None:
        return {"rows": []}, None
    asked = reported(posterior, [f"{name}@{positive}" for name in TEST_RATES], made.ask)[0]
    rows = []
    for row in asked.rows:
        said, title = words(row, made.kind, asked.thresholds), plain_name(row.name, positive)
        rows.append({
            "name": row.name, "title": title, "meaning": parse(row.metric, ("0", "1"), "1").metric.description,
            "depends": row.depends_on_prevalence, "mean": said.mean, "interval": said.interval,
            "observed": said.observed, "sentence": sentence_of(row, asked, title),
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


def _label_of(posterior: Posterior, request: Mapping[str, Any]) -> str:
    """The class that is asked about: the stated one, the positive one, or the first."""
    asked = request.get("label") or posterior.confusion.positive
    return posterior.labels[0] if asked is None else posterior.labels[posterior.confusion.index(asked)]


@lru_cache(8)
def _curve(known: Posterior, label: str, ask: Ask) -> PredictiveValues:
    return predictive_curves(known, [label], **asdict(ask))[0]


def _curve_of(posterior: Posterior, known: Posterior, label: str, ask: Ask) -> PredictiveValues:
    """Curves of both predictive values of a class; those of ``known``, the posterior at the prevalence of its test.

    The curves are over all prevalences, so they are found once; where the posterior is among them differs.
    """
    return at_home([_curve(known, label, ask)], posterior, draws=ask.draws, seed=ask.seed)[0]


def _predictive(posterior: Posterior, known: Posterior, made: Report, request: Mapping[str, Any]) -> Part:
    curve = _curve_of(posterior, known, _label_of(posterior, request), made.ask)
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
    return _in_people(found, _label_of(posterior, request), width_of(request))


def _in_people(found: NaturalFrequencies, label: str, width: float) -> Part:
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
    metric, above = asked["metric"], asked["above"]
    if len(posterior.labels) > MOST_CLASSES_FORESEEN and metric != "accuracy":
        raise InvalidRequest(TOO_MANY.format(len(posterior.labels), MOST_CLASSES_FORESEEN), "outlook.metric")
    found = outlook(posterior, metric, above=above, more=asked["more"], level=made.level, seed=made.seed)
    title = _called(parse(metric, posterior.labels, posterior.confusion.positive).name, posterior)
    names = {"above": f"above {above:.4g}", "below": f"below {above:.4g}", "open": "still open"}
    rows = tuple((name, formats.probability(found.later[key], found.futures or None)) for key, name in names.items())
    source = f"From {formats.integer(found.futures)} simulated continuations." if found.futures else "Exact."
    note = f"Settled is what has a probability of {formats.level_words(made.level)} or more. {source}"
    said = replace(found, metric=title).sentence
    return sheet_words(Sheet(said, ("then it is", "probability"), rows, notes=(note,))), None


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


# -- One patient or sample, before and after the test has spoken -------------------------------------------------------


def post_tested(request: Mapping[str, Any], limits: Limits) -> dict[str, Any]:
    """The answer to a checked request."""
    posterior = _tested(request, limits)
    made, size = made_post_test(request, limits), len(posterior.labels)
    want, label, width = request.get("want", BESIDE), _label_of(posterior, request), width_of(request)
    ask = Ask(draws=_draws(request, size, limits), **how_of(request))
    words = sheet_words(_words(made, posterior, request, limits))
    shown = {"note": words.pop("notes"), "warnings": [], **words, "matrix": matrix_words(posterior.confusion)}
    drawing: dict[str, Any] = {"picture": None, "here": made.pre_test[posterior.labels.index(label)]}
    if "frequencies" in want:
        people = partial(_people, posterior, label, made, ask, width)
        shown["frequencies"], drawing["frequencies"] = _or_silence(size, people)
    if "curve" in want:
        silence, curve = _or_silence(size, partial(_before_and_after, posterior, label, ask, width))
        drawing["curve"] = curve or silence
    return page(made, shown, code.of_post_test(request, posterior), **drawing)


def made_post_test(request: Mapping[str, Any], limits: Limits) -> PostTest:
    """The answer itself."""
    return _asked(_tested(request, limits), request, request.get("results"), limits)


def _tested(request: Mapping[str, Any], limits: Limits) -> Posterior:
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
    """Draws of an answer; where no result is named there is a course of tables for each."""
    courses = 1 if "results" in request or size == 2 else size
    return asked_draws(request, size**2 * courses, limits)


def _asked(posterior: Posterior, request: Mapping[str, Any], results: list[str] | None, limits: Limits) -> PostTest:
    draws = _draws(request, len(posterior.labels), limits)
    return posterior.post_test(before_of(posterior, request), results, draws=draws, **how_of(request))


def _words(made: PostTest, posterior: Posterior, request: Mapping[str, Any], limits: Limits) -> Sheet:
    """The answer in words; of several results also what was known after each of them."""
    results, sheet = request.get("results", []), made.sheet()
    steps = (_asked(posterior, request, results[:k], limits).sheet().rows for k in range(1, len(results)))
    return replace(sheet, rows=(*chain(*steps), *sheet.rows))


def _people(posterior: Posterior, label: str, made: PostTest, ask: Ask, width: float) -> Part:
    """Natural frequencies where the class has its pre-test probability."""
    there = posterior.at_prevalence(dict(zip(posterior.labels, made.pre_test, strict=True)))
    return _in_people(there.natural_frequencies(PEOPLE, **asdict(ask)), label, width)


def _before_and_after(posterior: Posterior, label: str, ask: Ask, width: float) -> Part:
    """Post-test against pre-test probability after either result, as a picture."""
    curve, name = _curve_of(posterior, posterior, label, ask), formats.plain(label, LONG)
    after = {"after positive": curve.positive, "after negative": 1 - np.asarray(curve.negative)[::-1]}
    shares, title = curve.prevalence.tolist(), f"Probability of {name} after one test, by the probability before it"
    return {}, bands(
        shares, [(words, lines.tolist()) for words, lines in after.items()], rule=("no test", shares),
        xlabel=f"probability of {name} before the test", title=title, width=width,
    )  # fmt: skip
