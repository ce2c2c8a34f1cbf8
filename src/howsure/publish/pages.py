"""What stands on the page of a report, a comparison, a ranking, a plan; the paragraph of methods, and whom to cite."""

from __future__ import annotations

import re
from collections.abc import Sequence
from contextlib import suppress
from functools import partial
from html import escape
from typing import Any

import numpy as np
from scipy.special import logit

from howsure._version import __version__
from howsure.data.confusion import ConfusionMatrix, commonest
from howsure.data.groups import Folds
from howsure.errors import HowsureError, visible
from howsure.planning.plan import Plan, thumb_rule
from howsure.posterior.accuracy import AccuracyPosterior
from howsure.posterior.posterior import Posterior, infer
from howsure.posterior.priors import Prior
from howsure.posterior.questions import PredictiveValues
from howsure.posterior.questions.predictive import at_home, predictive_curves
from howsure.publish.document import asset, document, embedded, figure, heading, paragraph, top
from howsure.questions.comparison import Comparison
from howsure.questions.groups import GroupsSummary
from howsure.questions.ranking import Ranking, rank_probability
from howsure.reporting.classical import Classical
from howsure.reporting.judged_summary import JudgedSummary
from howsure.reporting.report import Report
from howsure.text import formats
from howsure.text.svg import fields
from howsure.text.text_table import MOST_DRAWN, MOST_IN_FULL, Table, html_grid, picture_grid


def citation(*, bibtex: bool = False) -> str:
    """Text or BibTeX of the software and its papers.

    Examples
    --------
    >>> citation().splitlines()[0].startswith("The howsure maintainers (2026). howsure")
    True
    """
    if bibtex:
        return asset("papers.bib").replace("VERSION", __version__).strip()
    lines = [
        f"The howsure maintainers (2026). howsure, version {__version__}. Please cite also the papers of its models:"
    ]
    for paper in _papers():
        author, where = paper["author"].replace(" and ", "; "), paper.get("journal") or paper["booktitle"]
        lines.append(f"- {author} ({paper['year']}). {paper['title']}. {where}. doi:{paper['doi']}")
    return "\n".join(lines)


def _papers() -> list[dict[str, str]]:
    """The fields of each paper behind the models."""
    _, *entries = asset("papers.bib").replace('{\\"o}', "ö").strip().split("\n\n")
    return [dict(re.findall(r"^  (\w+) = \{(.*)\},$", entry, re.MULTILINE)) for entry in entries]


def short_citation() -> str:
    """The same in one line, for the end of a sentence.

    Examples
    --------
    >>> short_citation().partition(";")[2]
    ' models of Brodersen et al. 2010, Carrillo et al. 2014, Tötsch and Hoffmann 2021'
    """
    models = []
    for paper in _papers():
        first, *others = [author.split(",")[0] for author in paper["author"].split(" and ")]
        models.append(f"{first} {'et al.' if len(others) > 1 else f'and {others[0]}'} {paper['year']}")
    return f"howsure {__version__}; models of {', '.join(models)}"


def methods(answer: Report | Comparison | Ranking, prior: Prior | str, drawn: Sequence[str], extra: str = "") -> str:
    """Model, prior, interval and computation, in sentences that can be copied into a paper."""
    kind = {"hdi": "highest-density", "central": "equal-tailed"}[answer.kind]
    one = answer if isinstance(answer, Report) else None
    judged, groups, folds = (None, None, None) if one is None else (one.judged, one.groups, one.confusion.folds)
    name = prior if isinstance(prior, str) else prior.name
    otherwise = "otherwise " if name == "learned" else ""
    if judged is not None:
        model = _of_verdicts(judged, name)
    elif groups is not None and groups.question == "new":
        model = _of_new_groups(groups, formats.plain(name, 60))
    else:
        model = (
            "The cases of each true class were taken as independent draws from a Dirichlet-multinomial row of the "
            f"confusion matrix; {_prior(prior)}, {otherwise}following Brodersen et al. (2010), Carrillo et al. "
            "(2014) and Tötsch and Hoffmann (2021)."
        )
    how = "All distributions were computed without simulation."
    if drawn:
        names = ", ".join(formats.plain(name, 40) for name in drawn[:8]) + (" and others" if len(drawn) > 8 else "")
        many = f"{formats.integer(answer.draws)} joint draws (seed {answer.seed})"
        how = f"Laws were computed exactly where they have a closed form; {names} by {many}."
    sentences = [
        model,
        *_of_units(groups, folds),
        f"Reported are posterior means and {formats.level_words(answer.level)} {kind} credible intervals.",
        how,
        extra,
        f"Computed with howsure {__version__}. The intervals cover the sampling of cases, not label noise, leakage or "
        "drift.",
    ]
    return " ".join(filter(None, sentences))


