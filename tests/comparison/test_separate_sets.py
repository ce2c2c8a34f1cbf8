"""Separate test sets of unlike size: one prior for both that does not favour the larger one, and when it is said."""

from __future__ import annotations

import json
from importlib import resources
from pathlib import Path

import jsonschema
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import howsure as hs
from howsure.cli import main
from howsure.errors import InvalidArgument
from howsure.posterior.named_priors import resolve_prior

pytestmark = pytest.mark.filterwarnings("ignore::howsure.PriorShiftWarning")

SMALL, LARGE = hs.ConfusionMatrix([[19, 1], [1, 19]]), hs.ConfusionMatrix([[190, 10], [10, 190]])
THREE = hs.ConfusionMatrix([[18, 1, 1], [1, 19, 0], [0, 2, 18]])
SAID = "no prior was named, so both are under 'jeffreys'"


def said(made: hs.comparison.comparison.Comparison) -> bool:
    return any(SAID in note for note in made.notes)


# -- a prior remembers that nobody named it --------------------------------------------------------------------


def test_a_prior_remembers_that_nobody_named_it() -> None:
    unnamed, named = resolve_prior(None, 2), resolve_prior("flat", 2)
    assert unnamed.defaulted
    assert not named.defaulted
    assert not hs.Prior(1, 1).defaulted
    assert unnamed == named
    assert hash(unnamed) == hash(named)
    assert repr(unnamed) == repr(named)


def test_the_memory_goes_with_the_posterior_and_not_with_a_new_prior() -> None:
    post = hs.infer(SMALL)
    assert post.prior.defaulted
    assert post.at_prevalence([0.9, 0.1]).prior.defaulted
    assert hs.Posterior.from_accuracy(correct=3, n=4).prior.defaulted
    assert not post.under("flat").prior.defaulted
    assert not hs.infer(SMALL, "flat").prior.defaulted
    assert not hs.Posterior.from_accuracy(correct=3, n=4, prior="flat").prior.defaulted
    assert not hs.Prior.from_matrix(LARGE).defaulted


# -- two classes -----------------------------------------------------------------------------------------------


@pytest.mark.parametrize("metric", ["balanced_accuracy", "accuracy", "recall@1", "f1@macro"])
def test_two_sets_whose_prior_nobody_named_are_compared_under_jeffreys_members_and_all(metric: str) -> None:
    made = hs.compare(hs.infer(SMALL), hs.infer(LARGE), metric=metric)
    named = hs.compare(hs.infer(SMALL, "jeffreys"), hs.infer(LARGE, "jeffreys"), metric=metric)
    assert made.prior == "jeffreys"
    assert made.to_dict() == {**named.to_dict(), "notes": made.to_dict()["notes"]}
    assert made.a.mean == hs.infer(SMALL, "jeffreys").of(metric).mean
    assert said(made)
    assert not said(named)
    assert 0.2 < made.p_better < 0.8
    assert made.to_dict()["prior"] == {"name": "jeffreys", "a": 0.5, "b": 0.5, "prevalence": 1}


def test_a_named_prior_is_kept() -> None:
    both = hs.infer(SMALL, "flat"), hs.infer(LARGE, "flat")
    for pair in (both, (hs.infer(SMALL), both[1]), (both[0], hs.infer(LARGE))):
        made = hs.compare(*pair)
        assert made.prior == "flat"
        assert not said(made)
        assert made.p_better == pytest.approx(0.2096926, abs=1e-7)


def test_minus_never_infers_again() -> None:
    first, second = hs.infer(SMALL), hs.infer(LARGE)
    gain = first.of("balanced_accuracy") - second.of("balanced_accuracy")
    assert gain.mean == pytest.approx(40 / 44 - 382 / 404, abs=1e-12)
    assert gain.mean != pytest.approx(hs.compare(first, second).difference.mean, abs=1e-3)


def test_right_answers_alone_are_one_rate() -> None:
    few, many = hs.Posterior.from_accuracy(correct=19, n=20), hs.Posterior.from_accuracy(correct=190, n=200)
    made = hs.compare(few, many, metric="accuracy")
    assert (made.prior, said(made)) == ("jeffreys", True)
    assert made.a.mean == pytest.approx(19.5 / 21, abs=1e-12)
    assert 0.2 < made.p_better < 0.8
    made = hs.compare(few, hs.infer(LARGE), metric="accuracy")
    assert (made.prior, said(made)) == ("jeffreys", True)


def test_the_answer_keeps_what_was_stated_of_the_prevalence() -> None:
    first, second = (hs.infer(x).at_prevalence([0.9, 0.1]) for x in (SMALL, LARGE))
    made = hs.compare(first, second, metric="accuracy")
    named = [hs.infer(x, "jeffreys").at_prevalence([0.9, 0.1]).of("accuracy") for x in (SMALL, LARGE)]
    assert [made.a.mean, made.b.mean] == [x.mean for x in named]
    cases = [hs.infer(x).at_prevalence(cases=[90, 10]) for x in (SMALL, LARGE)]
    made = hs.compare(*cases, metric="precision@1")
    assert made.a.mean == hs.infer(SMALL, "jeffreys").at_prevalence(cases=[90, 10]).of("precision@1").mean


def test_one_posterior_twice_is_two_test_sets_all_the_same() -> None:
    post = hs.infer(SMALL)
    made = hs.compare(post, post)
    assert made.prior == "jeffreys"
    assert made.p_better == 0.5


def test_the_same_cases_are_no_separate_sets() -> None:
    both = hs.Predictions([0, 0, 1, 1], {"A": [0, 1, 1, 1], "B": [0, 0, 1, 1]})
    made = hs.compare(both)
    assert made.prior == "paired flat"
    assert not said(made)


