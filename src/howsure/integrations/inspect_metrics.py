"""The accuracy of new questions as a metric of Inspect (inspect_ai), and its sentence in the log viewer.

Nothing of Inspect is imported before it is used; Inspect itself loads `howsure.integrations.inspect_entry_point`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import cache
from importlib import import_module
from typing import Any

from howsure.data.outcomes import Outcomes
from howsure.errors import InvalidArgument, MissingExtra, excerpt, listing
from howsure.io.logs.scored import NoMark, mark
from howsure.laws import Kind
from howsure.laws.law import KIND, LEVEL, checked_kind, checked_level
from howsure.reporting.repeats import RepeatsReport, log_report
from howsure.text import formats

#: What the metric is called in logs.
NAME = "howsure_accuracy"
#: Where the sentences stand in the metadata of a log.
KEY = "howsure"


def howsure_accuracy(
    level: float = LEVEL,
    kind: Kind = KIND,
    prior: str | None = None,
    group: str | None = None,
    threshold: float | None = None,
) -> Callable[..., Any]:
    """The accuracy of new questions, with its interval, as a metric of Inspect.

    It takes every epoch (``scores="unreduced"``), whatever the reducer is, and gives ``mean``, ``lower``, ``upper``,
    ``questions`` (or ``groups``: the independent units), ``answers`` and ``worth`` (as how many independent answers
    they count). Where questions have several epochs and there are fewer than 8, the first three are about these
    questions again, and are called ``mean_of_these`` and so on.

    Parameters
    ----------
    level, kind
        Of the interval.
    prior : str, optional
        Learned from two epochs on, "calibrated" of one, if left out.
    group : str, optional
        Key of the samples' metadata that makes questions alike, as ``cluster=`` of Inspect's own metrics.
    threshold : float, optional
        Scores from here on are right; without it partial credit is refused.

    Returns
    -------
    Metric
        For ``Task(metrics=[...])`` or ``@scorer(metrics=[...])``. Where it is asked for, a sentence is written to the
        metadata of the log, under "howsure".

    Raises
    ------
    MissingExtra
        Without Inspect.
    InvalidArgument
        A level or kind that is none; and by the metric itself partial credit without a threshold, or a sample without
        the metadata.
    """
    checked_level(level)
    checked_kind(kind)
    given = {"level": level, "kind": kind, "prior": prior, "group": group, "threshold": threshold}
    usual = {"level": LEVEL, "kind": KIND}
    made: Callable[..., Any] = register()(**{k: v for k, v in given.items() if v != usual.get(k)})
    return made


@cache
def register() -> Callable[..., Any]:
    """Make the metric known to Inspect, once, and give it."""
    try:
        made: Callable[..., Any] = import_module("inspect_ai.scorer").metric(NAME, scores="unreduced")(_metric)
    except (ImportError, TypeError):
        raise MissingExtra("The metric of Inspect", "inspect") from None
    return made


@cache
def _register_hook() -> None:
    """Have a sentence written to logs; only where the metric is used, for Inspect names every hook that there is."""
    hooks = import_module("inspect_ai.hooks")
    hooks.hooks(name="howsure_sentence", description="Writes how sure an accuracy is to the log's metadata.")(
        type("HowsureSentence", (hooks.Hooks,), {"on_task_end": _on_task_end, "__module__": __name__})
    )


def _metric(
    level: float = LEVEL,
    kind: Kind = KIND,
    prior: str | None = None,
    group: str | None = None,
    threshold: float | None = None,
) -> Callable[[list[object]], dict[str, float]]:
    _register_hook()

    def computed(scores: list[object]) -> dict[str, float]:
        if not scores:
            return dict.fromkeys(("mean", "lower", "upper"), float("nan"))
        made = log_report(_outcomes(scores, group, threshold), prior, level=level, kind=kind)
        return _numbers(made, "questions" if group is None else "groups")

    return computed


def _outcomes(scores: Sequence[Any], group: str | None, threshold: float | None) -> Outcomes:
    """Scores of Inspect, one a sample and epoch, in the order of the epochs."""
    items, right, groups = [], [], []
    for number, each in enumerate(scores, start=1):
        item = f"sample {number}" if each.sample_id is None else str(each.sample_id)
        try:
            outcome = mark(each.score.value, threshold)
            if outcome not in (None, 0.0, 1.0):
                raise NoMark(f"holds the score {outcome:g}, which is neither right (1) nor wrong (0); say --threshold")
        except NoMark as reason:
            said = str(reason).replace("--threshold", "threshold=")
            raise InvalidArgument(f"{NAME}: sample {excerpt(item, 40)} {said}") from None
        if outcome is None:
            continue
        items.append(item)
        right.append(outcome)
        if group is not None:
            metadata = each.sample_metadata or {}
            value = metadata.get(group)
            if value is None or value != value:
                there = f"there are {listing(map(excerpt, metadata))}" if metadata else "it has none"
                problem = f"{NAME}: sample {excerpt(item, 40)} has no metadata {excerpt(group, 40)}"
                raise InvalidArgument(f"{problem} to name its group; {there}")
            groups.append(str(value))
    return Outcomes(items, right, group=None if group is None else groups, grouped_by=group or "")


def _numbers(made: RepeatsReport, units: str) -> dict[str, float]:
    these = "_of_these" if made.about == "these" else ""
    numbers = zip(("mean", "lower", "upper"), (made.answer.mean, made.answer.low, made.answer.high), strict=True)
    return {
        **{f"{name}{these}": value for name, value in numbers if value is not None},
        units: float(made.items),
        "answers": float(made.n),
        "worth": made.effective_n,
    }


def sentences_of(scores: Sequence[Any]) -> list[str]:
    """What the metric found, in words: a sentence for each score of a log's results that has it.

    Examples
    --------
    >>> from types import SimpleNamespace as Of
    >>> found = {"mean": 0.64, "lower": 0.54, "upper": 0.73, "questions": 40.0, "answers": 200.0, "worth": 105.2}
    >>> metrics = {k: Of(name=k, group="howsure_accuracy", value=v, params={}) for k, v in found.items()}
    >>> for part in sentences_of([Of(name="match", metrics=metrics)])[0].split("; "):
    ...     print(part)
    match: the accuracy on new questions is 0.64, 95% HDI 0.54 to 0.73
    200 answers to 40 questions are equivalent to about 105.
    """
    said = []
    for score in scores:
        asked: dict[str, tuple[Mapping[str, Any], dict[str, float]]] = {}
        for each in score.metrics.values():
            if each.group == NAME:  # a score may be asked twice, at two levels
                asked.setdefault(repr(each.params), (each.params, {}))[1][each.name] = each.value
        for params, found in asked.values():
            these = "_of_these" if "mean_of_these" in found else ""
            if found[f"mean{these}"] == found[f"mean{these}"]:
                said.append(f"{formats.plain(score.name, 40)}: {_said(found, these, params)}")
    return said


def _said(found: Mapping[str, float], these: str, params: Mapping[str, Any]) -> str:
    units = "groups" if "groups" in found else "questions"
    about = f"these {units} again" if these else f"new {units}"
    centre, low, high = (found[f"{key}{these}"] for key in ("mean", "lower", "upper"))
    mean, ends = formats.parts(centre, low, high)
    name = formats.interval_name(params.get("kind", KIND), params.get("level", LEVEL))
    answers, count, worth = (formats.integer(round(found[key])) for key in ("answers", units, "worth"))
    return (
        f"the accuracy on {about} is {mean}, {name} {ends}; "
        f"{answers} answers {'of' if units == 'groups' else 'to'} {count} {units} are equivalent to about {worth}."
    )


async def _on_task_end(_: object, data: Any) -> None:
    """Write the sentences to the log that Inspect has just finished; samples are left as they are."""
    log = data.log
    said = sentences_of(log.results.scores) if log.results is not None else []
    if not said or not log.location:
        return
    logs = import_module("inspect_ai.log")
    edit = logs.MetadataEdit(metadata_set={KEY: " ".join(said)})
    edited = logs.edit_eval_log(log, [edit], logs.ProvenanceData(author="howsure", reason="how sure the accuracy is"))
    await logs.write_eval_log_async(edited, log.location, header_only=str(log.location).endswith(".eval"))
