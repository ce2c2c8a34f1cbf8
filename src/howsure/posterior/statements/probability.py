"""The probability of a statement: exact about one metric, counted on joint draws about several."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from html import escape
from itertools import pairwise
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from howsure.errors import NoInformation
from howsure.laws import Draws, Law, Route
from howsure.laws.draw_settings import SEED, checked_draws, checked_seed
from howsure.metrics import Measure
from howsure.numerics.arrays import Floats
from howsure.posterior.knowledge import knowledge_of
from howsure.posterior.statements.grammar import Reader
from howsure.text import formats

if TYPE_CHECKING:
    from howsure.posterior.posterior import Posterior

__all__ = ["Probability", "prob"]

Truth = NDArray[np.bool_]


@dataclass(frozen=True)
class Probability:
    """Probability of a statement; ``float()`` of it is the number.

    Attributes
    ----------
    value : float
        In [0, 1].
    error : float
        Bound on its error (exact), or Monte Carlo standard error; 3/n where all n draws agree.
    route : "exact", "approximate" or "drawn"
        How it is known.
    text : str
        The statement, every metric with its class.
    draws : int or None
        How many draws it was counted from, those left out in which one of its metrics is undefined (0/0).
    note : str
        What else to know.

    Examples
    --------
    >>> Probability(0.25, 0.0, "exact", "recall@ill > 0.8")
    P(recall@ill > 0.8) = 0.250, exact
    """

    value: float
    error: float
    route: Route
    text: str
    draws: int | None = None
    note: str = ""

    def __float__(self) -> float:
        return self.value

    def _repr_html_(self) -> str:
        return f"<p>{escape(repr(self))}</p>"

    def __repr__(self) -> str:
        shown = formats.equals(self.value, self.draws)
        error = f" (Monte Carlo error {self.error:.1g})" if self.draws else ""
        note = f"; {self.note}" if self.note else ""
        return f"P({formats.plain(self.text, 200)}) {shown}, {self.route}{error}{note}"


def prob(posterior: Posterior, statement: str, *, draws: int | None = None, seed: int = SEED) -> Probability:
    """Probability that a statement about one or more metrics holds.

    Parameters
    ----------
    statement : str
        Metrics compared (``<``, ``<=``, ``>``, ``>=``) with numbers or each other, with ``and``, ``or``, ``not``.
    draws, seed : int
        For more than one metric, or one without a closed law.

    Returns
    -------
    Probability
        A number from 0 to 1 (`float` of it), with its ``route`` and Monte Carlo error.

    Raises
    ------
    InvalidArgument
        Text that is no statement, with the place.
    UnknownMetric, UnknownLabel
        With the nearest name.
    NoInformation
        A metric of it is undefined in every draw.

    Examples
    --------
    >>> import howsure as hs
    >>> post = hs.infer(hs.ConfusionMatrix([[45, 5], [8, 42]], labels=["healthy", "ill"]))
    >>> post.prob("recall@ill > 0.8")
    P(recall@ill > 0.8) = 0.742, exact
    >>> float(post.prob("recall@ill > 0.8 and precision@ill > 0.8")) < 0.716
    True
    """
    known = knowledge_of(posterior)
    draws, seed = known.usual_draws if draws is None else checked_draws(draws), checked_seed(seed)
    found = Reader(statement, known.labels, known.confusion.positive).statement()
    sides = [side for comparison in found.comparisons for side in comparison.sides]
    measures = list(dict.fromkeys(side for side in sides if isinstance(side, Measure)))
    if len(measures) == 1:
        law = known.exact_law(measures[0])
        if law is not None:
            marks = sorted({side for side in sides if not isinstance(side, Measure)})
            value = _under_law(law, marks, lambda x: found({measures[0]: x}))
            return Probability(value, law.error, law.route, str(found))
    values = known.drawn(measures, draws, seed, 0)
    defined = ~np.isnan(values).any(axis=0)
    kept = int(defined.sum())
    if kept < 2:
        raise NoInformation(f"{found} is undefined (0/0) in every draw: the counts and the prior are too few")
    truth = np.where(defined, found(dict(zip(measures, values, strict=True))), np.nan)
    # weighted as the metrics themselves are
    beside = known.control_variate(draws, seed)
    weighted = beside is not None and any(beside.strata_of(each) is not None for each in values)
    share, error = Draws(truth, strata=beside.strata if beside and weighted else None).share(lambda x: x > 0)
    coin = len(measures) > 1 and any(m.twin.metric.name in ("accuracy", "error_rate") for m in measures)
    note = "accuracy drawn as weighted_recall" if coin else ""
    return Probability(share, error, "drawn", str(found), kept, note)


def _under_law(law: Law, marks: Sequence[float], holds: Callable[[Floats], Truth]) -> float:
    """P(the law's number is where a statement holds), whose truth can change at the marks only.

    Between two marks it is one truth, that of any point there; a mark itself counts if the law has an atom on it.
    """
    marks = marks or [0.0]
    middles = [marks[0] - 1, *((a + b) / 2 for a, b in pairwise(marks)), marks[-1] + 1]
    between, on = holds(np.array(middles)), holds(np.array(marks))
    below = np.array([*(law.prob(below=mark) for mark in marks), 1.0])  # P(X < mark), and of anything
    above = np.array([1.0, *(law.prob(above=mark) for mark in marks)])  # of anything, and P(X > mark)
    open_pieces = np.maximum(below + above - 1, 0.0)
    atoms = np.maximum(1 - below[:-1] - above[1:], 0.0)
    return min(1.0, float(open_pieces @ between + atoms @ on))
