"""From the rows of a log, of whichever tool, to `Outcomes`."""

from __future__ import annotations

import ast
import hashlib
import json
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any, NamedTuple

from howsure.errors import InvalidFile, InvalidLabels, excerpt, listing
from howsure.io.logs.marks import NoMark, mark
from howsure.io.logs.outcomes import Outcomes
from howsure.text.formats import integer, plain, several

__all__ = ["ScoreChoice", "ScoredAnswer", "gathered", "harness_rows", "inspect_rows", "lighteval_rows"]

#: Metrics of lm-evaluation-harness that are right or wrong, in the order in which they are preferred.
RIGHT_OR_WRONG = ("acc", "exact_match", "acc_norm", "pass@1", "em")

#: Characters of the scores of one answer.
LONGEST_SCORES = 10_000
_NOT_A_NUMBER = re.compile(r"\bnan\b")


@dataclass(frozen=True)
class ScoreChoice:
    """What is wanted of a log that holds several answers."""

    metric: str | None = None
    filter: str | None = None
    field: str | None = None
    threshold: float | None = None
    group: str | None = None
    item: str | None = None


class ScoredAnswer(NamedTuple):
    """One answer: item, values by metric, filter, epoch, where it stands, and what may name its group."""

    item: str
    scores: dict[str, Any]
    filter: str
    epoch: str
    line: int | None
    where: str
    fields: Mapping[str, Any]


def harness_rows(rows: Iterable[tuple[int, dict[str, Any]]]) -> Iterator[ScoredAnswer]:
    """Rows of lm-evaluation-harness; ``doc_hash`` is the item, because ``doc_id`` moves with the selection.

    One text under two ``doc_id`` is a question that a data set holds twice: answered again, and no new item.
    """
    documents: dict[str, dict[str, int]] = {}
    for line, row in rows:
        names = row.get("metrics")
        known = [m for m in names if isinstance(m, str) and m in row] if isinstance(names, list) else []
        scores = {m: row[m] for m in known}
        if not scores:
            scores = {m: row[m] for m in RIGHT_OR_WRONG if m in row}
        item = str(row.get("doc_hash") or f"doc_id {row.get('doc_id')}")
        seen = documents.setdefault(item, {})
        epoch = str(seen.setdefault(str(row.get("doc_id")), len(seen) + 1))
        document = row.get("doc")
        fields = {**(document if isinstance(document, dict) else {}), **row}
        yield ScoredAnswer(item, scores, str(row.get("filter", "none")), epoch, line, f"line {line}", fields)


def inspect_rows(samples: Iterable[tuple[str, dict[str, Any]]]) -> Iterator[ScoredAnswer]:
    """Samples of Inspect: an item in several epochs."""
    for where, sample in samples:
        scores = sample.get("scores") or {}
        values = {k: v.get("value") if isinstance(v, dict) else v for k, v in scores.items()}
        flat: dict[str, Any] = {}
        for key, value in values.items():
            flat.update({f"{key}/{k}": v for k, v in value.items()} if isinstance(value, dict) else {key: value})
        item = sample.get("id")
        if item is None:
            item = "input " + hashlib.sha256(json.dumps(sample.get("input"), sort_keys=True).encode()).hexdigest()[:16]
        metadata = sample.get("metadata")
        fields = metadata if isinstance(metadata, dict) else {}
        yield ScoredAnswer(str(item), flat, "", str(sample.get("epoch", 1)), None, where, fields)


def lighteval_rows(rows: Iterable[tuple[int, dict[str, Any]]]) -> Iterator[ScoredAnswer]:
    """Rows of lighteval's details: the document is the item; one without a name is known by its prompt.

    Since 2025 a row holds ``doc``, ``metric`` and ``model_response`` as structures. Before, it held ``full_prompt``,
    ``metrics`` and more, each as the text of a Python value.
    """
    seen: dict[str, int] = {}
    for number, row in rows:
        doc = row.get("doc")
        name = doc.get("id") if isinstance(doc, dict) else None
        epoch = "1"
        if name in (None, ""):
            about = doc.get("query") if isinstance(doc, dict) else row.get("full_prompt") or row.get("example") or row
            text = json.dumps(about, sort_keys=True, default=str)
            name = "query " + hashlib.sha256(text.encode()).hexdigest()[:16]
            # the same prompt again is the same item again
            seen[name] = seen.get(name, 0) + 1
            epoch = str(seen[name])
        fields = {**(doc["specific"] if isinstance(doc, dict) and isinstance(doc.get("specific"), dict) else {}), **row}
        fields |= doc if isinstance(doc, dict) else {}
        scores = _scores(row.get("metric") or row.get("metrics"))
        yield ScoredAnswer(str(name), scores, "", epoch, None, f"row {number}", fields)


def _scores(value: Any) -> dict[str, Any]:
    """Values by metric, from a structure or from the text of one; those that are not there are left out."""
    if isinstance(value, str) and len(value) <= LONGEST_SCORES:
        try:
            value = ast.literal_eval(_NOT_A_NUMBER.sub("None", value))
        except (ValueError, TypeError, SyntaxError, RecursionError, MemoryError):  # a list as a key is a TypeError
            return {}
    return {str(k): v for k, v in value.items() if v is not None} if isinstance(value, dict) else {}


