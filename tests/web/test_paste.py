"""What is pasted into the page: twenty dialects of one matrix, and sentences for what is none."""

from __future__ import annotations

import json
import shutil
import subprocess
from pathlib import Path
from typing import Any

import pytest
from tests.patience import PATIENCE

ASSETS = Path(__file__).parents[2] / "src/howsure/web/assets"
NODE = shutil.which("node")

pytestmark = pytest.mark.skipif(NODE is None, reason="no node; the browser tests read the same cases")

NAMED = ("low", "high")
TURNED = "The text says that its rows are predictions; it was turned, so that rows are truth."

#: Text, class names, what it says of its rows. The matrix is always that of Toetsch and Hoffmann, truth in rows.
SAME = [
    ("6\t2\n0\t26", None, None),
    ("6\t2\r\n0\t26\r\n", None, None),
    ("\tlow\thigh\nlow\t6\t2\nhigh\t0\t26", NAMED, None),
    ("true\\pred,low,high\nlow,6,2\nhigh,0,26", NAMED, "true"),
    ("pred\\true;low;high\nlow;6;0\nhigh;2;26", NAMED, "pred"),
    ("low,high\n6,2\n0,26", NAMED, None),
    ("low 6 2\nhigh 0 26", NAMED, None),
    ("\t0\t1\n0\t6\t2\n1\t0\t26", ("0", "1"), None),
    ('"a, b",c\n"6",2\n0,26', ("a, b", "c"), None),
    ("[[ 6  2]\n [ 0 26]]", None, None),
    ("array([[ 6,  2],\n       [ 0, 26]], dtype=int64)", None, None),
    ("np.array([[6., 2.], [0., 26.]])", None, None),
    ("cm = [[6, 2], [0, 26]]", None, None),
    ("((6, 2), (0, 26))", None, None),
    ("[6 2; 0 26]", None, None),
    ("M = [6, 2\n 0, 26];", None, None),
    ('{"classes": ["low", "high"], "counts": [[6, 2], [0, 26]]}', NAMED, None),
    (
        "\\begin{tabular}{l|rr}\n\\hline\ntrue$\\backslash$pred & low & \\textbf{high} \\\\ \\hline\n"
        "low & 6 & 2 \\\\\nhigh & 0 & 26 \\\\ \\hline\n\\end{tabular}",
        NAMED,
        "true",
    ),
    ("\\begin{pmatrix} 6 & 2 \\\\ 0 & 26 \\end{pmatrix}", None, None),
    ("          Reference\nPrediction low high\n      low    6    0\n      high   2   26", NAMED, "pred"),
    ("pred   low  high\ntrue            \nlow      6     2\nhigh     0    26", NAMED, "true"),
    ("| true/pred | low | high |\n|---|---|---|\n| low | 6 | 2 |\n| high | 0 | 26 |", NAMED, "true"),
    (",low,high,Total\nlow,6,2,8\nhigh,0,26,26\nTotal,6,28,34", NAMED, None),
]

REFUSED = [
    ("", "Nothing was pasted"),
    ("7", "a single cell"),
    ("1 2 3", "this has 1 row, and row 1 has 3 cells"),
    ("a,b\nx,2\n3,4", 'Row 1, column 1 holds "x"'),
    ("1,2,3\n3,4,5", "this has 2 rows, and row 1 has 3 cells"),
    ("x,low,high\nlow,1,2\nmid,3,4", "rows are low, mid and columns low, high"),
    ("[[1,2],[3,4]", "A bracket is not closed"),
    ('{"a": 1}', "JSON of a matrix"),
    ("9" * 1_000_001, "more than a million signs"),
]

SCRIPT = """
import { parse } from "./paste.js";
import { readFileSync } from "node:fs";
console.log(JSON.stringify(JSON.parse(readFileSync(0, "utf-8")).map(parse)));
"""


@pytest.fixture(scope="module")
def pasted(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Any]:
    """Every text through the module of the page."""
    folder = tmp_path_factory.mktemp("paste")
    shutil.copytree(ASSETS / "pasting", folder / "pasting")
    shutil.copy(ASSETS / "paste.js", folder)
    (folder / "package.json").write_text('{"type": "module"}')
    (folder / "try.js").write_text(SCRIPT)
    texts = [case[0] for case in [*SAME, *REFUSED]] + ["x,high,low\nlow,2,6\nhigh,26,0", "0.9\t1e3\n-2\t1,234"]
    done = subprocess.run(
        [str(NODE), str(folder / "try.js")],
        input=json.dumps(texts),
        capture_output=True,
        encoding="utf-8",
        check=True,
        timeout=PATIENCE,
    )
    return dict(zip(texts, json.loads(done.stdout), strict=True))


@pytest.mark.parametrize(("text", "classes", "rows"), SAME)
def test_one_matrix_in_many_dialects(
    pasted: dict[str, Any], text: str, classes: tuple[str, str] | None, rows: str | None
) -> None:
    found = pasted[text]
    assert found["counts"] == [[6, 2], [0, 26]]
    assert found["classes"] == (None if classes is None else list(classes))
    assert found["rows"] == rows
    assert (TURNED in found["notes"]) == (rows == "pred")


@pytest.mark.parametrize(("text", "part"), REFUSED, ids=lambda value: value[:20])
def test_what_is_no_matrix_gets_a_sentence(pasted: dict[str, Any], text: str, part: str) -> None:
    assert part in pasted[text]["problem"]


def test_columns_in_another_order_are_matched_by_name(pasted: dict[str, Any]) -> None:
    found = pasted["x,high,low\nlow,2,6\nhigh,26,0"]
    assert (found["classes"], found["counts"]) == (["high", "low"], [[26, 0], [2, 6]])
    assert "matched by name" in found["notes"][0]


def test_what_is_no_count_is_kept_for_the_server_to_say(pasted: dict[str, Any]) -> None:
    assert pasted["0.9\t1e3\n-2\t1,234"]["counts"] == [[0.9, 1000], [-2, 1234]]
