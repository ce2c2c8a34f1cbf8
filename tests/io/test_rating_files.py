"""Files of ratings: long and wide, by words and by name, gaps, and what is refused."""

from __future__ import annotations

import io
from pathlib import Path
from typing import Any

import pytest

import howsure as hs
from howsure.cli import main
from howsure.errors import InvalidArgument, InvalidFile
from howsure.io import read_ratings
from howsure.io.rating_files import read_weights
from howsure.knowledge.protocol import Of

LONG = "item,rater,label\nq1,ann,yes\nq1,bob,yes\nq2,ann,no\nq2,bob,\nq3,bob,no\nq3,ann,yes\n"
WIDE = "item,ann,bob\nq1,yes,yes\nq2,no,NA\nq3,yes,no\n"


def read(text: str, **options: Any) -> hs.Ratings:
    return read_ratings(io.StringIO(text), **options)


@pytest.mark.parametrize(
    "text",
    [
        LONG,
        WIDE,
        LONG.replace("item,rater,label", "question,annotator,rating"),
        LONG.replace("item,rater,label", "doc_id,worker_id,category"),
        WIDE.replace(",", ";"),
        WIDE.replace("item,ann,bob", "id,rater_ann,rater_bob"),
        '[{"item": "q1", "ann": "yes", "bob": "yes"}, {"item": "q2", "ann": "no", "bob": null}, '
        '{"item": "q3", "ann": "yes", "bob": "no"}]',
    ],
)
def test_shapes(text: str) -> None:
    found = read(text)
    assert found.items == ("q1", "q2", "q3")
    assert found.labels == ("no", "yes")
    assert found.codes.tolist() == [[1, 1], [0, -1], [1, 0]]


def test_columns_by_name() -> None:
    text = "when,who,what,thing\nmon,ann,yes,q1\ntue,bob,no,q1\n"
    found = read(text, item="thing", rater="who", label="what")
    assert (found.items, found.raters) == (("q1",), ("ann", "bob"))
    wide = read("id,x,ann,bob\n1,0,a,b\n2,0,a,a\n", rater=["ann", "bob"])
    assert wide.raters == ("ann", "bob")


def test_no_column_of_items() -> None:
    assert read("rater1,rater2\n1,2\n2,2\n1,1\n").items == ("1", "2", "3")


def test_an_item_of_any_name_and_a_judge_beside_labels() -> None:
    assert read(LONG.replace("item", "essay")).items == ("q1", "q2", "q3")
    both = read("item,judge,label\nq1,yes,no\nq2,no,no\nq3,yes,yes\n")
    assert both.raters == ("judge", "label")


def test_a_frame() -> None:
    frames = pytest.importorskip("pandas")
    assert read_ratings(frames.DataFrame({"item": [1, 2], "ann": [1, 2], "bob": [1, None]})).labels == ("1", "2")


def test_own_weights_are_a_table_with_the_categories_on_both_sides(tmp_path: Path) -> None:
    path, ratings = tmp_path / "weights.csv", tmp_path / "ratings.csv"
    path.write_text("weight,low,mid,high\nhigh,0,0.9,1\nlow,1,0.5,0\nmid,0.5,1,0.9\n", encoding="utf-8")
    order, table = read_weights(str(path))
    assert order == ["low", "mid", "high"]
    assert table.tolist() == [[1, 0.5, 0], [0.5, 1, 0.9], [0, 0.9, 1]]
    assert read_weights(str(path), ["high", "low", "mid"])[1].tolist() == [[1, 0, 0.9], [0, 1, 0.5], [0.9, 0.5, 1]]
    rows = ["low,mid", "mid,high", "low,low", "high,high", "mid,mid", "low,mid"] * 2
    ratings.write_text("item,ann,bob\n" + "\n".join(f"{i},{row}" for i, row in enumerate(rows)) + "\n")
    read = read_ratings(ratings, labels=order, weights=table)
    assert read.observed(Of("percent_agreement", "all raters")) == pytest.approx((0.5 + 0.9 + 3 + 0.5) / 6)
    assert main(["agree", str(ratings), "--weights", str(path), "-m", "percent_agreement"]) == 0
    for text, said in (
        ("w,a,b\na,1,0\n", "the same categories on both sides"), ("w,a,b\na,1,x\nb,0,1\n", "a weight is a number"),
    ):  # fmt: skip
        path.write_text(text)
        with pytest.raises(InvalidFile, match=said):
            read_weights(str(path))
    with pytest.raises(InvalidArgument, match="there is no file 'cubic'"):
        read_weights("cubic")