def _of_new_groups(groups: GroupsSummary, prior: str) -> str:
    """The model of a new case from a new group."""
    return (
        f"The cases came in {formats.integer(groups.groups)} groups, and numbers are about a new case from a new "
        "group: each group had a rate of its own from a Beta population, whose correlation within groups had the prior "
        f"Beta(1, 3) and was integrated out; accuracy and each recall are the population means (prior '{prior}'), "
        "and simulated metrics weigh the groups by a Bayesian bootstrap (Rubin 1981)."
    )


def _of_units(groups: GroupsSummary | None, folds: Folds | None) -> list[str]:
    """What else cases are to each other."""
    told = []
    if groups is not None and groups.question == "these":
        many = formats.integer(groups.groups)
        told.append(f"The cases came in {many} groups, and numbers are about further cases of these, not of new ones.")
    if folds is not None:
        divided = f"; counts are tests divided by the {folds.passes} passes" if folds.passes > 1 else ""
        told.append(f"They were the held-out cases of a cross-validation{divided}.")
    return told


def _of_verdicts(judged: JudgedSummary, prior: str) -> str:
    """The model where truths are missing, and what it rests on."""
    rows = f"had independent Dirichlet priors (prior '{formats.plain(prior, 60)}')"
    if prior == "learned":
        rows = "were taken as members of one Beta-distributed population of verdicts, whose parameters were learned"
    return (
        f"The truth of {formats.integer(judged.labelled)} of {formats.integer(judged.n)} cases with a verdict was "
        "established. The shares of the verdicts had a Dirichlet prior of one case a verdict, and the shares of the "
        f"true classes at each verdict {rows}. Labels were assumed to be missing at random given the verdict (Begg and "
        "Greenes 1983; Little and Rubin 2002)."
    )


def _prior(prior: Prior | str) -> str:
    """What was assumed before the counts."""
    if isinstance(prior, str):
        return f"the prior is the one called '{formats.plain(prior, 60)}'"
    rows = f"the rows are independent, each recall has the prior Beta({prior.a:g}, {prior.b:g})"
    if prior.name == "learned":
        rows = (
            "the recalls of the classes were taken as members of one population, most of them Beta-distributed around "
            "a mean that may go with class size, a few from Beta(1/2, 1/2), whose parameters were learned from all "
            "classes (Gelman et al. 2013, chapter 5; Box and Tiao 1968)"
        )
    elif prior.told is not None:
        rows = "the rows are independent, with pseudo-counts from earlier knowledge"
    mass = f"the prevalence has a Dirichlet prior of total mass {prior.prevalence:g}"
    return f"{rows}, and {mass} (prior '{prior.name}')"


#: Items of STARD 2015 (Bossuyt et al., BMJ 2015;351:h5527) that a report answers, and where.
STARD = (
    ("14", "methods for estimating measures of diagnostic accuracy", "Methods"),
    ("23", "cross tabulation of the test's results by those of the reference standard", "Confusion matrix"),
    ("24", "estimates of diagnostic accuracy and their precision", "the table on top"),
)


