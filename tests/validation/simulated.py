"""Invented test sets: tables of known truth, and predictions of two or more classifiers on the same cases."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import ArrayLike, NDArray

import howsure as hs

Floats = NDArray[np.float64]
Whole = NDArray[np.int64]


def table_of(right: ArrayLike, cases: ArrayLike) -> hs.ConfusionMatrix:
    """A table with these right answers, where all errors go to the next class; labels 0 to K - 1."""
    k, n = np.asarray(right).astype(np.int64), np.asarray(cases).astype(np.int64)
    true = np.arange(len(k))
    cells = np.concatenate([true, true]), np.concatenate([true, (true + 1) % len(k)]), np.concatenate([k, n - k])
    return hs.ConfusionMatrix.from_cells(*cells, labels=[str(i) for i in true])


def counted(rows: Floats, sizes: Whole, rng: np.random.Generator) -> hs.ConfusionMatrix:
    """A test of ``sizes`` cases of each class; row i of ``rows`` are the chances of every call."""
    counts = np.array([rng.multinomial(n, row) for n, row in zip(sizes, rows, strict=True)])
    return hs.ConfusionMatrix(counts, [str(i) for i in range(len(sizes))])


def paired_answers(
    sizes: Whole, recalls: Sequence[Floats], correlation: float, rng: np.random.Generator
) -> hs.Predictions:
    """Answers of several classifiers to the same cases; errors of one case go together by a shared normal score.

    A wrong answer is the next class.
    """
    from scipy.special import ndtri

    truth = np.repeat(np.arange(len(sizes)), sizes)
    shared = rng.standard_normal(len(truth))
    answers = {}
    for t, recall in enumerate(recalls):
        score = np.sqrt(correlation) * shared + np.sqrt(1 - correlation) * rng.standard_normal(len(truth))
        right = score < ndtri(np.clip(np.asarray(recall)[truth], 1e-12, 1 - 1e-12))
        answers[f"c{t}"] = np.where(right, truth, (truth + 1) % len(sizes))
    return hs.Predictions(truth, answers)
