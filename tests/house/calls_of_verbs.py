"""Calls of functions, with every kind of data that they take."""

from __future__ import annotations

import numpy as np
from tests.house.call import Call, metric, save

import howsure as hs


def calls_of_verbs() -> dict[str, Call]:
    """Name of what is called, and of the data where it takes several kinds, to a call that works."""
    from tests.house.material import (
        board,
        both,
        by,
        checked,
        closed,
        few,
        fewer,
        grouped,
        judged,
        matrix,
        months,
        new,
        new3,
        old,
        old3,
        other,
        over,
        over2,
        paired_over,
        pairs,
        rates,
        ratings,
        repeated,
        rest,
        rivals,
        said,
        scores,
        three,
        truth,
        verdicts,
        week,
        worse,
    )

    # fmt: off
    return {
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
        "compare_over": Call(
            hs.compare_over, (over, "A", "B"), few, {"data_sets": over2, "a": "B", "b": "A", "metric": "recall"},
        ),
        "compare_over: predictions": Call(
            hs.compare_over, (paired_over, "A", "B"), few,
            {"data_sets": dict.fromkeys("xyz", fewer), "a": "B", "b": "C", "metric": "recall@a"},
        ),
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
        "post_test": Call(hs.post_test, ([(new, "ill"), (old, "ill")], 0.1), few, {"tests": [(new, "ill"), (old,
            "well")], "pre_test": 0.2}),
        "rank": Call(
            hs.rank, ({"x": new3, "y": old3, "z": new3},), {"metric": "f1@macro", "prizes": (10,), "top": 1, **few},
            {"classifiers": {"x": new3, "y": old3}, "metric": "accuracy", "entries": "independent", "prizes": (20,),
             "top": 2, "new_test": 20},
        ),
        "rank: alone": Call(
            hs.rank, ({"x": new3, "y": old3, "z": hs.infer(worse, "flat")},), {"metric": "f1@macro",
            "entries": "independent", **few},
            {"classifiers": {"x": new3, "y": old3}, "metric": "accuracy", "entries": "learned", "prizes": (20,),
             "top": 2, "new_test": 20},
        ),
        "rank: predictions": Call(
            hs.rank, (both,), {"metric": "accuracy", "new_test": 20, **few},
            {"classifiers": fewer, "metric": "mcc", "entries": "independent", "prizes": (20,), "top": 2,
             "new_test": 30},
        ),
        "rank: groups": Call(
            hs.rank, (grouped,), {"metric": "accuracy", **few},
            {"classifiers": pairs, "metric": "mcc", "entries": "learned", "prizes": (20,), "top": 1, "new_test": 30},
        ),
        "rank: scores": Call(
            hs.rank, (scores,), {"metric": "roc_auc", **few},
            {"classifiers": rivals, "metric": "average_precision", "entries": "learned", "prizes": (20,), "top": 1,
             "new_test": 30},
        ),
        "rank: judged": Call(
            hs.rank, (judged,), {"metric": "prevalence@a", **few},
            {"classifiers": hs.JudgedAnswers(verdicts[1], verdicts[0]), "metric": "prevalence@b", "prior": "flat",
             "entries": "learned", "prizes": (20,), "top": 1, "new_test": 30},
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
             {"seed": "counted out"},
        ),
        "rule_of_thumb: drawn": Call(
            hs.rule_of_thumb, ("mcc",), {"sizes": (10,)},
            {"metric": "balanced_accuracy", "mode": 0.7, "concentration": 5.0, "classes": 3, "sizes": (20,)},
        ),
        "settle": Call(hs.settle, ({"x": 0.9, "y": 0.85},), {"n": 1000}, {"scores": {"x": 0.9, "y": 0.8},
            "assurance": 0.9, "n": 900}),
        "save": Call(save, (hs.report(new), "report.md"), {}, {"result": hs.report(old), "path": "report.csv"}),
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
        "agree": Call(hs.agree, (ratings,), few, {"ratings": ratings.without("z"), "metrics": "alpha",
            "model": "z", "margin": 0.1, "width": 0.3, "kind": "hdi"}),
        "agree: model": Call(hs.agree, (ratings, "alpha"), {"model": "z", **few}, {"ratings": ratings.without("z"),
            "metrics": "ac1", "model": "x", "margin": 0.1, "width": 0.3, "kind": "hdi"}),
        "survey": Call(hs.survey, ({"x": matrix}, "flat"), {}, {"classifiers": {"x": other}, "margin": 0.1}),
        "infer: repeats": Call(hs.infer, (hs.Repeats.from_array(np.eye(6)[:, :3]),), {},
            {"confusion": hs.Repeats.from_array(np.eye(5)[:, :3]), "groups": "new"}),
        "report: repeats": Call(hs.report, (repeated,), few, {"posterior": hs.infer(hs.Repeats.from_array(np.eye(6)[:,
            :3])), "metrics": ["mean_score"], "companions": True, "above": 0.5,
             "below": 0.9, "between": (0.6, 0.8), "quantiles": (0.1,), "how_chosen": "best of 9", "wrong_labels": 2}),
    }
    # fmt: on
