"""A metric of a posterior as a distribution: its law, what it was observed to be, how far the prior moved it.

A distribution is a linear combination of measures of posteriors, so sums and differences keep track of what is
shared: ``x - x`` is exactly 0, two metrics of one posterior move together, two posteriors are separate test sets.
"""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from html import escape
from typing import Any, Protocol, runtime_checkable

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy.special import ndtr

from howsure.errors import InvalidArgument, excerpt
from howsure.errors.arguments import number
from howsure.frozen import Frozen
from howsure.laws import Draws, GroupMeans, Interval, Kind, Law, LearnedSum, Linear, Route
from howsure.laws.law import DRAWS, KIND, LEVEL, SEED, outline
from howsure.metrics import Measure
from howsure.posterior import wrong_labels
from howsure.posterior.grouped_rows import NEW
from howsure.posterior.priors import Prior
from howsure.text import formats
from howsure.text.svg import Marks, density


class MeasureKnowledge(Frozen, ABC):
    """What is known of the measures of one test set, as far as a distribution needs it; nothing closed if not said."""

    prior: Prior

    @property
    def prior_name(self) -> str:
        """What outputs call the prior."""
        return self.prior.name

    def prior_of(self, measure: Measure) -> str:
        """What outputs call the prior of one measure."""
        return self.prior_name

    @cached_property
    def test_set(self) -> object:
        """Token of the data: knowledge with the same one moves together, others are independent."""
        return object()

    @abstractmethod
    def drawn(self, measures: Sequence[Measure], draws: int, seed: int, stream: int) -> list[NDArray[np.float64]]:
        """Joint draws of several measures."""

    def exact_law(self, measure: Measure) -> Law | None:
        """Law in closed form, if there is one."""
        return None

    def observed(self, measure: Measure) -> float | None:
        """Value on the raw counts."""
        return None

    def chance(self, measure: Measure) -> float | None:
        """Value of a classifier without skill."""
        return None

    @property
    def about_groups(self) -> str:
        """Which groups numbers are about, in words; "" where cases come in none."""
        return ""

    @property
    def held_at(self) -> str:
        """At which class shares a mean over tested classes is taken, in words."""
        return ""

    def beside(self, measure: Measure) -> str:
        """What is said of a measure next to its law, a few words."""
        return ""


#: Rows of a picture that is still looked at.
MOST_ROWS = 40


def density_of(
    law: Law,
    level: float,
    kind: Kind,
    *,
    title: str,
    observed: float | None = None,
    chance: float | None = None,
    width: float = 360,
    height: float = 110,
) -> str:
    """Density with its interval (shaded), mean (dot), observed value (tick) and chance (dashes), as SVG.

    Examples
    --------
    >>> from howsure.laws import Beta
    >>> density_of(Beta(46, 6), 0.95, "hdi", title="recall", chance=0.5).count("<path")
    2
    """
    x, heights = outline(law)
    low, high = law.interval(level, kind)
    return density(
        x.tolist(),
        heights.tolist(),
        known=Marks(law.mean, low, high, observed, chance),
        title=title,
        width=width,
        height=height,
    )


@dataclass(frozen=True)
class Term:
    """One measure of one posterior, with its coefficient."""

    coefficient: float
    source: MeasureKnowledge
    measure: Measure


@runtime_checkable
class SameCases(Protocol):
    """Token of data that several classifiers share, and that knows more of a combination than their own draws."""

    def combined(
        self, terms: Sequence[Term], constant: float, support: tuple[float, float], draws: int, seed: tuple[int, int]
    ) -> Draws | None:
        """Law of a constant plus the measures times their coefficients; None where their own draws are joint ones."""


def measure_of(distribution: Distribution) -> Measure | None:
    """Return the measure that a distribution is about; None for a sum or difference."""
    return distribution._single.measure if distribution._single else None


