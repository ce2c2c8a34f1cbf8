"""What the page offers to choose from, read from where each thing is declared; scripts import it as ``declared.js``."""

from __future__ import annotations

import json
from collections.abc import Collection, Mapping, Sequence
from functools import lru_cache
from importlib.resources import files
from typing import Any, get_args

from howsure.data.labels import positive_by_name
from howsure.errors import HowsureError, InvalidArgument
from howsure.laws import Kind
from howsure.laws.law import DRAWS, KIND, LEVEL
from howsure.metrics import REGISTRY, names, parse
from howsure.metrics.measure import spoken_name
from howsure.posterior.priors import PRIORS, NamedPrior
from howsure.publish.pages import short_citation
from howsure.text import formats
from howsure.web.limits import COUNTED, PRIVATE
from howsure.web.schema import ENDINGS

__all__ = ["LEVELS", "declared", "metrics_of", "offered", "positive_of", "script", "titles"]

#: Above this many classes the list of metrics has no class-wise names.
MOST_CLASSES_OFFERED = 12

LEVELS = (0.8, 0.9, 0.95, 0.99)
KINDS = {
    "hdi": "Highest-density interval: the shortest that holds the probability",
    "central": "As much probability below it as above it",
}
#: What the page saves; `ENDINGS` has what can be asked for.
FILES = {".html": "Report (HTML)", ".csv": "CSV", ".json": "JSON", ".md": "Markdown", ".tex": "LaTeX"}

#: Further metrics that a plan is often asked for.
PLANNED = ("balanced_accuracy", "precision", "negative_predictive_value", "f1", "mcc", "kappa")


@lru_cache(64)
def metrics_of(labels: tuple[str, ...]) -> tuple[str, ...]:
    """Names of metrics that a matrix of these classes can be asked for."""
    found: list[str] = []
    for name in names():
        if REGISTRY[name].per == "table":
            found.append(name)
            continue
        places = list(labels) if len(labels) <= MOST_CLASSES_OFFERED else []
        found += [f"{name}@{place}" for place in (*(["macro"] if len(labels) > 2 else []), *places)]
    return tuple(name for name in found if _is_one(name, labels))


def offered(given: Mapping[str, Any]) -> list[str]:
    """The same for the matrix or the pairs of a request, those of the whole table first."""
    return sorted(metrics_of(tuple(given["classes"])), key=lambda name: "@" in name)


def positive_of(given: Mapping[str, Any]) -> str | None:
    """The positive class of two of the matrix or the pairs of a request: as given, or known by its name.

    Examples
    --------
    >>> positive_of({"classes": ["healthy", "ill"], "positive": None}), positive_of({"classes": ["a", "b"]})
    ('ill', None)
    """
    labels = given.get("classes", ())
    return (given.get("positive") or positive_by_name(tuple(labels))) if len(labels) == 2 else None


def titles(chosen_from: Sequence[str], positive: str | None, shown: Collection[str] = ()) -> dict[str, str]:
    """What metrics are called that can be chosen: by the names that people know, else with class or average in words.

    Of two that are one number by one name (the recall of the positive class, the specificity of the other) only one has
    it, that which is shown, or that of the positive class if there is one.

    Parameters
    ----------
    chosen_from : sequence of str
        Names of metrics.
    positive : str or None
        The positive class of two.
    shown : collection of str, optional
        Those that are shown already.

    Examples
    --------
    >>> titles(["balanced_accuracy", "recall@ill", "specificity@well", "f1_gain@well"], "ill")
    {'balanced_accuracy': 'balanced accuracy', 'recall@ill': 'sensitivity', 'specificity@well': '', \
'f1_gain@well': 'F1 gain of well'}
    >>> titles(["recall@macro", "recall@cat"], None)
    {'recall@macro': 'macro recall', 'recall@cat': 'recall of cat'}
    """
    found, taken = dict.fromkeys(chosen_from, ""), set()
    for name in sorted(found, key=lambda name: (name not in shown, not name.endswith(f"@{positive}"))):
        title = spoken_name(name, positive)
        found[name] = "" if title in taken else title
        taken.add(title)
    return found


def _is_one(name: str, labels: tuple[str, ...]) -> bool:
    try:
        return parse(name, labels).name == name
    except HowsureError:
        return False


def declared() -> dict[str, Any]:
    """The lists of the page and what is chosen unasked, ready for JSON.

    Examples
    --------
    >>> next(prior["classes"] for prior in declared()["priors"] if prior["value"] == "caelen")
    2
    """
    return {
        "priors": [_prior(prior) for prior in PRIORS.values()],
        "kinds": [{"value": kind, "label": _kind_name(kind), "title": KINDS[kind]} for kind in get_args(Kind)],
        "levels": [{"value": level, "label": f"{100 * level:g}%"} for level in LEVELS],
        "level": LEVEL,
        "kind": str(KIND),
        "draws": DRAWS,
        "endings": [{"value": ending, "label": FILES[ending]} for ending in FILES if ending in ENDINGS],
        "rates": list(COUNTED),
        "planned": [*COUNTED, *PLANNED],
        "with_chance": [name for name in (*COUNTED, *PLANNED) if REGISTRY[name].chance is not None],
        "plain": {name: REGISTRY[name].plain[0] for name in names() if REGISTRY[name].plain[0]},
        "citation": short_citation(),
        "most_classes": PRIVATE.classes,
        "most_bytes": PRIVATE.upload,
    }


def _prior(prior: NamedPrior) -> dict[str, Any]:
    """Its name, what it says, and the one number of classes that it is for, if it is for one only."""
    meaning = prior.meaning[0].upper() + prior.meaning[1:]
    try:
        prior.at(3)
        classes = None
    except InvalidArgument:
        classes = 2
    return {"value": prior.name, "label": prior.name.capitalize(), "meaning": f"{meaning}.", "classes": classes}


def _kind_name(kind: str) -> str:
    name = formats.interval_name(kind, 0.95).split()[-1]
    return name[0].upper() + name[1:]


def script() -> bytes:
    """The same as a module for the scripts of the page, and its examples."""
    examples = json.loads(files("howsure.web").joinpath("examples.json").read_text(encoding="utf-8"))
    lists = {"declared": declared(), "examples": examples}
    return "".join(f"export const {name} = {json.dumps(each)};\n" for name, each in lists.items()).encode()
