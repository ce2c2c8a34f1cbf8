"""Metrics that are no ratio of sums, as functions of rows of weights of units: BLEU, average precision."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import NamedTuple

import numpy as np

from howsure.numerics.arrays import Floats, Integers, bincount

#: Numbers that are held at once.
BLOCK = 1_000_000

#: Rows of weights at once.
ROWS = 500

#: Recalls at which COCO reads precision.
RECALLS = 101


class Detections(NamedTuple):
    """Detections of one class: image and score of each, whether it is a hit, and the true objects of each image.

    ``hit`` has a row for each overlap that counts, or is one row. A detection that is neither a hit nor a miss there,
    of a crowd, is ``aside``.
    """

    image: Integers
    score: Floats
    hit: Floats
    positives: Floats
    aside: Floats | None = None


def corpus_bleu(matches: Floats, totals: Floats, lengths: Floats, references: Floats) -> Callable[[Floats], Floats]:
    """BLEU of a corpus, 0 to 100, from clipped matches and totals of n-grams (n, 4) and the two lengths (n,)."""

    def bleu(weights: Floats) -> Floats:
        precision = np.maximum(weights @ matches, 1e-300) / (weights @ totals)
        short = 1 - (weights @ references) / (weights @ lengths)
        return np.asarray(100 * np.exp(np.log(precision).mean(1) + np.minimum(0.0, short)))

    return bleu


def average_precision(found: Detections, points: int | None = RECALLS) -> Callable[[Floats], Floats]:
    """Average precision of a class, ties in their order as in pycocotools; without points, of the smooth envelope."""
    return mean_average_precision([found], points)


def _of_class(found: Detections, points: int | None) -> Callable[[Floats], Floats]:
    """The same of weights with a row an image, shape (n, rows): the mean over overlaps."""
    order = np.argsort(-found.score, kind="stable")
    image, positives = found.image[order], found.positives
    each = [
        (hits, image[hits], gone, np.searchsorted(gone, hits))
        for hits, gone in (
            (np.flatnonzero(hit > 0), np.flatnonzero(aside > 0))
            for hit, aside in zip(*_overlaps_of(found, order), strict=True)
        )
    ]

    def some(weights: Floats) -> Floats:
        every = np.cumsum(weights[image], axis=0)
        there = np.maximum(positives @ weights, 1e-300)
        total = np.zeros(weights.shape[1])
        for hits, true_image, gone, before in each:
            if not len(hits):
                continue
            # precision is largest where a hit was the last to come
            true, all_there = np.cumsum(weights[true_image], axis=0), every[hits]
            if len(gone):
                left = np.cumsum(weights[image[gone]], axis=0)
                all_there -= np.where(before[:, None] > 0, left[before - 1], 0.0)
            precision = np.maximum.accumulate((true / np.maximum(all_there, 1e-300))[::-1], axis=0)[::-1]
            recall = true / there
            if points is not None and weights.shape[1] == 1:  # to the last bit as pycocotools compares them
                recall = np.searchsorted(np.linspace(0, 1, points), recall, side="right") / points
            elif points is not None:  # how many of the points come up to here
                recall = (np.floor((points - 1) * (recall + 1e-12)) + 1) / points
            total += precision[0] * recall[0] + ((recall[1:] - recall[:-1]) * precision[1:]).sum(0)
        return total / len(each)

    return some


def _overlaps_of(found: Detections, order: Integers) -> tuple[Floats, Floats]:
    """Hits by overlap in an order, and detections that are set aside."""
    hit = np.atleast_2d(found.hit)[:, order]
    return hit, np.zeros_like(hit) if found.aside is None else np.atleast_2d(found.aside)[:, order]


def slopes(found: Detections) -> Floats:
    """Derivative of the area under the envelope by each image's weight, at equal weights; the mean over overlaps."""
    order = np.argsort(-found.score, kind="stable")
    return np.asarray(np.mean([
        _slopes(found.image[order][aside == 0], np.flatnonzero(hit[aside == 0] > 0), found.positives)
        for hit, aside in zip(*_overlaps_of(found, order), strict=True)
    ], axis=0))  # fmt: skip


def _slopes(image: Integers, hits: Integers, positives: Floats) -> Floats:
    true_image, n = image[hits], len(positives)
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
    """Mean over classes, each with all its overlaps."""
    each = [_of_class(found, points) for found in classes]
    most = max((len(found.image) for found in classes), default=0)

    def all_rows(weights: Floats) -> Floats:
        rows = min(ROWS, max(1, BLOCK // max(1, most)))
        blocks = [np.ascontiguousarray(weights[at : at + rows].T) for at in range(0, len(weights), rows)]
        if len(weights) == 1:  # equal weights count
            blocks = [blocks[0] / blocks[0].max()]
        return np.concatenate([np.mean([function(block) for function in each], axis=0) for block in blocks])

    return all_rows if each else lambda weights: np.zeros(len(weights))
