"""What stands on the page of a report, of a comparison, of a ranking, of a plan."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from functools import partial
from html import escape
from typing import Any

import numpy as np

from howsure._version import __version__
from howsure.data.confusion import ConfusionMatrix, commonest
from howsure.errors import HowsureError, visible
from howsure.planning.plan import Plan, thumb_rule
from howsure.posterior.accuracy import AccuracyPosterior
from howsure.posterior.posterior import Posterior, infer
from howsure.posterior.questions import PredictiveValues
from howsure.posterior.questions.predictive import at_home, predictive_curves
from howsure.publish.document import document, embedded, figure, heading, paragraph, top
from howsure.publish.methods_paragraph import methods, methods_html, stard_html
from howsure.questions.comparison import Comparison
from howsure.questions.ranking import Ranking, rank_probability
from howsure.reporting.classical import Classical
from howsure.reporting.report import Report
from howsure.text import formats
from howsure.text.svg import fields
from howsure.text.text_table import MOST_DRAWN, MOST_IN_FULL, Table, html_grid, picture_grid

__all__ = ["comparison_page", "plan_page", "ranking_page", "report_page"]


def plan_page(plan: Plan, title: str = "", comment: str = "") -> str:
    """A plan with its curve, the table behind it, and the methods."""
    rule = " Orange dashes: the rule 2/√n." if thumb_rule(plan) else ""
    caption = (
        f"{plan.measured[0].upper()}{plan.measured[1:]} against the number of cases. Line: middle of the simulated "
        f"tests. Band: their middle 90%. Dashes: what is asked. Upright line: n.{rule} Numbers in the table."
    )
    body = [
        top(title or "How many cases?", comment),
        plan.sheet().html(),
        figure(plan.picture(), caption),
        methods_html(plan_methods(plan)),
    ]
    return document(title or f"howsure: {plan.sentence}", "\n".join(body))


def plan_methods(plan: Plan) -> str:
    """Goal, supposition, prior and computation, in sentences that can be copied into a paper."""
    supposed = "; ".join(formats.plain(words, 300) for words in plan.supposed)
    if plan.route == "exact":
        how = "It was computed by counting out every outcome, without simulation."
    else:
        spread = f" The Monte Carlo standard error of n is {plan.n_error:.2g}." if plan.n_error else ""
        how = f"It was computed from simulated tests (seed {plan.seed}), each analysed with the same prior.{spread}"
    what = {
        "n": f"The number of cases was chosen so that {plan.aim} is reached with an assurance of {plan.asked:g}",
        "assurance": f"The assurance was computed with which {formats.integer(plan.n)} {plan.unit} reach {plan.aim}",
        "target": f"The goal was computed that {formats.integer(plan.n)} {plan.unit} reach with an assurance of "
        f"{plan.asked:g}: {plan.aim}",
    }[plan.found]
    return (
        f"{what}. Assurance is the probability, over the supposed truth and the sampling of the test, that the goal "
        f"is reached (O'Hagan and Stevens 2001). What was supposed: {supposed}. The analysis uses the prior "
        f"'{formats.plain(plan.prior, 60)}' ({plan.pairing}). {how} Computed with howsure {__version__}. The number "
        "covers the sampling of cases, not label noise, leakage or drift."
    )


#: So many confusions are listed where the matrix is not shown in full.
COMMONEST = 10
#: So many classes have a slider of their own.
MOST_SLIDERS = 6


def report_page(report: Report, title: str = "", comment: str = "") -> str:
    """A report with its matrix, its numbers, what calls are worth at every prevalence, and the methods."""
    drawn = [row.name for row in report.rows if row.law == "simulated"]
    curves, data = _sliders(report)
    text = methods(report, report.prior, drawn, _prevalence(report))
    body = [
        top(title or "How sure are you?", comment),
        report.sheet().html(),
        figure(report.picture(), "Dot: mean. Line: interval. Tick: observed. Dashes: chance. Numbers above."),
        heading("Confusion matrix" if report.judged is None else "Confusion matrix of the labelled cases"),
        _matrix(report.confusion),
        curves,
        _classical(report.classical),
        "" if report.wrong_labels is None else heading("Wrong labels") + report.wrong_labels.sheet().html(),
        methods_html(text),
        stard_html(report.notes),
    ]
    script = "slider.js" if data else ""
    return document(title or f"howsure: {report.verdict}", "\n".join(body), data=embedded(data), script=script)


def comparison_page(c: Comparison, title: str = "", comment: str = "") -> str:
    """A comparison with the law of the difference, both matrices, and the methods."""
    sides = [name for name, known in zip(c.names, (c.a, c.b), strict=True) if known.route == "simulated"]
    how = "Both answered the same cases, and were compared case by case." if c.paired else "The test sets are separate."
    text = methods(c, c.posteriors[0].prior, [f"{c.metric} of {name}" for name in sides], how)
    shown = f"{formats.plain(c.metric)}: {' minus '.join(formats.plain(name, 40) for name in c.ahead)}"
    body = [
        top(title or "Which one is better?", comment),
        c.sheet().html(),
        figure(c.picture(width=640), f"{shown}. Dashes: no difference. Numbers above."),
    ]
    for name, posterior in zip(c.names, c.posteriors, strict=True):
        if isinstance(posterior, AccuracyPosterior):  # right answers alone are no table
            continue
        body += [heading(f"Confusion matrix of {formats.plain(name, 60)}"), _matrix(posterior.confusion)]
    return document(title or f"howsure: {c.sentence}", "\n".join([*body, methods_html(text)]))


def ranking_page(ranking: Ranking, title: str = "", comment: str = "") -> str:
    """A ranking with its intervals, the probabilities of ranks, and the methods."""
    drawn = [ranking.metric] if ranking.route == "simulated" else []
    extra = "The classifiers answered the same cases." if ranking.paired else "Test sets were taken as separate."
    if ranking.population is not None:
        extra += (
            " The entries were taken as a sample from a population that was learned from them, its parameters "
            f"integrated over; rank probabilities are good to {ranking.error:.2g}."
        )
    text = methods(ranking, ranking.prior, drawn, extra)
    names = [formats.plain(entry.name, 22) for entry in ranking.entries]
    shown = np.asarray(ranking.probabilities)[:MOST_DRAWN, :MOST_DRAWN]
    words = [[rank_probability(ranking, p) for p in row] for row in shown.tolist()]
    ranks = [str(k + 1) for k in range(shown.shape[1])]
    about = "Probability of each rank for each entry"
    heat = fields(shown.tolist(), words, names[: len(shown)], ranks, across="rank", title=about, width=720)
    table = ""
    if len(names) <= MOST_IN_FULL:
        rows = tuple((name, *row) for name, row in zip(names, words, strict=True))
        table = f"<details><summary>The same as a table</summary>{Table(('entry', *ranks), rows).html()}</details>"
    body = [
        top(title or "Who leads, and how surely?", comment),
        ranking.sheet().html(),
        figure(ranking.picture(), "Dot: mean. Line: interval. Tick: observed. Colours alternate with the tiers."),
        heading("Probability of each rank"),
        figure(heat, "A field without a number is below 0.0005; bars: the higher, the more probable."),
        table,
        methods_html(text),
    ]
    return document(title or f"howsure: {ranking.sentence}", "\n".join(body))


def _classical(known: Classical | None) -> str:
    """Confidence intervals and tests, if they were asked for."""
    if known is None:
        return ""
    drawn = figure(known.picture(), "Line: Clopper-Pearson interval. Tick: observed. Numbers above.")
    return heading("Confidence intervals and tests") + known.sheet().html() + drawn


def _prevalence(report: Report) -> str:
    if report.prevalence is None:
        return ""
    shares = ", ".join(
        f"{formats.plain(x, 20)} {p:.4g}"
        for x, p in list(zip(report.confusion.labels, report.prevalence, strict=True))[:12]
    )
    what = {"stated": "was stated", "chosen": "is that of the class sizes, which were chosen"}
    what["verdicts elsewhere"] = "was learned from the verdicts on other cases"
    return f"The prevalence {what.get(report.prevalence_source, 'was learned from other cases')} ({shares})."


def _matrix(confusion: ConfusionMatrix) -> str:
    """The counts as a picture, and as a table."""
    size = len(confusion.labels)
    if size > MOST_DRAWN:
        return paragraph(f"{size} classes: too many to draw.") + _commonest(confusion)
    counts = np.asarray(confusion.counts)
    picture = figure(
        picture_grid(confusion.labels, counts),
        "Rows are truth, columns are prediction. Blue: right. Orange: wrong. Darker: more of its row.",
    )
    return picture + (
        html_grid(confusion.labels, confusion.labels, counts) if size <= MOST_IN_FULL else _commonest(confusion)
    )


def _commonest(confusion: ConfusionMatrix) -> str:
    rows = tuple(
        (
            formats.plain(confusion.labels[i], 40),
            formats.plain(confusion.labels[j], 40),
            formats.integer(count),
            formats.integer(int(confusion.class_sizes[i])),
        )
        for i, j, count in commonest(confusion, COMMONEST)
    )
    table = Table(("true class", "predicted", "times", "of"), rows, frozenset([1]))
    return paragraph(f"The {len(rows)} commonest confusions:") + table.html()


def _sliders(report: Report) -> tuple[str, dict[str, Any] | None]:
    """A curve and a slider for a class, or for each of a few; none where nothing is known of it."""
    confusion = report.confusion
    posterior = infer(confusion, report.prior)
    if report.prevalence is not None and report.prevalence_source == "stated":
        posterior = posterior.at_prevalence(report.prevalence)  # the page is about one prevalence
    sizes = np.asarray(confusion.class_sizes)
    labels = (
        [confusion.positive]
        if confusion.positive is not None
        else [confusion.labels[i] for i in sorted(np.argsort(-sizes, kind="stable")[:MOST_SLIDERS].tolist())]
    )
    blocks: list[str] = []
    classes: list[dict[str, Any]] = []
    shares: list[float] = []
    found = _curves(posterior, labels, report)
    for curve in at_home(found, posterior, draws=report.draws, seed=report.seed):
        shares = curve.prevalence.tolist()
        here = int(np.argmin(np.abs(np.log(curve.prevalence / (1 - curve.prevalence)) - _log_odds(curve.here))))
        blocks.append(_block(curve, len(classes), here))
        positive, negative = (
            [[float(f"{value:.5g}") for value in row] for row in values.tolist()]
            for values in (curve.positive, curve.negative)
        )
        classes.append(
            {
                "label": formats.plain(curve.label, 40),
                "positive": positive,
                "negative": negative,
                "recall": curve.recall,
                "alarm": curve.alarm,
            }
        )
    if not blocks:
        return "", None
    title = heading("What a prediction means in another population")
    return title + "".join(blocks), {"prevalence": shares, "classes": classes}


def _curves(posterior: Posterior, labels: Sequence[str], report: Report) -> list[PredictiveValues]:
    """Curves of all, or one by one of those that have one: a class that was never tested may not."""
    asked = partial(predictive_curves, level=report.level, kind=report.kind, draws=report.draws, seed=report.seed)
    try:
        return asked(posterior, labels)
    except HowsureError:
        made = []
        for label in labels:
            with suppress(HowsureError):
                made += asked(posterior, [label])
        return made


def _block(curve: PredictiveValues, number: int, here: int) -> str:
    label = formats.plain(curve.label, 40)
    sheet = curve.sheet()
    return (
        f'<details data-number="{number}"{" open" if number == 0 else ""}><summary>{escape(visible(label))}</summary>'
        f'<div class="slider"><label>Prevalence of {escape(visible(label))}'
        f'<input type="range" min="0" max="{len(curve.prevalence) - 1}" step="1" value="{here}"></label>'
        '<output aria-live="polite"></output></div>'
        f"{figure(curve.picture(), sheet.small_print[0])}{sheet.table.html()}</details>"
    )


def _log_odds(share: float) -> float:
    share = min(max(share, 1e-9), 1 - 1e-9)
    return float(np.log(share / (1 - share)))
