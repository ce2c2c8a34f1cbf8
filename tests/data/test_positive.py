"""The positive class: chosen, known by its name, named by the prevalence, and otherwise never guessed."""

from __future__ import annotations

import pytest

import howsure as hs
from howsure.data.positive import NAMES, positive_by_name, positive_or_last
from howsure.errors import InvalidArgument
from howsure.posterior.knowledge import knowledge_of

COUNTS = [[45, 5], [8, 42]]


@pytest.mark.parametrize(
    ("negative", "positive"),
    [
        ("0", "1"), ("-1", "1"), ("no", "yes"), ("No", "YES"), ("false", "true"), ("negative", "positive"),
        ("neg", "pos"), ("-", "+"), ("healthy", "ill"), ("Healthy", "Diseased"), ("well", "sick"), ("control", "case"),
        ("controls", "cases"), ("ham", "spam"), ("benign", "malignant"), ("normal", "abnormal"), ("absent", "present"),
        ("legitimate", "fraud"), ("normal", "fraud"), ("no disease", "disease"), ("No_Relapse", "relapse"),
        ("non-toxic", "toxic"), ("nondiabetic", "diabetic"), ("not spam", "spam"), ("HIV-", "HIV+"),
        ("test negative", "test positive"), ("healthy", "unhealthy"), ("normal", "cancer"),
    ],
)  # fmt: skip
def test_names_that_everyone_knows(negative: str, positive: str) -> None:
    assert positive_by_name([negative, positive]) == positive
    assert positive_by_name([positive, negative]) == positive


@pytest.mark.parametrize(
    "pair",
    [
        ("a", "b"), ("low", "high"), ("cat", "dog"), ("1", "2"), ("healthy", "not healthy"), ("normal", "non-normal"),
        ("yes", "1"), ("setosa", "ill"), ("+", "-x"), ("died", "survived"), ("positive", "ill"),
    ],
)  # fmt: skip
def test_names_that_say_nothing_are_not_guessed(pair: tuple[str, str]) -> None:
    assert positive_by_name(pair) is None


def test_no_pair_of_the_table_says_both() -> None:
    for negatives, positives in NAMES:
        for negative in negatives:
            for positive in positives:
                assert positive_by_name([negative, positive]) == positive, (negative, positive)
    assert positive_by_name(["healthy", "ill", "other"]) is None
    assert positive_or_last(["a", "b"], "a") == "a"


def test_a_metric_without_a_class_is_refused_with_both_spellings() -> None:
    post = hs.infer(hs.ConfusionMatrix(COUNTS, labels=["a", "b"]))
    for metric, whole in (("precision", "precision"), ("ppv", "precision"), ("f1", "f1"), ("sensitivity", "recall")):
        with pytest.raises(InvalidArgument, match=f"say {whole}@a or {whole}@b, or name the positive class"):
            post.of(metric)
        with pytest.raises(InvalidArgument, match=f"say {whole}@a or {whole}@b"):
            hs.compare(post, post, metric=metric)
    known = hs.infer(hs.ConfusionMatrix(COUNTS, labels=["healthy", "ill"]))
    turned = hs.infer(hs.ConfusionMatrix([[42, 8], [5, 45]], labels=["ill", "healthy"]))
    assert known.of("precision").mean == known.of("precision@ill").mean == pytest.approx(turned.of("precision").mean)
    assert knowledge_of(post).with_positive("b").of("precision").mean == known.of("precision").mean
    with pytest.raises(InvalidArgument, match="recall@macro"):
        hs.infer(hs.ConfusionMatrix([[3, 1, 0], [1, 3, 0], [0, 1, 3]])).of("recall")


def test_the_one_class_that_a_prevalence_names_is_positive() -> None:
    post = hs.infer(hs.ConfusionMatrix(COUNTS, labels=["a", "b"]))
    there = post.at_prevalence({"a": 0.02})
    assert there.confusion.positive == "a"
    assert there.of("precision").mean == post.at_prevalence([0.02, 0.98]).of("precision@a").mean
    assert post.at_prevalence({"a": 0.02, "b": 0.98}).confusion.positive is None
    assert post.at_prevalence([0.02, 0.98]).confusion.positive is None
    assert knowledge_of(post).with_positive("b").at_prevalence({"a": 0.02}).confusion.positive == "b"
    assert hs.infer(hs.ConfusionMatrix(COUNTS, labels=["healthy", "ill"])).at_prevalence(
        {"healthy": 0.98}
    ).confusion.positive == "ill"  # fmt: skip
    # the same cases: what is known moves together, before and after
    same = there.of("recall@a") - post.of("recall@a")
    assert (same.mean, same.sd) == (0.0, 0.0)


def test_a_patient_of_a_test_whose_positive_class_nobody_named() -> None:
    post = hs.infer(hs.ConfusionMatrix(COUNTS, labels=["a", "b"]))
    with pytest.raises(InvalidArgument, match=r"pre-test probability is of; name it, such as \{.b.: 0.02\}"):
        post.post_test(0.02)
    with pytest.raises(InvalidArgument, match="nothing says which of 'a', 'b' is positive"):
        post.post_test([0.98, 0.02], "positive")
    named = post.post_test({"b": 0.02}, "positive")
    chosen = hs.infer(post.confusion.with_positive("b")).post_test(0.02, "positive")
    assert named == chosen
    both = post.post_test([0.98, 0.02], "b")
    assert {law.route for law in both.answers[0].laws} == {"exact"}
    assert both.answers[0].laws[1].mean == chosen.after().mean
    with pytest.raises(InvalidArgument, match="say which class the predictive values are of"):
        post.predictive_values()


def test_a_report_and_a_new_test_put_the_last_class_forward() -> None:
    post = hs.infer(hs.ConfusionMatrix(COUNTS, labels=["a", "b"]))
    made = hs.report(post)
    assert made["f1@b"].mean == post.of("f1@b").mean
    assert "positive class: b" in str(made)
    assert made.to_dict()["positive"] is None
    assert "f1@b" in str(post.predict())
    assert post.natural_frequencies().positive == "b"


def test_answers_in_place_of_a_matrix_name_the_call_that_counts_them() -> None:
    true, pred = ["ill", "ill", "healthy"], ["ill", "healthy", "healthy"]
    for call, start in ((hs.infer, "make one with "), (hs.report, "say report\\(infer\\(")):
        with pytest.raises(InvalidArgument, match=start + r"ConfusionMatrix.from_predictions\(y_true, y_pred\)"):
            call(true, pred)  # type: ignore[operator]
    with pytest.raises(InvalidArgument, match=r"make one with ConfusionMatrix\(counts\)"):
        hs.infer(COUNTS)  # type: ignore[arg-type]
    with pytest.raises(InvalidArgument, match=r"say report\(infer\(confusion\)\)"):
        hs.report(hs.ConfusionMatrix(COUNTS))  # type: ignore[arg-type]
