"""The paragraph that a methods section needs: model, prior, interval, how exact, and whom to cite."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape

from howsure._version import __version__
from howsure.data.groups import Folds
from howsure.posterior.priors import Prior
from howsure.publish.document import heading, paragraph
from howsure.questions.comparison import Comparison
from howsure.questions.groups import GroupsSummary
from howsure.questions.ranking import Ranking
from howsure.reporting.citation import citation
from howsure.reporting.judged_summary import JudgedSummary
from howsure.reporting.report import Report
from howsure.text import formats
from howsure.text.text_table import Table

__all__ = ["methods", "methods_html", "stard_html"]


def methods(answer: Report | Comparison | Ranking, prior: Prior | str, drawn: Sequence[str], extra: str = "") -> str:
    """Model, prior, interval and computation, in sentences that can be copied into a paper.

    Parameters
    ----------
    answer : Report, Comparison or Ranking
    prior : Prior or str
        Of the posteriors; only its name where the number of classes is not known.
    drawn : sequence of str
        Metrics without a closed law.
    extra : str
        What else was assumed.
    """
    kinds = {"hdi": "highest-density", "central": "equal-tailed"}
    one = answer if isinstance(answer, Report) else None
    judged, groups, folds = (None, None, None) if one is None else (one.judged, one.groups, one.confusion.folds)
    otherwise = "otherwise " if _name(prior) == "learned" else ""
    if judged is not None:
        model = _of_verdicts(judged, _name(prior))
    elif groups is not None and groups.question == "new":
        model = _of_new_groups(groups, formats.plain(_name(prior), 60))
    else:
        model = (
            "The cases of each true class were taken as independent draws from a Dirichlet-multinomial row of the "
            f"confusion matrix; {_prior(prior)}, {otherwise}following Brodersen et al. (2010), Carrillo et al. "
            "(2014) and Tötsch and Hoffmann (2021)."
        )
    model = " ".join([model, *_of_units(groups, folds)])
    sentences = [
        f"{model} Reported are posterior means and {formats.level_words(answer.level)} {kinds[answer.kind]} credible "
        "intervals."
    ]
    if drawn:
        names = ", ".join(formats.plain(name, 40) for name in drawn[:8]) + (" and others" if len(drawn) > 8 else "")
        sentences.append(
            f"Laws were computed exactly where they have a closed form; {names} by {formats.integer(answer.draws)} "
            f"joint draws (seed {answer.seed})."
        )
    else:
        sentences.append("All distributions were computed without simulation.")
    sentences += [extra] if extra else []
    sentences.append(
        f"Computed with howsure {__version__}. The intervals cover the sampling of cases, not label noise, leakage "
        "or drift."
    )
    return " ".join(sentences)


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
    rows = (
        "were taken as members of one Beta-distributed population of verdicts, whose parameters were learned"
        if prior == "learned"
        else f"had independent Dirichlet priors (prior '{formats.plain(prior, 60)}')"
    )
    return (
        f"The truth of {formats.integer(judged.labelled)} of {formats.integer(judged.n)} cases with a verdict was "
        "established. The shares of the verdicts had a Dirichlet prior of one case a verdict, and the shares of the "
        f"true classes at each verdict {rows}. Labels were assumed to be missing at random given the verdict (Begg and "
        "Greenes 1983; Little and Rubin 2002)."
    )


def _name(prior: Prior | str) -> str:
    return prior if isinstance(prior, str) else prior.name


def _prior(prior: Prior | str) -> str:
    """What was assumed before the counts."""
    if isinstance(prior, str):
        return f"the prior is the one called '{formats.plain(prior, 60)}'"
    return f"{_assumed(prior)} (prior '{prior.name}')"


def _assumed(prior: Prior) -> str:
    share = f"the prevalence has a Dirichlet prior of total mass {prior.prevalence:g}"
    if prior.name == "learned":
        return (
            "the recalls of the classes were taken as members of one population, most of them Beta-distributed around "
            "a mean that may go with class size, a few from Beta(1/2, 1/2), whose parameters were learned from all "
            f"classes (Gelman et al. 2013, chapter 5; Box and Tiao 1968), and {share}"
        )
    if prior.told is not None:
        return f"the rows are independent, with pseudo-counts from earlier knowledge, and {share}"
    return f"the rows are independent, each recall has the prior Beta({prior.a:g}, {prior.b:g}), and {share}"


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