# -- more classes ----------------------------------------------------------------------------------------------


def test_two_classes_against_three_have_the_prior_that_is_learned() -> None:
    two, three = hs.infer(SMALL), hs.infer(THREE)
    made = hs.compare(two, three, metric="balanced_accuracy")
    if three.prior.name == two.prior.name:  # nothing to choose
        assert made.prior == three.prior.name
        return
    assert made.prior == "learned"
    assert any("both are under 'learned'" in note for note in made.notes)
    with pytest.raises(InvalidArgument, match="Infer both with one"):
        hs.compare(hs.infer(SMALL, "flat"), hs.infer(THREE, "learned"), metric="balanced_accuracy")


def test_from_three_classes_on_both_have_the_prior_of_a_report() -> None:
    made = hs.compare(hs.infer(THREE), hs.infer(hs.ConfusionMatrix(THREE.counts * 10)))
    assert made.prior == hs.infer(THREE).prior.name
    assert not said(made)
    assert made.a.mean == hs.infer(THREE).of("balanced_accuracy").mean


# -- where it is said ------------------------------------------------------------------------------------------


def test_the_command_line_says_it(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    files = []
    for name, matrix in (("small", SMALL), ("large", LARGE)):
        file = tmp_path / f"{name}.csv"
        rows = "\n".join(f"{label},{a},{b}" for label, (a, b) in zip("ny", matrix.counts.tolist(), strict=True))
        file.write_text(f"true\\pred,n,y\n{rows}\n")
        files.append(str(file))
    assert main(["compare", *files]) == 0
    text = capsys.readouterr().out
    assert "Prior: jeffreys." in text
    assert text.count(SAID) == 1
    assert main(["compare", *files, "--prior", "flat"]) == 0
    text = capsys.readouterr().out
    assert "Prior: flat." in text
    assert SAID not in text
    assert main(["gate", "--candidate", files[0], "--baseline", files[1], "--json"]) == 3
    answer = json.loads(capsys.readouterr().out)
    schema = resources.files("howsure.comparison").joinpath("gate.schema.json").read_text(encoding="utf-8")
    jsonschema.validate(answer, json.loads(schema))
    assert answer["prior"] == "jeffreys"
    assert any(SAID in note for note in answer["notes"])


@given(st.integers(0, 20), st.integers(0, 20), st.integers(1, 10))
@pytest.mark.filterwarnings("ignore")
def test_the_pull_is_that_of_one_invented_case(k: int, other: int, times: int) -> None:
    """Two routes: means of Beta(k + 1/2, n - k + 1/2), and observed rates moved 1 / (n + 1) of the way to 1/2."""
    first = hs.ConfusionMatrix([[k, 20 - k], [other, 20 - other]])
    second = hs.ConfusionMatrix(np.array(first.counts) * times)
    made = hs.compare(hs.infer(first), hs.infer(second))
    assert made.observed == pytest.approx(0, abs=1e-12)
    away = 0.5 - (k + 20 - other) / 40
    assert made.difference.mean == pytest.approx(away * (1 / 21 - 1 / (20 * times + 1)), abs=1e-12)


def test_means_without_end_give_no_number() -> None:
    perfect, good = (hs.infer(hs.ConfusionMatrix.from_counts(tp=10, fn=0, fp=fp, tn=10 - fp)) for fp in (0, 6))
    made = hs.compare(perfect, good, metric="lr_plus")
    assert np.isinf(made.a.mean)
    assert np.isfinite(made.b.mean)
    assert made.expected_loss.b == np.inf > made.expected_loss.a  # what A may have more has an infinite mean
    assert "is infinite (95 % HDI" in made.sentence
    both = hs.compare(perfect, perfect, metric="dor")
    assert "is undefined (95 % HDI" in both.sentence
    assert "loses infinitely much on average" in both.sentence
    for answer in (made, both):
        assert "nan" not in str(answer)
        assert answer.prior_shift is None
    assert both.expected_loss == (np.inf, np.inf)
    for answer in (made, both, hs.gate(perfect, good, metric="dor"), hs.gate(perfect, metric="lr_plus", floor=5)):
        data = answer.to_dict()
        json.dumps(data, allow_nan=False)
    assert hs.gate(perfect, good, metric="dor").rows[0].more_cases is None
    assert both.to_dict()["difference"]["mean"] is both.to_dict()["expected_loss"]["a"] is None
    schema = resources.files("howsure.comparison").joinpath("compare.schema.json").read_text(encoding="utf-8")
    jsonschema.Draft202012Validator(json.loads(schema)).validate(both.to_dict())


def test_a_prior_of_each_class_is_one_in_any_order_of_the_classes() -> None:
    told = "ill=beta(20,2), healthy=beta(9,1)"
    first = hs.ConfusionMatrix([[45, 5], [8, 42]], labels=["healthy", "ill"], positive="ill")
    second = hs.ConfusionMatrix([[40, 10], [9, 41]], labels=["healthy", "ill"], positive="ill")
    turned = hs.ConfusionMatrix([[41, 9], [10, 40]], labels=["ill", "healthy"], positive="ill")
    for metric in ("recall@ill", "recall@healthy", "balanced_accuracy"):
        a, b = (hs.compare(hs.infer(first, told), hs.infer(x, told), metric=metric) for x in (second, turned))
        assert a.p_better == pytest.approx(b.p_better, abs=1e-9)
        assert a.difference.mean == pytest.approx(b.difference.mean, abs=1e-12)
    with pytest.raises(InvalidArgument, match="partly that of the priors"):
        hs.compare(hs.infer(first, told), hs.infer(turned, "ill=beta(9,1), healthy=beta(20,2)"), metric="recall@ill")