class Distribution(Frozen):
    """Law of a metric (or of a sum or difference of metrics), with its name and its assumptions.

    Made by `Posterior.of`; not by hand. It has the vocabulary of every law: ``mean sd support median mode cdf sf
    pdf quantile interval prob sample``. Its text is ``name mean (low to high) 95% HDI, prior, exact or drawn``.

    Attributes
    ----------
    metric : str or None
        The measure, ``name@where``; None for a sum or difference.
    observed : float or None
        Value on the raw counts; None where it is undefined or for a sum or difference.
    prior_shift : float or None
        (mean - observed) / sd: how far, in its own uncertainty, the prior moved the number.

    Examples
    --------
    >>> import howsure as hs
    >>> new = hs.infer(hs.ConfusionMatrix([[45, 5], [8, 42]], labels=["healthy", "ill"]))
    >>> old = hs.infer(hs.ConfusionMatrix([[40, 10], [9, 41]], labels=["healthy", "ill"]))
    >>> new.of("balanced_accuracy")
    balanced_accuracy 0.86 (0.79 to 0.92) 95% HDI, prior calibrated, exact
    >>> gain = new.of("balanced_accuracy") - old.of("balanced_accuracy")
    >>> round(gain.prob(above=0), 4)
    0.8728
    >>> gain - gain
    difference 0.0000, prior calibrated, exact
    """

    def __init__(
        self, terms: Sequence[Term], constant: float = 0.0, *, draws: int, seed: int, law: Law | None = None
    ) -> None:
        merged: dict[tuple[int, Measure], Term] = {}
        for term in terms:
            key = (id(term.source), term.measure)
            before = merged[key].coefficient if key in merged else 0.0
            merged[key] = Term(before + term.coefficient, term.source, term.measure)
        self._terms = tuple(t for t in merged.values() if t.coefficient != 0)
        self._priors = tuple(dict.fromkeys(t.source.prior_of(t.measure) for t in terms))
        self._constant, self._draws, self._seed = constant, draws, seed
        if law is not None:
            self.__dict__["law"] = law

    @cached_property
    def law(self) -> Law:
        """The distribution itself: a `Linear` where it closes, `Draws` where it does not."""
        if self._single is not None:
            known = self._single.source.exact_law(self._single.measure)
            return self._drawn() if known is None else known
        exact = self._exact()
        return self._drawn() if exact is None else exact

    def _exact(self) -> Law | None:
        """Sum of the terms' laws, if all are exact and those of one posterior are about the same rows."""
        grouped = [isinstance(term.source.exact_law(term.measure), GroupMeans) for term in self._terms]
        if any(grouped) and not all(grouped):
            return None
        total: Any = GroupMeans((), self._constant) if any(grouped) else Linear(shift=self._constant)
        blocks: dict[int, set[frozenset[Any]]] = {}
        for term in self._terms:
            law = term.source.exact_law(term.measure)
            if not isinstance(law, Linear | LearnedSum | GroupMeans):
                return None
            if law.blocks:
                blocks.setdefault(id(term.source.test_set), set()).add(law.blocks)
            total = total + law * term.coefficient
        # laws of one posterior on different rows (accuracy's coin, the recalls) are not independent
        return total if all(len(kinds) == 1 for kinds in blocks.values()) else None

    def _drawn(self) -> Draws:
        """Joint draws: one stream for each test set, so different test sets are independent."""
        total = np.full(self._draws, self._constant)
        groups = self._by_test_set()
        for stream, terms in enumerate(groups):
            cases = terms[0].source.test_set
            if len(terms) > 1 and isinstance(cases, SameCases):
                constant = self._constant if len(groups) == 1 else 0.0
                law = cases.combined(terms, constant, self._range(), self._draws, (self._seed, stream))
                if law is not None and len(groups) == 1:
                    return law
                if law is not None:
                    total += law.values
                    continue
            alone = terms[0].source.exact_law(terms[0].measure) if len(terms) == 1 else None
            # any other law is drawn as well by its tables, and sooner
            if isinstance(alone, Linear | LearnedSum | GroupMeans):
                total += terms[0].coefficient * alone.sample(self._draws, seed=[self._seed, stream])
                continue
            for term in terms:
                values = term.source.drawn([term.measure], self._draws, self._seed, stream)[0]
                total += term.coefficient * values
        return Draws(total, support=self._range())

    def _by_test_set(self) -> list[list[Term]]:
        groups: dict[int, list[Term]] = {}
        for term in self._terms:
            groups.setdefault(id(term.source.test_set), []).append(term)
        return list(groups.values())

    def _range(self) -> tuple[float, float]:
        low = high = self._constant
        for term in self._terms:
            ends = [term.coefficient * x for x in term.measure.metric.range]
            low, high = low + min(ends), high + max(ends)
        return low, high

    # -- where it came from ---------------------------------------------------------------------------------

    @property
    def _single(self) -> Term | None:
        alone = len(self._terms) == 1 and self._terms[0].coefficient == 1 and self._constant == 0
        return self._terms[0] if alone else None

    @property
    def metric(self) -> str | None:
        """Name of the measure; None for a sum or difference."""
        return self._single.measure.name if self._single else None

    @cached_property
    def observed(self) -> float | None:
        """Value on the raw counts; None where undefined."""
        return self._single.source.observed(self._single.measure) if self._single else None

    @property
    def chance(self) -> float | None:
        """Value of a classifier without skill; None where the metric declares none."""
        return self._single.source.chance(self._single.measure) if self._single else None

    @cached_property
    def prior_shift(self) -> float | None:
        """(mean - observed) / sd, signed; None where nothing was observed, or one of the three is infinite."""
        observed = self.observed
        if observed is None or not all(map(math.isfinite, (observed, self.mean, self.sd))):
            return None
        moved = self.mean - observed
        return moved / self.sd if self.sd > 0 else 0.0 if moved == 0 else math.copysign(math.inf, moved)

    @property
    def prior(self) -> str:
        """Name of the prior (of the priors, if they differ)."""
        return ", ".join(self._priors)

    @property
    def route(self) -> Route:
        """How the numbers are computed: "exact", "approximate" or "simulated"."""
        return self.law.route

    @property
    def error(self) -> float:
        """Error of the cdf (exact: a bound, approximate: an estimate), or Monte Carlo error of the interval's ends."""
        return self.law.error

    # -- the vocabulary of a law ----------------------------------------------------------------------------

    @property
    def support(self) -> tuple[float, float]:
        """Smallest and largest possible value."""
        return self.law.support

    @property
    def mean(self) -> float:
        """Expected value."""
        return self.law.mean

    @property
    def sd(self) -> float:
        """Standard deviation."""
        return self.law.sd

    @property
    def median(self) -> float:
        """Value that is exceeded with probability one half."""
        return self.law.median

    @property
    def mode(self) -> float:
        """Most probable value."""
        return self.law.mode

    def cdf(self, x: ArrayLike) -> Any:
        """P(X <= x)."""
        return self.law.cdf(x)

    def sf(self, x: ArrayLike) -> Any:
        """P(X > x)."""
        return self.law.sf(x)

    def pdf(self, x: ArrayLike) -> Any:
        """Density at x."""
        return self.law.pdf(x)

    def quantile(self, p: ArrayLike) -> Any:
        """Value below which a share p of the probability lies."""
        return self.law.quantile(p)

    def interval(self, level: float = LEVEL, kind: Kind = KIND) -> Interval:
        """Credible interval, ``hdi`` or ``central``; see `Law.interval`."""
        return self.law.interval(level, kind)

    def prob(
        self,
        *unnamed: object,
        above: float | None = None,
        below: float | None = None,
        between: tuple[float, float] | None = None,
    ) -> float:
        """Probability of a statement about the number; see `Law.prob`."""
        return self.law.prob(*unnamed, above=above, below=below, between=between)

    def sample(self, n: int, *, seed: int = SEED) -> NDArray[np.float64]:
        """Independent values of the distribution, shape (n,)."""
        return self.law.sample(n, seed=seed)

    with_wrong_labels = wrong_labels.with_wrong_labels

    # -- arithmetic -----------------------------------------------------------------------------------------

    def _with(self, terms: Sequence[Term], constant: float) -> Distribution:
        made = Distribution(terms, constant, draws=self._draws, seed=self._seed)
        made._priors = made._priors or self._priors
        return made

    def __mul__(self, factor: float) -> Distribution:
        if isinstance(factor, Distribution):  # type: ignore[unreachable]  # callers are not all type-checked
            return NotImplemented
        scale = _finite(factor)
        return self._with(
            [Term(t.coefficient * scale, t.source, t.measure) for t in self._terms], self._constant * scale
        )

    __rmul__ = __mul__

    def __truediv__(self, divisor: float) -> Distribution:
        if not _finite(divisor):
            raise InvalidArgument("a distribution cannot be divided by 0")
        return self * (1 / _finite(divisor))

    def __neg__(self) -> Distribution:
        return self * -1.0

    def __add__(self, other: Distribution | float) -> Distribution:
        if isinstance(other, Distribution):
            made = self._with([*self._terms, *other._terms], self._constant + other._constant)
            made._priors = tuple(dict.fromkeys(self._priors + other._priors))
            return made
        return self._with(self._terms, self._constant + _finite(other))

    __radd__ = __add__

    def __sub__(self, other: Distribution | float) -> Distribution:
        return self + (-other if isinstance(other, Distribution) else -_finite(other))

    def __rsub__(self, other: float) -> Distribution:
        return -self + other

    # -- as text --------------------------------------------------------------------------------------------

    @property
    def title(self) -> str:
        """What the text calls it."""
        if self.metric:
            return self.metric
        return "difference" if any(t.coefficient < 0 for t in self._terms) or not self._terms else "combination"

    def _cells(self) -> dict[str, str]:
        ends = self.interval()
        places = formats.decimals(*ends, error=self.error if self.route == "simulated" else 0.0)
        cells = {"metric": formats.plain(self.title), "mean": formats.number(self.mean, places)}
        if ends.width > 0:
            kind = "HDI" if ends.kind == "hdi" else "central (not unimodal)"
            cells[f"95% {kind}"] = formats.interval(*ends, places)
        cells["prior"] = self.prior
        if held := list(dict.fromkeys(term.source.held_at for term in self._terms if term.measure.held)):
            cells["shares"] = held[0]
        if about := list(dict.fromkeys(filter(None, (term.source.about_groups for term in self._terms)))):
            cells["groups"] = ", ".join(about)
        cells["method"] = self.route
        if len(self._by_test_set()) > 1:
            cells["method"] += ", separate test sets"
        if isinstance(self.law, Draws):
            number = "" if self._draws == DRAWS else f"{formats.integer(self._draws)} draws, "
            cells["method"] += f" ({number}Monte Carlo error {self.error:.1g})"
            cells["method"] += "; accuracy simulated as weighted_recall" if self._accuracy_was_drawn else ""
        more = [t.source.beside(t.measure) for t in self._terms]
        cells["method"] += "".join(f", {words}" for words in dict.fromkeys(more) if words)
        return cells

    def __repr__(self) -> str:
        cells = self._cells()
        ends = "".join(f" ({value}) {name}" for name, value in cells.items() if name.startswith("95%"))
        metric = formats.isolated(cells["metric"])
        held = f", {cells['shares']}" if "shares" in cells else ""
        held += f", {cells['groups']}" if "groups" in cells else ""
        return f"{metric} {cells['mean']}{ends}, prior {cells['prior']}{held}, {cells['method']}"

    def _repr_html_(self) -> str:
        cells = self._cells()
        head = "".join(f'<th scope="col">{escape(name)}</th>' for name in cells)
        body = "".join(f"<td>{escape(value)}</td>" for value in cells.values())
        picture = density_of(self.law, LEVEL, KIND, title=repr(self), observed=self.observed, chance=self.chance)
        return f"<table><thead><tr>{head}</tr></thead><tbody><tr>{body}</tr></tbody></table>{picture}"

    @property
    def _accuracy_was_drawn(self) -> bool:
        coins = ("accuracy", "error_rate")
        # of two classifiers in the same new groups the accuracies themselves are drawn, with the weights of the groups
        themselves = {id(term.source) for term in self._terms if term.source.about_groups == NEW}
        shared = (term for terms in self._by_test_set() if len(terms) > 1 for term in terms)
        return len(themselves) < 2 and any(term.measure.twin.metric.name in coins for term in shared)


