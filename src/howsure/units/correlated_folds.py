"""Two algorithms on the same folds of a cross-validation: whether one is better, when folds share training cases.

A matrix says how good fitted classifiers are. Whether an algorithm is better than another one is asked of its scores in
several folds. These are not independent, because any two training sets overlap: a t-test that does not know of it
finds differences where there are none.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from howsure.answers.sheet import Record, Sheet
from howsure.errors import InvalidArgument, NoInformation, excerpt, listing
from howsure.errors.arguments import items, number
from howsure.laws.computed_law import Student
from howsure.laws.law import KIND, LEVEL, Kind, checked_kind, checked_level
from howsure.numerics.arrays import Floats
from howsure.text import formats

__all__ = ["compare_algorithms"]

#: Key of the scores in what scikit-learn's ``cross_validate`` gives.
SCORE = "test_score"


FIELDS = """
a b score_a=scores_a score_b=scores_b mean=law.mean sd=law.sd law=law.route scores folds passes correlation rope level
low high p_better p_equal p_worse interval=kind verdict=sentence
"""


@dataclass(frozen=True, eq=False)
class AlgorithmDifference(Record, json="algorithms", fields=FIELDS):
    """Difference of two algorithms' scores, A minus B; made by `compare_algorithms`.

    Attributes
    ----------
    a, b : str
        Names.
    scores_a, scores_b : float
        Mean scores.
    law : Student
        Of the difference of the expected scores.
    folds, passes : int
        Folds of one pass, and passes; 0 and 0 where the splits are of another kind.
    correlation : float
        Of the differences of two folds: the share of the cases that one fold tests.
    rope : float or None
        Differences up to it count as equivalent.
    low, high : float
        Ends of the interval.
    p_better, p_equal, p_worse : float
        Probabilities that A is better by more than the rope, within it, worse by more than it.
    """

    a: str
    b: str
    scores_a: float
    scores_b: float
    law: Student
    scores: int
    folds: int
    passes: int
    correlation: float
    rope: float | None
    level: float
    kind: Kind
    low: float
    high: float
    p_better: float
    p_equal: float
    p_worse: float

    @property
    def sentence(self) -> str:
        """The answer in one sentence."""
        a, b = (formats.plain(name, 40) for name in (self.a, self.b))
        places = formats.decimals(self.low, self.high)
        by = "" if self.rope is None else f" by more than {self.rope:g}"
        equal = "" if self.rope is None else f", practically equal {formats.probability(self.p_equal)}"
        return (
            f"That {a} is the better algorithm{by} has probability {formats.probability(self.p_better)}, {b} "
            f"{formats.probability(self.p_worse)}{equal}. The difference {a} - {b} is "
            f"{formats.number(self.law.mean, places)} ({formats.interval_name(self.kind, self.level)} "
            f"{formats.interval(self.low, self.high, places)})."
        )

    def sheet(self) -> Sheet:
        """The sentence, and what it assumes."""
        how = f"{self.passes} pass{'' if self.passes == 1 else 'es'} of {self.folds} folds" if self.folds else "splits"
        return Sheet(
            self.sentence,
            notes=(
                f"From the differences of {self.scores} scores ({how}), whose correlation is taken to be "
                f"{self.correlation:.3g}, the share of the cases that one of them tests (Nadeau and Bengio 2003): the "
                "Bayesian correlated t-test of Corani and Benavoli 2015, exact. It is about algorithms on data of "
                "this kind and size, not about one fitted classifier; no estimate of the variance of a "
                "cross-validation is unbiased (Bengio and Grandvalet 2004).",
            ),
        )


def compare_algorithms(
    a: Any,
    b: Any,
    *,
    folds: int | None = None,
    test_share: float | None = None,
    rope: float | None = None,
    names: Sequence[str] = ("A", "B"),
    level: float = LEVEL,
    kind: Kind = KIND,
) -> AlgorithmDifference:
    """Compare two algorithms by their scores in the same folds: the Bayesian correlated t-test.

    Parameters
    ----------
    a, b : array_like, shape (m,), or mapping
        Scores of both algorithms in the same m splits, in the same order; higher is better. Or what scikit-learn's
        ``cross_validate`` gives, whose ``test_score`` is read.
    folds : int
        Folds of one pass, 2 or more; the scores are one pass or several. For k-fold cross-validation.
    test_share : float
        Share of the cases that one split tests, for splits of another kind; one of ``folds`` and ``test_share``.
    rope : float, optional
        Differences up to it count as equivalent.
    names : (str, str)
        What the algorithms are called.
    level, kind
        Of the interval.

    Returns
    -------
    AlgorithmDifference

    Raises
    ------
    InvalidArgument
        Scores that are not numbers, not as many of both, fewer than two, or not whole passes.
    NoInformation
        All differences are the same, so they have no spread to learn from.

    Notes
    -----
    ``delta ~ mean + sqrt((1/m + rho/(1 - rho)) var) t(m - 1)`` with ``rho`` the share that one split tests (Nadeau and
    Bengio 2003; Corani and Benavoli 2015, equation 8; Benavoli et al. 2017).

    Examples
    --------
    >>> a = [0.82, 0.85, 0.80, 0.88, 0.84, 0.86, 0.81, 0.83, 0.87, 0.85]
    >>> b = [0.80, 0.84, 0.80, 0.85, 0.82, 0.86, 0.80, 0.80, 0.85, 0.84]
    >>> made = compare_algorithms(a, b, folds=10)
    >>> round(made.p_better, 3), round(made.law.mean, 3), [round(x, 3) for x in (made.low, made.high)]
    (0.993, 0.015, [0.004, 0.026])
    """
    first, second = _scores(a, "a"), _scores(b, "b")
    if len(first) != len(second):
        raise InvalidArgument(
            f"both algorithms need a score in every split; a has {len(first)} and b has {len(second)}"
        )
    titles = items(names, "names", "those of both algorithms")
    if len(titles) != 2 or not all(isinstance(x, str) and x.strip() for x in titles):
        raise InvalidArgument(f"names= are those of both algorithms, not {excerpt(names)}")
    level, kind = checked_level(level), checked_kind(kind)
    if rope is not None and not 0 < number(rope) < math.inf:
        raise InvalidArgument(f"rope= is a difference above 0, not {excerpt(rope)}")
    size, share = _share(len(first), folds, test_share)
    differences = first - second
    count = len(differences)
    spread = float(differences.var(ddof=1))
    # means of equal numbers differ by rounding
    if spread <= 1e-24 * max(1.0, float(np.abs(first).max()) ** 2):
        raise NoInformation(
            f"A - B is {differences[0]:g} in every split, so the scores say nothing of how much it varies; "
            "compare the answers case by case instead (howsure.compare)"
        )
    law = Student(count - 1, float(differences.mean()), math.sqrt((1 / count + share / (1 - share)) * spread))
    ends = law.interval(level, kind)
    width = rope or 0.0
    better, worse = law.prob(above=width), law.prob(below=-width)
    return AlgorithmDifference(
        titles[0], titles[1], float(first.mean()), float(second.mean()), law, count, size, count // size if size else 0,
        share, rope, level, ends.kind, ends.low, ends.high,
        better, max(0.0, 1 - better - worse) if rope else 0.0, worse,
    )  # fmt: skip


def _scores(given: Any, what: str) -> Floats:
    """Scores as numbers, from an array or from what ``cross_validate`` gives."""
    if isinstance(given, Mapping):
        keys = [key for key in given if str(key).startswith("test_")]
        if SCORE not in given and len(keys) != 1:
            held = listing(map(str, given)) if given else "nothing"
            raise InvalidArgument(f"{what} has no {SCORE!r} of cross_validate; it holds {held}. Give one list")
        given = given[SCORE if SCORE in given else keys[0]]
    try:
        values = np.array(given, dtype=float)
    except (TypeError, ValueError, OverflowError):
        raise InvalidArgument(f"{what} are scores, one number for each split, not {excerpt(given)}") from None
    if values.ndim != 1 or len(values) < 2:
        raise InvalidArgument(f"{what} are scores of two splits or more, one number each; not shape {values.shape}")
    if not np.isfinite(values).all():
        raise InvalidArgument(f"score {int(np.argmin(np.isfinite(values))) + 1} of {what} is missing or infinite")
    return values


def _share(count: int, folds: int | None, test_share: float | None) -> tuple[int, float]:
    """Folds of a pass (0 if unknown), and the share of the cases that one split tests."""
    if (folds is None) == (test_share is None):
        raise InvalidArgument(
            "say how the cases were split: folds= of one pass of a k-fold cross-validation, or test_share= of each "
            "split; one of the two"
        )
    if test_share is not None:
        if not 0 < number(test_share) < 1:
            raise InvalidArgument(f"test_share= lies between 0 and 1, not {excerpt(test_share)}")
        return 0, float(test_share)
    if isinstance(folds, bool) or not isinstance(folds, int) or folds < 2:
        raise InvalidArgument(f"folds= is an integer, 2 or more; not {excerpt(folds)}")
    if count % folds:
        raise InvalidArgument(f"{count} scores are not whole passes of {folds} folds")
    return folds, 1 / folds
