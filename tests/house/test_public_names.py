"""One vocabulary: documents use public names only, and a keyword that a call does not have is refused by name."""

from __future__ import annotations

import importlib
import inspect
import re
from pathlib import Path

import pytest
from tests.house.calls import calls, public_callables

import howsure as hs
from howsure.errors import HowsureError

ROOT = Path(__file__).parents[2]
DOCUMENTS = sorted([ROOT / "README.md", *(ROOT / "docs").glob("*.md"), *(ROOT / "docs").glob("*.ipynb"),
                    *(ROOT / "examples").glob("*")])  # fmt: skip

#: The modules that the package's own docstring promises.
MODULES = set(re.findall(r"^``(howsure[.\w]*)``  ", hs.__doc__ or "", re.MULTILINE))

IMPORT = re.compile(r"from (howsure[.\w]*) import ([\w, ]+)|import (howsure\.[.\w]+)")
#: Not the hosts and files of examples.
DOTTED = re.compile(r"\bhowsure\.(\w+(?:\.\w+)*)(?![\w/-])")

#: Where names take the place of keywords: of metrics.
NAMED = {"metric", "reconstruct", "Ratings.from_columns", "Ratings.from_table", "io.read_ratings"}

#: Words of the same thing elsewhere.
FOREIGN = ("y_truth", "true", "models", "alpha_level", "ylabel", "prob_")


def test_what_is_promised_is_there() -> None:
    assert {"howsure", "howsure.io", "howsure.io.logs", "howsure.integrations.sklearn"} < MODULES
    for name in MODULES:
        module = importlib.import_module(name)
        assert name == "howsure.errors" or module.__all__


def imported_from_deep(path: Path) -> list[str]:
    """What a document imports that is not public."""
    deep = []
    for module, names, alone in IMPORT.findall(path.read_text(encoding="utf-8")):
        if (alone or module) not in MODULES:
            deep.append(alone or module)
        elif names:
            offered = importlib.import_module(module)
            known = [f"{module}.{name}" for name in getattr(offered, "__all__", dir(offered))]
            deep += [
                x for x in (f"{module}.{name.split()[0]}" for name in names.split(",")) if x not in [*known, *MODULES]
            ]
    return deep


def test_documents_import_what_is_public() -> None:
    assert len(DOCUMENTS) > 30
    assert [(path.name, name) for path in DOCUMENTS for name in imported_from_deep(path)] == []


def named_from_deep(path: Path) -> list[str]:
    """What a document names that is not public."""
    deep = []
    for dotted in DOTTED.findall(path.read_text(encoding="utf-8")):
        first, _, rest = dotted.partition(".")
        if first in ("example", "gate", "junit", "html", "csv", "json") and not rest:
            continue
        module = max((x for x in MODULES if f"howsure.{dotted}.".startswith(f"{x}.")), key=len)
        rest = f"howsure.{dotted}".removeprefix(module).strip(".")
        offered = importlib.import_module(module)
        found = not rest or rest.split(".")[0] in getattr(offered, "__all__", dir(offered)) or first == "example"
        if not found:
            deep.append(f"howsure.{dotted}")
    return deep


def test_documents_name_what_is_public() -> None:
    read = DOCUMENTS
    assert [(path.name, name) for path in read for name in named_from_deep(path)] == []


def taken_foreign_words(name: str) -> list[str]:
    """Keywords of other libraries that a call does not refuse by their names."""
    call = calls()[name]
    taken = []
    for foreign in FOREIGN:
        try:
            call.function(*call.given, **call.named, **{foreign: "x"})
        except (TypeError, HowsureError) as refused:
            if foreign in str(refused):
                continue
        taken.append(foreign)
    return taken


@pytest.mark.full
def test_a_foreign_keyword_is_refused_by_its_name() -> None:
    asked = sorted(calls().keys() & public_callables().keys())
    assert len(asked) > 75
    parameters = {name: inspect.signature(public_callables()[name]).parameters.values() for name in asked}
    anything = [name for name in asked if any(p.kind is p.VAR_KEYWORD for p in parameters[name])]
    assert [name for name in anything if name not in NAMED] == []
    assert [(name, word) for name in asked for word in taken_foreign_words(name)] == []


def test_the_words_of_truth_and_answers_are_the_same_everywhere() -> None:
    for maker in (hs.count, hs.Predictions.from_wide, hs.Predictions.from_long, hs.Predictions,
                  hs.ConfusionMatrix.from_predictions):  # fmt: skip
        assert {"y_true", "y_pred"} <= set(inspect.signature(maker).parameters)
    frame = {"gold": [0, 1, 1], "new": [0, 1, 1], "old": [0, 0, 1], "site": [1, 1, 2]}
    assert hs.Predictions.from_wide(frame, y_true="gold", y_pred=["new"]).names == ("new",)
    assert hs.Predictions.from_wide(frame, y_true="gold", y_pred="old").names == ("old",)


@pytest.mark.deep
def test_classes_without_names_are_called_the_same_everywhere() -> None:
    square = hs.ConfusionMatrix([[8, 1, 1], [1, 18, 1], [0, 1, 29]])
    found = hs.reconstruct(sizes=(10, 20, 30), shares=square.normalised().round(3).tolist())
    assert found.candidates[0].labels == square.labels == ("0", "1", "2")
    assert hs.plan("balanced_accuracy", width=0.2, guess=0.9, classes=3).per_class.keys() <= set(square.labels)


def test_better_is_better_and_a_gate_asks_for_no_worse() -> None:
    new, old = (hs.Posterior.from_accuracy(correct=k, n=500) for k in (450, 400))
    assert hs.assert_better(new, old, metric="accuracy").mode == "superiority"
    assert "superiority" in (hs.assert_better.__doc__ or "").splitlines()[0]
    made = hs.gate(new, old, metric="accuracy")
    assert made.mode == "non-inferiority"
    assert "non-inferiority" in (hs.gate.__doc__ or "").splitlines()[0]
    assert "Gate: non-inferiority" in str(made)
    same = set(inspect.signature(hs.gate).parameters) | {"on_inconclusive"}
    assert set(inspect.signature(hs.assert_better).parameters) == same
