"""What is known of a table of which the truth of some cases is missing: the same questions, answered from verdicts."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import numpy as np

from howsure.answers.sheet import Record, Sheet
from howsure.data.confusion import ConfusionMatrix
from howsure.data.verdicts import Verdicts
from howsure.errors import InvalidArgument, excerpt, listing
from howsure.errors.arguments import number
from howsure.frozen import kept
from howsure.laws import Law
from howsure.laws.law import LEVEL, SEED, checked_level, checked_seed
from howsure.metrics import Asked, Classes, Measure, named, parse
from howsure.metrics.margins import Margins
from howsure.metrics.measure import linear_weights
from howsure.numerics.arrays import Floats
from howsure.posterior.distribution import Distribution, Term
from howsure.posterior.judged_rows import JudgedRows, Tilt, default_judged_prior, judged_law, required_verdicts
from howsure.posterior.knowledge import TableKnowledge
from howsure.posterior.means_over_classes import Observed
from howsure.posterior.priors import PRIORS, Prior, resolve_prior
from howsure.text import formats

#: The keys of the answer.
FIELDS = "metric label worst_case claim below probability tipping_point level prior"

#: Tilts beyond this, or its inverse, are as good as the worst case.
FARTHEST = 1e4

#: Halvings of the log odds on the way to a tipping point: to a thousandth.
HALVINGS = 14

#: Makes the distribution at other odds.
AtOdds = Callable[[float], Distribution]


@dataclass(frozen=True, repr=False, eq=False)
class NotAtRandom(Record, json="not_at_random", fields=FIELDS):
    """What a metric would be if the labelled cases had been picked; made by `JudgedDistribution.not_at_random`.

    Attributes
    ----------
    metric, label : str
        The metric, and the true class whose odds differ.
    worst_case : (float, float) or None
        Least and largest value on these cases, whatever is true of the unlabelled ones; sampling is not in it. None of
        a metric that is no sum over cells.
    claim, below, probability : float, bool, float
        The claim, its direction, and its probability where nothing differs; None without a claim.
    tipping_point : float or None
        The ratio of odds nearest to 1 at which the claim has probability ``level``; None where none has.
    """

    metric: str
    label: str
    worst_case: tuple[float, float] | None
    claim: float | None
    below: bool
    probability: float | None
    tipping_point: float | None
    level: float
    prior: str

    @property
    def sentence(self) -> str:
        """Worst case and tipping point in words."""
        said = []
        if self.worst_case is not None:
            low, high = (formats.number(x, 2) for x in self.worst_case)
            what = f"{formats.plain(self.metric)} of these cases is {low} to {high}"
            said.append(f"whatever is true of the unlabelled cases, {what}")
        if self.claim is not None:
            side = "below" if self.below else "above"
            what = "it" if said else formats.plain(self.metric)
            claim = f"that {what} is {side} {self.claim:g}"
            if self.tipping_point is None:
                said.append(f"no tilt changes whether it is {formats.level_words(self.level)} sure {claim}")
            else:
                times = (
                    formats.number(self.tipping_point, 0) if self.tipping_point >= 10 else f"{self.tipping_point:.2g}"
                )
                held = self.probability is not None and self.probability >= self.level
                turn = "is no longer" if held else "would be"
                said.append(
                    f"it {turn} {formats.level_words(self.level)} sure {claim} if the odds of "
                    f"{formats.plain(self.label)} among the unlabelled cases of a "
                    f"verdict are {times} times those among the labelled ones"
                )
        text = "; ".join(said) or f"{formats.plain(self.metric)} if the labelled cases were not like the others"
        return f"{text[0].upper()}{text[1:]}."

    def sheet(self) -> Sheet:
        """The sentence, and what it is about."""
        note = (
            f"odds: those of {formats.plain(self.label)} among the unlabelled cases of a verdict over those among the "
            f"labelled ones; 1: labels missing at random given the verdict. Prior {self.prior}."
        )
        return Sheet(self.sentence, notes=(note,))


def not_at_random(
    known: Distribution,
    label: str | None = None,
    *,
    above: float | None = None,
    below: float | None = None,
    level: float = LEVEL,
) -> NotAtRandom:
    """What it would be if the labelled cases were not like the others: worst case, and where a claim tips.

    Notes
    -----
    Exponential tilting of the odds (Scharfstein, Rotnitzky, Robins 1999) and a tipping point (Yan, Lee, Li 2009);
    the worst case is that of Manski 1989. Tilted laws are drawn.

    Examples
    --------
    >>> import howsure as hs
    >>> table = hs.ConfusionMatrix([[54, 32], [27, 231]], labels=["healthy", "ill"], unlabelled=[140, 166])
    >>> known = hs.infer(table).of("prevalence@ill").not_at_random(above=0.5)
    >>> [round(x, 2) for x in known.worst_case]
    [0.4, 0.87]
    >>> known.tipping_point is None or known.tipping_point < 1
    True
    """
    level = checked_level(level)
    if above is not None and below is not None:
        raise InvalidArgument("one claim at a time: above= or below=")
    term = known._single
    assert term is not None
    source: Any = term.source
    measure = term.measure
    index = tilted_class(source.labels, source.verdicts.truths, measure, label)

    def at(ratio: float) -> Distribution:
        if ratio == 1:
            return known
        moved: Distribution = source.tilted(index, ratio).of(measure, draws=known._draws, seed=known._seed)
        return moved

    claim = above if above is not None else below
    lower = below is not None
    probability = None
    if claim is not None:
        claim = number(claim)
        if not np.isfinite(claim):
            raise InvalidArgument(f"above= and below= take a number, not {excerpt(above if below is None else below)}")
        probability = known.prob(below=claim) if lower else known.prob(above=claim)
    return NotAtRandom(
        metric=measure.name,
        label=source.labels[index],
        worst_case=worst_case(source.verdicts, measure, len(source.labels)),
        claim=claim,
        below=lower,
        probability=probability,
        tipping_point=None if claim is None else tipping(at, claim, lower, level),
        level=level,
        prior=known.prior,
    )


def tilted_class(labels: Sequence[str], truths: int, measure: Measure, label: str | None) -> int:
    """Place of the true class whose odds differ: the one named, that of the metric, or the last."""
    if label is None:
        own = measure.index
        return own if own is not None and own < truths else truths - 1
    names = list(labels[:truths])
    if label not in names:
        raise InvalidArgument(
            f"label= names the true class whose odds differ, one of {listing(names)}; not {excerpt(label)}"
        )
    return names.index(label)


def tipping(at: AtOdds, claim: float, lower: bool, level: float) -> float | None:
    """The ratio of odds nearest to 1 at which the probability of a claim passes ``level``; None where none does."""

    def sure(log_odds: float) -> bool:
        law = at(float(np.exp(log_odds)))
        return (law.prob(below=claim) if lower else law.prob(above=claim)) >= level

    here, far, found = sure(0.0), float(np.log(FARTHEST)), []
    for end in (-far, far):
        near, beyond = 0.0, end
        if sure(end) == here:
            continue
        for _ in range(HALVINGS):
            middle = (near + beyond) / 2
            near, beyond = (middle, beyond) if sure(middle) == here else (near, middle)
        found.append((near + beyond) / 2)
    return float(np.exp(min(found, key=abs))) if found else None


def worst_case(verdicts: Verdicts, measure: Measure, size: int) -> tuple[float, float] | None:
    """Smallest and largest value on these cases, whatever the truth of the unlabelled ones; of linear metrics.

    None of a metric that is no sum over cells; sampling is not in it.
    """
    weights = linear_weights(measure.twin, size, verdicts.truths)
    if measure.twin.metric.name == "prevalence" and measure.twin.index is not None:  # of any number of verdicts
        weights = np.zeros((verdicts.truths, size))
        weights[measure.twin.index] = 1.0
    if weights is None or measure.twin.average is not None:
        return None
    of = weights[:, verdicts.column]
    seen = float((of * verdicts.labelled).sum())
    low = seen + float(of.min(axis=0) @ verdicts.unlabelled)
    high = seen + float(of.max(axis=0) @ verdicts.unlabelled)
    return low / verdicts.n, high / verdicts.n


#: A prior of one right and one wrong case is what three cases less are worth: Beta(1 + s, 1 + f) has n + 3.
PRIOR_CASES = 3.0


def worth_of(law: Law) -> float:
    """Labelled cases that would tell a share as well without a judge, m(1 - m)/var - 3.

    So many cases with right and wrong answers have, under Beta(1, 1), the mean and the variance of this law; where all
    cases are labelled it is their number.

    Examples
    --------
    >>> from howsure.laws import Beta
    >>> round(worth_of(Beta(86, 16)), 9)
    100.0
    """
    m, sd = law.mean, law.sd
    return max(m * (1 - m) / sd**2 - PRIOR_CASES, 0.0) if sd > 0 else float("inf")


class JudgedDistribution(Distribution):
    """What is known of one metric where some truths are missing: a `Distribution` that also knows its assumption.

    Attributes
    ----------
    worth : float or None
        Labelled cases that would tell it as well without the verdicts; of a share of a true class, and in an audit of
        the accuracy; None of other metrics.

    Examples
    --------
    >>> import howsure as hs
    >>> judged = hs.ConfusionMatrix([[22, 7], [6, 65]], labels=["fail", "pass"], unlabelled={"fail": 572, "pass": 1328})
    >>> hs.infer(judged).of("prevalence@pass")
    prevalence@pass 0.70 (0.63 to 0.76) 95% HDI, prior jeffreys, exact, equivalent to 176 labels
    """

    def __init__(self, source: Any, measure: Measure, *, draws: int, seed: int, law: Law) -> None:
        super().__init__([Term(1.0, source, measure)], draws=draws, seed=seed, law=law)
        self._verdicts, self._about = source.verdicts, measure

    @cached_property
    def worth(self) -> float | None:
        """Labelled cases that would tell it as well without a judge, m(1 - m)/var - 3; None of what is no share."""
        name = self._about.twin.metric.name
        shares = ("prevalence", "accuracy", "error_rate") if self._verdicts.audit else ("prevalence",)
        alone = self._about.average is None or self._about.twin is not self._about
        return worth_of(self.law) if name in shares and alone else None

    def _cells(self) -> dict[str, str]:
        cells = super()._cells()
        return cells if self.worth is None else {**cells, "worth": f"{formats.integer(round(self.worth))} labels"}

    def __repr__(self) -> str:
        worth = self._cells().get("worth")
        return super().__repr__() + ("" if worth is None else f", equivalent to {worth}")

    not_at_random = not_at_random


#: Metrics of a class that are about what it is called, not about who is right.
OF_CALLS = ("bias",)

#: Metrics of a class, or of the table, that need no verdict of its name.
WITHOUT_NAMES = ("prevalence", "bias", "no_information_rate")


class JudgedKnowledge(TableKnowledge):
    """Knowledge of a table whose cases all have a verdict, and some a truth; rows are verdicts, not true classes.

    Parameters
    ----------
    confusion : ConfusionMatrix
        With verdicts.
    prior : Prior
        Of what is true of each verdict.
    tilt : Tilt, optional
        How unlike the unlabelled cases are.
    """

    def __init__(self, confusion: ConfusionMatrix, prior: Prior, *, tilt: Tilt | None = None) -> None:
        self._judged = JudgedRows(confusion, prior, tilt=tilt)
        super().__init__(confusion, prior, shares="sampled")
        self._rows = self._judged

    @property
    def judged(self) -> JudgedRows:
        """The rows: shares of the verdicts, and what is true of each."""
        return self._judged

    @property
    def verdicts(self) -> Verdicts:
        """The counts by verdict."""
        return self._judged.verdicts

    @property
    def truths(self) -> tuple[str, ...]:
        """Names of the true classes."""
        return self.labels[: self.verdicts.truths]

    # -- the same cases seen otherwise --------------------------------------------------------------------------

    def tilted(self, index: int, odds: float) -> JudgedKnowledge:
        """The same counts, if the odds of a true class are other ones among the cases without a label."""
        return JudgedKnowledge(self.confusion, self.prior, tilt=Tilt(index, odds))

    def with_positive(self, label: object) -> JudgedKnowledge:
        """The same knowledge with a positive class, one of two."""
        made = JudgedKnowledge(self.confusion.with_positive(label), self.prior, tilt=self._judged.tilt)
        made._rows = made._judged = self._judged
        made.__dict__["test_set"] = self.test_set
        return made

    def under(self, prior: str | Prior) -> JudgedKnowledge:
        """The same counts under another prior."""
        return JudgedKnowledge(self.confusion, named_prior(prior, self.confusion), tilt=self._judged.tilt)

    # -- numbers ------------------------------------------------------------------------------------------------

    def of(self, metric: Asked, *, draws: int | None = None, seed: int = SEED) -> Distribution:
        """What is known about one metric. Raises `InvalidArgument` where verdicts have no such number."""
        measure = parse(metric, self.labels, self.confusion.positive)
        self.require(measure)
        made = super().of(measure, draws=draws, seed=seed)
        many = self.usual_draws if draws is None else draws
        return JudgedDistribution(self, measure, draws=many, seed=checked_seed(seed), law=made.law)

    def require(self, measure: Measure) -> None:
        """Refuse a measure that these verdicts do not have, and say which they have."""
        name, verdicts = measure.metric.name, self.verdicts
        shares = f"{named('prevalence', None, self.truths[-1])} (how many there are)"
        if measure.label is not None and measure.label not in self.truths and name not in OF_CALLS:
            raise InvalidArgument(
                f"{excerpt(measure.label)} is a verdict only, and no true class, so it has no {name}; ask for "
                f"{named('bias', None, measure.label)} (how often it is said) or {shares}"
            )
        if measure.metric.family == "ordinal" and len(self.labels) > len(self.truths):
            only = listing(map(excerpt, self.labels[len(self.truths) :]))
            raise InvalidArgument(
                f"{name} counts ranks between true classes, and {only} has no rank among them; give every cell "
                f"its cost with expected_cost, or ask for {shares}"
            )
        reads = measure.metric.reference and name not in WITHOUT_NAMES and not name.startswith("expected_cost")
        if reads and not np.any(verdicts.column < verdicts.truths) and measure.metric.by_margins:
            raise InvalidArgument(
                f"no verdict carries the name of a true class ({listing(map(excerpt, self.truths))}), so none is right "
                f"or wrong and {name} has no meaning; ask for {shares}, "
                f"{named('bias', None, verdicts.names[0])} (how often a verdict is said), or an expected_cost"
            )

    def exact_law(self, measure: Measure) -> Law | None:
        """Law in closed form, or None; kept."""
        return self._closed(measure.twin)

    @kept
    def _closed(self, twin: Measure) -> Law | None:
        return judged_law(self._judged, twin)

    def estimand(self, measure: Measure) -> Measure:
        """An average over the classes that cases belong to: what is only ever a verdict is none."""
        if measure.average is None:
            return measure
        size = len(self.truths)
        undefined = tuple(i for i in super().estimand(measure).classes.undefined if i < size)
        return replace(measure, classes=Classes(undefined, left_out=tuple(range(size, self.size))))

    def chance(self, measure: Measure) -> None:
        """None: skill is a question to the judge, not to the cases."""
        return

    @cached_property
    def _observed(self) -> Observed:
        return JudgedObserved(self.confusion, self._judged)


class JudgedObserved(Observed):
    """The labelled cases of each verdict, scaled to all cases with it; NaN where nobody checked one."""

    def __init__(self, confusion: ConfusionMatrix, rows: JudgedRows) -> None:
        super().__init__(confusion)
        self._judged = rows

    @cached_property
    def table(self) -> Floats:
        """All cells, shape (L, L)."""
        verdicts = self._judged.verdicts
        checked = verdicts.labelled.sum(axis=0)
        with np.errstate(invalid="ignore", divide="ignore"):
            rates = verdicts.labelled / checked
        cells = np.where((checked == 0) & (verdicts.totals == 0), 0.0, rates * verdicts.totals)
        made = np.zeros((self._judged.size, self._judged.size))
        for v, column in enumerate(verdicts.column.tolist()):
            made[: verdicts.truths, column] += cells[:, v]
        return made

    @cached_property
    def margins(self) -> Margins:
        """Diagonal, row and column sums."""
        return Margins.of(self.table)

    @property
    def sizes(self) -> Floats:
        """Estimated cases of each class, shape (L,)."""
        return np.asarray(self.table.sum(axis=1))


def named_prior(prior: str | Prior | None, confusion: ConfusionMatrix) -> Prior:
    """The prior of what is true of each verdict, by its name or by default."""
    verdicts = required_verdicts(confusion)
    if prior is None:
        return replace(PRIORS[default_judged_prior(verdicts)].at(verdicts.truths), defaulted=True)
    return resolve_prior(prior, verdicts.truths)


def judged_knowledge(
    confusion: ConfusionMatrix, prior: str | Prior | None, shares: str | None = None
) -> JudgedKnowledge:
    """Knowledge of a matrix with verdicts."""
    verdicts = required_verdicts(confusion)
    if shares not in (None, "sampled"):  # uncertain shares are what is learned
        raise InvalidArgument(
            f"shares={excerpt(shares)} is about the true classes of a test set, and here the truth of "
            f"{formats.integer(int(verdicts.unlabelled.sum()))} cases is missing: their shares are what is learned; "
            "leave shares out"
        )
    return JudgedKnowledge(confusion, named_prior(prior, confusion))


def judged_of(known: object) -> JudgedKnowledge | None:
    """Knowledge from verdicts, or None where every case has its truth."""
    return known if isinstance(known, JudgedKnowledge) else None
