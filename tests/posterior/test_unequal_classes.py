"""Tables whose classes are of very unequal sizes."""

from __future__ import annotations

import pytest
from scipy.special import gammaincc

import howsure as hs
from howsure.errors import InvalidArgument
from howsure.posterior.knowledge import knowledge_of


@pytest.mark.parametrize("n", [1000, 10_000, 68_753, 10**7])
@pytest.mark.parametrize("m", [1, 3, 7, 10])
def test_a_large_perfect_class_beside_a_small_one_has_its_interval(n: int, m: int) -> None:
    known = knowledge_of(hs.infer(hs.ConfusionMatrix([[n, 0], [0, m]]), "flat")).of("balanced_accuracy")
    ends = known.interval()
    assert ends.kind == "hdi"
    assert known.law.cdf(ends.high) - known.law.cdf(ends.low) == pytest.approx(0.95, abs=1e-6)
    assert ends.width <= known.interval(kind="central").width
    assert ends.low <= known.mode <= ends.high


@pytest.mark.parametrize(
    "counts",
    [
        [[0, 235_879], [1, 0]],
        [[0, 235_879], [2, 0]],
        [[68_753, 0], [0, 7]],
        [[12, 0], [0, 250_972]],
        [[0, 17_414], [1, 0]],
    ],
)
def test_lopsided_tables_answer_at_once(counts: list[list[int]]) -> None:
    known = knowledge_of(hs.infer(hs.ConfusionMatrix(counts), "flat")).of("balanced_accuracy")
    assert known.prob(above=0.5) + known.prob(below=0.5) == pytest.approx(1, abs=1e-9)
    for p in (1e-6, 0.5, 1 - 1e-6):
        assert known.cdf(known.quantile(p)) == pytest.approx(p, abs=1e-7)


@pytest.mark.parametrize("cases", [10**8, 10**10])
def test_a_handful_of_errors_in_very_many_cases_is_a_sum_of_gammas(cases: int) -> None:
    law = hs.infer(hs.ConfusionMatrix([[cases, 3], [5, cases]])).of("balanced_accuracy").law
    for wrong in (2.0, 4.5, 9.0):
        # (Gamma(4) + Gamma(6)) / (2 cases), as the Betas of so many cases are
        assert law.cdf(1 - wrong / (2 * cases)) == pytest.approx(float(gammaincc(10, wrong)), abs=1e-4)


def test_a_lopsided_class_beyond_all_floats_is_refused() -> None:
    post = hs.infer(hs.ConfusionMatrix([[2**52, 3], [5, 2**51]]))
    with pytest.raises(InvalidArgument, match="too lopsided for averages"):
        post.of("balanced_accuracy").interval()
    assert post.of("recall@0").interval().high <= 1
    even = hs.infer(hs.ConfusionMatrix([[2**50, 2**49], [2**48, 2**50]])).of("balanced_accuracy")
    assert even.interval().low < even.mean < even.interval().high


@pytest.mark.filterwarnings("error::RuntimeWarning")
@pytest.mark.parametrize("metric", ["recall@0", "recall@2", "balanced_accuracy"])
def test_a_thousand_million_right_answers_make_no_warning(metric: str) -> None:
    known = hs.infer(hs.ConfusionMatrix([[10**9, 0, 0], [0, 10**9, 0], [0, 0, 3]])).of(metric)
    low, high = known.interval()
    assert 0.5 < low < high <= 1
    assert known.law.cdf(low) < known.law.cdf(high)
