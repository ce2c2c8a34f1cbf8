"""Many published classifiers at a glance: how uncertain each is, and whether it may deceive."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, ClassVar

from howsure.answers.fields import interval_cells, law_row
from howsure.answers.sheet import Record, Sheet, row_named
from howsure.data.confusion import ConfusionMatrix, need_truths
from howsure.data.labels import positive_or_last
from howsure.errors import InvalidArgument, NoInformation, excerpt
from howsure.errors.arguments import number
from howsure.laws import Law
from howsure.laws.law import KIND, LEVEL, Kind
from howsure.posterior.distribution import MOST_ROWS
from howsure.posterior.knowledge import knowledge_of
from howsure.posterior.posterior import infer
from howsure.posterior.priors import Prior
from howsure.text import formats
from howsure.text.svg import forest

#: Numbers of a classifier, and the keys of the answer.
NUMBERS = "name n mu_prevalence mu_tpr mu_tnr *informedness(informedness=mean low high) p_deceptive=deceptive"
FIELDS = f"prior margin level interval=kind classifiers=rows[{NUMBERS}] silent[name=0 why=1]"

#: P(deceptive) from which a classifier is named in the headline.
SUSPECT = 0.05


@dataclass(frozen=True)
class Surveyed:
    """One classifier: metric uncertainties (widths of the 95% HDI), informedness, and P(deceptive)."""

    name: str
    n: int
    mu_prevalence: float
    mu_tpr: float
    mu_tnr: float
    informedness: Law
    deceptive: float


@dataclass(frozen=True, repr=False, eq=False)
class Survey(Record, json="survey", fields=FIELDS, csv=f"rows[{NUMBERS}]"):
    """A row for each classifier; made by `survey`.

    Attributes
    ----------
    rows : tuple of Surveyed
        In the order given.
    silent : tuple of (str, str)
        Classifiers without an answer, and why.
    margin : float
        A classifier deceives if its informedness is below ``-margin``.
    prior : str
        Of all of them.
    """

    rows: tuple[Surveyed, ...]
    silent: tuple[tuple[str, str], ...]
    margin: float
    prior: str
    level: ClassVar[float] = LEVEL
    kind: ClassVar[Kind] = KIND

    def __getitem__(self, name: str) -> Surveyed:
        """Row of a classifier by its name."""
        return row_named(self.rows, name, "classifier")

    def sheet(self) -> Sheet:
        """A row for each classifier, in the order given."""
        header = ("classifier", "cases", "MU prevalence", "MU TPR", "MU TNR", "informedness", "95% HDI", "P(deceptive)")
        cells = []
        for row in self.rows:
            uncertain = [f"{x:.2f}" for x in (row.mu_prevalence, row.mu_tpr, row.mu_tnr)]
            known = (*uncertain, *interval_cells(row.informedness, LEVEL, KIND), formats.probability(row.deceptive))
            cells.append((formats.plain(row.name, 30), formats.integer(row.n), *known))
        notes = [
            "MU: metric uncertainty, the width of the 95% HDI. Informedness: TPR + TNR - 1. "
            f"P(deceptive): probability that it is below {0 - self.margin:g}. Prior {self.prior}, exact."
        ]
        silent = tuple(f"{formats.plain(name, 30)}: {why}" for name, why in self.silent)
        return Sheet(self._words(), header, tuple(cells), tuple(notes), below=silent)

    def picture(self) -> str:
        """Informedness of each classifier as SVG; dashes at 0, where guessing is."""
        rows = [law_row(row.name, row.informedness, LEVEL, KIND, chance=0.0) for row in self.rows[:MOST_ROWS]]
        return forest(rows, title="Informedness of each classifier with its 95% HDI; dashes: guessing")

    def _words(self) -> str:
        suspects = sorted((row for row in self.rows if row.deceptive >= SUSPECT), key=lambda row: -row.deceptive)
        total = f"{len(self.rows)} classifier{'s' if len(self.rows) != 1 else ''}"
        if not suspects:
            return f"{total}; none is deceptive with probability {SUSPECT:g} or more."
        named = ", ".join(f"{formats.plain(s.name, 30)} {formats.probability(s.deceptive)}" for s in suspects[:12])
        more = f" and {len(suspects) - 12} more" if len(suspects) > 12 else ""
        return f"{total}; deceptive with probability {SUSPECT:g} or more: {named}{more}."


def survey(
    classifiers: Mapping[str, ConfusionMatrix], prior: str | Prior | None = None, *, margin: float = 0.0
) -> Survey:
    """Survey two-class classifiers: how uncertain their rates are and how probably they are worse than guessing.

    Parameters
    ----------
    classifiers : mapping of name to ConfusionMatrix
        Two classes each.
    prior : str or Prior, optional
        As in `infer`.
    margin : float
        How far below 0 informedness must be to call a classifier deceptive.

    Raises
    ------
    InvalidArgument
        No classifier, more than two classes, or a margin outside [0, 1).

    Notes
    -----
    Toetsch and Hoffmann 2021, Table S1 and the section on deceptive classifiers.

    Examples
    --------
    >>> made = survey({"8": ConfusionMatrix.from_counts(tp=28, fn=9, fp=4, tn=3)})
    >>> round(made["8"].deceptive, 4)
    0.1511
    """
    if not isinstance(classifiers, Mapping) or not classifiers:
        raise InvalidArgument("survey() takes a mapping of names to confusion matrices, one or more")
    if not 0 <= number(margin) < 1:
        raise InvalidArgument(f"margin is an informedness from 0 to below 1, such as 0.05; not {excerpt(margin)}")
    rows: list[Surveyed] = []
    silent: list[tuple[str, str]] = []
    name_of_prior = ""
    for name, confusion in classifiers.items():
        if not isinstance(confusion, ConfusionMatrix):
            raise InvalidArgument(f"{excerpt(name)} is {excerpt(confusion)}; a survey is of confusion matrices")
        need_truths(confusion, "surveys")
        if len(confusion.labels) != 2:
            raise InvalidArgument(
                f"a survey is of two-class matrices; {excerpt(name)} has {len(confusion.labels)} classes "
                "(use one_vs_rest, or report each)"
            )
        forward = positive_or_last(confusion.labels, confusion.positive)
        posterior = infer(confusion.with_positive(forward), prior)
        name_of_prior = knowledge_of(posterior).prior_name
        try:
            balanced: Any = knowledge_of(posterior).of("balanced_accuracy").law
            deceptive = balanced.prob(below=(1 - margin) / 2)
            rates = map(knowledge_of(posterior).of, ("prevalence", "recall", "specificity"))
            prevalence, tpr, tnr = (rate.interval().width for rate in rates)
        except NoInformation as error:
            silent.append((str(name), str(error)))
            continue
        rows.append(Surveyed(str(name), confusion.n, prevalence, tpr, tnr, 2 * balanced - 1, deceptive))
    return Survey(tuple(rows), tuple(silent), float(margin), name_of_prior)
