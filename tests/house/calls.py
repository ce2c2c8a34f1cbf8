"""One call of every public function and method, and another value of each argument.

Three rules are driven from here: an odd argument is answered or refused, a foreign keyword is refused by name, and
another value of any argument changes the answer (`tests/house/test_no_argument_is_dead.py`). A function that answers
several kinds of data has a call of each: ``rank: judged``.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

import howsure as hs
from howsure import laws
from howsure.metrics import REGISTRY

__all__ = ["MISSING", "Call", "calls", "public_callables"]


class Call(NamedTuple):
    """A callable and arguments that it takes.

    Parameters
    ----------
    function : callable
    given : tuple
        Arguments without a name.
    named : mapping
        Arguments by name.
    other : mapping
        Another value of a parameter, by name, or by place where it has none.
    idle : mapping
        Parameters that say nothing in this call, and why that is right.
    """

    function: Callable[..., Any]
    given: tuple[Any, ...] = ()
    named: Mapping[str, Any] = {}
    other: Mapping[str | int, Any] = {}
    idle: Mapping[str, str] = {}

    def slots(self) -> dict[str | int, Any]:
        """Parameters by name, or by place where they have none, with what this call has for each."""
        values = dict(zip(self._places, self.given, strict=True)) | dict(self.named)
        return {name: MISSING for name in parameters(self.function) if name not in values} | values

    def another(self, slot: str | int, value: Any) -> Any:
        """Another value of a parameter: of this call, or the common one that the call does not have."""
        if slot in self.other:
            return self.other[slot]
        default = inspect.signature(self.function).parameters.get(str(slot))
        now = value if value is not MISSING else default.default if default else None
        return next((each for each in COMMON.get(str(slot), ()) if each != now), MISSING)

    def answer(self, slot: str | int | None = None, value: Any = None) -> Any:
        """What is answered, with another argument in one slot."""
        given, named, places = list(self.given), dict(self.named), self._places
        if slot in places:
            given[places.index(slot)] = value
        elif slot is not None:
            named[str(slot)] = value
        return self.function(*given, **named)

    @property
    def _places(self) -> list[str | int]:
        """Names of the arguments without a name, or their places where they have none."""
        every = inspect.signature(self.function).parameters.values()
        names = [p.name for p in every if p.kind is p.POSITIONAL_OR_KEYWORD]
        return [names[at] if at < len(names) else at for at in range(len(self.given))]


#: Where a call has nothing for a parameter, or the table no other value.
MISSING = object()

#: Two values of parameters that mean the same everywhere: the one that the call does not have is the other one.
COMMON: dict[str, tuple[Any, ...]] = {
    "level": (0.8, 0.9), "kind": ("central", "hdi"), "seed": (1, 2), "draws": (150, 200), "prior": ("jeffreys", "flat"),
    "notes": (("Read from a file.",),), "names": (("one", "two"),), "name": ("another",), "title": ("A title",),
    "comment": ("A comment.",), "on_inconclusive": ("fail", "pass"), "missing": ("exclude", "error"), "rope": (0.05,),
    "groups": ("these", "new"), "shares": ("uniform",),
}  # fmt: skip

#: Methods of a prior for posteriors, which take what those have checked.
INSIDE = {"Prior.aligned", "Prior.recalls", "Prior.row", "Prior.shares"}


def public_callables() -> dict[str, Callable[..., Any]]:
    """Public functions, nouns that users make, and methods that take an argument, by name."""
    public: dict[str, Callable[..., Any]] = {}
    for name in hs.__all__:
        value = getattr(hs, name)
        if inspect.isclass(value) and not issubclass(value, Exception):
            if name in calls():  # what the library makes is asked before it is made
                public[name] = value
            for method in (m for m in dir(value) if not m.startswith("_")):
                full = f"{name}.{method}"
                function = getattr(value, method)
                if callable(function) and full not in INSIDE and parameters(function):
                    public[full] = function
        elif inspect.isfunction(value):
            public[name] = value
    return public


def parameters(function: Callable[..., Any]) -> list[str]:
    """Names of the parameters that a caller can write."""
    return [p.name for p in inspect.signature(function).parameters.values() if p.name != "self" and p.kind not in STARS]


#: Parameters that take the rest.
STARS = (inspect.Parameter.VAR_POSITIONAL, inspect.Parameter.VAR_KEYWORD, inspect.Parameter.POSITIONAL_ONLY)


@contextmanager
def forgotten() -> Iterator[None]:
    """Metrics that are declared inside are undeclared at the end."""
    before = dict(REGISTRY)
    try:
        yield
    finally:
        REGISTRY.clear()
        REGISTRY.update(before)


def first_cell(tables: Any) -> Any:
    """Share of the first cell."""
    return tables[..., 0, 0] / tables.sum((-2, -1))


def second_cell(tables: Any) -> Any:
    """Share of the second cell."""
    return tables[..., 0, 1] / tables.sum((-2, -1))


def metric(**how: Any) -> hs.Metric:
    """A metric that is declared, and forgotten."""
    with forgotten():
        return hs.metric(**how)(first_cell)


def exact(law: Any) -> Any:
    """A law of a metric, which is forgotten."""
    with forgotten():
        return hs.metric(range=(0, 1), better="higher", reference="nobody")(first_cell).exact(law)


def save(result: Any, path: Any, **how: Any) -> Any:
    """What a file says."""
    hs.save(result, path, **how)
    return (path, Path(path).read_text(encoding="utf-8"))


for wrapper, wrapped in ((metric, hs.metric), (save, hs.save)):
    wrapper.__signature__ = inspect.signature(wrapped)  # type: ignore[attr-defined]


@cache
def calls() -> dict[str, Call]:
    """Name of a public callable, and of the data where it takes several kinds, to a call of it that works."""
    matrix = hs.ConfusionMatrix([[45, 5], [8, 42]], labels=["well", "ill"])
    other = hs.ConfusionMatrix([[40, 10], [9, 41]], labels=["well", "ill"])
    three = hs.ConfusionMatrix([[20, 3, 1], [2, 18, 4], [1, 2, 15]], labels="abc")
    worse = hs.ConfusionMatrix([[17, 5, 2], [4, 16, 4], [3, 2, 13]], labels="abc")
    rest = hs.ConfusionMatrix([[30, 9], [7, 33]], labels=["well", "ill"])
    checked = hs.ConfusionMatrix([[20, 5], [8, 30]], labels=["well", "ill"], unlabelled={"well": 50, "ill": 60})
    new, old, new3, old3 = hs.infer(matrix), hs.infer(other), hs.infer(three, "flat"), hs.infer(worse, "flat")
    truth, said = ["a", "a", "b", "b"] * 5, ["a", "b", "b", "b"] * 5
    swapped = ["b" if x == "a" else "a" for x in said]
    both = hs.Predictions(truth, {"A": said, "B": truth[::-1], "C": ["a", "a", "b", "a"] * 5})
    fewer = hs.Predictions(truth[:16], {"A": said[:16], "B": truth[:16][::-1], "C": ["a", "a", "b", "a"] * 4})
    third = np.array(["a", "b", "c"] * 12)
    answers = {
        "A": np.roll(third, 1).tolist()[:12] + third.tolist()[12:],
        "B": np.roll(third, 9).tolist()[:20] + ["c"] * 16,
    }
    pairs = hs.Predictions(third, answers)
    grouped = hs.Predictions(third, answers, group=[i // 3 for i in range(36)])
    scores = hs.Scores([0, 1] * 8, {"x": [1, 4, 2, 6, 3, 7, 5, 8] * 2, "y": [2, 3, 5, 4, 6, 6, 1, 7] * 2})
    rivals = hs.Scores([0, 1] * 8, {"x": [2, 1, 2, 6, 3, 7, 5, 8] * 2, "y": [2, 3, 5, 4, 6, 6, 1, 7] * 2})
    scored = hs.Scores(
        ["a", "b", "a", "b"] * 3, [0.1, 0.9, 0.3, 0.2, 0.15, 0.7, 0.4, 0.8, 0.35, 0.25, 0.6, 0.5], positive="b"
    )
    slices = hs.Slices({"x": matrix, "y": other})
    verdicts = ({"A": truth, "B": said}, {"A": said, "B": truth})
    judged = hs.JudgedAnswers(*verdicts)
    repeated = hs.infer(hs.Repeats.from_array(np.arange(40).reshape(10, 4) % 3 > 0))
    gated = hs.gate(new, old)
    counted = hs.count({"t": truth, "A": said, "B": truth, "g": ["x", "y"] * 10}, y_true="t", y_pred=["A", "B"], by="g")
    law = new.of("accuracy")
    board = {"x": (8, 10), "y": (5, 10), "z": (6, 12)}
    over = {key: {"A": (8, 10), "B": (5 + i, 10)} for i, key in enumerate("xyz")}
    over2 = {key: {"A": (7, 10), "B": (5 + i, 10)} for i, key in enumerate("xyz")}
    paired_over = dict.fromkeys("xyz", both)
    week = {f"2024-{month:02d}-{day:02d}": each for month in range(1, 7) for day, each in ((3, matrix), (4, other))}
    months = {day: other if day.startswith("2024-02") else each for day, each in week.items()}
    by = {"g": ["x", "x", "x", "y"] * 5}
    rates = {"recall": 0.9, "specificity": 0.8}
    few = {"draws": 200}
    pooled = hs.pool([matrix, other, matrix], draws=200)
    compared = hs.compare_over(over, draws=200)
    squares = (np.arange(200) + 0.5) ** 2 / 40_000
    ranges = hs.reconstruct({"accuracy": "0.9", "recall": "0.8"}, sizes=(10, 10))
    prediction, test = new.predict(20, draws=100), new.post_test(0.3)
    closed = dict.fromkeys(("draws", "seed"), "a closed law")
    # fmt: off
    return {
        "ConfusionMatrix": Call(
            hs.ConfusionMatrix, ([[1, 2], [3, 4]], ["a", "b"]), {"positive": "a"},
            {"counts": [[1, 2], [3, 5]], "labels": ["a", "c"], "positive": "b", "orientation": "pred-rows",
             "unlabelled": [5, 6], "verdicts": ["b", "a"], "order": ["b", "a"]},
        ),
        "ConfusionMatrix.from_cells": Call(
            hs.ConfusionMatrix.from_cells, ([0, 1], [0, 1], [2, 3]), {"labels": ["a", "b"], "positive": "a"},
            {"y_true_codes": [0, 0], "y_pred_codes": [1, 1], "counts": [2, 4], "labels": ["a", "c"], "positive": "b"},
        ),
        "ConfusionMatrix.from_counts": Call(
            hs.ConfusionMatrix.from_counts, (), {"tp": 1, "fn": 2, "fp": 3, "tn": 4}, dict.fromkeys(["tp", "fn", "fp",
            "tn"], 7)
        ),
        "ConfusionMatrix.from_dict": Call(
            hs.ConfusionMatrix.from_dict, ({"counts": [[1, 2], [3, 4]], "classes": "ab"},),
            other={"data": {"counts": [[1, 2], [3, 5]], "classes": "ab"}},
        ),
        "ConfusionMatrix.from_predictions": Call(
            hs.ConfusionMatrix.from_predictions, (truth, said), {"labels": ["a", "b"], "positive": "b"},
            {"y_true": said, "y_pred": truth, "labels": ["b", "a"], "positive": "a", "judge": truth, "order": ["b",
             "a"],
             "group": by["g"], "id": [1] * 20, "folds": [0, 1] * 10},
            {"missing": "no answer is missing"},
        ),
        "ConfusionMatrix.from_predictions: checked": Call(
            hs.ConfusionMatrix.from_predictions, ([*truth[:16], *[None] * 4], said), {"missing": "estimate"},
            {"y_true": [*said[:16], *[None] * 4], "y_pred": truth, "labels": ["b", "a"], "positive": "a",
             "judge": truth, "order": ["b", "a"], "group": by["g"], "id": [1] * 20, "folds": [0, 1] * 10},
        ),
        "ConfusionMatrix.of_passes": Call(
            hs.ConfusionMatrix.of_passes, ([matrix, matrix],), {"passes": 2}, {"matrices": [matrix, other], "passes": 1}
        ),
        "ConfusionMatrix.index": Call(matrix.index, ("ill",), other={"label": "well"}),
        "ConfusionMatrix.merge": Call(three.merge, ({"x": ["a", "b"]},), other={"groups": {"x": ["a", "c"]}}),
        "ConfusionMatrix.normalised": Call(matrix.normalised, ("true",), other={"by": "pred"}),
        "ConfusionMatrix.one_vs_rest": Call(three.one_vs_rest, ("a",), other={"label": "b"}),
        "ConfusionMatrix.about_groups": Call(grouped.confusion("A").about_groups, ("new",),
            other={"question": "these"}),
        "ConfusionMatrix.with_positive": Call(matrix.with_positive, ("ill",), other={"label": "well"}),
        "ConfusionMatrix.subset": Call(three.subset, (["a", "b"],), other={"labels": ["a", "c"]}),
        "Counts.confusion": Call(
            counted.confusion, ("y", "A"), {"labels": ["a", "b"], "positive": "b"},
            {"group": "x", "model": "B", "labels": ["b", "a"], "positive": "a"},
        ),
        "Counts.predictions": Call(
            counted.predictions, ("x",), {"positive": "b"}, {"group": "y", "positive": "a", "clusters": True},
            {"missing": "no answer is missing"},
        ),
        "Distribution.cdf": Call(law.cdf, (0.85,), other={"x": 0.9}),
        "Distribution.interval": Call(law.interval, (0.9, "hdi")),
        "Distribution.pdf": Call(law.pdf, (0.85,), other={"x": 0.9}),
        "Distribution.prob": Call(law.prob, (), {"above": 0.85}, {"above": 0.9, "below": 0.9, "between": (0.8, 0.9)}),
        "Distribution.quantile": Call(law.quantile, (0.5,), other={"p": 0.6}),
        "Distribution.sample": Call(law.sample, (10,), {"seed": 0}, {"n": 11}),
        "Distribution.sf": Call(law.sf, (0.85,), other={"x": 0.9}),
        "Distribution.with_wrong_labels": Call(law.with_wrong_labels, (5,), other={"wrong": 6}),
        "Distribution + x": Call(lambda x: law + x, (0.5,), other={"x": 0.6}),
        "Distribution - x": Call(lambda x: law - x, (0.5,), other={"x": 0.6}),
        "Distribution * x": Call(lambda x: law * x, (0.5,), other={"x": 0.6}),
        "Distribution / x": Call(lambda x: law / x, (0.5,), other={"x": 0.6}),
        "Gate.to_junit": Call(gated.to_junit, ("warn",)),
        "JudgedAnswers": Call(
            hs.JudgedAnswers, verdicts, {"id": range(20), "labels": ["a", "b"], "notes": ()},
            {"verdicts": {"A": said, "B": said}, "human": {"A": said, "B": said}, "id": range(1, 21), "labels": ["b",
             "a"]},
        ),
        "JudgedAnswers.codes": Call(judged.codes, ("A",), other={"name": "B"}),
        "JudgedAnswers.confusion": Call(judged.confusion, ("A",), other={"name": "B"}),
        "JudgedAnswers.from_long": Call(
            hs.JudgedAnswers.from_long,
            ([1, 2, 1, 2], ["A", "A", "B", "B"], ["a", "b", "a", "b"], ["a", None, "b", "b"]), {},
            {"id": [3, 4, 3, 4], "model": ["A", "A", "C", "C"], "verdict": ["a", "b", "b", "b"], "label": ["a", None,
             "a", "b"], "labels": ["b", "a"]},
        ),
        "JudgedAnswers.from_wide": Call(
            hs.JudgedAnswers.from_wide,
            ({"verdict_A": truth, "label_A": said, "verdict_B": said, "label_B": truth, "i": range(20), "j": range(3,
            23)},),
            {"id": "i"}, {"frame": {"verdict_A": truth, "label_A": said, "i": range(20)}, "id": "j", "labels": ["b",
             "a"]},
        ),
        "JudgedAnswers.index": Call(judged.index, ("A",), other={"name": "B"}),
        "JudgedAnswers.pairs": Call(judged.pairs, ("A", "B", "a"), other={"a": "B", "b": "A", "right": "b"}),
        "JudgedAnswers.passed": Call(judged.passed, ("B", "a"), other={"name": "A", "right": "b"}),
        "Metric": Call(
            hs.Metric, ("odd", first_cell, "table", (0, 1), "higher", "nobody"), {},
            {"name": "even", "formula": second_cell, "per": "class", "range": (0, 2), "better": "lower",
             "reference": "somebody", "aliases": ("o",), "parameters": {"beta": 1.0}, "limits": {"beta": (0.0, 2.0)},
             "chance": 0.5, "same_as": {"x": "y"}, "sklearn": "z", "undefined": 0.0, "law": first_cell,
             "plain": ("one", "two")},
        ),
        "Metric.exact": Call(exact, (first_cell,), other={"law": second_cell}),
        "Plan.plot": Call(hs.plan("recall", width=0.2, guess=0.9).plot, (48,), other={"width": 60}),
        "PostTest.after": Call(test.after, ("positive",), {"label": "ill"}, {0: "negative", "label": "well"}),
        "Posterior.at_prevalence": Call(
            new.at_prevalence, ([0.5, 0.5],), {}, {"prevalence": [0.4, 0.6], "cases": [4, 6], "verdicts": [4, 6]}
        ),
        "Posterior.at_prevalence: cases": Call(
            new.at_prevalence, (), {"cases": [50, 50]}, {"prevalence": [0.4, 0.6], "cases": [4, 6], "verdicts": [4, 6]}
        ),
        "Posterior.at_prevalence: verdicts": Call(
            new.at_prevalence, (), {"verdicts": [50, 50]}, {"prevalence": [0.4, 0.6], "cases": [4, 6], "verdicts": [4,
            6]}
        ),
        "Posterior.draw": Call(new.draw, (100,), {"seed": 0}, {"n": 101}),
        "Posterior.from_accuracy": Call(hs.Posterior.from_accuracy, (), {"correct": 5, "n": 10}, {"correct": 6,
            "n": 11}),
        "Posterior.informative": Call(new.informative, (0.0,), other={"margin": 0.1}),
        "Posterior.natural_frequencies": Call(
            new.natural_frequencies, (1000, [0.5, 0.5]), few, {"of": 500, "prevalence": [0.4, 0.6]}, closed
        ),
        "Posterior.natural_frequencies: drawn": Call(
            new3.natural_frequencies, (1000,), few, {"of": 500, "prevalence": [0.4, 0.4, 0.2]}
        ),
        "Posterior.of": Call(new3.of, ("mcc",), few, {"metric": "f1@macro"}),
        "Posterior.post_test": Call(new.post_test, (0.3, "ill"), few, {"pre_test": 0.2, "results": "well"}, closed),
        "Posterior.post_test: drawn": Call(new3.post_test, ({"a": 0.3}, "a"), few, {"pre_test": {"b": 0.3},
            "results": "b"}),
        "Posterior.predict": Call(new.predict, (20,), few, {"n": 30, "groups": 2}),
        "Posterior.predict: three": Call(new3.predict, ([10, 20, 30],), few, {"n": [10, 20, 20], "groups": 2}),
        "Posterior.predictive_values": Call(
            new.predictive_values, ("ill",), few, {"label": "well", "prevalence": [0.1, 0.2]}, closed
        ),
        "Posterior.predictive_values: drawn": Call(
            hs.infer(three).predictive_values, ("a",), few, {"label": "b", "prevalence": [0.1, 0.2]}
        ),
        "Posterior.prior_sensitivity": Call(
            new3.prior_sensitivity, ("mcc", ["jeffreys"]), few, {"metric": "kappa", "priors": ["perks"]}
        ),
        "Posterior.prob": Call(new3.prob, ("accuracy > 0.7 and f1@macro > 0.7",), few,
            {"statement": "f1@macro > 0.72"}),
        "Posterior.under": Call(new.under, ("jeffreys",)),
        "Prediction.count": Call(prediction.count, ("ill", "ill"), other={"true": "well", "predicted": "well"}),
        "Prediction.of": Call(prediction.of, ("accuracy",), other={"metric": "error_rate"}),
        "Prediction.repeats": Call(
            prediction.repeats, ("accuracy",), {"above": 0.8}, {"metric": "recall@ill", "above": 0.9, "below": 0.8,
            "prob": 0.9}
        ),
        "Predictions": Call(
            hs.Predictions, (truth, {"A": said}), {"id": range(20), "labels": ["a", "b"], "positive": "b"},
            {"y_true": said, "y_pred": {"A": truth}, "id": range(1, 21), "group": by["g"], "labels": ["b", "a"],
             "positive": "a"},
            {"missing": "no answer is missing"},
        ),
        "Predictions.answers": Call(both.answers, ("A",), other={"name": "B"}),
        "Predictions.confusion": Call(both.confusion, ("A",), other={"name": "B"}),
        "Predictions.from_codes": Call(
            hs.Predictions.from_codes, ([0, 1], {"A": [0, 0]}, ["a", "b"]), {"positive": "b"},
            {"truth": [1, 0], "answers": {"A": [0, 1]}, "labels": ["a", "c"], "group": [1, 2], "positive": "a"},
            {"missing": "no answer is missing"},
        ),
        "Predictions.from_long": Call(
            hs.Predictions.from_long, ([1, 2, 1, 2], ["A", "A", "B", "B"], ["a", "b", "a", "b"], ["a", "a", "b", "b"]),
            {"positive": "b"},
            {"id": [3, 4, 3, 4], "model": ["A", "A", "C", "C"], "y_true": ["b", "b", "b", "b"], "y_pred": ["a", "b",
             "b", "b"],
             "group": [1, 2, 1, 2], "labels": ["b", "a"], "positive": "a"}, {"missing": "no answer is missing"},
        ),
        "Predictions.from_wide": Call(
            hs.Predictions.from_wide, ({"t": truth, "A": said, "i": range(20), "j": range(3, 23)},),
            {"y_true": "t", "y_pred": ["A"], "id": "i", "positive": "b"},
            {"frame": {"t": said, "A": said, "i": range(20)}, "y_true": "A", "y_pred": ["t"], "id": "j", "group": "i",
             "labels": ["b", "a"], "positive": "a"}, {"missing": "no answer is missing"},
        ),
        "Predictions.index": Call(both.index, ("A",), other={"name": "B"}),
        "Predictions.patterns": Call(both.patterns, ("A", "B"), other={0: "B", 1: "C"}),
        "Prior": Call(
            hs.Prior, (1, 2), {},
            {"a": 2, "b": 1, "prevalence": 1.0, "accuracy": (1, 1), "told": hs.Prior.from_matrix(matrix, 0.5).told,
             "defaulted": True},
        ),
        "Prior.from_beliefs": Call(
            hs.Prior.from_beliefs, (), {"mean": 0.9, "interval": (0.8, 0.97)}, {"mean": 0.91, "interval": (0.8, 0.96)}
        ),
        "Prior.from_text": Call(hs.Prior.from_text, ("beta(2,2)",), other={"text": "beta(2,3)"}),
        "Prior.from_matrix": Call(hs.Prior.from_matrix, (matrix, 0.5), {}, {"confusion": other, "weight": 0.6,
            "base": "jeffreys"}),
        "Prior.from_rates": Call(
            hs.Prior.from_rates, (("well", "ill"), 1.0), {"accuracy": 0.6, "precision": 0.6, "recall": 0.65},
            {"labels": ("well", "sick"), "weight": 2.0, "accuracy": 0.61, "precision": 0.61, "recall": 0.66},
        ),
        "Reconstruction.of": Call(ranges.of, ("error_rate",), other={"metric": "accuracy"}),
        "Reconstruction.report": Call(ranges.report, (["error_rate"],), other={"metrics": ["accuracy"]}),
        "Repeats": Call(
            hs.Repeats, (["a", "b"], ["1"], [0.0, 1.0], [0, 1], [0, 0], [0, 1]), {},
            {"items": ["a", "c"], "runs": ["2"], "scores": [0.0, 2.0], "item": [1, 0], "run": [0, 1], "outcome": [1, 1],
             "no_answer": True},
        ),
        "Repeats.from_array": Call(
            hs.Repeats.from_array, ([[1, 0.2], [0.7, 1]],), {"items": ["a", "b"], "runs": [1, 2]},
            {"scores": [[1, 0], [0.7, 1]], "items": ["a", "c"], "runs": [1, 3], "outcomes": [0, 2, 1],
             "threshold": 0.5},
        ),
        "Repeats.from_columns": Call(
            hs.Repeats.from_columns, (["a", "a", "b"], [1, 2, 1], [1, 0.2, 1]), {},
            {"item": ["a", "a", "c"], "run": [1, 2, 2], "score": [1, 1, 0], "outcomes": [0, 2, 1], "threshold": 0.5},
            {"missing": "no score is missing"},
        ),
        "Scores": Call(
            hs.Scores, (["a", "b", "a", "b"], [0.1, 0.9, 0.3, 0.2]), {"positive": "b"},
            {"y_true": ["b", "b", "a", "b"], "y_score": [0.1, 0.9, 0.3, 0.4], "positive": "a", "labels": ["a", "b",
             "c"],
             "groups": ["x", "y", "x", "y"]},
        ),
        "Scores.of": Call(scores.of, ("x",), other={"name": "y"}),
        "Scores.one_vs_rest": Call(scored.one_vs_rest, ("b",), other={"label": "a"}),
        "Scores.confusion_at": Call(scored.confusion_at, (0.5,), other={"threshold": 0.2}),
        "assert_better": Call(
            hs.assert_better, (new, old), {"metric": "accuracy", "min_prob": 0.6, "on_inconclusive": "pass", **few},
            {0: new3, 1: new, "metric": "recall@ill", "mode": "non-inferiority", "margin": 0.1, "floor": 0.5,
             "min_prob": 0.7,
             "strict": True, "prior": "jeffreys"}, {"on_inconclusive": "the gate decides", **closed},
        ),
        "class_weighted_accuracy": Call(hs.class_weighted_accuracy, ([1, 2],), other={"weights": [1, 3]}),
        "class_weighted_informedness": Call(hs.class_weighted_informedness, ([1, 0.5],), other={"weights": [1, 3]}),
        "class_weighted_markedness": Call(hs.class_weighted_markedness, ([1, 0.5],), other={"weights": [1, 3]}),
        "expected_cost": Call(hs.expected_cost, ([[0, 1], [5, 0]],), other={"costs": [[0, 1], [6, 0]]}),
        "classical": Call(hs.classical, (matrix,), other={"confusion": other}),
        "compare": Call(hs.compare, (new3, old3), {"metric": "mcc", **few}, {0: hs.infer(worse, "flat"), 1: new3,
            "metric": "kappa"}),
        "compare: accuracy": Call(
            hs.compare, (hs.Posterior.from_accuracy(correct=8, n=10), hs.Posterior.from_accuracy(correct=5, n=10)),
            {"metric": "accuracy"},
            {0: hs.Posterior.from_accuracy(correct=7, n=10), 1: hs.Posterior.from_accuracy(correct=6, n=10),
             "metric": "mcc"},
        ),
        "compare: predictions": Call(
            hs.compare, (pairs, "A", "B"), {"metric": "f1@macro", **few}, {0: grouped, 1: "B", 2: "A", "metric": "mcc"}
        ),
        "compare: groups": Call(
            hs.compare, (grouped, "A", "B"), {"metric": "f1@macro", **few}, {0: pairs, 1: "B", 2: "A", "metric": "mcc"}
        ),
        "compare: scores": Call(hs.compare, (scores, "x", "y"), {"metric": "roc_auc", **few}, {0: rivals, 1: "y",
            2: "x", "metric": "average_precision"}),
        "compare: judged": Call(
            hs.compare, (judged, "A", "B"), {"metric": "prevalence@a", **few}, {0: hs.JudgedAnswers(verdicts[1],
            verdicts[0]), 1: "B", 2: "A", "metric": "prevalence@b", "prior": "flat"}
        ),
        "compare_algorithms": Call(
            hs.compare_algorithms, ([0.8, 0.9, 0.7], [0.7, 0.85, 0.7]), {"folds": 3},
            {"a": [0.8, 0.9, 0.75], "b": [0.7, 0.8, 0.7], "folds": 1, "test_share": 0.2}, {"kind": "a symmetric law"},
        ),
        "compare_curves": Call(hs.compare_curves, (scores, "x", "y", "roc"), few, {"scores": rivals, "a": "y",
            "b": "x", "what": "precision_recall"}),
        "compare_over": Call(
            hs.compare_over, (over, "A", "B"), few, {"data_sets": over2, "a": "B", "b": "A", "metric": "recall"},
        ),
        "compare_over: predictions": Call(
            hs.compare_over, (paired_over, "A", "B"), few,
            {"data_sets": dict.fromkeys("xyz", fewer), "a": "B", "b": "C", "metric": "recall@a"},
        ),
        "ComparedOver.of": Call(compared.of, ("mean",), other={"about": "new", "data_set": "x"}),
        "ComparedOver.chances": Call(compared.chances, ("mean",), other={"about": "new", "data_set": "x"}),
        "compare_slices": Call(
            hs.compare_slices, (both, "A", "B"), {"by": by}, {"predictions": fewer, "a": "B", "b": "C",
            "by": {"g": truth}, "metric": "recall@a"},
        ),
        "count": Call(
            hs.count, ({"t": truth, "p": said, "w": [1, 2] * 10, "i": range(20)},), {"y_true": "t", "y_pred": "p",
            "weight": "w"},
            {"data": {"t": said, "p": said, "w": [1, 2] * 10}, "y_true": "p", "y_pred": "t", "by": "i", "id": "t",
             "model": "p", "weight": "i",
             "weights": "effective", "labels": ["b", "a"], "query": "select 1", "memory": "100MB", "progress": print},
            dict.fromkeys(("memory", "progress"), "only of files"),
        ),
        "detect": Call(
            hs.detect, ("recall", 200), {"goal": "width", "guess": 0.8},
            {"metric": "accuracy", "n": 300, "goal": "above", "margin": 0.1, "assurance": 0.9, "pilot": matrix,
             "guess": 0.9,
             "mode": 0.8, "concentration": 10.0, "classes": 3, "paired": 0.2, "design": [0.5, 0.5], "group_size": 5,
             "icc": 0.2},
        ),
        "digits": Call(hs.digits, (new, "accuracy"), {"assurance": 0.95}, {"posterior": old, "metric": "recall@ill",
            "assurance": 0.5}, {"seed": "counted out"}),
        "Fairness.group": Call(hs.fairness(slices, "ill", draws=100).group, ("x",), other={"name": "y"}),
        "fairness": Call(hs.fairness, ({"x": matrix, "y": other}, "ill"), few, {"slices": {"x": matrix, "y": three},
            "positive": "well", "rope": 0.1}),
        "gate": Call(
            hs.gate, (new3, old3), {"metric": "mcc", "margin": 0.01, **few},
            {0: hs.infer(worse, "flat"), 1: new3, "metric": "kappa", "mode": "superiority", "margin": 0.1,
             "floor": 0.5, "min_prob": 0.6, "strict": True},
        ),
        "gate: floor": Call(
            hs.gate, (new3,), {"metric": "mcc", "floor": 0.6, **few},
            {0: old3, "metric": "kappa", "mode": "superiority", "margin": 0.1, "floor": 0.5, "min_prob": 0.6,
             "strict": True},
        ),
        "gate: predictions": Call(
            hs.gate, (pairs, "A", "B"), {"metric": "f1@macro", "margin": 0.01, **few},
            {0: grouped, 1: "B", 2: "A", "metric": "mcc", "mode": "superiority", "margin": 0.1, "floor": 0.5,
             "min_prob": 0.6, "strict": True},
        ),
        "gate_slices": Call(
            hs.gate_slices, (both, "A", "B"), {"by": by, "margin": 0.1},
            {"predictions": fewer, "candidate": "B", "baseline": "C", "by": {"g": truth}, "margin": 0.2,
             "metric": "recall@a", "min_prob": 0.6},
        ),
        "SliceGate.to_junit": Call(hs.gate_slices(both, "A", "C", by=by, margin=0.3).to_junit, ("warn",)),
        "infer": Call(hs.infer, (three, "flat"), {}, {"confusion": worse, "shares": "test"}),
        "infer: groups": Call(hs.infer, (grouped.confusion("A"), "flat"), {}, {"confusion": grouped.confusion("B"),
            "shares": "test"}),
        "metric": Call(
            metric, (), {"range": (0, 1), "better": "higher", "reference": "nobody"},
            {"range": (0, 2), "better": "lower", "reference": "somebody", "per": "class", "aliases": ("o",),
             "chance": 0.5,
             "same_as": {"x": "y"}, "sklearn": "z", "undefined": 0.0, "parameters": {"beta": 1.0},
             "limits": {"beta": (0.0, 2.0)},
             "plain": ("one", "two")},
        ),
        "next_labels": Call(hs.next_labels, (checked, 5), {"label": "ill"}, {"confusion": matrix, "labels": 9,
            "label": "well"}),
        "outlook": Call(hs.outlook, (new, "accuracy"), {"above": 0.82, "more": 20}, {"known": old,
            "metric": "error_rate", "above": 0.8, "more": 30}, {"seed": "counted out"}),
        "outlook: drawn": Call(hs.outlook, (new3, "balanced_accuracy"), {"above": 0.7, "more": 20}, {"known": old3,
            "metric": "accuracy", "above": 0.75, "more": 30}),
        "outlook: comparison": Call(
            hs.outlook, (hs.compare(new3, old3, metric="balanced_accuracy"),), {"more": 20}, {"known": hs.compare(old3,
            new3, metric="accuracy"), "metric": "accuracy", "above": 0.5, "more": 30},
        ),
        "plan": Call(
            hs.plan, ("recall",), {"width": 0.2, "guess": 0.8, "assurance": 0.8},
            {"metric": "accuracy", "width": 0.3, "above": 0.5, "below": 0.9, "difference": 0.1, "margin": 0.1,
             "assurance": 0.9, "pilot": matrix, "guess": 0.9,
             "mode": 0.8, "concentration": 10.0, "classes": 3, "paired": 0.2, "design": [0.5, 0.5], "n": 50,
             "judge": rates,
             "verdicts": 500, "group_size": 5, "icc": 0.2, "prevalence": 0.2},
        ),
        "plan: judge": Call(
            hs.plan, ("prevalence@yes",), {"width": 0.2, "guess": 0.8, "judge": rates, "verdicts": 500},
            {"metric": "prevalence@no", "width": 0.3, "above": 0.5, "below": 0.9, "difference": 0.1, "margin": 0.1,
             "assurance": 0.9, "pilot": matrix, "guess": 0.9,
             "mode": 0.8, "concentration": 10.0, "classes": 3, "paired": 0.2, "design": [0.5, 0.5], "n": 50,
             "judge": {**rates, "recall": 0.95},
             "verdicts": 600, "group_size": 5, "icc": 0.2, "prevalence": 0.2},
        ),
        "plan: difference": Call(
            hs.plan, ("accuracy",), {"difference": 0.2, "guess": 0.7, "n": 40, "paired": 0.3},
            {"metric": "recall@ill", "width": 0.3, "above": 0.5, "below": 0.9, "difference": 0.3, "margin": 0.1,
             "assurance": 0.9, "pilot": other, "guess": 0.9,
             "mode": 0.8, "concentration": 10.0, "classes": 3, "paired": 0.4, "design": [0.4, 0.6], "n": 10,
             "prior": "flat", "judge": rates,
             "verdicts": 600, "group_size": 5, "icc": 0.2, "prevalence": 0.2},
            {"prior": "a sign test has none", "classes": "right and wrong are two"},
        ),
        "pool": Call(hs.pool, ({"x": matrix, "y": other, "z": matrix},), few, {"sites": [matrix, other, other],
            "metric": "accuracy", "positive": "well", "unit": "study"}),
        "pool: rate": Call(hs.pool, (board,), few, {"sites": {**board, "x": (7, 10)}, "metric": "recall",
            "positive": "well", "unit": "study"}),
        "pool_calibrations": Call(hs.pool_calibrations, (matrix, hs.ConfusionMatrix([[20, 40], [30, 10]],
            labels=["well", "ill"])), {"anyway": True}, {0: other, 1: matrix, "anyway": False}),
        "Pooled.of": Call(pooled.of, ("precision",), {"prevalence": 0.1}, {"metric": "f1", "about": "new", "site": "1",
            "prevalence": 0.2}),
        "Pooled.tau": Call(pooled.tau, ("sensitivity",), other={"rate": "specificity"}),
        "Pooled.i2": Call(pooled.i2, ("sensitivity",), other={"rate": "specificity"}),
        "Pooled.region": Call(pooled.region, ("new",), other={"about": "typical"}),
        "Pooled.hsroc": Call(pooled.hsroc),
        "post_test": Call(hs.post_test, ([(new, "ill"), (old, "ill")], 0.1), few, {"tests": [(new, "ill"), (old,
            "well")], "pre_test": 0.2}),
        "rank": Call(
            hs.rank, ({"x": new3, "y": old3, "z": new3},), {"metric": "f1@macro", "prizes": (10,), "top": 1, **few},
            {"classifiers": {"x": new3, "y": old3}, "metric": "accuracy", "entries": "independent", "prizes": (20,),
             "top": 2, "new_test": 20, "shared_judge": True},
        ),
        "rank: alone": Call(
            hs.rank, ({"x": new3, "y": old3, "z": hs.infer(worse, "flat")},), {"metric": "f1@macro",
            "entries": "independent", **few},
            {"classifiers": {"x": new3, "y": old3}, "metric": "accuracy", "entries": "learned", "prizes": (20,),
             "top": 2, "new_test": 20, "shared_judge": True},
        ),
        "rank: predictions": Call(
            hs.rank, (both,), {"metric": "accuracy", "new_test": 20, **few},
            {"classifiers": fewer, "metric": "mcc", "entries": "independent", "prizes": (20,), "top": 2,
             "new_test": 30, "shared_judge": True},
        ),
        "rank: groups": Call(
            hs.rank, (grouped,), {"metric": "accuracy", **few},
            {"classifiers": pairs, "metric": "mcc", "entries": "learned", "prizes": (20,), "top": 1, "new_test": 30,
             "shared_judge": True},
        ),
        "rank: scores": Call(
            hs.rank, (scores,), {"metric": "roc_auc", **few},
            {"classifiers": rivals, "metric": "average_precision", "entries": "learned", "prizes": (20,), "top": 1,
             "new_test": 30, "shared_judge": True},
        ),
        "rank: judged": Call(
            hs.rank, (judged,), {"metric": "prevalence@a", **few},
            {"classifiers": hs.JudgedAnswers(verdicts[1], verdicts[0]), "metric": "prevalence@b", "prior": "flat",
             "entries": "learned", "prizes": (20,), "top": 1, "new_test": 30, "shared_judge": True},
        ),
        "rank_over": Call(hs.rank_over, (over,), few, {"data_sets": over2, "metric": "recall"}),
        "rank_slices": Call(hs.rank_slices, (both,), {"by": by}, {"predictions": fewer, "by": {"g": truth},
            "metric": "recall@a"}),
        "reconstruct": Call(
            hs.reconstruct, ({"accuracy": "0.9"},), {"sizes": (10, 10), "recall": "0.8"},
            {0: {"accuracy": "0.8"}, "n": 30, "sizes": (10, 20), "labels": ["a", "b"], "shares": [[0.9, 0.1], [0.2,
             0.8]], "rounding": "truncated", "recall": "0.7"},
        ),
        "report": Call(
            hs.report, (new3, ["f1@macro", "accuracy"]), few,
            {"posterior": old3, "metrics": ["mcc"], "companions": True, "above": 0.5, "below": 0.9,
             "between": (0.6, 0.8), "quantiles": (0.1,), "how_chosen": "best of 9", "wrong_labels": 2},
        ),
        "rule_of_thumb": Call(
            hs.rule_of_thumb, ("accuracy",), {"sizes": (10,)},
            {"metric": "balanced_accuracy", "mode": 0.7, "concentration": 5.0, "classes": 3, "sizes": (20,)},
             {"classes": "right and wrong are two, whatever the classes", "seed": "counted out"},
        ),
        "rule_of_thumb: drawn": Call(
            hs.rule_of_thumb, ("mcc",), {"sizes": (10,)},
            {"metric": "balanced_accuracy", "mode": 0.7, "concentration": 5.0, "classes": 3, "sizes": (20,)},
        ),
        "settle": Call(hs.settle, ({"x": 0.9, "y": 0.85},), {"n": 1000}, {"scores": {"x": 0.9, "y": 0.8},
            "assurance": 0.9, "n": 900}),
        "save": Call(save, (hs.report(new), "report.md"), {}, {"result": hs.report(old), "path": "report.csv"}),
        "Slices": Call(hs.Slices, ({"x": matrix, "y": matrix},), {"by": "site"}, {"matrices": {"x": matrix,
            "y": other}, "by": "ward"}),
        "Slices.confusion": Call(slices.confusion, ("x",), other={"name": "y"}),
        "Slices.from_predictions": Call(
            hs.Slices.from_predictions, (truth, said), {"by": by, "positive": "b"},
            {"y_true": said, "y_pred": swapped, "by": {"g": truth}, "id": [1] * 20, "labels": ["b", "a"],
             "positive": "a"},
        ),
        "Slices.tally": Call(slices.tally, ("ill",), other={"label": "well"}),
        "SliceReport.between": Call(hs.slice_report({"x": matrix, "y": other, "z": rest}).between, ("x", "y"),
            other={"a": "z", "b": "z"}),
        "slice_report": Call(
            hs.slice_report, ({"x": three, "y": worse, "z": three}, "f1@macro", "flat"), few, {"slices": {"x": three,
            "y": worse}, "metric": "accuracy"},
        ),
        "slices_in_time": Call(hs.slices_in_time, (week, "balanced_accuracy", "flat"), {"cut": "week"},
            {"slices": months, "metric": "recall@ill", "cut": "month"}),
        "stopping_rule": Call(hs.stopping_rule, ([10, 20], 0.7), {}, {"looks": [10, 30], "threshold": 0.6,
            "alpha": 0.1}),
        "stratified": Call(hs.stratified, ({"x": matrix, "y": other}, "equal"), {}, {"slices": {"x": matrix,
            "y": rest}, "weights": {"x": 0.3, "y": 0.7}, "empty": "drop"}, {"empty": "no class is without a case"}),
        "survey": Call(hs.survey, ({"x": matrix}, "flat"), {}, {"classifiers": {"x": other}, "margin": 0.1}),
        "which_rates": Call(hs.which_rates, (matrix, other), {}, {"calibration": other, "target": matrix}),
        "Beta": Call(laws.Beta, (1, 2), other={"a": 2, "b": 3}),
        "Beta.prob": Call(laws.Beta(1, 2).prob, (), {"between": (0.2, 0.5)}, {"between": (0.2, 0.6), "above": 0.4,
            "below": 0.4}),
        "BetaBinomial": Call(laws.BetaBinomial, (10, 1, 2), other={"n": 11, "a": 2, "b": 3}),
        "BetaSum": Call(laws.BetaSum, ([1, 2], [2, 1], [0.5, 0.5]), other={"a": [1, 3], "b": [2, 2], "weights": [0.4,
            0.6], "shift": 0.1}),
        "Draws": Call(laws.Draws, (np.linspace(0, 1, 200),), {}, {"values": np.linspace(0, 0.9, 200), "support": (-1,
            1), "control": laws.Companion(squares, laws.Beta(0.5, 1)), "strata": laws.Companion(squares, laws.Beta(0.5,
            1)).strata}),
        "Draws.sample": Call(laws.Draws(np.linspace(0, 1, 200)).sample, (10,), {"seed": 0}, {"n": 11}),
        "Mixture": Call(laws.Mixture, ([laws.Beta(1, 2), laws.Beta(3, 4)], [0.5, 0.5]), {}, {"laws": [laws.Beta(1, 3),
            laws.Beta(3, 4)], "weights": [0.4, 0.6]}),
        "Mixture.of_betas": Call(laws.Mixture.of_betas, ([1, 2], [3, 4], [0.5, 0.5]), {}, {"a": [1, 3], "b": [3, 5],
            "weights": [0.4, 0.6], "low": 0.1, "width": 0.5}),
        "Mixture.sample": Call(laws.Mixture([laws.Beta(1, 2)], [1.0]).sample, (10,), {"seed": 0}, {"n": 11}),
        "infer: repeats": Call(hs.infer, (hs.Repeats.from_array(np.eye(6)[:, :3]),), {},
            {"confusion": hs.Repeats.from_array(np.eye(5)[:, :3]), "groups": "new"}),
        "report: repeats": Call(hs.report, (repeated,), few, {"posterior": hs.infer(hs.Repeats.from_array(np.eye(6)[:,
            :3])), "metrics": ["mean_score"], "companions": True, "above": 0.5,
             "below": 0.9, "between": (0.6, 0.8), "quantiles": (0.1,), "how_chosen": "best of 9", "wrong_labels": 2}),
    }
    # fmt: on
