"""Averages and worst cases over the classes, against published numbers and bounds."""

from __future__ import annotations

import numpy as np
import pytest

import howsure as hs

BLOG = hs.ConfusionMatrix([[86, 1, 1], [0, 3, 3], [0, 3, 3]], labels=["A", "B", "C"])


def test_the_measures_of_the_blog():
    post = hs.infer(BLOG, "flat")
    at = post.at_prevalence([1 / 3, 1 / 3, 1 / 3])
    assert post.of("informedness@macro").observed == pytest.approx(0.63072, abs=5e-6)  # Y_s
    assert post.of("markedness@macro").observed == pytest.approx(0.54992, abs=5e-6)  # Y_c
    assert post.of("worst_rate").observed == 0.5  # T
    assert at.of("informedness@macro").observed == pytest.approx(0.48864, abs=5e-6)
    assert at.of("markedness@macro").observed == pytest.approx(0.49156, abs=5e-6)


def test_weights_of_one_half_change_nothing():
    post = hs.infer(BLOG, "flat")
    for name in ("informedness", "markedness"):
        assert post.of(f"weighted_{name}@macro").observed == pytest.approx(post.of(f"{name}@macro").observed)
    assert post.of("weighted_informedness(w=1)@B").observed == pytest.approx(2 * 0.5 - 1)
    assert post.of("weighted_markedness(w=0)@B").observed == pytest.approx(2 * post.of("npv@B").observed - 1)


def test_accuracy_at_any_prevalence_is_at_least_the_smallest_recall():
    post = hs.infer(BLOG, "flat")
    worst = post.of("recall@min").observed
    rng = np.random.default_rng(0)
    values = [post.at_prevalence(mix).of("accuracy").observed for mix in rng.dirichlet([1, 1, 1], 50)]
    assert min(values) >= worst
