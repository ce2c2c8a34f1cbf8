"""What is believed before the data: a Beta for each recall, errors spread evenly, a weak prevalence.

Per true class one Dirichlet row: pseudo-counts ``a`` right and ``b / (K - 1)`` in each wrong cell, so that
the recall is Beta(a, b) before any case is seen; a prevalence that is Dirichlet(m / K, ..., m / K).
Naming the prior is accepting it; every output prints which one it was.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from howsure.errors import InvalidArgument, UnknownPrior, excerpt

__all__ = ["PRIORS", "LearnedPrior", "NamedPrior", "Prior", "default_prior", "resolve_prior"]


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

    def __post_init__(self) -> None:
        for what in ("a", "b", "prevalence"):
            value = getattr(self, what)
            if not _is_pseudo_count(value):
                raise InvalidArgument(f"a prior's {what} is a pseudo-count, 0 or more; not {excerpt(value)}")
        if self.accuracy is not None and not (
            isinstance(self.accuracy, tuple) and len(self.accuracy) == 2 and all(map(_is_pseudo_count, self.accuracy))
        ):
            raise InvalidArgument(f"a prior's accuracy is a pair of pseudo-counts, not {excerpt(self.accuracy)}")
        if not isinstance(self.name, str) or not self.name.isprintable() or not self.name:
            raise InvalidArgument(f"a prior's name is text on one line, not {excerpt(self.name)}")

    def row(self, size: int) -> NDArray[np.float64]:
        """Pseudo-counts of all rows, shape (K, K)."""
        table = np.full((size, size), self.b / (size - 1))
        np.fill_diagonal(table, self.a)
        return table

    @property
    def coin(self) -> tuple[float, float]:
        """Beta(a, b) of the accuracy, which is one coin per case."""
        return self.accuracy or (self.a, self.b)


@dataclass(frozen=True)
class LearnedPrior(Prior):
    """Prior of recalls and errors that is learned from all classes; ``a`` and ``b`` are those of the accuracy only."""


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
            "flat",
            "every recall is equally likely; one right and one wrong case for each class",
            "Bayes-Laplace; Brodersen et al. 2010; Carrillo et al. 2013; Toetsch and Hoffmann 2021",
            lambda size: Prior(1, 1, 2, "flat"),
        ),
        NamedPrior(
            "learned",
            "how good a typical class is, and how unlike classes are, is learned from all of them, with their sizes",
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

    ``flat`` for every K in this version. Above ten classes it invents enough cases to move an average by more
    than its own uncertainty; that is measured and said in every result (``prior_shift``).
    """
    return "flat"


def resolve_prior(prior: str | Prior | None, size: int) -> Prior:
    """Pseudo-counts at K classes from a name, a `Prior`, or nothing.

    Raises
    ------
    UnknownPrior
        With the nearest name.

    Examples
    --------
    >>> resolve_prior("perks", 4)
    Prior(a=0.25, b=0.75, prevalence=1, name='perks', accuracy=None)
    """
    if isinstance(prior, Prior):
        return prior
    name = default_prior(size) if prior is None else prior
    if not isinstance(name, str):
        raise InvalidArgument(f"prior is a name or a Prior, not {excerpt(_shown(name))}")
    if name not in PRIORS:
        raise UnknownPrior(name, PRIORS)
    return PRIORS[name].at(size)


def _is_pseudo_count(value: object) -> bool:
    number = isinstance(value, int | float | np.integer | np.floating) and not isinstance(value, bool)
    return number and 0 <= float(value) <= LARGEST_PSEUDO_COUNT  # type: ignore[arg-type]  # number says that it is one


def _shown(value: Any) -> str:
    return f"{type(value).__name__} {value!r}"
