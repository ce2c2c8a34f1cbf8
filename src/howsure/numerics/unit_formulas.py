"""Metrics that are no ratio of sums, as functions of rows of weights of units: BLEU, average precision."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import NamedTuple

import numpy as np

from howsure.numerics.arrays import Floats, Integers, bincount

__all__ = ["Detections", "average_precision", "corpus_bleu", "mean_average_precision", "slopes"]

#: Numbers that are held at once.
BLOCK = 1_000_000

#: Rows of weights at once, so that recalls of different rows stay apart in the digits that there are.
ROWS = 500

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
    image, hits, true_image, positives = _ordered(found)
    at = np.linspace(0, 1, points or 2)

    def some(weights: Floats) -> Floats:
        # precision is largest where a hit was the last to come
        true = np.cumsum(weights[:, true_image], axis=1)
        every = np.cumsum(weights[:, image], axis=1)[:, hits]
        recall = true / np.maximum(weights @ positives, 1e-300)[:, None]
        precision = np.maximum.accumulate((true / np.maximum(every, 1e-300))[:, ::-1], axis=1)[:, ::-1]
        if points is None:
            return np.asarray((np.diff(recall, axis=1, prepend=0.0) * precision).sum(1))
        rows = 2.0 * np.arange(len(weights))[:, None]
        places = np.searchsorted((recall + 1e-12 + rows).ravel(), (at + rows).ravel()).reshape(len(weights), -1)
        places -= recall.shape[1] * np.arange(len(weights))[:, None]
        padded = np.column_stack([precision, np.zeros(len(weights))])
        return np.asarray(np.take_along_axis(padded, np.minimum(places, recall.shape[1]), axis=1).mean(1))

    def all_rows(weights: Floats) -> Floats:
        rows = min(ROWS, max(1, BLOCK // max(1, len(image))))
        return np.concatenate([some(weights[at : at + rows]) for at in range(0, len(weights), rows)])

    return all_rows if len(hits) else lambda weights: np.zeros(len(weights))


def _ordered(found: Detections) -> tuple[Integers, Integers, Integers, Floats]:
    """Images by falling score, the places of hits among them, the images of hits, and true objects by image."""
    order = np.argsort(-found.score, kind="stable")
    image = found.image[order]
    hits = np.flatnonzero(found.hit[order] > 0)
    return image, hits, image[hits], found.positives


def slopes(found: Detections) -> Floats:
    """Derivative of the area under the envelope by the weight of each image, at equal weights adding to 1."""
    image, hits, true_image, positives = _ordered(found)
    n = len(positives)
    if not len(hits):
        return np.zeros(n)
    total = positives.sum() / n
    true, every = np.arange(1, len(hits) + 1) / n, (hits + 1) / n
    precision = true / every
    envelope = np.maximum.accumulate(precision[::-1])[::-1]
    # the hit whose precision stands at each, and how much recall it stands at
    best = (
        len(hits)
        - 1
        - np.maximum.accumulate(np.where(precision[::-1] == envelope[::-1], np.arange(len(hits)), 0))[::-1]
    )
    weight = bincount(best, weights=np.full(len(hits), 1 / n / total), minlength=len(hits))
    up = np.cumsum((weight / every)[::-1])[::-1]
    down = np.cumsum((weight * true / every**2)[::-1])[::-1]
    # a detection moves what comes after it
    after = np.searchsorted(hits, np.arange(len(image)))
    inside = after < len(hits)
    area = float(envelope.sum() / n / total)
    made = bincount(true_image, weights=envelope / total + up, minlength=n)
    made -= bincount(image[inside], weights=down[after[inside]], minlength=n)
    return np.asarray(made - area * positives / total)


def mean_average_precision(classes: Sequence[Detections], points: int | None = RECALLS) -> Callable[[Floats], Floats]:
    """Mean over classes, or over classes and overlaps."""
    each = [average_precision(found, points) for found in classes]
    return lambda weights: np.asarray(np.mean([function(weights) for function in each], axis=0))