def _finite(other: object) -> float:
    value = number(other)
    if not math.isfinite(value):
        raise InvalidArgument(f"a distribution combines with distributions and finite numbers, not {excerpt(other)}")
    return value


@dataclass(frozen=True)
class ShiftNote:
    """A sentence about a prior that does much of the talking.

    ``warning`` is True above 1 sd, for averages over two or more classes only: a single rate with every case right
    shifts by more than 1 under a flat prior, however many cases there are.
    """

    text: str
    shift: float
    warning: bool


def shift_note(distribution: Distribution) -> ShiftNote | None:
    """Sentence to print where the prior moved a number by more than half its sd; None where it did not."""
    shift, measure = distribution.prior_shift, measure_of(distribution)
    if shift is None or measure is None or abs(shift) <= 0.5:
        return None
    mean, sd, observed = distribution.mean, distribution.sd, distribution.observed
    assert observed is not None
    linear, learned = isinstance(distribution.law, Linear), distribution.prior == "learned"
    straight = linear or isinstance(distribution.law, LearnedSum)
    mover = f"the {distribution.prior} prior " + ("moves" if straight else "and smoothing move")
    if isinstance(distribution.law, GroupMeans):
        # the mean over groups is not the share of the cases: large groups weigh less than their cases do
        mover = f"the {distribution.prior} prior, and groups that weigh less than their cases, move"
    text = (
        f"{mover} "
        f"{formats.plain(measure.name)} by "
        f"{mean - observed:+.2g}, which is {abs(shift):.1f} times its own uncertainty (sd {sd:.2g})."
    )
    average = measure.average in ("macro", "weighted") or measure.metric.name in (
        "balanced_accuracy",
        "weighted_recall",
    )
    if abs(shift) <= 1 or not average or learned:
        return ShiftNote(text, shift, warning=False)
    covered = float(ndtr(1.96 - abs(shift)) - ndtr(-1.96 - abs(shift)))
    if "calibrated" in distribution.prior:
        consequence = (
            "A central interval shifted this far covers the truth less often than it says (about "
            f"{100 * covered:.0f}% instead of 95%, by a normal approximation); a highest-density one of two classes "
            "holds it in 87% or more, counted out. More cases of each class reduce this."
        )
        return ShiftNote(f"{text} {consequence}", shift, warning=True)
    consequence = (
        "An interval shifted this far covers the truth less often than it says (about "
        f"{100 * covered:.0f}% instead of 95% for a central interval, by a normal approximation). "
        "Use prior 'learned', or test more cases of each class."
    )
    return ShiftNote(f"{text} {consequence}", shift, warning=True)


