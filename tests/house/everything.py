"""One of each noun and each result, with names from the hostile corpus; for tests that hold of all of them."""

from __future__ import annotations

from functools import cache
from typing import Any

import numpy as np
from tests.hostile import LABELS

import howsure as hs
from howsure.curves import (
    best_threshold,
    calibration_curve,
    calibration_report,
    curve_report,
    delong,
    net_benefit,
    operating_points,
    precision_recall_curve,
    roc_curve,
    threshold_curve,
)
from howsure.data.outcomes import Outcomes
from howsure.metrics import REGISTRY
from howsure.posterior.knowledge import knowledge_of
from howsure.posterior.paired import PairedPosterior
from howsure.reporting.repeats import log_report

__all__ = ["everything"]

SIZE = len(LABELS)
ANSWERS = np.arange(300) % SIZE


@cache
def everything() -> dict[str, Any]:
    """Name of a kind to an object of it."""
    table = np.eye(SIZE, dtype=int) * 30 + np.roll(np.eye(SIZE, dtype=int), 1, axis=1) * 3 + 1
    many = hs.infer(hs.ConfusionMatrix(table, labels=LABELS), "jeffreys")
    two, old = (
        hs.infer(hs.ConfusionMatrix(m, labels=LABELS[:2], positive=LABELS[1]))
        for m in ([[45, 5], [8, 42]], [[40, 10], [9, 41]])
    )
    checked = hs.ConfusionMatrix([[20, 5], [8, 30]], labels=LABELS[:2], unlabelled=[50, 60])
    truth = [LABELS[i] for i in ANSWERS]
    said = [LABELS[i if n % 7 else (i + 1) % SIZE] for n, i in enumerate(ANSWERS)]
    both = hs.Predictions(truth, {LABELS[0]: said, LABELS[1]: truth, LABELS[3]: said[::-1]})
    countable = [[label.replace("\0", "") for label in each] for each in (truth, said)]  # count() refuses a NUL
    board = {label: hs.Posterior.from_accuracy(correct=70 + i, n=100) for i, label in enumerate(LABELS)}
    verdicts = [(truth[:200], truth[100:]), (said[:200], said[100:])]
    yes, no = LABELS[:2]
    pairs = [[yes if v == yes else no for v in each] for both_of in verdicts for each in both_of]
    judged = hs.JudgedAnswers(
        {LABELS[0]: pairs[0], LABELS[1]: pairs[1]},
        {name: [*labels[:60], *[None] * 140] for name, labels in zip(LABELS[:2], pairs[2:], strict=True)},
    )
    runs = hs.infer(hs.Repeats.from_array(np.eye(SIZE, 3), items=LABELS, runs=LABELS[:3], notes=LABELS))
    told = hs.report(runs)
    cut = hs.Scores(
        [LABELS[i] for i in (0, 1) * 20], [0.01 * (i % 7) + 0.1 * (i % 2) for i in range(40)], positive=LABELS[1]
    )
    ranks = np.arange(40) % 20
    scored = hs.Scores([LABELS[int(i % 3 == 0)] for i in range(40)], ranks, labels=LABELS[:2], positive=LABELS[1])
    three = np.eye(3)[np.arange(30) % 3] * 0.4 + 0.2
    rivals = hs.Scores(
        [LABELS[int(i % 3 == 0)] for i in range(40)],
        {LABELS[0]: ranks, LABELS[1]: ranks[::-1]},
        labels=LABELS[:2],
        positive=LABELS[1],
    )
    thirds = hs.Scores([LABELS[i // 10] for i in range(30)], three, labels=LABELS[:3])
    return {
        "Repeats": runs.repeats,
        "RepeatsPosterior": runs,
        "RepeatsReport": told,
        "VarianceSplit": told.split,
        "ConfusionMatrix": many.confusion,
        "ConfusionMatrix of two": two.confusion,
        "Prior": two.prior,
        "Prior told": hs.Prior.from_matrix(many.confusion, 0.5),
        "Prior learned": hs.infer(many.confusion).prior,
        "Posterior": many,
        "Posterior of two": two,
        "Posterior of accuracy": board[LABELS[0]],
        "PairedPosterior": PairedPosterior(both, list(both.names)),
        "Metric": REGISTRY["recall"],
        "Distribution": many.of(f"recall@{LABELS[1]}"),
        "Distribution drawn": knowledge_of(many).of("mcc"),
        "Difference": two.of("recall") - old.of("recall"),
        "Predictions": both,
        "Counts": hs.count({"t": [*countable[0], None], "p": [*countable[1], LABELS[0]]}, y_true="t", y_pred="p"),
        "Counts by group": hs.count(
            {"t": countable[0], LABELS[0]: countable[1], LABELS[1]: countable[0], "site": countable[0]},
            y_true="t",
            y_pred=list(LABELS[:2]),
            by="site",
        ),
        "Report": hs.report(many, draws=1000),
        "Report of two": hs.report(two, companions=True, wrong_labels=3),
        "LabelErrorRange": two.of("mcc").with_wrong_labels(3),
        "Comparison": hs.compare(two, old, names=(LABELS[0], LABELS[1]), metric="accuracy"),
        "Comparison paired": hs.compare(both, LABELS[0], LABELS[1], metric="accuracy"),
        "JudgedAnswers": judged,
        "Comparison judged": hs.compare(judged, metric=f"prevalence@{yes}", draws=1000),
        "Ranking judged": hs.rank(judged, metric=f"prevalence@{yes}", draws=1000),
        "Ranking": hs.rank(board),
        "Plan": hs.plan(f"recall@{LABELS[0]}", pilot=two.confusion, width=0.2),
        "JudgedPlan": hs.plan(
            f"prevalence@{LABELS[0]}", width=0.2, guess=0.8, judge={"recall": 0.9, "specificity": 0.8}, verdicts=500
        ),
        "NextLabels": hs.next_labels(checked, 10),
        "LogReport": log_report(Outcomes(LABELS, ANSWERS[:SIZE] > 2, source=LABELS[1], metric=LABELS[4], notes=LABELS)),
        "Pooled": hs.pool(dict.fromkeys(LABELS, two.confusion), draws=300),
        "Pooled rate": hs.pool({label: (8 + i, 20) for i, label in enumerate(LABELS[:4])}, metric=LABELS[1], draws=300),
        "ComparedOver": hs.compare_over(
            {label: {LABELS[0]: (8, 20), LABELS[1]: (9 + i, 20)} for i, label in enumerate(LABELS[:5])},
            rope=0.01,
            draws=300,
        ),
        "ComparedOver paired": hs.compare_over(dict.fromkeys(LABELS[:3], both), LABELS[0], LABELS[1], draws=300),
        "RankedOver": hs.rank_over(dict.fromkeys(LABELS[:4], both), draws=300),
        "Gate": hs.gate(both, LABELS[0], LABELS[1], metric=["accuracy", "balanced_accuracy"]),
        "Gate floor": hs.gate(two, metric="accuracy", floor=0.8),
        "Scores": scored,
        "ScoresPosterior": hs.infer(scored),
        "ScoresPosterior of three": hs.infer(thirds),
        "Curve": roc_curve(scored, draws=200),
        "Curve precision": precision_recall_curve(scored, draws=200),
        "CurveReport": curve_report(scored, draws=300),
        "CurveReport of three": curve_report(thirds, draws=300),
        "CalibrationCurve": calibration_curve(cut, draws=200),
        "CalibrationReport": calibration_report(cut, draws=200),
        "CalibrationReport of three": calibration_report(thirds, LABELS[1], draws=200),
        "DeLong": delong(scored),
        "Difference of scores": hs.compare(rivals, metric="roc_auc", draws=500),
        "Difference of scores apart": hs.compare(scored, scored, metric="roc_auc", draws=500),
        "Slices": hs.Slices(dict.fromkeys(LABELS, two.confusion), by=LABELS[2]),
        "SliceComparison": hs.compare_slices(both, LABELS[0], LABELS[1], by={LABELS[2]: truth}),
        "SliceGate": hs.gate_slices(both, LABELS[0], LABELS[1], by={LABELS[2]: truth}, margin=0.1),
        "SliceRanking": hs.rank_slices(both, by={LABELS[2]: truth}),
        "SlicesInTime": hs.slices_in_time(
            hs.Slices({f"2024-{m:02d}": two.confusion for m in range(1, 7)}, by=LABELS[2]), "recall"
        ),
        "SliceReport": hs.slice_report(dict.fromkeys(LABELS, two.confusion), "accuracy"),
        "Fairness": hs.fairness(dict.fromkeys(LABELS, many.confusion), LABELS[1], draws=200),
        "Stratified": hs.stratified(dict.fromkeys(LABELS, two.confusion)),
        "SliceReport drawn": hs.slice_report(dict.fromkeys(LABELS, many.confusion), "f1@macro", draws=1000),
        "NetBenefit": net_benefit(cut, [0.2, 0.5]),
        "NetBenefit at one": net_benefit(cut, 0.2, prevalence=0.1),
        "ThresholdCurve": threshold_curve(cut, "f1", [0.2, 0.5], draws=1000),
        "OperatingPoints": operating_points(cut, [0.2, 0.5], ["recall", "precision", "net_benefit"]),
        "OperatingPoints at one": operating_points(cut, 0.2),
        "BestThreshold": best_threshold(cut, cost={"fp": 1, "fn": 5}, draws=1000),
        "Survey": hs.survey(dict.fromkeys(LABELS, two.confusion)),
        "Prediction": many.predict(),
        "Prediction of two": two.predict([50, 50]),
        "Sensitivity": two.prior_sensitivity(f"recall@{LABELS[0]}"),
        "NaturalFrequencies": many.natural_frequencies(),
        "NaturalFrequencies of two": two.natural_frequencies(),
        "PostTest": many.post_test({LABELS[0]: 0.3}, draws=1000),
        "PostTest of two": two.post_test(0.02),
        "PredictiveValues": two.predictive_values(),
        "Classical": hs.classical(many.confusion),
        "Reconstruction": hs.reconstruct(n=34, recall="1.00", specificity="0.75", accuracy="0.94"),
        "Ranges": hs.reconstruct(n=34, recall="1.00", specificity="0.75").report(["recall", "accuracy"]),
        "Reconstruction of many": hs.reconstruct(n=34, recall="1.00", specificity="0.75"),
        "Reconstruction of none": hs.reconstruct(n=34, recall="0.10", specificity="0.75", accuracy="0.94"),
    }
