"""Calls of nouns and of methods, of laws and of what answers can be asked."""

from __future__ import annotations

import numpy as np
from tests.house.call import Call, exact, first_cell, second_cell

import howsure as hs
from howsure import laws
from howsure.knowledge.votes import Styled
from howsure.numerics.votes import VoteCells


def calls_of_nouns() -> dict[str, Call]:
    """Name of what is called, and of the data where it takes several kinds, to a call that works."""
    from tests.house.material import (
        both,
        by,
        closed,
        compared,
        counted,
        few,
        gated,
        grouped,
        judged,
        law,
        matrix,
        new,
        new3,
        other,
        pooled,
        prediction,
        ranges,
        ratings,
        rest,
        said,
        scored,
        scores,
        slices,
        squares,
        swapped,
        test,
        three,
        truth,
        verdicts,
    )

    items = hs.Items.from_columns([*range(9)] * 2, [i % 5 for i in range(18)], system=[*"A" * 9, *"B" * 9])
    drawn = (
        *(hs.report(items), hs.compare(items), hs.rank(items, draws=200), hs.agree(ratings, "gwet_ac1", draws=200)),
        hs.compare(hs.infer(matrix), hs.infer(other)),
        *(prediction, new.prior_sensitivity("accuracy")),
    )

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
            counted.confusion, ("q", "A"), {"labels": ["a", "b"], "positive": "b"},
            {"group": "p", "model": "B", "labels": ["b", "a"], "positive": "a"},
        ),
        "Counts.predictions": Call(
            counted.predictions, ("p",), {"positive": "b"}, {"group": "q", "positive": "a", "clusters": True},
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
        "Posterior.under": Call(new.under, ("jeffreys",)),
        "Prediction.of": Call(prediction.of, ("accuracy",), other={"metric": "error_rate"}),
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
        "Reconstruction.of": Call(ranges.of, ("error_rate",), other={"metric": "accuracy"}),
        "Reconstruction.report": Call(ranges.report, (["error_rate"],), other={"metrics": ["accuracy"]}),
        "Repeats": Call(
            hs.Repeats, (["a", "b"], ["1"], [0.0, 1.0], [0, 1], [0, 0], [0, 1]), {},
            {"items": ["a", "c"], "runs": ["2"], "scores": [0.0, 2.0], "item": [1, 0], "run": [0, 1], "outcome": [1, 1],
             "no_answer": True, "limits": (0.0, 2.0)},
        ),
        "Items.called": Call(hs.Items.from_columns([1, 2], [3, 4]).called, ("points",)),
        "Items.from_columns": Call(
            hs.Items.from_columns, (["a", "a", "b", "b"], [1, 0.2, 1, 3]), {"run": [1, 2, 1, 2], "range": (0, 3)},
            {"item": ["a", "a", "c", "c"], "score": [1, 1, 0, 1], "run": [1, 1, 1, 2], "group": [1, 1, 1, 2],
             "system": [1, 1, 1, 2], "range": (0, 4), "better": "lower"},
            {"missing": "no score is missing"},
        ),
        "Items.from_ratios": Call(
            hs.Items.from_ratios, (["a", "b"], [1, 2], [10, 20]), {},
            {"item": ["a", "c"], "numerator": [1, 1], "denominator": [10, 10], "group": [1, 1], "system": [1, 2],
             "range": (0, 4), "better": "lower"},
            {"missing": "no score is missing"},
        ),
        "Items.from_counts": Call(
            hs.Items.from_counts, ([*"ab"], [*"xy"], {"m": ([[1, 0]] * 2, [[0, 1]] * 2, [[1, 0]] * 2)}), {},
            {"items": [*"ac"], "labels": [*"xz"], "counts": {"n": ([[1, 0]] * 2, [[0, 1]] * 2, [[1, 0]] * 2)},
             "group": [1, 1], "zero_division": "exclude"},
        ),
        "Items.from_labels": Call(
            hs.Items.from_labels, ([[1, 0], [1, 1]], [[1, 1], [0, 1]]), {},
            {"y_true": [[1, 0], [0, 1]], "y_pred": [[1, 0], [0, 1]], "labels": [*"xy"], "items": [*"ab"],
             "group": [1, 1], "zero_division": "exclude"},
        ),
        "Items.from_function": Call(
            hs.Items.from_function, (np.max, 8), {},
            {"function": np.min, "n": 9, "range": (0, 1), "better": "lower", "smooth": np.mean},
        ),
        "Items.scores": Call(
            hs.Items.from_columns([1, 1], [3, 4], system=["a", "b"]).scores, ("a",), other={"name": "b"}
        ),
        "Items.size": Call(hs.Items.from_columns([1, 2], [3, 4]).size, ("",), idle={"name": "all have one size"}),
        "Repeats.from_array": Call(
            hs.Repeats.from_array, ([[1, 0.2], [0.7, 1]],), {"items": ["a", "b"], "runs": [1, 2]},
            {"scores": [[1, 0], [0.7, 1]], "items": ["a", "c"], "runs": [1, 3], "outcomes": [0, 2, 1],
             "threshold": 0.5, "range": (0, 3)},
        ),
        "Repeats.from_columns": Call(
            hs.Repeats.from_columns, (["a", "a", "b"], [1, 2, 1], [1, 0.2, 1]), {},
            {"item": ["a", "a", "c"], "run": [1, 2, 2], "score": [1, 1, 0], "outcomes": [0, 2, 1], "threshold": 0.5,
             "range": (0, 3)},
            {"missing": "no score is missing"},
        ),
        "Ratings": Call(
            hs.Ratings,
            (("1", "2"), ("x", "y"), ("a", "b"), np.array([[0, 1], [1, 1]])),
            {},
            {
                "items": ("1", "3"), "raters": ("x", "z"), "labels": ("a", "c"), "codes": np.array([[0, 0], [1, 1]]),
                "scale": "ordinal", "weights": "linear", "sampled": "sample", "sets": {"s": ("x", "y")},
                "notes": ("A note.",),
            },
        ),
        "Ratings.from_table": Call(
            hs.Ratings.from_table, ([["a", "b"], ["b", "b"]],), {},
            {"table": [["a", "a"], ["b", "b"]], "raters": ["x", "y"], "items": ["i", "j"], "labels": ["b", "a"]},
        ),
        "Ratings.from_columns": Call(
            hs.Ratings.from_columns, ([1, 1, 2, 2], ["x", "y", "x", "y"], ["a", "b", "b", "b"]), {},
            {"item": [1, 1, 3, 3], "rater": ["x", "z", "x", "z"], "label": ["a", "a", "b", "b"], "labels": ["b", "a"]},
        ),
        "Ratings.without": Call(ratings.without, ("x",), other={"rater": "z"}),
        "Votes": Call(
            hs.Votes, (("x", "y"), [[0, 4], [2, 0]], [[0, 3], [1, 0]], [[0, 1], [0, 0]]), {},
            {
                "models": ("x", "z"), "a_wins": [[0, 5], [2, 0]], "b_wins": [[0, 9], [1, 0]],
                "ties": [[0, 2], [0, 0]], "effect": 2.0, "ordered": False, "notes": ("A note.",),
                "styled": Styled(
                    VoteCells.of_tables(*np.array([[[0.0, 4], [2, 0]], [[0, 3], [1, 0]], [[0, 1], [0, 0]]])), (),
                    ("position",),
                ),
            },
        ),
        "Votes.from_columns": Call(
            hs.Votes.from_columns,
            (["x", "x", "y", "y"] * 9, ["y", "y", "x", "x"] * 9, ["a", "b", "a", "both_bad"] * 9), {},
            {"model_a": ["x", "x", "z", "z"] * 9, "model_b": ["z", "y", "x", "x"] * 9, "winner": ["a"] * 36,
             "voter": list("ab") * 18, "prompt": list("abcd") * 9, "count": [1, 2, 3, 4] * 9, "both_bad": "exclude",
             "ordered": False, "notes": ("A note.",), "styles": {"length": ([1, 9, 4, 5] * 9, [5] * 36)}},
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
        "ComparedOver.of": Call(compared.of, ("mean",), other={"about": "new", "data_set": "x"}),
        "ComparedOver.chances": Call(compared.chances, ("mean",), other={"about": "new", "data_set": "x"}),
        "Fairness.group": Call(hs.fairness(slices, "ill", draws=100).group, ("x",), other={"name": "y"}),
        "SliceGate.to_junit": Call(hs.gate_slices(both, "A", "C", by=by, margin=0.3).to_junit, ("warn",)),
        "Pooled.of": Call(pooled.of, ("precision",), {"prevalence": 0.1}, {"metric": "f1", "about": "new", "site": "1",
            "prevalence": 0.2}),
        "Pooled.tau": Call(pooled.tau, ("sensitivity",), other={"rate": "specificity"}),
        "Pooled.i2": Call(pooled.i2, ("sensitivity",), other={"rate": "specificity"}),
        "Pooled.region": Call(pooled.region, ("new",), other={"about": "typical"}),
        "Pooled.hsroc": Call(pooled.hsroc),
        "Pooled.picture": Call(pooled.picture, other={"width": 500}),
        **{f"{type(it).__name__}.picture": Call(it.picture, other={"width": 500}) for it in drawn},
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
        "SliceReport.picture": Call(hs.slice_report({"x": matrix, "y": other, "z": rest}).picture, (),
            other={"width": 500}),
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
    }
    # fmt: on
