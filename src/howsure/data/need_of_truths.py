"""What cannot do without the truth of every case, and says so."""

from __future__ import annotations

from howsure.data.confusion import ConfusionMatrix
from howsure.data.refusals import say
from howsure.errors import InvalidArgument
from howsure.text import formats

__all__ = ["need_truths"]


def need_truths(confusion: ConfusionMatrix, what: str) -> None:
    """Refuse a matrix in which truths are missing, where these would be left out in silence.

    Raises
    ------
    InvalidArgument
        With what else to ask.
    """
    verdicts = confusion.verdicts
    if verdicts is not None:
        raise InvalidArgument(
            say("need_truths", what, formats.integer(int(verdicts.unlabelled.sum())), formats.integer(verdicts.n))
        )
