"""Metrics: printed values of papers, and formulas written here a second time."""

from __future__ import annotations

from collections.abc import Iterator
from math import sqrt

from howsure.data.confusion import ConfusionMatrix
from howsure.posterior.posterior import infer
from howsure.verify.checks import Check, Checker, close

__all__ = ["CHECKS"]

CARRILLO = "Carrillo et al. 2013, Table 1; matrix rebuilt from the printed values"
BRODERSEN = "a matrix of the script of Brodersen et al. 2010; the value is an earlier one of howsure's"
TOETSCH = "Toetsch and Hoffmann 2021"
#: Matrices found by enumeration from the printed values, of 46 cases.
C1, C2, C3 = [[30, 0, 2], [0, 3, 1], [1, 1, 8]], [[30, 0, 2], [2, 1, 1], [4, 4, 2]], [[32, 0, 0], [0, 4, 0], [0, 1, 9]]
CUT, HALF_3, HALF_2 = 1e-3, 5.1e-4, 5.1e-3


def _formulas() -> Iterator[Check]:
    tp, fn, fp, tn = 45, 5, 8, 42
    known = infer(ConfusionMatrix.from_counts(tp=tp, fn=fn, fp=fp, tn=tn), "flat")
    n = tp + fn + fp + tn
    by_chance = ((tp + fn) * (tp + fp) + (fp + tn) * (fn + tn)) / n**2
    mcc = (tp * tn - fp * fn) / sqrt((tp + fp) * (tp + fn) * (tn + fp) * (tn + fn))
    expected = {
        "accuracy": (tp + tn) / n,
        "balanced_accuracy": (tp / (tp + fn) + tn / (tn + fp)) / 2,
        "recall": tp / (tp + fn),
        "specificity": tn / (tn + fp),
        "precision": tp / (tp + fp),
        "npv": tn / (tn + fn),
        "f1": 2 * tp / (2 * tp + fp + fn),
        "mcc": mcc,
        "kappa": ((tp + tn) / n - by_chance) / (1 - by_chance),
        "informedness": tp / (tp + fn) + tn / (tn + fp) - 1,
        "lr+": (tp / (tp + fn)) / (fp / (fp + tn)),
    }
    for name, value in expected.items():
        yield close(f"{name} of 45, 5, 8, 42", known.of(name, draws=100).observed, value, 1e-12, "formula by hand")


def _carrillo() -> Iterator[Check]:
    printed = {
        "C1": (C1, 0.891, 0.829, 0.821, 0.769, 0.776, (0.62, 0.90)),
        "C2": (C2, 0.717, 0.462, 0.457, 0.331, 0.498, (0.37, 0.65)),
        "C3": (C3, 0.978, 0.966, 0.945, 0.953, 0.879, (0.74, 0.97)),
    }
    for name, (matrix, acc, bac, f1, kappa, mean, ends) in printed.items():
        known = infer(ConfusionMatrix(matrix), "flat")
        for metric, value in {"accuracy": acc, "balanced_accuracy": bac, "f1@macro": f1, "kappa": kappa}.items():
            # the table cuts its digits off, so up to one unit of the last is missing
            got = known.of(metric, draws=100).observed
            yield close(f"{metric} of {name}", got, value + CUT / 2, CUT / 2 + 1e-9, f"{CARRILLO}, cut to 3 digits")
        law = known.of("balanced_accuracy")
        yield close(f"posterior mean of the balanced accuracy, {name}", law.mean, mean, HALF_3, CARRILLO)
        got_ends = law.interval(0.95, "central")
        for side, got, value in zip(("low", "high"), got_ends, ends, strict=True):
            yield close(f"its central 95%, {side} end", got, value, HALF_2, CARRILLO)


def _two_classes() -> Iterator[Check]:
    for name, matrix, mean, median, ends in (
        ("C1", [[69, 1], [1, 69]], 0.972222, 0.974359, (0.940071, 0.992306)),
        ("help text", [[90, 10], [5, 95]], 0.916667, 0.917994, (0.875493, 0.950317)),
    ):
        law = infer(ConfusionMatrix(matrix), "flat").of("balanced_accuracy")
        yield close(f"balanced accuracy, mean, {name}", law.mean, mean, 5.1e-7, BRODERSEN)
        yield close("its median", law.median, median, 1e-6, BRODERSEN)
        got_ends = law.interval(0.95, "central")
        for side, got, value in zip(("low", "high"), got_ends, ends, strict=True):
            yield close(f"its central 95%, {side} end", got, value, 1e-6, BRODERSEN)
    cocaine = infer(ConfusionMatrix.from_counts(tp=26, fn=0, fp=2, tn=6), "flat")
    right, well = cocaine.of("recall").interval(0.95, "hdi"), cocaine.of("specificity").interval(0.95, "hdi")
    yield close("cocaine test, sensitivity, low end of the HDI", right[0], 0.89, HALF_2, f"{TOETSCH}, 89 to 100%")
    yield close("its high end", right[1], 1.0, HALF_2, f"{TOETSCH}, 89 to 100%")
    yield close("specificity, low end of the HDI", well[0], 0.43, HALF_2, f"{TOETSCH}, 43 to 95%")
    yield close("its high end", well[1], 0.95, HALF_2, f"{TOETSCH}, 43 to 95%")


def _priors() -> Iterator[Check]:
    matrix = ConfusionMatrix([[6, 2], [0, 26]])
    for prior, a in (("flat", 1.0), ("jeffreys", 0.5)):
        law = infer(matrix, prior).of("recall@0")
        yield close(
            f"mean recall, 6 of 8, prior {prior}", law.mean, (6 + a) / (8 + 2 * a), 1e-12, "(k + a) / (n + 2 a)"
        )
    for classes in (3, 10):
        eye = ConfusionMatrix([[7 if i == j else 0 for j in range(classes)] for i in range(classes)])
        law = infer(eye, "flat").of("recall@0")
        yield close(f"mean recall, 7 of 7, {classes} classes, prior flat", law.mean, 8 / 9, 1e-12, "Beta(1, 1), any K")


CHECKS: tuple[Checker, ...] = (_formulas, _carrillo, _two_classes, _priors)
