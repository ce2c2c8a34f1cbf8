"""What a table with missing truths has no number for is refused wherever it is asked."""

from __future__ import annotations

import pytest

import howsure as hs
from howsure.errors import InvalidArgument
from howsure.publish.latex import latex


@pytest.mark.parametrize("metric", ["prevalence@yes", "recall@yes", "precision@no", "f1@no"])
@pytest.mark.parametrize("prior", ["jeffreys", "learned", "flat"])
def test_a_name_that_is_a_verdict_only_is_refused_by_a_report_too(metric: str, prior: str) -> None:
    # labels 0 and 1, verdicts no and yes: a report asks for laws before it asks for a distribution
    grades = hs.ConfusionMatrix([[22, 7], [6, 65]], ["0", "1"], verdicts=["no", "yes"], unlabelled=[572, 1328])
    posterior = hs.infer(grades, prior=prior)
    with pytest.raises(InvalidArgument, match="is a verdict only, and no true class"):
        hs.report(posterior, [metric])
    assert posterior.of("bias@yes").law.mean > 0.6


def test_many_unchecked_verdicts_share_a_sentence_and_leave_a_worst_case() -> None:
    many = 50
    labelled = [[1] * 40 + [0] * 10, [1] * 40 + [0] * 10]
    cm = hs.ConfusionMatrix(labelled, ["fail", "pass"], verdicts=[f"v{i}" for i in range(many)], unlabelled=[8] * many)
    report = hs.report(hs.infer(cm), how_chosen="other", above=0.9)
    assert sum("nobody checked" in text for text in (*report.warnings, *report.notes)) == 1
    assert report.verdict.startswith("Whatever is true of the unlabelled cases, prevalence@pass of these cases is 0.08")
    assert not any("lowest recall" in note for note in report.notes)


def test_a_table_for_a_paper_counts_the_cases_without_a_label_too() -> None:
    cm = hs.ConfusionMatrix([[22, 7], [6, 65]], ["fail", "pass"], unlabelled=[572, 1328])
    assert "2,000 cases, 100 of them with a label" in latex(hs.report(hs.infer(cm), ["prevalence@pass"]))
