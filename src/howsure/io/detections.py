"""Detections in COCO's files: matched to true boxes by COCO's rules; mean average precision with weights of images.

Ground truth is an object with ``images`` and ``annotations`` (``image_id``, ``category_id``, ``bbox`` x, y, w, h,
``area`` and ``iscrowd``), results are a list of ``{image_id, category_id, bbox, score}``, one file a system. Every
image of the truth is a unit, without detections too. Overlaps are 0.50 to 0.95, with 100 detections of a class and
image at most; crowds are ignored.
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
from howsure.numerics.arrays import Floats, bincount
from howsure.numerics.figures import Detections, Figure, LabelMeans, OwnFigure, mean_average_precision, slopes
from howsure.text.formats import plain

#: Overlaps from which on a detection is a hit, and the most detections of a class in an image.
OVERLAPS = np.linspace(0.5, 0.95, 10)
MOST = 100

#: How much dearer a detection is than a random number.
COSTLY = 10

#: Areas of true boxes, and of detections that hit none, outside of which a box does not count.
AREAS = {"": (0.0, 1e10), "small": (0.0, 32.0**2), "medium": (32.0**2, 96.0**2), "large": (96.0**2, 1e10)}
#: Metrics, in the order of pycocotools: precision or recall, which overlaps, which areas, detections of an image.
METRICS: dict[str, tuple[list[int], str, int]] = {
    "map": ([*range(10)], "", MOST), "map50": ([0], "", MOST), "map75": ([5], "", MOST),
    **{f"map_{area}": ([*range(10)], area, MOST) for area in list(AREAS)[1:]},
    **{f"mar{most}": ([*range(10)], "", most) for most in (1, 10, MOST)},
    **{f"mar_{area}": ([*range(10)], area, MOST) for area in list(AREAS)[1:]},
}  # fmt: skip


Boxes = dict[tuple[int, Any], list[dict[str, Any]]]


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
    """Systems by their files of results: the twelve numbers of pycocotools, ``map`` the first."""
    value = _json(truth)
    # equal scores are in the order of images that pycocotools has
    images = sorted((it["id"] for it in value["images"]), key=lambda it: (isinstance(it, str), it))
    place = {image: i for i, image in enumerate(images)}
    true = _boxes(value["annotations"], place, truth)
    classes = sorted({key[1] for key in true}, key=str)
    systems = []
    for path in results:
        answers = _json(path)
        if not isinstance(answers, list):
            raise InvalidFile(plain(path, 200), "results are a list of {image_id, category_id, bbox, score}")
        systems.append(_System(true, _boxes(answers, place, path), len(images), classes))
    names = tuple("" if len(results) == 1 else Path(path).stem for path in results)
    own = {
        name: (Measured(name, name.replace("map", "mAP").replace("mar", "mAR"), "higher", (0.0, 1.0)),
               _Figures(systems, name))
        for name in METRICS
    }  # fmt: skip
    return Items(tuple(map(str, images)), names, {}, score=own["map"][0], own=own)


class _System:
    """Detections of one system; matched, once for each range of areas, when a metric is asked for."""

    def __init__(self, true: Boxes, found: Boxes, images: int, classes: Sequence[Any]) -> None:
        self._given, self._images = (true, found, images, classes), images
        self._matched: dict[str, list[Detections]] = {}
        self._figures: dict[str, Figure] = {}

    def figure(self, metric: str) -> Figure:
        """One of `METRICS`."""
        if metric not in self._figures:
            overlaps, area, most = METRICS[metric]
            if area not in self._matched:
                every = matched(*self._given, AREAS[area])
                self._matched[area] = [one for one in every if one.positives.sum() > 0]
            figure = self._recall(area, most) if metric.startswith("mar") else self._precision(overlaps, area)
            self._figures[metric] = figure
        return self._figures[metric]

    def _precision(self, overlaps: list[int], area: str) -> OwnFigure:
        some = [one._replace(hit=one.hit[overlaps], aside=one.aside[overlaps]) for one in self._matched[area]
                if one.aside is not None]  # fmt: skip
        towards = np.mean([slopes(one) for one in some], axis=0) if some else np.zeros(self._images)
        cost = COSTLY * len(overlaps) * sum(len(one.image) for one in some)
        return OwnFigure(mean_average_precision(some), self._images, slopes=towards, cost=cost)

    def _recall(self, area: str, most: int) -> LabelMeans:
        """Of each class the true boxes that are hit, the mean over overlaps."""
        hits = []
        for one in self._matched[area]:
            first = np.concatenate([[0], np.cumsum(bincount(one.image, minlength=self._images))])
            early = np.arange(len(one.image)) - first[one.image] < most
            hits.append(bincount(one.image, weights=one.hit.mean(0) * early, minlength=self._images))
        size = (self._images, 0)
        there = np.stack([one.positives for one in self._matched[area]], axis=1) if hits else np.zeros(size)
        return LabelMeans(np.stack(hits, axis=1) if hits else np.zeros(size), there)


class _Figures(Sequence[Figure]):
    def __init__(self, systems: Sequence[_System], metric: str) -> None:
        self._systems, self._metric = systems, metric

    def __len__(self) -> int:
        return len(self._systems)

    def __getitem__(self, at: Any) -> Any:
        return self._systems[at].figure(self._metric)


def _boxes(rows: Sequence[dict[str, Any]], place: dict[Any, int], source: str) -> Boxes:
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


def matched(
    true: Boxes, found: Boxes, images: int, classes: Sequence[Any], area: tuple[float, float] = AREAS[""]
) -> list[Detections]:  # fmt: skip
    """Detections of each class, hit or missed, at each overlap.

    Those that hit a crowd or a box of another area are set aside, and those of another area that hit nothing.
    """
    where: dict[Any, list[int]] = {category: [] for category in classes}
    for at, category in sorted({*true, *found}, key=lambda key: key[0]):
        if category in where:
            where[category].append(at)
    return [_matched(true, found, images, (category, places), area) for category, places in where.items()]


def _matched(
    true: Boxes, found: Boxes, images: int, there: tuple[Any, Sequence[int]], area: tuple[float, float]
) -> Detections:  # fmt: skip
    category, places = there
    positives = np.zeros(images)
    image: list[int] = []
    score: list[float] = []
    hits: list[Floats] = []
    ignored: list[Floats] = []
    for i in places:
        boxes = true.get((i, category), [])
        crowd = np.array([bool(box.get("iscrowd", 0)) for box in boxes], dtype=bool)
        areas = [float(box.get("area", box["bbox"][2] * box["bbox"][3])) for box in boxes]
        spared = crowd | ~np.array([area[0] <= size <= area[1] for size in areas], dtype=bool)
        positives[i] = np.count_nonzero(~spared)
        answers = sorted(found.get((i, category), []), key=lambda box: -box["score"])[:MOST]
        if not answers:
            continue
        first = np.argsort(spared, kind="stable")
        overlaps = _overlaps(answers, [boxes[k] for k in first.tolist()], crowd[first])
        hit, aside = _greedy(overlaps, crowd[first], spared[first])
        other = np.array([not area[0] <= box["bbox"][2] * box["bbox"][3] <= area[1] for box in answers])
        aside = np.where((hit + aside == 0) & other, 1.0, aside)
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


def _greedy(overlaps: Floats, crowd: Any, spared: Any) -> tuple[Floats, Floats]:
    """Each answer, best score first, takes the free box that it overlaps most.

    What is spared comes last, crowds any number of times.
    """
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
                if which > -1 and not spared[which] and spared[g]:
                    break
                if value < best:
                    continue
                best, which = value, g
            if which > -1:
                taken[which] = True
                hit[t, d], aside[t, d] = float(not spared[which]), float(spared[which])
    return hit, aside
