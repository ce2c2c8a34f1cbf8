"""Calls of functions of the other public modules: curves, readers, logs, classical numbers, integrations."""

from __future__ import annotations

from pathlib import Path

import pandas as pd
from tests.house.call import Call

import howsure as hs
from howsure import curves, integrations, io
from howsure.integrations import sklearn
from howsure.io import logs
from howsure.io.vote_files import VoteColumns
from howsure.reporting import frequentist

REFERENCE, EXAMPLES = Path(__file__).parents[1] / "reference", Path(__file__).parents[2] / "examples"


def calls_of_modules() -> dict[str, Call]:
    """Name of what is called to a call that works."""
    from tests.house.material import closed, few, matrix, new, new3, other, said, scored, truth

    third = hs.Scores(["a", "b"] * 10, [(i * 7 % 20 + 5 * (i % 2)) / 26 for i in range(20)], positive="b")
    event = {"prevalence": 0.2, "cases": [5, 6]}
    cut = {"scores": scored, **event}
    table = {"t": truth, "A": said, "i": [*range(20)], "g": [*"xy"] * 9 + ["x"] * 2, "f": [0, 1] * 9 + [0, 0]}
    twisted = {**table, "A": truth[::-1]}
    columns = {"y_true": "t", "y_pred": "A"}
    runs = {"item": [*"aabbcc"], "run": [1, 2] * 3, "score": [1, 0.2, 0.7, 1, 0, 1], "mark": [0, 1, 1, 0, 1, 0]}
    rows = {"t": ["a", "b"] * 5, "s": [0.1, 0.8, 0.3, 0.6, 0.2, 0.9, 0.4, 0.5, 0.7, 0.35], "g": [*range(5)] * 2}
    marks = str(REFERENCE / "marks.csv")
    inspect, harness = (str(REFERENCE / name) for name in ("inspect.json", "lm_eval_samples.jsonl"))
    report = hs.report(new)
    # fmt: off
    return {
        "curves.best_threshold": Call(curves.best_threshold, (third, "f1"), few, {**cut, "metric": "mcc",
            "cost": {"fp": 1, "fn": 5}}),
        "curves.calibration_curve": Call(curves.calibration_curve, (third, "b"), {"bins": 3, **few}, {"scores": scored,
            "of": "a", "bins": 2, "strategy": "uniform"}),
        "curves.calibration_report": Call(curves.calibration_report, (third, "b"), {"bins": 3, **few},
            {"scores": scored, "of": "a", "bins": 2, "strategy": "uniform"}),
        "curves.curve_report": Call(curves.curve_report, (third, ["roc_auc"]), few, {**cut,
            "metrics": ["average_precision"]}, {}),
        "curves.delong": Call(curves.delong, (third,), {}, {"scores": scored}),
        "curves.net_benefit": Call(curves.net_benefit, (third, [0.2, 0.5]), few, {**cut, "thresholds": [0.3]}),
        "curves.operating_points": Call(curves.operating_points, (third, [0.2, 0.5], ["f1"]), few, {**cut,
            "thresholds": [0.3], "metrics": ["recall"]}, closed),
        "curves.precision_recall_curve": Call(curves.precision_recall_curve, (third,), few, cut),
        "curves.roc_curve": Call(curves.roc_curve, (third,), few, cut),
        "curves.threshold_curve": Call(curves.threshold_curve, (third, "mcc", [0.2, 0.5]), few, {**cut, "metric": "f1",
            "thresholds": [0.3]}),
        "NetBenefit.at": Call(curves.net_benefit(third, [0.2, 0.5], draws=200).at, (0.2,), other={"threshold": 0.5}),
        "OperatingPoints.at": Call(curves.operating_points(third, [0.2, 0.5]).at, (0.2,), other={"threshold": 0.5}),
        "ThresholdCurve.at": Call(curves.threshold_curve(third, "f1", [0.2, 0.5]).at, (0.2,), other={"threshold": 0.5}),
        "io.matrix_csv": Call(io.matrix_csv, (matrix,), {}, {"confusion": other}),
        "io.read": Call(
            io.read, (pd.DataFrame(table),), columns,
            {"data": pd.DataFrame(twisted), "rows": "pred", "positive": "a", "labels": ["b", "a"], "model": "A",
             "y_true": "A",
             "y_pred": "t",
             "order": ["b", "a"], "labels_from": marks, "group": "g", "folds": "f", "repeat": "f"},
            {"missing": "no answer is missing"},
        ),
        "io.read_judged": Call(io.read_judged, (EXAMPLES / "judged_two.csv",), {},
            {"path": EXAMPLES / "judged_stars.csv", "labels": ["x", "pass"]}),
        "io.read_predictions": Call(
            io.read_predictions, (EXAMPLES / "digits_pair.csv",), {},
            {0: EXAMPLES / "breast_cancer_two.csv", "labels": [*"9876543210"], "positive": "1", "group": "id"},
            {"missing": "no answer is missing"},
        ),
        "io.read_items": Call(
            io.read_items, (pd.DataFrame({**runs, "score": [1, 2, 0.7, 3, 0, 4]}),),
            {"item": "item", "run": "run", "score": "score"},
            {0: pd.DataFrame({**runs, "score": [1, 1, 0.7, 1, 0, 1]}), "item": "mark", "run": "item", "score": "mark",
             "group": "run", "range": (0, 9), "better": "lower"},
            {"missing": "no score is missing"},
        ),
        "io.read_repeats": Call(
            io.read_repeats, (pd.DataFrame(runs),), {"item": "item", "run": "run", "score": "score"},
            {"data": pd.DataFrame({**runs, "score": [1, 1, 0.7, 1, 0, 1]}), "item": "mark", "run": "item",
             "score": "mark",
             "outcomes": [0, 1], "threshold": 0.5, "range": (2, 3)},
            {"missing": "no score is missing"},
        ),
        "io.read_votes": Call(
            io.read_votes,
            (pd.DataFrame({"model_a": list("xxy"), "model_b": list("yyx"), "winner": ["a", "b", "both_bad"]}),), {},
            {"data": pd.DataFrame({"model_a": ["x"], "model_b": ["z"], "winner": ["a"]}), "both_bad": "exclude",
             "columns": VoteColumns(winner="model_a"), "control": ["position"]},
        ),
        "io.read_ratings": Call(
            io.read_ratings, (pd.DataFrame({"item": [1, 1, 2, 2], "rater": list("xyxy"), "label": list("abbb")}),), {},
            {"data": pd.DataFrame({"item": [1, 1, 2, 2], "rater": list("xyxy"), "label": list("aabb")}),
             "item": "label", "rater": "label", "label": "item", "labels": ["b", "a"]},
        ),
        "io.read_scores": Call(
            io.read_scores, (pd.DataFrame(rows),), {"y_true": "t", "score": "s", "positive": "b"},
            {"data": pd.DataFrame({**rows, "s": rows["s"][::-1]}), "y_true": "g", "score": "g", "positive": "a",
             "labels": ["a", "b", "c"], "group": "g"},
        ),
        "logs.paired": Call(logs.paired, (logs.read_logs(marks),), {},
            {"logs": dict(reversed(logs.read_logs(marks).items()))}),
        "logs.read_log": Call(
            logs.read_log, (harness,), {"filter": "strict-match"}, {"path": inspect, "metric": "x",
             "filter": "flexible-extract", "field": "doc_id",
            "threshold": 2.0, "group": "doc_id", "item": "nothing"},
            {"filter": "both filters mark alike"},
        ),
        "logs.read_logs": Call(
            logs.read_logs, (harness,), {"filter": "strict-match"}, {"path": inspect, "metric": "x",
             "filter": "flexible-extract", "field": "doc_id", "threshold": 2.0, "group": "doc_id", "item": "nothing"},
            {"filter": "both filters mark alike"},
        ),
        "frequentist.above_chance": Call(frequentist.above_chance, (matrix,), {}, {"confusion": other}),
        "frequentist.across_folds": Call(frequentist.across_folds, ([0.8, 0.9],), {}, {"values": [0.8, 0.7]}),
        "frequentist.bowker": Call(frequentist.bowker, (matrix,), {}, {"confusion": other}),
        "frequentist.carrillo_intervals": Call(frequentist.carrillo_intervals, (matrix,), {}, {"confusion": other}),
        "frequentist.chance_threshold": Call(frequentist.chance_threshold, (100,), {}, {"cases": 200, "chance": 0.3}),
        "frequentist.clopper_pearson": Call(frequentist.clopper_pearson, (8, 10), {}, {"right": 7, "cases": 11}),
        "frequentist.guess_accuracy": Call(frequentist.guess_accuracy, (hs.ConfusionMatrix([[9, 1], [2, 3]]),), {},
            {"confusion": matrix, "guess": [0.9, 0.1]}),
        "frequentist.mcnemar": Call(frequentist.mcnemar, (8, 3), {}, {"only_first": 9, "only_second": 4}),
        "frequentist.mcnemar_corrected": Call(
            frequentist.mcnemar_corrected, (8, 3), {}, {"only_first": 9, "only_second": 4}
        ),
        "frequentist.no_information_rate": Call(frequentist.no_information_rate, (matrix,), {}, {"confusion": other}),
        "frequentist.stuart_maxwell": Call(frequentist.stuart_maxwell, (matrix,), {}, {"confusion": other}),
        "frequentist.tail_inversion": Call(frequentist.tail_inversion, (2, 10), {}, {"wrong": 3, "cases": 11}),
        "frequentist.wilson": Call(frequentist.wilson, (8, 10), {}, {"right": 7, "cases": 11}),
        "frequentist.z_interval": Call(frequentist.z_interval, (0.9, 0.1), {}, {"value": 0.8, "error": 0.2,
            "ends": (0.0, 2.0)}),
        "integrations.logged_metrics": Call(integrations.logged_metrics, (report,), {}, {"result": hs.report(new3),
            "prefix": "test_"}),
        "integrations.tidy": Call(integrations.tidy, (report,), {}, {"result": hs.report(new3)}),
        "integrations.to_frame": Call(integrations.to_frame, (report,), {}, {"result": hs.report(new3),
            "library": "polars"}),
        "sklearn.classification_report": Call(
            sklearn.classification_report, (truth, said), {"output_dict": True},
            {"y_true": said, "y_pred": truth, "labels": ["a"], "target_names": ["x", "y"], "sample_weight": [1, 2] * 10,
             "output_dict": False, "digits": 3, "zero_division": 0, "interval": 0.8},
            {"digits": "only of text", "zero_division": "nothing is divided by 0"},
        ),
        "sklearn.from_cross_val_predict": Call(
            sklearn.from_cross_val_predict, (truth, said), {}, {"y": said, "y_pred": truth, "cv": 4,
            "groups": table["g"]}
        ),
        "sklearn.make_posterior_scorer": Call(
            sklearn.make_posterior_scorer, ("accuracy",), {}, {"metric": "f1", "summary": "mean"},
            dict.fromkeys(("level", "prior"), "held until something is scored")
        ),
    }
    # fmt: on
