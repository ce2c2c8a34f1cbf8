"""One call of every public function and method, with arguments that work; tests change one argument at a time."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import cache
from typing import Any

import numpy as np
from tests.house.calls_of_slices import Call, calls_of_slices

import howsure as hs
from howsure import laws
from howsure.metrics import REGISTRY

__all__ = ["Call", "calls", "public_callables"]


#: Answers and records that the library makes; what is asked of them is asked before they are made.
RECORDS = {
    "Classical",
    "ComparedOver",
    "Comparison",
    "ScoreComparison",
    "Counts",
    "Distribution",
    "Fairness",
    "CurveComparison",
    "Gate",
    "Informativeness",
    "NaturalFrequencies",
    "Plan",
    "Pooled",
    "PostTest",
    "Posterior",
    "Prediction",
    "Probability",
    "RankedOver",
    "Ranking",
    "Reconstruction",
    "Report",
    "Sensitivity",
    "SliceComparison",
    "SliceGate",
    "SliceRanking",
    "SliceReport",
    "SlicesInTime",
    "Stratified",
    "Survey",
}

#: Methods of a prior for posteriors, which take what those have checked.
INSIDE = {"Prior.aligned", "Prior.recalls", "Prior.row", "Prior.shares"}


def public_callables() -> dict[str, Callable[..., Any]]:
    """Every public function, and every public method that takes an argument, by its name."""
    found: dict[str, Callable[..., Any]] = {}
    for name in hs.__all__:
        value = getattr(hs, name)
        if inspect.isclass(value) and not issubclass(value, Exception):
            if name not in RECORDS:
                found[name] = value
            for method in (m for m in dir(value) if not m.startswith("_")):
                full = f"{name}.{method}"
                function = getattr(value, method)
                if callable(function) and full not in INSIDE and set(inspect.signature(function).parameters) - {"self"}:
                    found[full] = function
        elif inspect.isfunction(value):
            found[name] = value
    return found


@contextmanager
def forgotten() -> Iterator[None]:
    """Metrics that are declared inside are undeclared at the end."""
    before = dict(REGISTRY)
    try:
        yield
    finally:
        REGISTRY.clear()
        REGISTRY.update(before)


def declared(**how: Any) -> hs.Metric:
    """A metric that is declared, and forgotten."""
    with forgotten():
        return hs.metric(**how)(first_cell)


def lawful(law: Any) -> Any:
    """A law of a metric, which is forgotten."""
    with forgotten():
        return hs.metric(range=(0, 1), better="higher", reference="nobody")(first_cell).exact(law)


def first_cell(tables: Any) -> Any:
    """Share of the first cell."""
    return tables[..., 0, 0] / tables.sum((-2, -1))


@cache
def calls() -> dict[str, Call]:
    """Name of a public callable to a call of it that works."""
    matrix = hs.ConfusionMatrix([[45, 5], [8, 42]], labels=["well", "ill"])
    other = hs.ConfusionMatrix([[40, 10], [9, 41]], labels=["well", "ill"])
    checked = hs.ConfusionMatrix([[20, 5], [8, 30]], labels=["well", "ill"], unlabelled={"well": 50, "ill": 60})
    new, old = hs.infer(matrix), hs.infer(other)
    two_scores = hs.Scores([0, 1] * 5, {"x": range(10), "y": [*range(5), *range(5)]})
    scored = hs.Scores(["a", "b", "a", "b"], [0.1, 0.9, 0.3, 0.2], positive="b")
    slices = hs.Slices({"x": matrix, "y": matrix})
    truth, said = ["a", "a", "b", "b"] * 5, ["a", "b", "b", "b"] * 5
    both = hs.Predictions(truth, {"A": said, "B": truth[::-1]})
    judged = hs.JudgedAnswers({"A": truth, "B": said}, {"A": said, "B": truth})
    gated = hs.gate(new, old)
    counted = hs.count({"t": truth, "p": said, "g": truth}, y_true="t", y_pred="p", by="g")
    law, few = new.of("accuracy"), {"draws": 100, "seed": 0}
    shown = {"level": 0.9, "kind": "central"}
    # fmt: off
    tables = {"range": (0, 1), "better": "higher", "reference": "nobody", "per": "table", "aliases": (), "chance": None,
              "same_as": None, "sklearn": "", "undefined": None, "parameters": None, "limits": None}
    pilot = {"assurance": 0.8, "level": 0.9, "pilot": None, "guess": 0.8, "mode": None, "concentration": None,
             "classes": 2, "paired": None, "design": None, "prior": "flat", "seed": 0}
    cases = {"id": range(20), "group": said, "labels": ["a", "b"], "positive": "b", "missing": "error"}
    test = new.post_test(0.3)
    prediction = new.predict(20, draws=100)
    pooled = hs.pool([matrix, other, matrix], draws=200)
    over = hs.compare_over({key: {"A": (8, 10), "B": (5, 10)} for key in "xyz"}, draws=200)
    rebuilt = hs.reconstruct({"accuracy": "0.9", "recall": "0.8"}, sizes=(10, 10))
    return {
        "ConfusionMatrix": Call(
            hs.ConfusionMatrix, ([[1, 2], [3, 4]], ["a", "b"]), {"positive": "a", "orientation": "true-rows"}
        ),
        "ConfusionMatrix.from_cells": Call(
            hs.ConfusionMatrix.from_cells, ([0, 1], [0, 1], [2, 3]), {"labels": ["a", "b"], "positive": "a"}
        ),
        "ConfusionMatrix.from_counts": Call(hs.ConfusionMatrix.from_counts, (), {"tp": 1, "fn": 2, "fp": 3, "tn": 4}),
        "ConfusionMatrix.from_dict": Call(
            hs.ConfusionMatrix.from_dict, ({"counts": [[1, 2], [3, 4]], "classes": "ab"},)
        ),
        "ConfusionMatrix.from_predictions": Call(
            hs.ConfusionMatrix.from_predictions, (truth, said), {"labels": ["a", "b"], "positive": "b"}
        ),
        "ConfusionMatrix.of_passes": Call(
            hs.ConfusionMatrix.of_passes, ([hs.ConfusionMatrix([[1, 2], [3, 4]])] * 2,), {"passes": 2}
        ),
        "ConfusionMatrix.index": Call(matrix.index, ("ill",)),
        "ConfusionMatrix.merge": Call(hs.ConfusionMatrix(np.eye(3, dtype=int)).merge, ({"x": ["0", "1"]},)),
        "ConfusionMatrix.normalised": Call(matrix.normalised, ("true",)),
        "ConfusionMatrix.one_vs_rest": Call(matrix.one_vs_rest, ("ill",)),
        "ConfusionMatrix.about_groups": Call(
            hs.ConfusionMatrix.from_predictions(truth, said, group=list(range(len(truth)))).about_groups, ("new",)
        ),
        "ConfusionMatrix.with_positive": Call(matrix.with_positive, ("ill",)),
        "ConfusionMatrix.subset": Call(matrix.subset, (["ill", "well"],)),
        "Counts.confusion": Call(counted.confusion, ("a", "p"), {"labels": ["a", "b"], "positive": "b"}),
        "Counts.predictions": Call(counted.predictions, ("a",), {"missing": "exclude", "positive": "b"}),
        "Distribution.cdf": Call(law.cdf, (0.5,)),
        "Distribution.interval": Call(law.interval, (0.9, "hdi")),
        "Distribution.pdf": Call(law.pdf, (0.5,)),
        "Distribution.prob": Call(law.prob, (), {"above": 0.5}),
        "Distribution.quantile": Call(law.quantile, (0.5,)),
        "Distribution.sample": Call(law.sample, (10,), {"seed": 0}),
        "Distribution.sf": Call(law.sf, (0.5,)),
        "Distribution.with_wrong_labels": Call(law.with_wrong_labels, (5,), shown),
        "Gate.to_junit": Call(gated.to_junit, ("warn",)),
        "JudgedAnswers": Call(
            hs.JudgedAnswers, ({"A": truth, "B": said}, {"A": said, "B": truth}),
            {"id": range(20), "labels": ["a", "b"], "notes": ()},
        ),
        "JudgedAnswers.codes": Call(judged.codes, ("A",)),
        "JudgedAnswers.confusion": Call(judged.confusion, ("A",)),
        "JudgedAnswers.from_long": Call(
            hs.JudgedAnswers.from_long,
            ([1, 2, 1, 2], ["A", "A", "B", "B"], ["a", "b", "a", "b"], ["a", None, "b", "b"]),
            {"labels": ["a", "b"], "notes": ()},
        ),
        "JudgedAnswers.from_wide": Call(
            hs.JudgedAnswers.from_wide,
            ({"verdict_A": truth, "label_A": said, "verdict_B": said, "label_B": truth, "id": range(20)},),
            {"id": "id", "labels": ["a", "b"], "notes": ()},
        ),
        "JudgedAnswers.index": Call(judged.index, ("A",)),
        "JudgedAnswers.pairs": Call(judged.pairs, ("A", "B", "a")),
        "JudgedAnswers.passed": Call(judged.passed, ("A", "a")),
        "Metric": Call(
            hs.Metric,
            ("odd", lambda m: m[..., 0, 0], "table", (0, 1), "higher", "nobody", (), {}, {}, None, {}, "", None, None),
        ),
        "Metric.exact": Call(lawful, (lambda k: None,)),
        "Plan.plot": Call(hs.plan("recall", width=0.2, guess=0.9).plot, (48,)),
        "PostTest.after": Call(test.after, ("positive",), {"label": "ill"}),
        "Posterior.at_prevalence": Call(new.at_prevalence, ([0.5, 0.5],)),
        "Posterior.draw": Call(new.draw, (100,), {"seed": 0}),
        "Posterior.from_accuracy": Call(hs.Posterior.from_accuracy, (), {"correct": 5, "n": 10, "prior": "flat"}),
        "Posterior.informative": Call(new.informative, (0.0,)),
        "Posterior.natural_frequencies": Call(new.natural_frequencies, (1000, [0.5, 0.5]), {**shown, **few}),
        "Posterior.of": Call(new.of, ("mcc",), few),
        "Posterior.post_test": Call(new.post_test, (0.3, "ill"), {**shown, **few}),
        "Posterior.predict": Call(new.predict, (20,), {**shown, **few}),
        "Posterior.predictive_values": Call(new.predictive_values, ("ill",), {"level": 0.9, "prevalence": [0.1, 0.2]}),
        "Posterior.prior_sensitivity": Call(
            new.prior_sensitivity, ("accuracy", ["flat", "jeffreys"]), {**shown, **few}
        ),
        "Posterior.prob": Call(new.prob, ("accuracy > 0.8",), few),
        "Posterior.under": Call(new.under, ("jeffreys",)),
        "Prediction.count": Call(prediction.count, ("ill", "ill")),
        "Prediction.of": Call(prediction.of, ("accuracy",)),
        "Prediction.repeats": Call(prediction.repeats, ("accuracy",), {"above": 0.8, "prob": 0.9}),
        "Predictions": Call(hs.Predictions, (truth, {"A": said}), {**cases, "notes": ()}),
        "Predictions.answers": Call(both.answers, ("A",)),
        "Predictions.confusion": Call(both.confusion, ("A",)),
        "Repeats": Call(hs.Repeats, (["a", "b"], ["1"], [0.0, 1.0], [0, 1], [0, 0], [0, 1]), {"notes": ()}),
        "Repeats.from_array": Call(
            hs.Repeats.from_array,
            ([[1, 0], [1, 1]],),
            {"items": ["a", "b"], "runs": [1, 2], "outcomes": [0, 1], "threshold": 0.5, "notes": ()},
        ),
        "Repeats.from_columns": Call(
            hs.Repeats.from_columns,
            (["a", "a", "b"], [1, 2, 1], [1, 0, 1]),
            {"outcomes": [0, 1], "threshold": 0.5, "missing": "error", "notes": ()},
        ),
        "Predictions.from_codes": Call(
            hs.Predictions.from_codes,
            (np.array([0, 1]), {"A": np.array([0, 0])}, ["a", "b"]),
            {"group": [1, 2], "positive": "b", "missing": "error", "notes": ()},
        ),
        "Predictions.from_long": Call(
            hs.Predictions.from_long,
            ([1, 2, 1, 2], ["A", "A", "B", "B"], ["a", "b", "a", "b"], ["a", "a", "b", "b"]),
            {"group": [1, 2, 1, 2], "labels": ["a", "b"], "positive": "b", "missing": "error", "notes": ()},
        ),
        "Predictions.from_wide": Call(
            hs.Predictions.from_wide,
            ({"t": truth, "A": said, "id": range(20)},),
            {"y_true": "t", "y_pred": ["A"], "id": "id", "group": "id", "labels": ["a", "b"], "positive": "b",
             "missing": "error", "notes": ()},
        ),
        "Predictions.index": Call(both.index, ("A",)),
        "Predictions.patterns": Call(both.patterns, ("A",)),
        "Prior": Call(hs.Prior, (1, 1, 2.0, "mine", (1, 1), None)),
        "Prior.from_beliefs": Call(
            hs.Prior.from_beliefs, (), {"mean": 0.9, "interval": (0.8, 0.97), "level": 0.95, "name": "mine"}
        ),
        "Prior.from_text": Call(hs.Prior.from_text, ("beta(2,2)",)),
        "Prior.from_matrix": Call(hs.Prior.from_matrix, (matrix, 0.5), {"base": "flat", "name": "mine"}),
        "Prior.from_rates": Call(
            hs.Prior.from_rates,
            (("well", "ill"), 1.0),
            {"name": "mine", "accuracy": 0.6, "precision": 0.6, "recall": 0.65},
        ),
        "Reconstruction.of": Call(rebuilt.of, ("accuracy", "flat")),
        "Reconstruction.report": Call(rebuilt.report, (["accuracy"],), {"prior": "flat", **shown}),
        "assert_better": Call(
            hs.assert_better,
            (new, old),
            {"metric": "accuracy", "mode": "superiority", "margin": 0.0, "floor": None, "min_prob": 0.9, "strict": None,
             "names": ("x", "y"), "notes": (), "on_inconclusive": "pass"},
        ),
        "class_weighted_accuracy": Call(hs.class_weighted_accuracy, ([1, 2],), {"name": "mine"}),
        "class_weighted_informedness": Call(hs.class_weighted_informedness, ([1, 0.5],), {"name": "mine"}),
        "class_weighted_markedness": Call(hs.class_weighted_markedness, ([1, 0.5],), {"name": "mine"}),
        "classical": Call(hs.classical, (matrix,), {"level": 0.9}),
        "compare": Call(
            hs.compare,
            (new, old),
            {"metric": "mcc", "prior": None, "rope": 0.01, **shown, **few, "names": ("x", "y"), "notes": ()},
        ),
        "compare_curves": Call(
            hs.compare_curves,
            (two_scores, "x", "y", "roc"),
            {"names": None, **shown, **few, "notes": ()},
        ),
        "count": Call(
            hs.count,
            ({"t": truth, "p": said, "w": [1] * 20, "i": range(20)},),
            {"y_true": "t", "y_pred": "p", "by": (), "id": None, "model": None, "weight": "w", "weights": "frequency",
             "labels": ["a", "b"], "query": None, "memory": None, "progress": None},
        ),
        "detect": Call(hs.detect, ("recall", 200), {"goal": "width", "margin": 0.0, **pilot}),
        "digits": Call(hs.digits, (new, "accuracy"), {"assurance": 0.95, "seed": 0}),
        "expected_cost": Call(hs.expected_cost, ([[0, 1], [5, 0]],), {"name": "mine"}),
        "gate": Call(
            hs.gate,
            (new, old),
            {"metric": "mcc", "mode": "non-inferiority", "margin": 0.01, "floor": None, "min_prob": 0.9, "strict": None,
             "prior": None, **shown, **few, "names": ("x", "y"), "notes": ()},
        ),
        "infer": Call(hs.infer, (matrix, "flat")),
        "metric": Call(declared, (), tables),
        "next_labels": Call(hs.next_labels, (checked, 5), {"label": "ill", "level": 0.9}),
        "outlook": Call(hs.outlook, (new, "accuracy"), {"above": 0.8, "more": 20, "level": 0.9, "seed": 0}),
        "plan": Call(
            hs.plan,
            ("recall",),
            {"width": 0.2, "above": None, "below": None, "difference": None, "margin": None, **pilot, "n": None,
             "judge": None, "verdicts": None},
        ),
        "pool_calibrations": Call(hs.pool_calibrations, (matrix, matrix), {"anyway": True}),
        "which_rates": Call(hs.which_rates, (matrix, matrix), {"prior": "flat"}),
        "post_test": Call(hs.post_test, ([(new, "ill"), (old, "ill")], 0.1), {**shown, **few}),
        "rank": Call(
            hs.rank,
            ({"x": new, "y": old},),
            {"metric": "accuracy", "prior": None, "prizes": (10,), "top": 1, "new_test": 20, **shown, **few,
             "notes": ()},
        ),
        "compare_algorithms": Call(
            hs.compare_algorithms,
            ([0.8, 0.9, 0.7], [0.7, 0.85, 0.7]),
            {"folds": 3, "test_share": None, "rope": 0.01, "names": ("x", "y"), "level": 0.9, "kind": "hdi"},
        ),
        "reconstruct": Call(
            hs.reconstruct,
            ({"accuracy": "0.9"},),
            {"n": None, "sizes": (10, 10), "labels": ["a", "b"], "shares": None, "rounding": "nearest",
             "recall": "0.8"},
        ),
        "pool": Call(
            hs.pool,
            ({"x": matrix, "y": matrix, "z": matrix},),
            {"metric": None, "positive": None, "level": 0.9, "kind": "hdi", "draws": 200, "seed": 0, "notes": ()},
        ),
        "compare_over": Call(
            hs.compare_over,
            ({key: {"A": (8, 10), "B": (5, 10)} for key in "xyz"}, "A", "B"),
            {"metric": None, "rope": 0.1, "level": 0.9, "kind": "hdi", "draws": 200, "seed": 0, "notes": ()},
        ),
        "rank_over": Call(
            hs.rank_over,
            ({key: {"A": (8, 10), "B": (5, 10)} for key in "xyz"},),
            {"metric": None, "level": 0.9, "kind": "hdi", "draws": 200, "seed": 0, "notes": ()},
        ),
        "ComparedOver.of": Call(over.of, ("new",), {"data_set": None}),
        "ComparedOver.chances": Call(over.chances, ("new",), {"data_set": None}),
        "Pooled.of": Call(pooled.of, ("precision",), {"about": "typical", "site": None, "prevalence": 0.1}),
        "Pooled.tau": Call(pooled.tau, ("sensitivity",)),
        "Pooled.i2": Call(pooled.i2, ("sensitivity",)),
        "Pooled.region": Call(pooled.region, ("new",), {"level": 0.9}),
        "Pooled.hsroc": Call(pooled.hsroc, (), {"level": 0.9}),
        "report": Call(
            hs.report, (new, ["accuracy"]), {**shown, **few, "notes": (), "companions": False, "wrong_labels": 2}
        ),
        "rule_of_thumb": Call(
            hs.rule_of_thumb,
            ("accuracy",),
            {"mode": 0.8, "concentration": 10.0, "classes": 2, "sizes": (10,), "prior": "flat", "seed": 0},
        ),
        "settle": Call(
            hs.settle,
            ({"x": 0.9, "y": 0.85},),
            {"assurance": 0.9, "level": 0.9, "prior": "flat", "n": 1000, "seed": 0},
        ),
        "stopping_rule": Call(hs.stopping_rule, ([10, 20], 0.7), {"alpha": 0.05, "prior": "flat"}),
        "save": Call(hs.save, (hs.report(new), "report.md"), {"title": "", "comment": ""}),
        "Scores": Call(
            hs.Scores,
            (["a", "b", "a", "b"], [0.1, 0.9, 0.3, 0.2]),
            {"positive": "b", "labels": ["a", "b"], "groups": ["x", "y", "x", "y"]},
        ),
        "Scores.of": Call(scored.of, ("score",)),
        "Scores.one_vs_rest": Call(scored.one_vs_rest, ("b",)),
        "Scores.confusion_at": Call(scored.confusion_at, (0.5,)),
        **calls_of_slices(both, slices, matrix, other, truth, said),
        "survey": Call(hs.survey, ({"x": matrix}, "flat"), {"margin": 0.0}),
        # methods that are operators, and laws by hand
        "Distribution + x": Call(lambda x: law + x, (0.5,)),
        "Distribution - x": Call(lambda x: law - x, (0.5,)),
        "Distribution * x": Call(lambda x: law * x, (0.5,)),
        "Distribution / x": Call(lambda x: law / x, (0.5,)),
        "Beta": Call(laws.Beta, (1, 2)),
        "Beta.prob": Call(laws.Beta(1, 2).prob, (), {"between": (0.2, 0.5)}),
        "BetaBinomial": Call(laws.BetaBinomial, (10, 1, 2)),
        "BetaSum": Call(laws.BetaSum, ([1, 2], [2, 1], [0.5, 0.5])),
        "Draws": Call(laws.Draws, (np.linspace(0, 1, 200),), {"support": (0, 1)}),
        "Draws.sample": Call(laws.Draws(np.linspace(0, 1, 200)).sample, (10,), {"seed": 0}),
        "Mixture": Call(laws.Mixture, ([laws.Beta(1, 2), laws.Beta(3, 4)], [0.5, 0.5])),
        "Mixture.of_betas": Call(laws.Mixture.of_betas, ([1, 2], [3, 4], [0.5, 0.5])),
        "Mixture.sample": Call(laws.Mixture([laws.Beta(1, 2)], [1.0]).sample, (10,), {"seed": 0}),
    }
    # fmt: on