def stard_html(notes: Sequence[str]) -> str:
    """Which items of the STARD 2015 list a report answers; that of missing data, where cases were set aside."""
    missing = [("16", "how missing data were handled", "the notes")] if any("missing" in note for note in notes) else []
    rows = sorted([*STARD, *missing])
    table = Table(("item", "about", "answered by"), tuple(rows), frozenset([1, 2])).html()
    rest = "All others, such as the intended sample size (18; howsure plan), are for the authors."
    return f"<details><summary>Items of STARD 2015 that this page answers</summary>{table}{paragraph(rest)}</details>"


def methods_html(text: str) -> str:
    """The paragraph, and the references with BibTeX."""
    items = "".join(f"<li>{escape(line[2:])}</li>" for line in citation().splitlines()[1:])
    bib = f"<details><summary>BibTeX</summary><pre>{escape(citation(bibtex=True))}</pre></details>"
    return heading("Methods") + paragraph(text) + f"<ul>{items}</ul>{bib}"


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
    named = zip(report.confusion.labels[:12], report.prevalence, strict=False)
    shares = ", ".join(f"{formats.plain(x, 20)} {p:.4g}" for x, p in named)
    what = {"stated": "was stated", "chosen": "is that of the class sizes, which were chosen"}
    what["verdicts elsewhere"] = "was learned from the verdicts on other cases"
    return f"The prevalence {what.get(report.prevalence_source, 'was learned from other cases')} ({shares})."


def _matrix(confusion: ConfusionMatrix) -> str:
    """The counts as a picture, and as a table."""
    labels, size, counts = confusion.labels, len(confusion.labels), np.asarray(confusion.counts)
    shown = paragraph(f"{size} classes: too many to draw.")
    if size <= MOST_DRAWN:
        about = "Rows are truth, columns are prediction. Blue: right. Orange: wrong. Darker: more of its row."
        shown = figure(picture_grid(labels, counts), about)
    if size <= MOST_IN_FULL:
        return shown + html_grid(labels, labels, counts)
    names, sizes = [formats.plain(label, 40) for label in labels], confusion.class_sizes.tolist()
    rows = tuple(
        (names[i], names[j], *map(formats.integer, (count, sizes[i])))
        for i, j, count in commonest(confusion, COMMONEST)
    )
    table = Table(("true class", "predicted", "times", "of"), rows, frozenset([1]))
    return shown + paragraph(f"The {len(rows)} commonest confusions:") + table.html()


def _sliders(report: Report) -> tuple[str, dict[str, Any] | None]:
    """A curve and a slider for a class, or for each of a few; none where nothing is known of it."""
    confusion = report.confusion
    posterior = infer(confusion, report.prior)
    if report.prevalence is not None and report.prevalence_source == "stated":
        posterior = posterior.at_prevalence(report.prevalence)  # the page is about one prevalence
    largest = np.argsort(-np.asarray(confusion.class_sizes), kind="stable")[:MOST_SLIDERS]
    labels = [confusion.positive or confusion.labels[i] for i in sorted(largest.tolist())]
    labels = labels if confusion.positive is None else labels[:1]
    blocks: list[str] = []
    classes: list[dict[str, Any]] = []
    shares: list[float] = []
    found = _curves(posterior, labels, report)
    for curve in at_home(found, posterior, draws=report.draws, seed=report.seed):
        shares = curve.prevalence.tolist()
        at_home_odds = logit(min(max(curve.here, 1e-9), 1 - 1e-9))
        blocks.append(_block(curve, len(classes), int(np.argmin(np.abs(logit(curve.prevalence) - at_home_odds)))))
        positive, negative = (
            [[float(f"{value:.5g}") for value in row] for row in values.tolist()]
            for values in (curve.positive, curve.negative)
        )
        known = {"positive": positive, "negative": negative, "recall": curve.recall, "alarm": curve.alarm}
        classes.append({"label": formats.plain(curve.label, 40), **known})
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
