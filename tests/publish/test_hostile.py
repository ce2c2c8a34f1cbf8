"""The corpus of hostile names through every writer."""

from __future__ import annotations

import csv
import io
import json
import re
import warnings
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from tests.hostile import LABELS

import howsure as hs
from howsure.publish import latex, page
from howsure.publish.latex import escaped

SIZE = len(LABELS)
COUNTS = np.eye(SIZE, dtype=int) * 30 + 1
POST = hs.infer(hs.ConfusionMatrix(COUNTS, labels=LABELS), "jeffreys")
TWO = [hs.infer(hs.ConfusionMatrix([[45, 5], [8, 42]], labels=LABELS[:2])) for _ in range(2)]
RESULTS: dict[str, Any] = {
    "report": hs.report(POST),
    "report of two": hs.report(TWO[0]),
    "compare": hs.compare(*TWO, names=(LABELS[0], LABELS[1]), metric="accuracy"),
    "rank": hs.rank({label: hs.Posterior.from_accuracy(correct=70 + i, n=100) for i, label in enumerate(LABELS)}),
}
ALLOWED = set(
    re.findall(
        r"\w+",
        "html head meta link title style body main section h1 h2 p strong small table caption thead tbody tr th td "
        "figure figcaption svg line circle rect path text details summary div label input output ul li pre script",
    )
)


class Tags(HTMLParser):
    def __init__(self) -> None:
        super().__init__()
        self.seen: list[tuple[str, dict[str, str | None]]] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.seen.append((tag, dict(attrs)))


@pytest.mark.parametrize("name", RESULTS)
@pytest.mark.parametrize("writer", ["page", "notebook"])
def test_html_holds_only_our_tags_and_no_handler(name: str, writer: str) -> None:
    text = page(RESULTS[name]) if writer == "page" else RESULTS[name]._repr_html_()
    found = Tags()
    found.feed(text)
    assert {tag for tag, _ in found.seen} <= ALLOWED
    scripts = [attributes for tag, attributes in found.seen if tag == "script"]
    assert len(scripts) == (2 if writer == "page" and "report" in name else 0)
    for tag, attributes in found.seen:
        assert not any(key.startswith("on") for key in attributes), (tag, attributes)
        assert not any(key in ("src", "style", "xlink:href", "action") for key in attributes), (tag, attributes)
        assert attributes.get("href") in (None, "data:,")
    assert "\0" not in text
    assert "\u202e" not in text
    assert "\u2028" not in text
    assert text.count("<h1>") == (1 if writer == "page" else 0)


@pytest.mark.parametrize("name", RESULTS)
def test_the_page_is_small_and_needs_no_network(name: str) -> None:
    text = page(RESULTS[name])
    assert len(text.encode()) < 300_000
    assert "connect-src 'none'" in text
    assert not re.search(r"""(?:src|href|url\()\s*=?\s*["']?(?:https?:)?//""", text)


@pytest.mark.parametrize("name", RESULTS)
def test_latex_runs_nothing(name: str) -> None:
    text = latex(RESULTS[name])
    commands = set(re.findall(r"\\[A-Za-z]+", text))
    known = {"\\usepackage", "\\begin", "\\end", "\\caption", "\\toprule", "\\midrule", "\\bottomrule"}
    known |= {f"\\text{name}" for name in ("backslash", "asciitilde", "asciicircum", "less", "greater", "bar")}
    known |= {"\\textquotedbl", "\\textasciigrave", "\\textquotesingle"}
    assert commands <= known
    body = [line for line in text.splitlines()[1:] if not line.startswith("%")]
    for line in body:
        assert len(re.findall(r"(?<!\\)\{", line)) == len(re.findall(r"(?<!\\)\}", line)), line
        assert not re.search(r"(?<!\\)[%#]", line), line
        assert len(re.findall(r"(?<!\\)\$", line)) % 2 == 0, line
    columns = {len(re.findall(r"(?<!\\)&", line)) for line in body if line.endswith(r"\\")}
    assert len(columns) == 1


@pytest.mark.parametrize("label", LABELS)
def test_latex_text_says_the_same(label: str) -> None:
    assert not re.search(r"(?<!\\)[%#$&_]", escaped(label))
    assert "\n" not in escaped(label)
    assert not escaped("[" + label).startswith("[")


@pytest.mark.parametrize("name", RESULTS)
def test_csv_holds_no_formula_and_numbers_in_full(name: str) -> None:
    rows = list(csv.DictReader(io.StringIO(RESULTS[name].to_csv(), newline="")))
    assert rows
    for row in rows:
        for key, cell in row.items():
            try:
                float(cell)
            except ValueError:
                assert not re.match(r"""['"\s]*[=+\-@\t\r\0]""", cell.removeprefix("'")) or cell.startswith("'"), (
                    key,
                    cell,
                )
    if name == "report":
        for row, made in zip(rows, RESULTS[name].rows, strict=True):
            assert float(row["mean"]) == made.mean
            assert row["metric"].removeprefix("'") == made.name.removeprefix("'")


@pytest.mark.parametrize("name", RESULTS)
def test_json_comes_back(name: str) -> None:
    made = RESULTS[name].to_dict()
    assert json.loads(json.dumps(made, allow_nan=False)) == json.loads(json.dumps(made))
    assert LABELS[0] in json.dumps(made, ensure_ascii=False) or LABELS[0] in str(made)


@pytest.mark.parametrize("name", RESULTS)
@pytest.mark.parametrize("ending", [".html", ".md", ".tex", ".csv", ".json", ".txt", ".svg", ".png", ".pdf"])
def test_every_file_is_written(name: str, ending: str, tmp_path: Path) -> None:
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", "Glyph .* missing from font", UserWarning)
        hs.save(RESULTS[name], tmp_path / f"out{ending}")
    written = (tmp_path / f"out{ending}").read_bytes()
    assert len(written) > 300
    if ending in (".svg", ".html", ".txt", ".md", ".tex"):
        text = written.decode("utf-8")
        assert ending == ".txt" or "<img" not in text
        assert "\0" not in text
        assert "\u202e" not in text


@pytest.mark.parametrize("name", RESULTS)
def test_markdown_and_text_are_one_table(name: str) -> None:
    text = RESULTS[name].to_markdown()
    table = [line for line in text.splitlines() if line.startswith("|")]
    pipes = {len(re.findall(r"(?<!\\)\|", line)) for line in table}
    assert len(pipes) == 1
    assert "<script" not in text
    assert not re.search(r"(?<!\\)\]\(", text)
