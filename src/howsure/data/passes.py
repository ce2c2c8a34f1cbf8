"""Repeated passes of a cross-validation as one matrix: `ConfusionMatrix.of_passes`."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Protocol, TypeVar

from howsure.data.count_checks import whole_number
from howsure.data.matrix_makers import Held
from howsure.data.matrix_views import all_passes
from howsure.errors import InvalidArgument, excerpt
from howsure.errors.arguments import items

__all__ = ["of_passes"]


class Matrix(Protocol):
    """What a confusion matrix is here, which imports this file."""

    _held: Held

    @property
    def positive(self) -> str | None:
        """The positive class."""

    @classmethod
    def _of(cls, held: Held, positive: object | None = None) -> Any: ...


M = TypeVar("M", bound=Matrix)


def of_passes(cls: type[M], matrices: Sequence[M], *, passes: int | None = None) -> M:
    """Repeated passes of a cross-validation of the same cases: counts divided by the passes, never summed.

    Parameters
    ----------
    matrices : sequence of ConfusionMatrix
        One each pass; one each fold, pass after pass; or a single one of all passes added up.
    passes : int, optional
        As many as matrices if left out.

    Raises
    ------
    InvalidCounts
        Passes that do not test the same numbers of cases of each class.
    InvalidArgument
        Anything else than whole passes of matrices.

    Examples
    --------
    >>> from howsure import ConfusionMatrix
    >>> passes = [ConfusionMatrix(x, ["ill", "well"]) for x in ([[4, 1], [0, 5]], [[3, 2], [0, 5]])]
    >>> both = ConfusionMatrix.of_passes(passes)
    >>> both.n, both.counts.tolist()
    (10, [[3.5, 1.5], [0.0, 5.0]])
    """
    listed = items(matrices, "matrices", "a list of confusion matrices, one each pass")
    odd = [type(each).__name__ for each in listed if not isinstance(each, cls)]
    if odd or not listed:
        given = odd[0] if odd else "nothing"
        raise InvalidArgument(f"of_passes() takes a list of confusion matrices, one each pass; there is {given} in it")
    many = whole_number(len(listed) if passes is None else passes, "passes")
    if many < 2:
        raise InvalidArgument(f"there are 2 passes or more, not {excerpt(many)}; one pass is added up (a + b)")
    made: M = cls._of(all_passes([each._held for each in listed], many), listed[0].positive)
    return made