def gathered(name: str, rows: Iterable[ScoredAnswer], ask: ScoreChoice, said: Iterable[str] = ()) -> Outcomes:
    """Choose filter and metric, and mark every answer; what was ``said`` of the file before begins the notes.

    Raises
    ------
    InvalidFile
        Several filters or metrics and none chosen, partial credit, an item twice, nothing scored.
    """
    found = list(rows)
    if not found:
        raise InvalidFile(name, "the log holds no answer")
    filters = list(dict.fromkeys(row.filter for row in found))
    notes = [*said]
    if ask.filter is not None and ask.filter not in filters:
        raise InvalidFile(name, f"no filter {excerpt(ask.filter)}; there are {listing(map(excerpt, filters))}")
    if ask.filter is None and len(filters) > 1:
        shown = listing(map(excerpt, filters))
        advice = f"Choose one with --filter {plain(filters[0], 40)}"
        raise InvalidFile(name, f"each item is scored after {len(filters)} filters, {shown}. {advice}")
    chosen = [row for row in found if row.filter == (ask.filter or filters[0])]
    metric = _metric(name, chosen, ask)
    items, right, epochs, groups = [], [], [], []
    seen: dict[tuple[str, str], ScoredAnswer] = {}
    unscored = 0
    for row in chosen:
        before = seen.setdefault((row.item, row.epoch), row)
        if before is not row:
            problem = f"the item {excerpt(row.item, 40)} comes twice ({before.where} and {row.where})"
            raise InvalidFile(name, f"{problem}. Are these two runs in one file?", row.line)
        try:
            outcome = mark(row.scores.get(metric), ask.threshold)
        except NoMark as reason:
            raise InvalidFile(
                name, f"{excerpt(metric)} of {excerpt(row.item, 40)} ({row.where}) {reason}", row.line
            ) from None
        group = "" if ask.group is None else _group(name, row, ask.group)
        if outcome is None:
            unscored += 1
            continue
        groups.append(group)
        items.append(row.item)
        epochs.append(row.epoch)
        right.append(outcome)
    if unscored:
        notes.append(f"Set aside: {integer(unscored)} of {several(len(chosen), 'answer')} that were not scored.")
    if not items:
        raise InvalidFile(name, f"no answer of {integer(len(chosen))} has a value for {excerpt(metric)}")
    notes += _absent(seen)
    if any(item.startswith(("input ", "query ", "doc_id ")) for item in items[:1]):
        notes.append("The items have no name of their own and are known by their text or number.")
    try:
        return Outcomes(
            items,
            right,
            epochs=epochs,
            group=groups if ask.group is not None else None,
            grouped_by=ask.group or "",
            source=name,
            metric=metric,
            notes=notes,
        )
    except InvalidLabels as error:
        raise InvalidFile(name, plain(str(error), 1000)) from None


def _group(name: str, row: ScoredAnswer, field: str) -> str:
    """The group of an answer; every answer names one."""
    value = row.fields.get(field)
    if isinstance(value, str | int | float | bool) and value == value and str(value).strip():
        return str(value)
    known = [key for key, given in row.fields.items() if isinstance(given, str | int | float | bool)]
    there = f"there are {listing(map(excerpt, known))}" if known else "it has no field that could name one"
    problem = f"{excerpt(row.item, 40)} ({row.where}) has no {excerpt(field, 40)} to name its group"
    raise InvalidFile(name, f"{problem}; {there}", row.line)


def _absent(answers: Iterable[tuple[str, str]]) -> list[str]:
    """That items are not in all epochs, where these are named; the same text again is no epoch of the others."""
    epochs, items = Counter(epoch for _, epoch in answers), {item for item, _ in answers}
    gone = {epoch: len(items) - times for epoch, times in epochs.items() if times < len(items)}
    # an epoch that more than half of the items lack is that of a few questions that come again
    if len(epochs) < 2 or any(2 * missing > len(items) for missing in gone.values()) or not gone:
        return []
    where = ", ".join(f"{count} in epoch {plain(epoch, 20)}" for epoch, count in gone.items())
    grid = f"{several(len(items), 'item')} in {len(epochs)} epochs would have ({where})"
    return [f"Missing: {integer(sum(gone.values()))} of the {integer(len(items) * len(epochs))} answers that {grid}."]


def _metric(name: str, rows: list[ScoredAnswer], ask: ScoreChoice) -> str:
    metrics = list(dict.fromkeys(m for row in rows for m in row.scores))
    if ask.metric is not None:
        if ask.metric not in metrics:
            raise InvalidFile(name, f"no metric {excerpt(ask.metric)}; there are {listing(map(excerpt, metrics))}")
        return ask.metric
    if len(metrics) == 1:
        return metrics[0]
    if not metrics:
        raise InvalidFile(name, "no answer was scored")
    shown = listing(map(excerpt, metrics))
    raise InvalidFile(
        name, f"each answer has {len(metrics)} scores, {shown}. Choose one with --metric {plain(metrics[0], 40)}"
    )
