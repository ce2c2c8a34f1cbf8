"""What a table with missing truths has no number for is refused wherever it is asked."""

from __future__ import annotations

import pytest

import howsure as hs
from howsure.errors import InvalidArgument


@pytest.mark.parametrize("metric", ["prevalence@yes", "recall@yes", "precision@no", "f1@no"])
@pytest.mark.parametrize("prior", ["jeffreys", "learned", "flat"])
def test_a_name_that_is_a_verdict_only_is_refused_by_a_report_too(metric: str, prior: str) -> None:
    # labels 0 and 1, verdicts no and yes: a report asks for laws before it asks for a distribution
    grades = hs.ConfusionMatrix([[22, 7], [6, 65]], ["0", "1"], verdicts=["no", "yes"], unlabelled=[572, 1328])
    posterior = hs.infer(grades, prior=prior)
    with pytest.raises(InvalidArgument, match="is a verdict only, and no true class"):
        hs.report(posterior, [metric])
    assert posterior.of("bias@yes").law.mean > 0.6
