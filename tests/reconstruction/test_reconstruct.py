"""Back from rounded figures to tables: every table that fits, and no other."""

from __future__ import annotations

import itertools
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import howsure as hs
from howsure.errors import InvalidArgument, NoInformation, UnknownMetric


def test_the_forensic_table_comes_back() -> None:
    """Toetsch and Hoffmann 2021: 26 of 26 and 6 of 8."""
    found = hs.reconstruct(n=34, recall="1.00", specificity="0.75", accuracy="0.94")
    assert [c.counts.tolist() for c in found.candidates] == [[[6, 2], [0, 26]]]
    law = found.of("accuracy", "flat")
    assert law.mean == pytest.approx(33 / 36)


def test_all_tables_by_brute_force() -> None:
    n = 12
    found = hs.reconstruct(n=n, accuracy="0.8", f1="0.7")
    fits = set()
    for tn, fp, fn in itertools.product(range(n + 1), repeat=3):
        tp = n - tn - fp - fn
        if tp < 0 or not 2 * tp + fp + fn:
            continue
        if 0.75 <= (tp + tn) / n <= 0.85 and 0.65 <= 2 * tp / (2 * tp + fp + fn) <= 0.75:
            fits.add((tn, fp, fn, tp))
    assert {tuple(c.counts.reshape(-1).tolist()) for c in found.candidates} == fits
    assert found.count == len(fits) > 1
    weights = np.array([1 / ((c.class_sizes[0] + 1) * (c.class_sizes[1] + 1)) for c in found.candidates])
    np.testing.assert_allclose(found.weights, weights / weights.sum())


def test_known_sizes_make_tables_equally_probable() -> None:
    found = hs.reconstruct(sizes=(50, 50), balanced_accuracy="0.9")
    assert found.count > 10
    np.testing.assert_allclose(found.weights, 1 / found.count)
    mixed = found.of("balanced_accuracy")
    assert mixed.mean == pytest.approx(np.mean([hs.infer(c).of("balanced_accuracy").mean for c in found.candidates]))


def test_the_figure_that_contradicts_is_named() -> None:
    found = hs.reconstruct(sizes=(8, 26), recall="1.00", specificity="0.75", accuracy="0.88")
    assert not found.consistent
    assert "accuracy 0.88" in found.contradictions
    assert "Inconsistent" in str(found)
    with pytest.raises(NoInformation, match="Inconsistent"):
        found.of("accuracy")


def test_figures_that_were_cut_are_told_from_inconsistent_ones() -> None:
    found = hs.reconstruct(n=3, accuracy="0.66", recall="0.50")
    assert not found.consistent
    assert found.otherwise == ("truncated", 1)
    assert '1 table fits if the figures were cut, not rounded: rounding="truncated" (--rounding truncated)' in str(
        found
    )
    assert hs.reconstruct(n=3, accuracy="0.66", recall="0.50", rounding="truncated").count == 1
    back = hs.reconstruct(n=3, accuracy="0.67", recall="0.5", rounding="truncated")
    assert back.otherwise == ("nearest", 1)
    assert "rounded, not cut" in str(back)
    shares = [["85.7", "14.2", "0.0"], ["11.1", "77.7", "11.1"], ["0", "9.0", "90.9"]]
    found = hs.reconstruct(sizes=(7, 9, 11), shares=shares)
    assert str(found).startswith("Inconsistent: no table has the printed shares. 1 table fits if")
    assert hs.reconstruct(n=10, accuracy="0.88").otherwise is None


@pytest.mark.sweep(8, full=12)
@pytest.mark.parametrize(
    ("options", "says"),
    [
        ({"n": 1000, "accuracy": "0.91"}, r"each class \(sizes=\) or specificity, recall to two decimals would narrow"),
        ({"sizes": (300, 400, 500), "accuracy": "0.88"}, "recall@0, recall@1, recall@2 to two decimals or the matrix"),
        ({"sizes": (500,) * 5, "accuracy": "0.5"}, r"\(about 10\^47\).*recall@0"),
        ({"n": 10_000, "recall": "0.31", "specificity": "0.9"}, "the cases of each class"),
        ({"n": 200, "accuracy": "88.5"}, "lies between 0 and 1, and 88.5 is printed; per cent are written '88.5%'"),
        ({"sizes": (50, 50), "mcc": "-1.2"}, "lies between -1 and 1"),
    ],
)
def test_a_refusal_says_what_would_help(options: dict[str, Any], says: str) -> None:
    with pytest.raises(InvalidArgument, match=says):
        hs.reconstruct(**options)


