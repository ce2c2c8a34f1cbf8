"""Metrics that are no ratio of sums, as functions of rows of weights of units: BLEU, average precision."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import NamedTuple

import numpy as np

from howsure.numerics.arrays import Floats, Integers

__all__ = ["Detections", "average_precision", "corpus_bleu", "mean_average_precision"]

#: Numbers that are held at once.
BLOCK = 1_000_000

#: Recalls at which COCO reads precision.
RECALLS = 101


class Detections(NamedTuple):
    """Detections of one class at one overlap: image, score and hit of each, and the true objects of each image.

    A detection that is neither a hit nor a miss (of a crowd) is left out.
    """

    image: Integers
    score: Floats
    hit: Floats
    positives: Floats


def corpus_bleu(matches: Floats, totals: Floats, lengths: Floats, references: Floats) -> Callable[[Floats], Floats]:
    """BLEU of a corpus, 0 to 100, from clipped matches and totals of n-grams (n, 4) and the two lengths (n,).

    Examples
    --------
    >>> one = np.ones(1)
    >>> bleu = corpus_bleu(np.array([[4.0, 3, 2, 1]]), np.array([[4.0, 3, 2, 1]]), 4 * one, 8 * one)
    >>> bleu(np.ones((1, 1))).round(3).tolist()
    [36.788]
    """

    def bleu(weights: Floats) -> Floats:
        precision = np.maximum(weights @ matches, 1e-300) / (weights @ totals)
        short = 1 - (weights @ references) / (weights @ lengths)
        return np.asarray(100 * np.exp(np.log(precision).mean(1) + np.minimum(0.0, short)))

    return bleu


def average_precision(found: Detections, points: int | None = RECALLS) -> Callable[[Floats], Floats]:
    """Average precision of one class; the area under the envelope, which is smooth, where ``points`` is None.

    Detections with one score stay in their order, as in pycocotools.

    Examples
    --------
    >>> one = Detections(np.array([0, 1]), np.array([0.9, 0.8]), np.array([1.0, 0.0]), np.array([1.0, 1.0]))
    >>> average_precision(one)(np.full((1, 2), 0.5)).round(4).tolist()
    [0.505]
    """
    order = np.argsort(-found.score, kind="stable")
    image, hit = found.image[order], found.hit[order]
    at = np.linspace(0, 1, points or 2)

    def some(weights: Floats) -> Floats:
        each = weights[:, image]
        true, every = np.cumsum(each * hit, axis=1), np.cumsum(each, axis=1)
        recall = true / np.maximum(weights @ found.positives, 1e-300)[:, None]
        precision = np.maximum.accumulate((true / np.maximum(every, 1e-300))[:, ::-1], axis=1)[:, ::-1]
        if points is None:
            return np.asarray((np.diff(recall, axis=1, prepend=0.0) * precision).sum(1))
        padded = np.column_stack([precision, np.zeros(len(weights))])
        places = np.array([np.searchsorted(row + 1e-12, at) for row in recall])
        return np.asarray(np.take_along_axis(padded, places, axis=1).mean(1))

    def all_rows(weights: Floats) -> Floats:
        rows = max(1, BLOCK // max(1, len(image)))
        return np.concatenate([some(weights[at : at + rows]) for at in range(0, len(weights), rows)])

    return all_rows


def mean_average_precision(classes: Sequence[Detections], points: int | None = RECALLS) -> Callable[[Floats], Floats]:
    """Mean over classes, or over classes and overlaps."""
    each = [average_precision(found, points) for found in classes]
    return lambda weights: np.asarray(np.mean([function(weights) for function in each], axis=0))
