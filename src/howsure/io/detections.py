"""Detections in COCO's files: matched to true boxes by COCO's rules; mean average precision with weights of images.

Ground truth is an object with ``images`` and ``annotations`` (``image_id``, ``category_id``, ``bbox`` x, y, w, h
and ``iscrowd``), results are a list of ``{image_id, category_id, bbox, score}``, one file a system. Every image of
the truth is a unit, without detections too. Overlaps are 0.50 to 0.95, with 100 detections of a class and image at
most; crowds are ignored.
"""

from __future__ import annotations

import json
import os
from collections import defaultdict
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np

from howsure.errors import InvalidFile, excerpt
from howsure.knowledge.items import Items
from howsure.knowledge.protocol import Measured
from howsure.numerics.arrays import Floats
from howsure.numerics.unit_metrics import Detections, OwnFigure, mean_average_precision, slopes
from howsure.text.formats import plain

__all__ = ["is_ground_truth", "matched", "read_detections"]

#: Overlaps from which on a detection is a hit, and the most detections of a class in an image.
OVERLAPS = np.linspace(0.5, 0.95, 10)
MOST = 100

#: How much dearer a detection is than a random number.
COSTLY = 10

#: Metrics, and which overlaps they are about.
METRICS: dict[str, list[int]] = {"map": [*range(10)], "map50": [0], "map75": [5]}


def is_ground_truth(path: object) -> bool:
    """Whether a file is COCO's ground truth, by its first characters."""
    if not isinstance(path, str | os.PathLike) or not str(path).endswith(".json") or not os.path.isfile(path):
        return False
    value = _json(os.fspath(path))
    return isinstance(value, dict) and {"images", "annotations"} <= set(value)


def _json(path: str) -> Any:
    try:
        return json.loads(Path(path).read_text(encoding="utf-8"))
    except ValueError as error:
        raise InvalidFile(plain(path, 200), f"invalid JSON ({error})") from None


def read_detections(truth: str, results: Sequence[str]) -> Items:
    """Systems by their files of results: ``map``, ``map50`` and ``map75``."""
    value = _json(truth)
    images = [it["id"] for it in value["images"]]
    place = {image: i for i, image in enumerate(images)}
    true = _boxes(value["annotations"], place, truth)
    classes = sorted({key[1] for key in true}, key=str)
    figures: dict[str, list[OwnFigure]] = {name: [] for name in METRICS}
    for path in results:
        answers = _json(path)
        if not isinstance(answers, list):
            raise InvalidFile(plain(path, 200), "results are a list of {image_id, category_id, bbox, score}")
        found = _boxes(answers, place, path)
        each = [one for one in matched(true, found, len(images), classes) if one.positives.sum() > 0]
        for name, overlaps in METRICS.items():
            some = [one._replace(hit=one.hit[overlaps], aside=one.aside[overlaps]) for one in each
                    if one.aside is not None]  # fmt: skip
            towards = np.mean([slopes(one) for one in some], axis=0) if some else np.zeros(len(images))
            cost = COSTLY * len(overlaps) * sum(len(one.image) for one in some)
            figures[name].append(OwnFigure(mean_average_precision(some), len(images), slopes=towards, cost=cost))
    names = tuple("" if len(results) == 1 else Path(path).stem for path in results)
    own = {
        name: (Measured(name, name.replace("map", "mAP"), "higher", (0.0, 1.0)), tuple(it))
        for name, it in figures.items()
    }
    return Items(tuple(map(str, images)), names, {}, score=own["map"][0], own=own)


Boxes = dict[tuple[int, Any], list[dict[str, Any]]]


def _boxes(rows: Sequence[dict[str, Any]], place: dict[Any, int], source: str) -> Boxes:
    """Boxes by image and class."""
    boxes: Boxes = defaultdict(list)
    for number, row in enumerate(rows, start=1):
        try:
            boxes[place[row["image_id"]], row["category_id"]].append(row)
        except KeyError as error:
            raise InvalidFile(
                plain(source, 200),
                f"box {number} has no {excerpt(error.args[0])}, or an image that is not in the truth",
            ) from None
    return boxes


