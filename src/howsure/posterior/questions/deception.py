"""Whether a classifier tells the classes apart, or deceives; and its posterior as a picture."""

from __future__ import annotations

from dataclasses import dataclass
from html import escape
from typing import TYPE_CHECKING, ClassVar

import numpy as np

from howsure.answers.law_summary import interval_cells, law_row
from howsure.answers.sheet import Record, Sheet
from howsure.errors import InvalidArgument, NoInformation, excerpt
from howsure.laws import GroupMeans, Law, LearnedSum, Linear
from howsure.laws.law import KIND, LEVEL, Kind
from howsure.metrics import Measure, of_class, parse
from howsure.posterior.better_than_chance import EXPECTING, judge_of, judged
from howsure.posterior.distribution import density_of
from howsure.posterior.knowledge import TableKnowledge, knowledge_of
from howsure.text import formats
from howsure.text.svg import IntervalRow, forest
from howsure.text.text_table import MOST_DRAWN

if TYPE_CHECKING:
    from howsure.posterior.posterior import Posterior

__all__ = ["Informativeness", "informative", "notebook_html"]


@dataclass(frozen=True, repr=False, eq=False)
class Informativeness(
    Record, json="informative", fields="prior chance_prior margin informative chance deceptive informedness"
):
    """Probabilities that a classifier informs, deceives, or does neither; made by `Posterior.informative`.

    Attributes
    ----------
    informedness : Law
        Law of (K B - 1) / (K - 1), with the balanced accuracy B.
    margin : float
        Within which informedness counts as no better than chance.
    informative, deceptive, chance : float
        P(informedness > margin), P(informedness < -margin) and the rest, under `chance_prior`.
    prior, chance_prior : str
        Of the informedness, and of the three probabilities: the same with two classes, `perks` with more.
    """

    informedness: Law
    margin: float
    informative: float
    deceptive: float
    chance: float
    size: int
    prior: str
    chance_prior: str
    level: ClassVar[float] = LEVEL
    kind: ClassVar[Kind] = KIND

    def sheet(self) -> Sheet:
        """A row for each of the three."""
        mean, ends = interval_cells(self.informedness, LEVEL, KIND)
        apart = formats.probability(self.informative)
        wrong = formats.probability(self.deceptive)
        by = f" by more than {self.margin:g}" if self.margin else ""
        headline = (
            f"Informedness is {mean} (95% HDI {ends}): better than chance{by} with probability {apart}, "
            f"worse{by} with probability {wrong}"
        )
        headline += "." if self.size == 2 else f", under {EXPECTING} ({self.chance_prior})."
        m = f"{self.margin:g}"
        rows = [("informative", f"> {m}", apart), ("deceptive", f"< {'-' if self.margin else ''}{m}", wrong)]
        if self.margin:
            rows.insert(1, ("no better than chance", f"-{m} to {m}", formats.probability(self.chance)))
        note = (
            "Informedness: TPR + TNR - 1" if self.size == 2 else f"Informedness: ({self.size} B - 1) / {self.size - 1}"
        )
        note += "" if self.size == 2 else " with the balanced accuracy B"
        note += f"; 0 for a classifier that does not look at the cases. Prior {self.prior}, {self.informedness.route}."
        return Sheet(headline, ("classifier", "informedness", "probability"), tuple(rows), (note,))

    def picture(self) -> str:
        """Density of informedness as SVG; the dashed line is a classifier that does not look."""
        return density_of(self.informedness, LEVEL, KIND, chance=0.0, title=self.sheet().headline)


