"""Several sites and slices of the cases: closed means, symmetry, and the fit of another program."""

from __future__ import annotations

from collections.abc import Iterator
from math import log, sqrt

import numpy as np

from howsure.data.confusion import ConfusionMatrix
from howsure.reporting.slice_report import slice_report
from howsure.reporting.stratified import stratified
from howsure.units.pooled import pool
from howsure.verify.checks import Check, Checker, close, within_draws

__all__ = ["CHECKS"]

RUNS = 40_000
TWO = {"x": ConfusionMatrix([[5, 1], [2, 9]]), "y": ConfusionMatrix([[15, 1], [2, 19]])}
#: Studies of the AUDIT-C questionnaire (Kriston et al. 2008): tp, fn, fp, tn.
AUDIT_C = (
    (47, 9, 101, 738), (126, 51, 272, 1543), (19, 10, 12, 192), (36, 3, 78, 276), (130, 19, 211, 959), (84, 2, 68, 89),
    (68, 0, 112, 423), (752, 0, 3226, 2977), (59, 5, 55, 136), (142, 50, 571, 2788), (137, 24, 107, 358),
    (57, 3, 103, 437), (34, 1, 21, 56), (152, 51, 88, 264),
)  # fmt: skip
LME4 = "R lme4 1.1-31, maximum likelihood"


def _slices() -> Iterator[Check]:
    recalls = (6 / 8, 10 / 13, 16 / 18, 20 / 23)
    made = stratified(TWO, "equal", prior="flat", kind="central").to_dict()
    yield close("mean of two strata, equal weights", made["mean"], sum(recalls) / 4, 1e-12, "mean of (k + 1) / (n + 2)")
    drawn = np.random.default_rng(5).beta([6, 10, 16, 20], [2, 3, 2, 3], (RUNS, 4)).mean(1)
    share = float((drawn <= made["low"]).mean())
    yield within_draws(
        "draws below its central interval", share, 0.025, sqrt(0.025 * 0.975), RUNS, "closed form against draws"
    )
    by_slice = {row["name"]: row["mean"] for row in slice_report(TWO, "accuracy", "flat").to_dict()["slices"]}
    yield close("accuracy of slice x, 14 of 17", by_slice["x"], 15 / 19, 1e-12, "(k + 1) / (n + 2)")
    yield close("accuracy of slice y, 34 of 37", by_slice["y"], 35 / 39, 1e-12, "(k + 1) / (n + 2)")


def _sites() -> Iterator[Check]:
    tables = [ConfusionMatrix.from_counts(tp=tp, fn=fn, fp=fp, tn=tn) for tp, fn, fp, tn in AUDIT_C]
    pooled = pool(tables, draws=2000).to_dict()["typical"]
    for rate, centre, spread in (("sensitivity", 2.511161, 1.612807), ("specificity", 1.276198, 0.617408)):
        median = pooled[rate]["median"]
        error = spread / sqrt(len(AUDIT_C))
        source = f"{LME4}, within its standard error"
        yield close(f"{rate} of 14 studies, log-odds at the median", log(median / (1 - median)), centre, error, source)
    turned = [ConfusionMatrix.from_counts(tp=tn, fn=fp, fp=fn, tn=tp) for tp, fn, fp, tn in AUDIT_C]
    other = pool(turned, draws=2000).to_dict()["typical"]
    p, q = pooled["sensitivity"], other["specificity"]
    off = p["error"] + q["error"]
    source = "symmetry; both Monte Carlo errors"
    yield close("classes exchanged: their rates are exchanged", q["mean"], p["mean"], off, source)


CHECKS: tuple[Checker, ...] = (_slices, _sites)
