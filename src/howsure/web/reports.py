"""``report``: one classifier, its metrics, and what they mean elsewhere."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from howsure.knowledge.protocol import Ask
from howsure.laws import Draws
from howsure.laws.law import SEED, outline
from howsure.metrics import parse
from howsure.metrics.measure import put_plainly, spoken_name
from howsure.posterior.distribution import Distribution
from howsure.posterior.posterior import Posterior
from howsure.questions.groups import GroupsSummary
from howsure.reporting.report import Report
from howsure.reporting.report import answered as reported
from howsure.reporting.report_row import Row, words
from howsure.reporting.report_sentences import why_positive
from howsure.text import formats
from howsure.text.svg import IntervalRow, RidgeRow, ridge
from howsure.text.svg.canvas import finite
from howsure.web import code
from howsure.web.limits import PUBLIC, Limits
from howsure.web.subjects import (
    affordable_draws,
    asked_draws,
    elsewhere,
    how_of,
    in_groups_of,
    matrix_of,
    posterior_of,
    prior_of,
    width_of,
)
from howsure.web.words import LONG, matrix_words, metrics_of, page, titles
from howsure.web.worth import sentence_of, worth

#: Points of a density.
POINTS = 121


def answered(request: Mapping[str, Any], limits: Limits) -> dict[str, Any]:
    """The answer to a checked request."""
    posterior, inferred, made, known = _found(request, limits)
    want = set(request.get("want", ()))
    shown = _shown(made, request, known)
    drawing: dict[str, Any] = {"rows": [_numbers(row) for row in made.rows]}
    if "densities" in want:
        drawing |= _ridge(made, shown["rows"], known, width_of(request))
    for part, (said, numbers) in worth(posterior, inferred, made, request, want).items():
        shown[part] = said
        if numbers is not None:
            drawing[part] = numbers
    return page(made, shown, code.of_report(request, made), **drawing)


def made_report(request: Mapping[str, Any], limits: Limits) -> Report:
    """The report that is asked for."""
    return _found(request, limits)[2]


def _inferred(request: Mapping[str, Any], limits: Limits) -> tuple[Posterior, int]:
    """The posterior at the prevalence of its test, and its draws."""
    confusion = in_groups_of(request, matrix_of(request["matrix"], unlabelled=request.get("unlabelled")))
    metrics = request.get("metrics")
    size = len(confusion.labels)
    numbers = size**2 + 10 * (5 + 2 * size if metrics is None else len(metrics))
    draws = asked_draws(request, numbers, limits)
    if "draws" not in request:  # one request has one answer, on whichever server
        draws = min(draws, affordable_draws(numbers, PUBLIC))
    key = draws, request.get("seed", SEED), tuple(metrics or ())
    return posterior_of(confusion, prior_of(request), *key, request.get("shares")), draws


def _found(request: Mapping[str, Any], limits: Limits) -> tuple[Posterior, Posterior, Report, dict[str, Distribution]]:
    """The posterior where the request says and at the prevalence of its test, its report, the laws behind that."""
    inferred, draws = _inferred(request, limits)
    posterior = elsewhere(inferred, request)
    made, known = reported(
        posterior,
        request.get("metrics"),
        Ask(draws=draws, **how_of(request)),
        notes=() if request["matrix"].get("positive") else why_positive(inferred.confusion, posterior.confusion),
    )
    return posterior, inferred, made, known


def _shown(made: Report, request: Mapping[str, Any], known: Mapping[str, Distribution]) -> dict[str, Any]:
    confusion, sheet, positive = made.confusion, made.sheet(), _positive(made)
    names = [row.name for row in made.rows]
    notes = {it: put_plainly(it, names, positive) for it in (*made.warnings, *made.notes)}
    # of the class that is put forward because it comes last nothing is said: the page asks which one it is
    guess = why_positive(confusion, confusion) if confusion.positive is None else []
    guessed = f"; positive class: {formats.plain(confusion.labels[-1])}" if guess else ""
    return {
        "verdict": made.verdict,
        "about": str(sheet.about).replace(guessed, "") if guess else sheet.about,
        "warnings": [notes[it] for it in made.warnings],
        "note": [said for it, said in notes.items() if it not in guess],
        "footer": put_plainly(sheet.small_print[0], names, positive),
        "rows": [_row(row, made) for row in made.rows],
        "worst": _worst(made),
        "thresholds": _thresholds(request.get("thresholds", {}), request.get("below", {}), made, known),
        "matrix": matrix_words(confusion),
        **({} if made.groups is None else {"groups": _groups(made.groups)}),
        "titles": titles([*metrics_of(confusion.labels), *request.get("metrics", ())], positive, names),
    }


def _worst(made: Report) -> str:
    """The class that is found least, of three or more."""
    rows = [row for row in made.rows if row.metric == "recall" and row.label is not None and row.mean is not None]
    if len(made.confusion.labels) < 3 or not rows:
        return ""
    row = min(rows, key=lambda row: row.mean or 0.0)
    said = words(row, made.kind, made.thresholds)
    return f"Lowest recall: {formats.plain(row.label or '', LONG)}, {said.mean} ({said.low} to {said.high})."


def _positive(made: Report) -> str | None:
    """The positive class of two, where it is known."""
    return made.confusion.positive if len(made.confusion.labels) == 2 else None


def _groups(groups: GroupsSummary) -> dict[str, Any]:
    """What cases in groups are worth, what is asked about them, and what else could be."""
    said = groups.notes(drawn=False)[0].partition(". ")[2].partition("; groups=")[0]
    worth = groups.worth_words
    return {
        "worth": f"{worth[:1].upper()}{worth[1:]}.",
        "question": groups.question,
        "other": f"{said.rstrip('.')}." if said else "",
    }


def _row(row: Row, made: Report) -> dict[str, Any]:
    title = spoken_name(row.name, _positive(made))
    return {
        "name": row.name,
        "title": title,
        "sentence": sentence_of(row, made, title),
        "meaning": parse(row.metric, ("0", "1"), "1").metric.description,
        "metric": row.metric,
        "label": row.label or "",
        "average": row.average or "",
        "depends": row.depends_on_prevalence,
        **words(row, made.kind, made.thresholds)._asdict(),
    }


def _thresholds(
    above: Mapping[str, float], below: Mapping[str, float], made: Report, known: Mapping[str, Distribution]
) -> dict[str, dict[str, str]]:
    """P(metric > x), P(metric < y) and P(x < metric < y), with their sign: "= 0.977" or "> 0.999"."""
    shown: dict[str, dict[str, str]] = {name: {} for name in (*above, *below)}
    for name, said in shown.items():
        it, x, y = known.get(made[name].name), above.get(name), below.get(name)
        if x is not None:
            said |= {"x": f"{x:.4g}", "above": _probability(it, above=x)}
        if y is not None:
            said |= {"y": f"{y:.4g}", "below": _probability(it, below=y)}
        if x is not None and y is not None:
            said["between"] = _probability(it, between=(x, y)) if x < y else "is that of nothing: turn the two around"
    return shown


def _probability(it: Distribution | None, **where: Any) -> str:
    if it is None:
        return "is unknown"
    return formats.equals(it.prob(**where), it.law.n if isinstance(it.law, Draws) else None)


def _numbers(row: Row) -> dict[str, Any]:
    """Numbers of one row, beside which a hand puts others."""
    return {key: getattr(row, key) for key in ("low", "high", "mean", "observed", "name", "chance")}


def _ridge(made: Report, said: list[dict[str, Any]], known: Mapping[str, Distribution], width: float) -> dict[str, Any]:
    """The posteriors as a picture, and the names of those that are in it."""
    rows, names = [], []
    for row, text in zip(made.rows, said, strict=True):
        if row.name not in known:
            continue
        x, heights = outline(known[row.name].law, POINTS)
        low, high = parse(row.metric, ("0", "1"), "1").metric.range
        name = text["title"] + (" *" if row.depends_on_prevalence else "")
        number = IntervalRow(
            name, f"{text['mean']} ({text['interval']})", row.mean, row.low, row.high, row.observed, row.chance
        )
        rows.append(RidgeRow(number, x.tolist(), heights.tolist(), (finite(low), finite(high))))
        names.append(row.name)
    if not rows:
        return {}
    title = f"Posteriors of {', '.join(f'{row.number.name} {row.number.words}' for row in rows)}"
    return {"picture": ridge(rows, title=title, width=width), "hands": names}