def informative(posterior: Posterior, margin: float = 0.0) -> Informativeness:
    """Whether the classifier tells the classes apart, or deceives.

    Parameters
    ----------
    margin : float
        How far from 0 informedness counts as no better than chance, in [0, 1).

    Returns
    -------
    Informativeness
        ``informative``, ``deceptive`` and ``chance``: the probabilities that informedness is above ``margin``,
        below ``-margin``, and in between. They add to 1.

    Raises
    ------
    InvalidArgument
        A margin outside [0, 1), or a posterior without every class's recall.

    Notes
    -----
    Informedness of K classes is (K B - 1) / (K - 1) with the balanced accuracy B; for two classes it is TPR + TNR
    - 1 (Toetsch and Hoffmann 2021, section "Informedness"). It is 0 for every classifier that does not look at the
    cases, 1 for a perfect one, and does not depend on the prevalence. Exact. From three classes on the probabilities
    are under a prior that expects chance, see `howsure.posterior.better_than_chance`.

    Examples
    --------
    >>> import howsure as hs
    >>> known = hs.infer(hs.ConfusionMatrix.from_counts(tp=28, fn=9, fp=4, tn=3)).informative()
    >>> round(known.deceptive, 4)
    0.1511
    """
    known = knowledge_of(posterior)
    number = isinstance(margin, int | float) and not isinstance(margin, bool)
    if not number or not 0 <= margin < 1:
        raise InvalidArgument(f"margin is an informedness from 0 to below 1, such as 0.05; not {excerpt(margin)}")
    size = len(known.confusion.labels)
    if known.confusion.verdicts is not None:
        raise InvalidArgument(
            "informative() is about a classifier of which every case has its truth; where truths are missing ask "
            'of("balanced_accuracy").prob(above=...) or of("mcc").prob(above=0)'
        )
    if known.prevalence_source == "verdicts elsewhere":
        raise InvalidArgument(
            "whether a judge tells the classes apart is asked of its calibration, before it is carried over"
        )
    balanced = known.of("balanced_accuracy").law
    assert isinstance(balanced, Linear | LearnedSum | GroupMeans)
    measure = parse("balanced_accuracy", known.labels)
    judge = judge_of(known, measure)
    law = balanced if judge is known else judged(judge, measure)

    def accuracy_at(informedness: float) -> float:
        """Balanced accuracy of that informedness: its law is asked, because 0.5 is a number and 2 * 0.5 - 1 is two."""
        return (1 + (size - 1) * informedness) / size

    low, high = accuracy_at(-margin), accuracy_at(margin)
    return Informativeness(
        informedness=balanced * (size / (size - 1)) - 1 / (size - 1),
        margin=float(margin),
        informative=law.prob(above=high),
        deceptive=law.prob(below=low),
        chance=law.prob(between=(low, high)) if margin else 0.0,
        size=size,
        prior=known.prior.name,
        chance_prior=judge.prior.name,
    )


#: Recalls that are drawn; with more classes, the lowest of them.
MOST_RECALLS = 10


def notebook_html(posterior: Posterior) -> str:
    """HTML of a posterior: its text, its counts and its recalls."""
    head = f"<p>{escape(repr(posterior)[1:-1])}</p>"
    if len(posterior.labels) > MOST_DRAWN:
        return head
    return head + posterior.confusion._repr_html_() + _recalls(knowledge_of(posterior))


def _recalls(known: TableKnowledge) -> str:
    """Balanced accuracy and recalls with their intervals as SVG."""
    if (verdicts := known.confusion.verdicts) is not None:
        classes = [of_class("prevalence", known.labels, i) for i in range(verdicts.truths)][:MOST_RECALLS]
        title = f"Mean (dot) and {formats.interval_name('hdi', 0.95)} of the shares of the true classes"
        return forest([_row(known, measure) for measure in classes], title=title)
    confusion = known.confusion
    shares = confusion.correct / np.maximum(confusion.class_sizes, 1)
    lowest = sorted(np.argsort(shares, kind="stable")[:MOST_RECALLS].tolist())
    measures = [parse("balanced_accuracy", confusion.labels)]
    measures += [of_class("recall", confusion.labels, i) for i in lowest]
    rows = [_row(known, measure) for measure in measures]
    return forest(rows, title=f"Mean (dot) and {formats.interval_name('hdi', 0.95)} of balanced accuracy and recalls")


def _row(known: TableKnowledge, measure: Measure) -> IntervalRow:
    try:
        found = known.of(measure)
    except NoInformation:
        return IntervalRow(measure.name, "no information")
    return law_row(measure.name, found.law, LEVEL, KIND, observed=found.observed, chance=found.chance)