def matched(true: Boxes, found: Boxes, images: int, classes: Sequence[Any]) -> list[Detections]:
    """Detections of each class, hit or missed, at each overlap; those that hit a crowd are set aside."""
    where: dict[Any, list[int]] = {category: [] for category in classes}
    for at, category in sorted({*true, *found}, key=lambda key: key[0]):
        if category in where:
            where[category].append(at)
    return [_matched(true, found, images, category, places) for category, places in where.items()]


def _matched(true: Boxes, found: Boxes, images: int, category: Any, places: Sequence[int]) -> Detections:
    """Detections of one class, in the images where it is."""
    positives = np.zeros(images)
    image: list[int] = []
    score: list[float] = []
    hits: list[Floats] = []
    ignored: list[Floats] = []
    for i in places:
        boxes = true.get((i, category), [])
        crowd = np.array([bool(box.get("iscrowd", 0)) for box in boxes], dtype=bool)
        positives[i] = np.count_nonzero(~crowd)
        answers = sorted(found.get((i, category), []), key=lambda box: -box["score"])[:MOST]
        if not answers:
            continue
        first = np.argsort(crowd, kind="stable")
        hit, aside = _greedy(_overlaps(answers, [boxes[k] for k in first.tolist()], crowd[first]), crowd[first])
        image += [i] * len(answers)
        score += [float(box["score"]) for box in answers]
        hits.append(hit)
        ignored.append(aside)
    empty = np.zeros((len(OVERLAPS), 0))
    hit, aside = (np.concatenate(parts, axis=1) if parts else empty for parts in (hits, ignored))
    return Detections(np.array(image, dtype=np.int64), np.array(score), hit, positives, aside)


def _overlaps(answers: Sequence[dict[str, Any]], boxes: Sequence[dict[str, Any]], crowd: Any) -> Floats:
    """Intersection over union of each answer and box; over the answer where the box is a crowd."""
    if not boxes:
        return np.zeros((len(answers), 0))
    a, b = (np.array([box["bbox"] for box in some], dtype=float) for some in (answers, boxes))
    low = np.maximum(a[:, None, :2], b[None, :, :2])
    high = np.minimum(a[:, None, :2] + a[:, None, 2:], b[None, :, :2] + b[None, :, 2:])
    common = np.clip(high - low, 0, None).prod(2)
    own, other = a[:, 2:].prod(1)[:, None], b[:, 2:].prod(1)[None, :]
    return np.asarray(common / np.where(crowd[None, :], own, own + other - common))


def _greedy(overlaps: Floats, crowd: Any) -> tuple[Floats, Floats]:
    """Each answer, best score first, takes the free box that it overlaps most; crowds last, and any number of times."""
    hit, aside = np.zeros((len(OVERLAPS), len(overlaps))), np.zeros((len(OVERLAPS), len(overlaps)))
    near = np.flatnonzero((overlaps >= OVERLAPS[0]).any(1)) if overlaps.shape[1] else np.zeros(0, dtype=np.int64)
    rows = [(d, overlaps[d].tolist()) for d in near.tolist()]
    for t, least in enumerate(OVERLAPS.tolist() if rows else ()):
        taken = np.zeros(overlaps.shape[1], dtype=bool)
        for d, row in rows:
            best, which = min(least, 1 - 1e-10), -1
            for g, value in enumerate(row):
                if taken[g] and not crowd[g]:
                    continue
                if which > -1 and not crowd[which] and crowd[g]:
                    break
                if value < best:
                    continue
                best, which = value, g
            if which > -1:
                taken[which] = True
                hit[t, d], aside[t, d] = float(not crowd[which]), float(crowd[which])
    return hit, aside
