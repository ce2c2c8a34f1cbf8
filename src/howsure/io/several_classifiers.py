"""Several classifiers as files have them: on the same cases, each on its own, or on a leaderboard."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from howsure.data.predictions import Predictions
from howsure.errors import HowsureError, InvalidFile
from howsure.io.answers import Answers
from howsure.text.formats import plain

__all__ = ["about_left_out", "paired", "paired_in_files"]


def paired(answers: Mapping[str, Answers], options: Mapping[str, Any]) -> Predictions | None:
    """All on the same cases; None where nothing says that they are.

    Parameters
    ----------
    answers : mapping of str to Answers
        By the names of the classifiers.
    options : mapping
        Of `Predictions`.

    Raises
    ------
    HowsureError
        The same id with two true classes, and whatever else `Predictions` refuses.
    """
    first = next(iter(answers.values()))
    if all(it.true is first.true for it in answers.values()):
        columns = {name: it.pred for name, it in answers.items()}
        return Predictions(first.true, columns, id=first.id, group=first.group, **options)
    if any(it.id is None for it in answers.values()):
        return None
    if not set.intersection(*(set(it.id or ()) for it in answers.values())):
        return None
    rows = [
        (case, name, true, pred)
        for name, it in answers.items()
        for case, true, pred in zip(it.id or (), it.true, it.pred, strict=True)
    ]
    groups: list[str | None] | None = None
    if any(it.group is not None for it in answers.values()):
        groups = []
        for it in answers.values():
            groups += [None] * len(it.true) if it.group is None else it.group
    return Predictions.from_long(*zip(*rows, strict=True), group=groups, **options)


def paired_in_files(
    source: str, answers: Mapping[str, Answers], options: Mapping[str, Any], does: str
) -> Predictions | None:
    """The same, with the files in the sentence, and what ``--separate`` ``does``, "compares" or "ranks"."""
    try:
        return paired(answers, options)
    except HowsureError as error:
        advice = ""
        if "has the true class" in str(error):
            advice = (
                f". If they are different cases, --separate {does} them as separate test sets; if a judge graded "
                "the answers of both models and people checked some, say --missing estimate"
            )
        raise InvalidFile(source, plain(str(error), 1000) + advice) from None


def about_left_out(answers: Mapping[str, Answers], does: str) -> list[str]:
    """What to do about cases that not all have, which are left out of a pairing; ``does`` as in `paired_in_files`."""
    ids = [set(it.id or ()) for it in answers.values()]
    if not set.intersection(*ids) or all(one == ids[0] for one in ids):
        return []
    return [f"Only cases with an id that all have are paired; --separate {does} all cases of each, as other test sets."]
