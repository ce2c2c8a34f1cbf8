"""Detections in COCO's files: what pycocotools 2.0.11 prints of the same boxes, cases by hand, and crowds."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import howsure as hs
from howsure.errors import InvalidFile
from howsure.io.detections import METRICS
from howsure.io.items import read_items
from howsure.knowledge.protocol import Ask, Of

#: What pycocotools 2.0.11 prints of the scene of 40 images: AP, AP50, AP75.
STATS = (0.11467671220604957, 0.3165508462610967, 0.06193059209767131)


def written(folder: Path, truth: dict[str, Any], answers: Any, name: str = "dt.json") -> tuple[str, str]:
    """Paths of the two files."""
    (folder / "gt.json").write_text(json.dumps(truth), encoding="utf-8")
    (folder / name).write_text(json.dumps(answers), encoding="utf-8")
    return str(folder / "gt.json"), str(folder / name)


def scene(images: int, seed: int) -> tuple[dict[str, Any], list[dict[str, Any]]]:
    """Boxes of four classes, some of them crowds, with detections around them and beside."""
    rng = np.random.default_rng(seed)
    boxes: list[dict[str, Any]] = []
    answers: list[dict[str, Any]] = []
    for image in range(images):
        for _ in range(rng.poisson(3)):
            kind, (x, y), (w, h) = int(rng.integers(1, 5)), rng.uniform(0, 70, 2), rng.uniform(5, 30, 2)
            crowd = int(rng.random() < 0.08)
            boxes.append({"image_id": image, "category_id": kind, "bbox": [x, y, w, h], "iscrowd": crowd})
            for _ in range(rng.integers(0, 3)):
                j = rng.normal(0, 2, 4)
                box = [x + j[0], y + j[1], max(1, w + j[2]), max(1, h + j[3])]
                score = float(round(rng.random(), 2))
                answers.append({"image_id": image, "category_id": kind, "bbox": box, "score": score})
    return {"images": [{"id": i} for i in range(images)], "annotations": boxes}, answers


#: Its ``stats`` of the scene of 16 images below, in its order.
ALL_STATS = (
    0.16189091442117676, 0.45103037400924584, 0.05552705111608145, 0.1943146713618004,
    0.1623774103280696, 0.19130642359895317, 0.033448540706605225, 0.28819124423963133,
    0.38461981566820275, 0.4010389610389611, 0.3741559086395233, 0.3797979797979798,
)  # fmt: skip


def sized(images: int, seed: int) -> tuple[dict[str, Any], list[dict[str, Any]]]:
    """Boxes of 8 to 300 pixels in images in any order, with detections around them, of another class, and beside."""
    rng = np.random.default_rng(seed)
    boxes: list[dict[str, Any]] = []
    answers: list[dict[str, Any]] = []
    for image in rng.permutation(images).tolist():
        for number in range(1, int(rng.poisson(20)) + 1):
            kind, wide = int(rng.integers(1, 3)), rng.random() < 0.7
            x, y, w, h = *rng.uniform(0, 640, 2), *np.exp(rng.uniform(np.log(8), np.log(300), 2))
            if wide:
                boxes.append({
                    "id": len(boxes) + 1, "image_id": image, "category_id": kind, "bbox": [x, y, w, h],
                    "area": w * h * rng.uniform(0.5, 1), "iscrowd": int(number % 16 == 0),
                })  # fmt: skip
            for _ in range(rng.integers(0, 4)):
                a, b, c, d = rng.normal(0, 0.12, 4).tolist()
                box = [x + a * w, y + b * h, w * float(np.exp(c)), h * float(np.exp(d))]
                score = float(round(rng.beta(3, 2), 2))
                answers.append({"image_id": image, "category_id": kind, "bbox": box, "score": score})
    classes = [{"id": kind, "name": str(kind)} for kind in (1, 2)]
    return {"images": [{"id": i} for i in range(images)], "annotations": boxes, "categories": classes}, answers


def test_one_hit_of_two_boxes_and_a_false_alarm_by_hand(tmp_path: Path) -> None:
    truth = {
        "images": [{"id": 1}, {"id": 2}],
        "annotations": [{"image_id": i, "category_id": 1, "bbox": [0, 0, 10, 10]} for i in (1, 2)],
    }
    answers = [
        {"image_id": 1, "category_id": 1, "bbox": [0, 0, 10, 10], "score": 0.9},
        {"image_id": 2, "category_id": 1, "bbox": [50, 50, 10, 10], "score": 0.8},
    ]
    read = read_items(*written(tmp_path, truth, answers))
    # 51 of 101 recalls, 0 to 0.5, at precision 1
    assert read.observed(Of("map50")) == pytest.approx(51 / 101)
    assert read.observed(Of("map")) == pytest.approx(51 / 101)
    # an overlap of 0.6 counts at 0.50, 0.55 and 0.60
    answers[0]["bbox"] = [0, 0, 10, 6]
    read = read_items(*written(tmp_path, truth, answers))
    assert read.observed(Of("map")) == pytest.approx(0.3 * 51 / 101)
    assert read.observed(Of("map75")) == 0


def test_a_crowd_is_neither_a_hit_nor_a_miss(tmp_path: Path) -> None:
    truth = {"images": [{"id": 1}], "annotations": [
        {"image_id": 1, "category_id": 1, "bbox": [0, 0, 10, 10], "iscrowd": 0},
        {"image_id": 1, "category_id": 1, "bbox": [40, 40, 50, 50], "iscrowd": 1},
    ]}  # fmt: skip
    answers = [
        {"image_id": 1, "category_id": 1, "bbox": [50, 50, 5, 5], "score": 0.9},
        {"image_id": 1, "category_id": 1, "bbox": [0, 0, 10, 10], "score": 0.5},
    ]
    assert read_items(*written(tmp_path, truth, answers)).observed(Of("map")) == pytest.approx(1)


def test_stats_of_pycocotools(tmp_path: Path) -> None:
    read = read_items(*written(tmp_path, *scene(40, 3)))
    ours = [read.observed(Of(name)) for name in ("map", "map50", "map75")]
    assert ours == pytest.approx(STATS, abs=1e-12)


@pytest.mark.full
def test_all_twelve_stats_by_area_and_number_of_detections(tmp_path: Path) -> None:
    read = read_items(*written(tmp_path, *sized(16, 1)))
    assert list(read.metrics[:12]) == list(METRICS)
    assert [read.observed(Of(name)) for name in METRICS] == pytest.approx(ALL_STATS, abs=1e-12)
    law = read.law(Of("mar_small"), Ask(draws=500))
    assert 0.2 < law.mean < 0.6
    assert read.measured("mar_small").called == "mAR_small"


@pytest.mark.full
def test_two_detectors_are_compared_on_the_same_images(tmp_path: Path) -> None:
    truth, answers = scene(40, 3)
    files = [*written(tmp_path, truth, answers, "new.json"), written(tmp_path, truth, answers[::2], "old.json")[1]]
    read = read_items(*files)
    made = hs.compare(read, "new", "old", draws=1_000)
    assert made.p_better > 0.95
    assert made.between.observed == pytest.approx(read.observed(Of("map", "new")) - read.observed(Of("map", "old")))
    row = hs.report(read, "map50", draws=1_000).rows[0]
    assert row.law is not None
    assert row.observed is not None
    low, high = row.law.interval(0.95, "central")[:2]
    assert 0 <= low < row.law.mean < high <= 1
    assert low <= row.observed <= high


def test_boxes_of_images_that_are_not_there_are_refused(tmp_path: Path) -> None:
    truth, answers = scene(3, 1)
    with pytest.raises(InvalidFile, match="box 1 has no 7, or an image that is not in the truth"):
        read_items(*written(tmp_path, truth, [{**answers[0], "image_id": 7}]))
    with pytest.raises(InvalidFile, match="results are a list"):
        read_items(*written(tmp_path, truth, {"boxes": answers}))
