"""Priors: pseudo-counts, those with a name and the default, one from beliefs or a table, and that of skill.

Per true class one Dirichlet row: pseudo-counts ``a`` right and ``b / (K - 1)`` in each wrong cell, so that
the recall is Beta(a, b) before any case is seen; a prevalence that is Dirichlet(m / K, ..., m / K).
Naming the prior is accepting it; every output prints which one it was.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from html import escape

import numpy as np
from numpy.typing import NDArray

from howsure.data.confusion import ConfusionMatrix, need_truths
from howsure.errors import InvalidArgument, UnknownPrior, excerpt, listing
from howsure.errors.arguments import flag, number, written
from howsure.laws.law import LEVEL
from howsure.numerics.arrays import repeat
from howsure.numerics.betas import beta_of_belief

#: ``beta(2,2)``, or ``ill=beta(20,2)`` as one of several.
BETA = re.compile(r"\s*(?:(?P<label>.*?)\s*=\s*)?beta\(\s*(?P<a>[^(),]*),(?P<b>[^(),]*)\)\s*(?:,|$)", re.IGNORECASE)


#: What the recalls of the positive and of the negative class are called.
TWO_RATES = ("sensitivity", "specificity")
#: What the share of the positive class is called beside them.
SHARE = "prevalence"


@dataclass(frozen=True)
class Told:
    """Pseudo-counts cell by cell: class names, table (K, K) with rows truth, and those of the prevalence (K,)."""

    labels: tuple[str, ...]
    table: tuple[tuple[float, ...], ...]
    prevalence: tuple[float, ...]

    def aligned(self, labels: Sequence[str], name: str, positive: str | None = None) -> Told:
        """The same with its classes in the order of ``labels``; refuses other classes in the name of the prior.

        Of two classes with a known ``positive`` one the rows may bear the names of their rates instead.
        """
        if positive is not None and sorted(self.labels) == list(TWO_RATES):
            other = next(label for label in labels if label != positive)
            return replace(
                self, labels=tuple({TWO_RATES[0]: positive}.get(each, other) for each in self.labels)
            ).aligned(labels, name)
        if sorted(self.labels) != sorted(labels):
            raise InvalidArgument(
                f"prior {excerpt(name)} is about the classes {listing(self.labels)}, the matrix about {listing(labels)}"
            )
        order = [self.labels.index(label) for label in labels]
        table = tuple(tuple(self.table[i][j] for j in order) for i in order)
        return Told(tuple(labels), table, tuple(self.prevalence[i] for i in order))


def believed(mean: float, interval: tuple[float, float], level: float) -> tuple[float, float]:
    """Beta parameters of a mean and of an interval with its probability, or the sentence that says what is wrong."""
    try:
        low, high = map(number, interval)
        ok = 0 <= low < number(mean) < high <= 1 and 0 < number(level) < 1
    except (TypeError, ValueError):  # no pair
        ok = False
    if not ok:
        raise InvalidArgument(
            "a belief is a mean strictly inside an interval within 0 and 1, at a level below 1; "
            f"not mean {excerpt(mean)}, interval {excerpt(interval)}, level {excerpt(level)}"
        )
    found = beta_of_belief(float(mean), low, high, level)
    if found is None:
        raise InvalidArgument(
            f"no Beta with mean {mean:g} has probability {level:g} in {low:g} to {high:g}; "
            "state a narrower interval, or a higher level"
        )
    return found


def betas_of(text: str) -> dict[str | None, tuple[float, float]] | None:
    """Read one Beta for every recall, under None, or one for each class by name; None where the text is no such.

    Examples
    --------
    >>> betas_of("beta(2, 2)"), betas_of("ill=beta(20,2), healthy=beta(9,1)")
    ({None: (2.0, 2.0)}, {'ill': (20.0, 2.0), 'healthy': (9.0, 1.0)})
    """
    if "beta(" not in text.lower():
        return None
    found: dict[str | None, tuple[float, float]] = {}
    place = 0
    while place < len(text):
        match = BETA.match(text, place)
        label = match["label"] if match else None
        if match is None or label in found or (found and (label is None or None in found)):
            raise InvalidArgument(
                "a prior is written beta(2,2) for every recall, or a=beta(20,2),b=beta(9,1) with each class once; "
                f"not {excerpt(text)}"
            )
        try:
            found[label] = written(match["a"]), written(match["b"])
        except ValueError:
            raise InvalidArgument(
                f"beta(a,b) takes two pseudo-counts, such as beta(20,2); not {excerpt(text)}"
            ) from None
        place = match.end()
    return found


def share_of(betas: dict[str | None, tuple[float, float]], text: str) -> tuple[float, float] | None:
    """Take the Beta of the prevalence out of those of three rates, in the order of the other two; None without one.

    Examples
    --------
    >>> betas = betas_of("specificity=beta(9,1), sensitivity=beta(20,2), prevalence=beta(1,49)")
    >>> share_of(betas, "as above"), list(betas)
    ((49.0, 1.0), ['specificity', 'sensitivity'])
    """
    if SHARE not in betas or betas.keys().isdisjoint(TWO_RATES):  # classes may be called anything
        return None
    if betas.keys() != {SHARE, *TWO_RATES} or not all(0 <= each <= 1e12 for each in betas[SHARE]):
        raise InvalidArgument(
            f"a prior with a prevalence has a Beta of pseudo-counts, 0 or more, for {listing((SHARE, *TWO_RATES))}; "
            f"not {excerpt(text)}"
        )
    share = betas.pop(SHARE)
    return share if next(iter(betas)) == TWO_RATES[0] else share[::-1]


LARGEST_PSEUDO_COUNT = 1e12


@dataclass(frozen=True)
class Prior:
    """Pseudo-counts of one class row and of the prevalence.

    Parameters
    ----------
    a, b : float
        Prior of every recall, Beta(a, b); finite, 0 or more.
    prevalence : float
        Total pseudo-count of the prevalence, spread evenly over the classes.
    name : str
        What outputs call it.
    accuracy : (float, float), optional
        Prior of the accuracy where it is not that of a recall.
    told : Told, optional
        Pseudo-counts cell by cell, for named classes; made by `from_matrix` and `from_text`. ``a`` and ``b`` are then
        the smallest ones of any class.
    defaulted : bool
        Whether nobody named it. It is the same prior all the same: equality and hash do not look at it.

    Examples
    --------
    >>> Prior(2, 1, name="better than a coin").row(3).round(2).tolist()
    [[2.0, 0.5, 0.5], [0.5, 2.0, 0.5], [0.5, 0.5, 2.0]]
    """

    a: float
    b: float
    prevalence: float = 2.0
    name: str = "custom"
    accuracy: tuple[float, float] | None = None
    told: Told | None = field(default=None, repr=False)
    defaulted: bool = field(default=False, repr=False, compare=False, kw_only=True)

    def __post_init__(self) -> None:
        for what in ("a", "b", "prevalence"):
            value = getattr(self, what)
            if not _is_pseudo_count(value):
                raise InvalidArgument(
                    f"a prior's {what} is a pseudo-count, 0 or more (up to 1e12); not {excerpt(value)}"
                )
        if self.accuracy is not None and not (
            isinstance(self.accuracy, tuple) and len(self.accuracy) == 2 and all(map(_is_pseudo_count, self.accuracy))
        ):
            raise InvalidArgument(f"a prior's accuracy is a pair of pseudo-counts, not {excerpt(self.accuracy)}")
        flag(self.defaulted, "defaulted")
        if self.told is not None and not isinstance(self.told, Told):
            raise InvalidArgument(f"told is made by from_matrix or from_text; it is not {excerpt(self.told)}")
        if not isinstance(self.name, str) or not self.name.isprintable() or not self.name:
            raise InvalidArgument(f"a prior's name is text on one line, not {excerpt(self.name)}")

    def row(self, size: int) -> NDArray[np.float64]:
        """Pseudo-counts of all rows, shape (K, K)."""
        if self.told is not None:
            return np.array(self.told.table)
        table = np.full((size, size), self.b / (size - 1))
        np.fill_diagonal(table, self.a)
        return table

    def recalls(self, size: int) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        """Pseudo-counts right and wrong of every class, shape (K,) each."""
        if self.told is None:
            return np.full(size, float(self.a)), np.full(size, float(self.b))
        table = self.row(size)
        return table.diagonal().copy(), table.sum(axis=1) - table.diagonal()

    def shares(self, size: int) -> NDArray[np.float64]:
        """Pseudo-counts of the prevalence, shape (K,)."""
        if self.told is not None:
            return np.array(self.told.prevalence)
        return np.full(size, self.prevalence / size)

    @property
    def coin(self) -> tuple[float, float]:
        """Beta(a, b) of the accuracy, which is one coin per case."""
        return self.accuracy or (self.a, self.b)

    def aligned(self, labels: Sequence[str], positive: str | None = None) -> Prior:
        """The same prior with its classes in the order of ``labels``.

        Raises
        ------
        InvalidArgument
            A prior of other classes.
        """
        return self if self.told is None else replace(self, told=self.told.aligned(labels, self.name, positive))

    @classmethod
    def from_beliefs(
        cls, *, mean: float, interval: tuple[float, float], level: float = LEVEL, name: str = "beliefs"
    ) -> Prior:
        """Prior of every recall that has a given mean and holds a given interval with probability ``level``.

        Parameters
        ----------
        mean : float
            What recall is expected, strictly between 0 and 1.
        interval : (float, float)
            Where it lies with probability ``level``; around the mean.
        level : float
            Strictly between 0 and 1.
        name : str
            What outputs call the prior.

        Raises
        ------
        InvalidArgument
            Numbers that no Beta has.

        Examples
        --------
        >>> prior = Prior.from_beliefs(mean=0.9, interval=(0.8, 0.97))
        >>> round(prior.a, 1), round(prior.b, 1)
        (39.7, 4.4)
        """
        return cls(*believed(mean, interval, level), name=name)

    @classmethod
    def from_matrix(
        cls, confusion: ConfusionMatrix, weight: float = 1, *, base: str | Prior | None = None, name: str | None = None
    ) -> Prior:
        """Prior that knows an earlier matrix, each of its cases counting ``weight``.

        Parameters
        ----------
        confusion : ConfusionMatrix
            The earlier counts, of the same classes.
        weight : float
            From 0 (forget them) to 1 (as good as new cases).
        base : str or Prior, optional
            What was believed before the earlier matrix; "calibrated" of two classes, "flat" of more, if left out. Not
            "learned", which has no pseudo-counts of its own.
        name : str, optional
            What outputs call the prior.

        Notes
        -----
        The power prior of Ibrahim and Chen 2000. With weight 1 the posterior is that of all cases together.

        Examples
        --------
        >>> from howsure import ConfusionMatrix
        >>> prior = Prior.from_matrix(ConfusionMatrix([[40, 10], [8, 42]]), weight=0.5, base="flat")
        >>> prior.row(2).tolist()
        [[21.0, 6.0], [5.0, 22.0]]
        """
        if not _is_pseudo_count(weight) or weight > 1:
            raise InvalidArgument(f"weight is what an earlier case counts, from 0 to 1; not {excerpt(weight)}")
        if not isinstance(confusion, ConfusionMatrix):
            raise InvalidArgument(
                f"an earlier matrix is a ConfusionMatrix, not {type(confusion).__name__}; make one with "
                "ConfusionMatrix(counts)"
            )
        need_truths(confusion, "pseudo-counts of an earlier matrix")
        counts, labels = np.asarray(confusion.counts, dtype=float), tuple(confusion.labels)
        before = resolve_prior(fixed_default(len(labels)) if base is None else base, len(labels)).aligned(labels)
        if isinstance(before, LearnedPrior):
            raise InvalidArgument(
                f"prior {before.name!r} is learned from the cases that it is used on and has no pseudo-counts that "
                "earlier ones could be added to; base= is a prior such as 'flat' or 'jeffreys'"
            )
        right = float(np.trace(counts))
        coin = before.coin[0] + weight * right, before.coin[1] + weight * (float(counts.sum()) - right)
        called = f"{before.name} and {weight:g} x {int(counts.sum())} earlier cases" if name is None else name
        return cls._told(
            labels, before.row(len(labels)) + weight * counts,
            before.shares(len(labels)) + weight * counts.sum(axis=1), coin, called,
        )  # fmt: skip

    @classmethod
    def from_text(cls, text: str) -> Prior | None:
        """Prior that is written ``beta(2,2)``, or ``ill=beta(20,2),healthy=beta(9,1)``; None where it is a name.

        A Beta of each class is that of its recall (of two, also as sensitivity and specificity); its errors share b
        evenly, the prevalence has mass 2 as under "flat", or next to sensitivity and specificity a Beta of its own
        (Toetsch and Hoffmann 2021), and the accuracy has the mean of the Betas of the recalls.

        Examples
        --------
        >>> Prior.from_text("ill=beta(20,2), healthy=beta(9,1)").row(2).tolist()
        [[20.0, 2.0], [1.0, 9.0]]
        >>> Prior.from_text("prevalence=beta(1,49), sensitivity=beta(20,2), specificity=beta(9,1)").shares(2).tolist()
        [1.0, 49.0]
        """
        if not isinstance(text, str):
            raise InvalidArgument(f"a prior is written as text such as beta(2,2), not {excerpt(text)}")
        betas = betas_of(text)
        if betas is None:
            return None
        name = ", ".join(f"{'' if key is None else key + '='}beta({a:g}, {b:g})" for key, (a, b) in betas.items())
        share = share_of(betas, text)
        made = [cls(a, b) for a, b in betas.values()]
        if None in betas:
            return replace(made[0], name=name)
        size = len(made)
        if size < 2:
            raise InvalidArgument(f"a prior by class has a Beta for every class, and {excerpt(text)} for one")
        table = np.array([np.full(size, each.b / (size - 1)) for each in made])
        np.fill_diagonal(table, [each.a for each in made])
        coin = float(np.mean([each.a for each in made])), float(np.mean([each.b for each in made]))
        shares = np.full(size, 2 / size) if share is None else np.array(share)
        return cls._told(tuple(filter(None, betas)), table, shares, coin, name)

    @classmethod
    def _told(
        cls, labels: tuple[str, ...], table: NDArray[np.float64], prevalence: NDArray[np.float64],
        coin: tuple[float, float], name: str,
    ) -> Prior:  # fmt: skip
        right = np.diag(table)
        told = Told(labels, tuple(map(tuple, table.tolist())), tuple(prevalence.tolist()))
        a, b = float(right.min()), float((table.sum(axis=1) - right).min())
        return cls(a, b, float(prevalence.sum()), name, accuracy=coin, told=told)

    def __str__(self) -> str:
        if self.told is not None:
            return f"prior {self.name}: pseudo-counts of each cell, told of {listing(self.told.labels)}"
        return f"prior {self.name}: recalls Beta({self.a:g}, {self.b:g}), prevalence of total mass {self.prevalence:g}"

    def _repr_html_(self) -> str:
        return f"<p>{escape(str(self))}</p>"


@dataclass(frozen=True)
class LearnedPrior(Prior):
    """Prior of recalls and errors that is learned from all classes; ``a`` and ``b`` are those of the accuracy only."""

    def __str__(self) -> str:
        return f"prior {self.name}: learned from all classes, and so is the mass of their shares"


def _is_pseudo_count(value: object) -> bool:
    return 0 <= number(value) <= LARGEST_PSEUDO_COUNT


#: From this many classes on the prior is learned, unless another one is named.
FEWEST_LEARNED = 3


@dataclass(frozen=True)
class NamedPrior:
    """A prior of the literature: its name, what it says, where it comes from, its pseudo-counts at K classes."""

    name: str
    meaning: str
    reference: str
    at: Callable[[int], Prior]


def _caelen(size: int) -> Prior:
    if size != 2:
        raise InvalidArgument(f"prior 'caelen' is for two classes; this matrix has {size}. Use 'flat'.")
    return Prior(1, 1, 4, "caelen", accuracy=(2, 2))


#: Every prior that has a name.
PRIORS: dict[str, NamedPrior] = {
    prior.name: prior
    for prior in (
        NamedPrior(
            "calibrated",
            "two thirds of a right and of a wrong case for each class, by the coverage of the intervals",
            "between Jeffreys 1946 and Bayes-Laplace; counted out in docs/validity.md",
            lambda size: Prior(CALIBRATED, CALIBRATED, 2 * CALIBRATED, "calibrated"),
        ),
        NamedPrior(
            "flat",
            "every recall is equally likely; one right and one wrong case for each class",
            "Bayes-Laplace; Brodersen et al. 2010; Carrillo et al. 2013; Toetsch and Hoffmann 2021",
            lambda size: Prior(1, 1, 2, "flat"),
        ),
        NamedPrior(
            "learned",
            "how good a typical class is, and how much classes differ, is learned from all of them, with their sizes",
            "beta-binomial hierarchy; Gelman et al., Bayesian Data Analysis, chapter 5",
            lambda size: LearnedPrior(1, 1, 2, "learned"),
        ),
        NamedPrior(
            "jeffreys",
            "half a right and half a wrong case for each class",
            "Jeffreys 1946",
            lambda size: Prior(0.5, 0.5, 1, "jeffreys"),
        ),
        NamedPrior(
            "perks",
            "one case for each class, spread over all cells",
            "Perks 1947",
            lambda size: Prior(1 / size, 1 - 1 / size, 1, "perks"),
        ),
        NamedPrior(
            "haldane",
            "no case at all; says nothing where a class is all right or all wrong",
            "Haldane 1932",
            lambda size: Prior(0, 0, 0, "haldane"),
        ),
        NamedPrior(
            "dirichlet1",
            "one case in every cell, which pulls each recall towards 1/K; for comparison with other tools",
            "Toetsch and Hoffmann 2021 as generalised by others",
            lambda size: Prior(1, size - 1, size, "dirichlet1"),
        ),
        NamedPrior(
            "caelen",
            "one case in each of the four cells of a two-class table, drawn jointly",
            "Caelen 2017",
            _caelen,
        ),
    )
}


def default_prior(size: int) -> str:
    """Name of the prior when none is given, decided by the number of classes alone, before the data are seen.

    ``calibrated`` of two classes, of rates and of right and wrong answers; ``learned`` from three classes on, where the
    invented cases of each class add up and may move an average by more than its own uncertainty. The papers' numbers
    are "flat", by name.

    Examples
    --------
    >>> default_prior(2), default_prior(3)
    ('calibrated', 'learned')
    """
    return "calibrated" if size < FEWEST_LEARNED else "learned"


def fixed_default(size: int) -> str:
    """The default where pseudo-counts have to be known before the data: ``flat`` where `default_prior` is learned.

    Examples
    --------
    >>> fixed_default(2), fixed_default(3)
    ('calibrated', 'flat')
    """
    name = default_prior(size)
    return "flat" if name == "learned" else name


def resolve_prior(prior: str | Prior | None, size: int) -> Prior:
    """Pseudo-counts at K classes from a name, a text such as "beta(2,2)", a `Prior`, or nothing.

    Where nothing is named the prior remembers it (``defaulted``): beside one of more classes it may then be that of the
    other, see `howsure.questions.comparison`.

    Examples
    --------
    >>> resolve_prior("perks", 4)
    Prior(a=0.25, b=0.75, prevalence=1, name='perks', accuracy=None)
    """
    if isinstance(prior, Prior):
        return prior
    if prior is None:
        return replace(PRIORS[default_prior(size)].at(size), defaulted=True)
    name = prior
    if not isinstance(name, str):
        raise InvalidArgument(f"prior is a name or a Prior, not {type(name).__name__} {excerpt(name)}")
    if (written := Prior.from_text(name)) is not None:
        return written
    if name not in PRIORS:
        raise UnknownPrior(name, PRIORS)
    return PRIORS[name].at(size)


@dataclass(frozen=True)
class BySize(Prior):
    """Pseudo-counts of a row, evenly over its cells, in proportion to its cases; ``a`` and ``b`` are the largest."""

    masses: tuple[float, ...] = ()

    def row(self, size: int) -> NDArray[np.float64]:
        return repeat(np.array(self.masses)[:, None] / size, size, axis=1)

    def recalls(self, size: int) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        masses = np.array(self.masses)
        return masses / size, masses * (1 - 1 / size)


def perks_by_size(confusion: ConfusionMatrix, perks: Prior) -> Prior:
    """`perks` where a row's pseudo-case counts (n_i + 1) / (n_max + 1); `perks` itself where classes are of one size.

    One pseudo-case in every row moves the rare classes more than the common ones. To a guesser that mostly names a
    common class it makes rare classes look unlike common ones, which is what correlation of truth and answer means: MCC
    and kappa are then above 0 for certain. In proportion to the cases all rows move alike, and it stays where it was.

    Examples
    --------
    >>> perks = Prior(1 / 3, 2 / 3, 1, "perks")
    >>> made = perks_by_size(ConfusionMatrix([[8, 1, 0], [2, 2, 0], [0, 0, 4]]), perks)
    >>> made.name, made.row(3).sum(axis=1).tolist()
    ('perks by class size', [1.0, 0.5, 0.5])
    """
    sizes = confusion.class_sizes
    if np.all(sizes == sizes[0]):
        return perks
    masses = (sizes + 1) / (sizes.max() + 1)
    return BySize(perks.a, perks.b, perks.prevalence, f"{perks.name} by class size", masses=tuple(masses.tolist()))


#: Pseudo-counts of a right and of a wrong answer of a class under ``calibrated``: of one half to one, what covers best
#: where it covers least, over rates and metrics of two classes (docs/validity.md, two classes).
CALIBRATED = 2 / 3