@pytest.mark.parametrize(
    ("options", "error"),
    [
        ({"n": 10}, InvalidArgument),
        ({"n": 10, "accuracy": "good"}, InvalidArgument),
        ({"n": 10, "acuracy": 0.5}, UnknownMetric),
        ({"n": 10, "accuracy": 0.5, "rounding": "up"}, InvalidArgument),
        ({"sizes": (5, 5, 5), "accuracy": 0.5, "labels": ["a", "b"]}, InvalidArgument),
        ({"sizes": (5, 5), "shares": [[80, 20]]}, InvalidArgument),
        ({"sizes": "5,5", "accuracy": "0.5"}, InvalidArgument),
    ],
)
def test_bad_questions_are_refused(options: dict[str, object], error: type[Exception]) -> None:
    with pytest.raises(error):
        hs.reconstruct(**options)  # type: ignore[arg-type]


def margins(sizes: tuple[int, ...]) -> list[np.ndarray[tuple[int, ...], np.dtype[np.int64]]]:
    """Every table of three classes of these sizes, by counting on fingers."""
    rows = [[(a, b, n - a - b) for a in range(n + 1) for b in range(n + 1 - a)] for n in sizes]
    return [np.array(table) for table in itertools.product(*rows)]


@pytest.mark.full
def test_three_classes_by_brute_force() -> None:
    sizes = (4, 3, 5)
    truth = np.array([[3, 1, 0], [1, 2, 0], [0, 1, 4]])
    table = hs.ConfusionMatrix(truth, ["a", "b", "c"])
    names = ["recall@a", "recall@c", "precision@b", "accuracy", "f1@macro"]
    measures = {name: hs.metrics.parse(name, table.labels) for name in names}
    printed = {name: f"{measures[name].observed(truth.astype(float)):.2f}" for name in names}
    for left_out in names:
        figures = {k: v for k, v in printed.items() if k != left_out}
        found = hs.reconstruct(figures, sizes=sizes, labels=["a", "b", "c"])
        fits = []
        for each in margins(sizes):
            with np.errstate(all="ignore"):
                values = {k: float(measures[k](each.astype(float))) for k in figures}
            if all(abs(values[k] - float(v)) <= 0.005 + 1e-12 for k, v in figures.items()):
                fits.append(each.tolist())
        assert [c.counts.tolist() for c in found.candidates] == sorted(fits)
        assert table in found.candidates


@given(st.lists(st.lists(st.integers(0, 40), min_size=4, max_size=4).filter(any), min_size=4, max_size=4))
def test_a_matrix_printed_in_per_cent_comes_back(cells: list[list[int]]) -> None:
    sizes = tuple(map(sum, cells))
    shares = [[f"{100 * x / n:.1f}" for x in row] for row, n in zip(cells, sizes, strict=True)]
    found = hs.reconstruct(sizes=sizes, shares=shares)
    assert [c.counts.tolist() for c in found.candidates] == [cells]


@pytest.mark.full
def test_the_report_spans_every_candidate() -> None:
    figures = {"recall@a": "0.90", "recall@b": "0.80", "recall@c": "1.00", "precision@a": "0.8"}
    found = hs.reconstruct(figures, sizes=(20, 30, 25), labels=["a", "b", "c"])
    assert 1 < found.count <= 100
    made = found.report(["accuracy", "precision@b"])
    for row in made.rows:
        laws = [hs.infer(c).of(row.metric) for c in found.candidates]
        means, ends = [law.mean for law in laws], [law.interval() for law in laws]
        assert row.means == pytest.approx((min(means), max(means)))
        assert row.interval == pytest.approx((min(e.low for e in ends), max(e.high for e in ends)))
        assert row.mean == pytest.approx(found.weights @ means)
    data = made.to_dict()
    assert data["tables"] == data["used"] == found.count
    assert [row["metric"] for row in data["metrics"]] == ["accuracy", "precision@b"]
