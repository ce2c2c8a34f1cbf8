"""Questions check what they are asked with."""

from __future__ import annotations

import pytest

import howsure as hs
from howsure.errors import InvalidArgument

A = hs.ConfusionMatrix([[45, 5], [8, 42]], labels=["healthy", "ill"])


def test_questions_check_what_they_are_given() -> None:
    post = hs.infer(A)
    for draws in (-1, 1.5, 10**12):
        with pytest.raises(InvalidArgument, match="draws is a whole number"):
            post.post_test(0.02, ["positive", "positive"], draws=draws)  # type: ignore[arg-type]  # wrong on purpose
        with pytest.raises(InvalidArgument, match="draws is a whole number"):
            post.predict(20, draws=draws)  # type: ignore[arg-type]  # wrong on purpose
    with pytest.raises(InvalidArgument, match="seed is a whole number"):
        post.predict(20, seed=-1)
    with pytest.raises(InvalidArgument, match="no test result is given"):
        post.post_test(0.02, 5)  # type: ignore[arg-type]  # wrong on purpose
    with pytest.raises(InvalidArgument, match="an earlier matrix is a ConfusionMatrix, not list"):
        hs.Prior.from_matrix([[1, 2], [3, 4]])  # type: ignore[arg-type]  # wrong on purpose


def test_claims_are_finite_numbers() -> None:
    for claim in (float("nan"), "x", True):
        with pytest.raises(InvalidArgument, match="a claim is a finite number"):
            hs.infer(A).predict(30).repeats("accuracy", above=claim)  # type: ignore[arg-type]  # wrong on purpose
