"""Several logs on the answers that all of them have."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping

from howsure.data.predictions import Predictions
from howsure.errors import InvalidArgument, InvalidLabels, excerpt, listing
from howsure.io.logs.outcomes import RIGHT, WRONG, Outcomes
from howsure.text.formats import integer, several

__all__ = ["notes_of", "paired"]

#: Item and epoch.
Key = tuple[str, str]


def paired(logs: Mapping[str, Outcomes]) -> Predictions:
    """Several logs on the items that all of them have, for `howsure.compare`, `gate` and `rank` by accuracy.

    The classes are "right" and "wrong" and the truth is "right" throughout, so that the accuracy of a classifier is its
    share of right answers; no other metric means anything. An item that is answered in several epochs is a group of
    cases, as are those that share a group that was named; epochs are paired by their numbers.

    Parameters
    ----------
    logs : mapping of str to Outcomes
        By the name of the classifier.

    Raises
    ------
    InvalidArgument
        Fewer than two logs.
    InvalidLabels
        No item in common, or an item that two logs put in different groups.

    Examples
    --------
    >>> both = paired({"A": Outcomes(["1", "2"], [True, False]), "B": Outcomes(["2", "1"], [True, True])})
    >>> both.patterns("A", "B").counts.tolist()
    [1, 1]
    """
    if len(logs) < 2:
        raise InvalidArgument("pairing needs the logs of two classifiers, or more")
    answers = {name: _by_key(log) for name, log in logs.items()}
    shared = [key for key in next(iter(answers.values())) if all(key in found for found in answers.values())]
    if not shared:
        raise InvalidLabels(_no_item(logs))
    group = _groups(logs)
    repeated = max(Counter(item for item, _ in shared).values()) > 1
    clusters = [group.get(item, item) for item, _ in shared] if group or repeated else None
    columns = {name: [RIGHT if found[key] else WRONG for key in shared] for name, found in answers.items()}
    said = notes_of(logs)
    if clusters is not None:
        by = next((log.grouped_by for log in logs.values() if log.grouped_by), "")
        said[_units(shared, clusters, by, repeated=repeated)] = None
    return Predictions(
        [RIGHT] * len(shared),
        columns,
        id=[f"{item}, epoch {epoch}" if repeated else item for item, epoch in shared],
        group=clusters,
        labels=[WRONG, RIGHT],
        notes=[*said, *_left_out(answers, shared)],
    )


def notes_of(logs: Mapping[str, Outcomes]) -> dict[str, None]:
    """What the readers said, once what is said of all, and else with the name of the log."""
    told: dict[str, None] = {}
    for name, log in logs.items():
        for note in log.notes:
            of_all = all(note in other.notes for other in logs.values())
            told[note if of_all else f"{excerpt(name)}: {note[0].lower()}{note[1:]}"] = None
    return told


def _by_key(log: Outcomes) -> dict[Key, bool]:
    return dict(zip(zip(log.items, log.epochs, strict=True), log.right.tolist(), strict=True))


def _no_item(logs: Mapping[str, Outcomes]) -> str:
    """Why nothing is shared: items, or only their epochs."""
    if set.intersection(*(set(log.items) for log in logs.values())):
        return "the logs share items, but no epoch of one; epochs are paired by their numbers. Were they renumbered?"
    return f"{listing(map(excerpt, logs), 4)} have no item in common; are they of one task and version?"


def _groups(logs: Mapping[str, Outcomes]) -> dict[str, str]:
    """Group of each item, where any log names groups; others need not."""
    found: dict[str, tuple[str, str]] = {}
    for name, log in logs.items():
        if not log.grouped_by:
            continue
        for item, group in zip(log.items, log.group or (), strict=True):
            known, by = found.setdefault(item, (group, name))
            if known != group:
                raise InvalidLabels(
                    f"item {excerpt(item, 40)} belongs to {excerpt(known, 40)} in {excerpt(by, 40)} and to "
                    f"{excerpt(group, 40)} in {excerpt(name, 40)}; a pair of answers belongs to one group"
                )
    return {item: group for item, (group, _) in found.items()}


def _units(shared: list[Key], clusters: list[str], by: str, *, repeated: bool) -> str:
    """The unit, as a sentence."""
    items = len({item for item, _ in shared})
    what = f"{several(len(set(clusters)), 'value')} of {excerpt(by, 40)}" if by else several(items, "question")
    said = f"Groups: the {what}"
    if by:
        said += f", with {several(items, 'question')}"
    return said + ("; epochs of a question are paired by their numbers." if repeated else ".")


def _left_out(answers: Mapping[str, Mapping[Key, bool]], shared: list[Key]) -> list[str]:
    """What each log has that another has not, in sentences."""
    items, notes = {item for item, _ in shared}, []
    for name, found in answers.items():
        gone = len(found) - len(shared)
        if not gone:
            continue
        elsewhere = sum(item not in items for item, _ in found)
        why = [f"{integer(elsewhere)} to items"] if elsewhere else []
        why += [f"{integer(gone - elsewhere)} in epochs of an item"] if gone > elsewhere else []
        notes.append(
            f"{excerpt(name)}: {integer(gone)} of {several(len(found), 'answer')} left out, "
            f"{' and '.join(why)} that not all have."
        )
    return notes
