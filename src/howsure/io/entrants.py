"""What a reader of several classifiers gives back: all of them, or two."""

from __future__ import annotations

from dataclasses import dataclass

from howsure.data.confusion import ConfusionMatrix
from howsure.data.predictions import Predictions
from howsure.io.formats.board import Board

__all__ = ["Contenders", "Pair"]


@dataclass(frozen=True)
class Contenders:
    """What was found; one of the first three is there.

    Parameters
    ----------
    board : Board or None
        A leaderboard.
    predictions : Predictions or None
        All on the same cases.
    matrices : mapping of str to ConfusionMatrix, or None
        Each on its own test set.
    notes : tuple of str
        Sentences for the user.
    """

    board: Board | None = None
    predictions: Predictions | None = None
    matrices: dict[str, ConfusionMatrix] | None = None
    notes: tuple[str, ...] = ()

    @property
    def in_groups(self) -> bool:
        """Whether groups of the cases were read, of all classifiers."""
        if self.predictions is not None:
            return self.predictions.group is not None
        return self.matrices is not None and all(matrix.groups is not None for matrix in self.matrices.values())


@dataclass(frozen=True)
class Pair:
    """Two classifiers and how they were found.

    Parameters
    ----------
    names : (str, str)
        What to call them.
    predictions : Predictions or None
        Both on the same cases.
    matrices : pair of ConfusionMatrix or None
        Each on its own; the one or the other is None.
    notes : tuple of str
        Sentences for the user.
    lacking : tuple of str
        Ids that the second has answered and the first has no row of; none are looked for in counts and logs.
    """

    names: tuple[str, str]
    predictions: Predictions | None
    matrices: tuple[ConfusionMatrix, ConfusionMatrix] | None
    notes: tuple[str, ...] = ()
    lacking: tuple[str, ...] = ()

    @property
    def in_groups(self) -> bool:
        """Whether groups of the cases were read, of both classifiers."""
        if self.predictions is not None:
            return self.predictions.group is not None
        return self.matrices is not None and all(matrix.groups is not None for matrix in self.matrices)
