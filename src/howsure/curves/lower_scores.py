"""The warning that the positive class has the lower scores."""

from __future__ import annotations

from howsure.data.scores import Scores
from howsure.numerics.curves.placements import placements
from howsure.text import formats

__all__ = ["lower_scores", "turned_words"]


def turned_words(positive: str) -> str:
    """What to do where cases of the positive class have the lower scores."""
    name = formats.plain(repr(positive))
    return (
        f"cases of {name} have the lower scores. Nothing is turned round; if low scores stand for {name}, change their "
        "sign, and if the class is the wrong one, name the other (positive)."
    )


def lower_scores(scores: Scores) -> tuple[str, ...]:
    """The warning, where the area under the ROC curve of two classes is below one half.

    Examples
    --------
    >>> lower_scores(Scores(["ill", "ill", "well"], [0.1, 0.2, 0.9], positive="ill"))[0][:46]
    "cases of 'ill' have the lower scores. Nothing "
    >>> lower_scores(Scores(["ill", "ill", "well"], [0.9, 0.2, 0.1], positive="ill"))
    ()
    """
    of_positives, _ = placements(scores.truth == 1, scores.scores)
    return (turned_words(scores.labels[1]),) if float(of_positives.mean()) < 0.5 else ()
