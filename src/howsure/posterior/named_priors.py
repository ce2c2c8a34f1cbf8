"""The priors that have a name, declared once: what is printed, asked for and documented is read from this table."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace

from howsure.errors import InvalidArgument, UnknownPrior, excerpt
from howsure.posterior.priors import LearnedPrior, Prior

__all__ = ["CALIBRATED", "FEWEST_LEARNED", "PRIORS", "NamedPrior", "default_prior", "fixed_default", "resolve_prior"]

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


#: Pseudo-counts of a right and of a wrong answer of a class under ``calibrated``: of one half to one, what covers best
#: where it covers least, over rates and metrics of two classes (docs/validity.md, two classes).
CALIBRATED = 2 / 3

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
            "one case in each of the four cells of a two-class table, jointly",
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
    other, see `howsure.comparison.separate_sets`.

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
