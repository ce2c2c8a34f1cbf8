"""Gates: the probability by a second route, and the verdicts that follow from it."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from scipy import special

from howsure.comparison.gating import gate
from howsure.posterior.posterior import Posterior
from howsure.verify.checks import Check, Checker, close, same
from howsure.verify.known_comparisons import beats

__all__ = ["CHECKS"]


def _ahead(new: int, old: int, margin: float) -> float:
    """P(s - t > margin) of two accuracies of 100 cases, flat prior."""
    nodes, weights = np.polynomial.legendre.leggauss(400)
    t = (nodes + 1) / 2
    density = np.exp(special.xlogy(old, t) + special.xlog1py(100 - old, -t) - special.betaln(old + 1, 101 - old))
    above = 1 - special.betainc(new + 1, 101 - new, np.clip(t + margin, 0, 1))
    return float((weights * density * above).sum() / 2)


def _of(right: int) -> Posterior:
    return Posterior.from_accuracy(correct=right, n=100, prior="flat")  # type: ignore[return-value]


def _verdicts() -> Iterator[Check]:
    for new, old, verdict in ((90, 80, "pass"), (82, 80, "inconclusive"), (80, 92, "fail")):
        made = gate(_of(new), _of(old), metric="accuracy")
        expected = beats((new + 1, 101 - new), (old + 1, 101 - old))
        yield close(f"P(pass), {new} against {old} of 100", made.rows[0].p_pass, expected, 1e-9, "finite sum of Betas")
        yield same(f"its verdict at 95%, P = {expected:.3f}", made.verdict, verdict, "rule of the gate")
    for mode, margin, sign in (("non-inferiority", 0.05, -1), ("superiority", 0.02, 1)):
        made = gate(_of(90), _of(80), metric="accuracy", mode=mode, margin=margin)  # type: ignore[arg-type]
        expected = _ahead(90, 80, sign * margin)
        what = f"P(pass), {mode}, margin {margin}"
        yield close(what, made.rows[0].p_pass, expected, 1e-9, "quadrature, 400 nodes")
        yield same("its verdict", made.verdict, "pass" if expected >= 0.95 else "inconclusive", "rule of the gate")


CHECKS: tuple[Checker, ...] = (_verdicts,)