def moved_notes(
    names: tuple[str, str],
    sides: tuple[Distribution, Distribution],
    shift: float | None,
    *,
    metric: str,
    prior: str,
    exact: bool,
) -> tuple[str, ...]:
    """Sentences that help: what the prior does to either, and what of it is left in the difference."""
    moved = [x.mean - x.observed if x.observed is not None else None for x in sides]
    loud = [shift_note(x) is not None for x in sides]
    if abs(shift or 0.0) <= 0.5 and not any(loud):
        return ()
    a, b = (formats.plain(name, 40) for name in names)
    each = ["by an unknown amount" if x is None or not math.isfinite(x) else f"by {x:+#.2g}" for x in moved]
    what = f"the {formats.plain(prior)} prior{'' if exact else ' (and smoothing)'}"
    left = "" if shift is None else f"; the difference by {abs(shift):.1f} times its own uncertainty"
    return (f"{what} moves {formats.plain(metric)} of {a} {each[0]}, of {b} {each[1]}{left}.",)


def moved_warnings(names: tuple[str, str], sides: tuple[Distribution, Distribution], shift: float | None) -> list[str]:
    """The prior, where it decides the difference; what moves both alike cancels and is a note."""
    if abs(shift or 0.0) <= 1:
        return []
    found = [(name, shift_note(x)) for name, x in zip(names, sides, strict=True)]
    return [f"{formats.plain(name, 40)}: {note.text}" for name, note in found if note is not None and note.warning]
