"""A weight for each class in Y_s and Y_c of the blog post "The problem with accuracy"."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest
from numpy.typing import ArrayLike
from tests.papers.printed import CASES

import howsure as hs
from howsure.laws import Draws
from howsure.posterior.distribution import measure_of
from howsure.posterior.knowledge import knowledge_of

CASE = CASES["blog_problem_with_accuracy"]
BLOG = hs.infer(hs.ConfusionMatrix(CASE["matrix"], labels=["A", "B", "C"]), "flat")
EQUAL = BLOG.at_prevalence([1 / 3, 1 / 3, 1 / 3])
TWO = hs.infer(hs.ConfusionMatrix([[45, 5], [8, 42]], labels=["healthy", "ill"]), "flat")
MAKERS: dict[str, Callable[[ArrayLike], hs.Metric]] = {
    "informedness": hs.class_weighted_informedness,
    "markedness": hs.class_weighted_markedness,
}
RATES = {"informedness": ("sensitivity", "specificity"), "markedness": ("confidence_top", "confidence_bot")}


def in_words(name: str, weights: list[float], numbers: dict[str, list[float]]) -> float:
    """The blog's formula, (-N + sum_i (first_i 2 w_i + second_i 2 (1 - w_i))) / N."""
    first, second = (numbers[rate] for rate in RATES[name])
    terms = [a * 2 * w + b * 2 * (1 - w) for a, b, w in zip(first, second, weights, strict=True)]
    return (-len(terms) + sum(terms)) / len(terms)


@pytest.mark.parametrize("weights", [[1, 0, 0.25], [0.9, 0.2, 0.6]])
@pytest.mark.parametrize("name", MAKERS)
def test_the_formulas_of_the_blog_on_its_tables(name: str, weights: list[float]) -> None:
    for post, numbers in ((BLOG, CASE["computed"]), (EQUAL, CASE["computed"]["normalised"])):
        known = post.of(MAKERS[name](weights))
        assert known.observed == pytest.approx(in_words(name, weights, numbers), abs=1e-7)


@pytest.mark.sweep(5, full=6)
@pytest.mark.parametrize(
    ("post", "name", "route"),
    [
        (TWO, "informedness", "exact"),
        (TWO, "markedness", "exact"),
        (TWO.at_prevalence([0.9, 0.1]), "markedness", "exact"),
        (EQUAL, "informedness", "exact"),
        (BLOG.at_prevalence([0.7, 0.3, 0]), "markedness", "simulated"),
        (BLOG, "informedness", "simulated"),
    ],
)
def test_the_law_is_that_of_the_draws(post: hs.Posterior, name: str, route: str) -> None:
    known = post.of(MAKERS[name]([0.9, 0.2, 0.6][: len(post.labels)]))
    assert known.route == route
    assert measure_of(known) is not None
    drawn = Draws(np.concatenate([measure_of(known)(block) for block in knowledge_of(post).tables(100_000, seed=5)]))
    assert known.mean == pytest.approx(drawn.mean, abs=5 * drawn.mean_error + 5 * known.error)
    for p in (0.025, 0.5, 0.975):
        assert known.quantile(p) == pytest.approx(drawn.quantile(p), abs=6 * drawn.quantile_error(p) + 6 * known.error)
