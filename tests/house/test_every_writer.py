"""Hostile names through every writer: markup, formulas, commands and control characters stay text.

Each property is one test of every noun and every answer (`everything`), made once for all of them.
"""

from __future__ import annotations

import csv
import io
import json
import re
import warnings
from html.parser import HTMLParser
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import matplotlib as mpl
import pytest
from rich.console import Console
from tests.hostile import LABELS
from tests.house.everything import everything

import howsure as hs
from howsure.answers.sheet import Record
from howsure.cli.output import append_summary
from howsure.cli.terminal import show_report
from howsure.errors import InvalidArgument
from howsure.integrations import logged_metrics, to_frame
from howsure.io import read
from howsure.io.formats.written import matrix_csv
from howsure.publish import latex, page
from howsure.publish.latex import LETTER, escaped
from howsure.publish.saving import PAGES, Page
from howsure.text.svg.canvas import text_width

#: Tags that our pages and fragments are made of; none of them runs or fetches anything.
TAGS = set(
    re.findall(
        r"\w+",
        "html head meta link title style body main section h1 h2 p strong small bdi table caption thead tbody tr th td "
        "figure figcaption svg g line circle rect path text details summary div label input output ul li pre script",
    )
)
#: What has no picture: a formula, one number, a prior without a Beta of its own, what fits nothing.
WITHOUT_PICTURE = {
    "JudgedAnswers",
    "LabelErrorRange",
    "Metric",
    "NetBenefit at one",
    "CurveReport of three",
    "DeLong",
    "Scores",
    "NextLabels",
    "OperatingPoints at one",
    "Probability",
    "Prior",
    "Prior learned",
    "Prior told",
    "LogReport",
    "Reconstruction of none",
    "Repeats",
    "RepeatsReport",
    "SliceRanking",
    "Stratified",
    "VarianceSplit",
}
#: Pages with tables that are sorted.
SORTED = ("Pooled", "ComparedOver", "RankedOver", "SliceReport", "SliceComparison", "SliceGate", "SliceRanking")
#: Pages with something to move.
MOVED = ("Report", "CurveReport", "OperatingPoints", "BestThreshold")
FORMS = (".html", ".md", ".tex", ".csv", ".json", ".txt")

pytestmark = pytest.mark.full  # everything takes five seconds to compute


def printed() -> dict[str, Any]:
    """Every answer: a file of every ending."""
    return {name: made for name, made in everything().items() if isinstance(made, Record)}


def is_drawn(made: Any) -> bool:
    """Whether an answer is also a picture."""
    return bool(PAGES.get(type(made).__name__, Page()).plot) and None not in (
        getattr(made, name, "") for name in ("roc", "curve")
    )


class Tags(HTMLParser):
    """Tags with their attributes, and the text between them."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.seen: list[tuple[str, dict[str, str | None]]] = []
        self.words: list[str] = []
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.seen.append((tag, dict(attrs)))

    def handle_data(self, data: str) -> None:
        self.words.append(data)


def assert_inert(text: str, scripts: int = 0) -> None:
    """HTML that holds our tags only, runs nothing, fetches nothing, and no invisible character."""
    found = Tags(text)
    assert {tag for tag, _ in found.seen} <= TAGS
    assert sum(tag == "script" for tag, _ in found.seen) == scripts
    for tag, attributes in found.seen:
        assert not any(key.startswith("on") for key in attributes), (tag, attributes)
        assert not any(key in ("src", "style", "xlink:href", "action") for key in attributes), (tag, attributes)
        assert attributes.get("href") in (None, "data:,")
    for mark in ("\0", "\u202e", "\u2028", "\u2029"):
        assert mark not in text


def sticking_out(picture: str) -> list[str]:
    """Level texts that may not be inside of a picture, as wide as the widest fonts draw them."""
    drawn = ElementTree.fromstring(picture)
    found = []
    for text in drawn.iter("{http://www.w3.org/2000/svg}text"):
        wide = text_width(text.text or "", float(text.get("font-size", 12)))
        left = float(text.get("x", 0)) - wide * {"start": 0, "middle": 0.5, "end": 1}[text.get("text-anchor", "start")]
        if text.get("transform") is None and not -1 <= left <= left + wide <= float(drawn.get("width", 0)) + 1:
            found.append(text.text or "")
    return found


def without_isolation(text: str) -> str:
    """Text without the marks that we put around names in right-to-left scripts, of which all are closed."""
    bare = re.sub("\u2068([^\u2068\u2069\n]*)\u2069", r"\1", text)
    assert not {"\u2068", "\u2069"} & set(bare)
    return bare


def test_everything_shows_itself_in_a_notebook(subtests: pytest.Subtests) -> None:
    for name, made in everything().items():
        with subtests.test(name):
            text = made._repr_html_()
            assert_inert(text)
            pictures = re.findall(r"<svg.*?</svg>", text, re.DOTALL)
            assert bool(pictures) == (name not in WITHOUT_PICTURE)
            for picture in pictures:
                ElementTree.fromstring(picture)
                assert "currentColor" in picture  # so that it fits light and dark pages
                assert 'role="img" aria-label=' in picture
                assert not re.search(r'(?:fill|stroke)="(?:#000|#fff|black|white)', picture)
                assert "nan" not in picture
                assert not sticking_out(picture)


def test_everything_reads_well_as_text(subtests: pytest.Subtests) -> None:
    for name, made in everything().items():
        with subtests.test(name):
            for shown in (str(made), repr(made)):
                assert " object at 0x" not in shown
                assert all(line.isprintable() for line in without_isolation(shown).split("\n"))
                assert "\x1b" not in shown


def test_markdown_is_tables_without_markup_of_others(subtests: pytest.Subtests) -> None:
    for name, made in everything().items():
        if not hasattr(made, "to_markdown"):
            continue
        with subtests.test(name):
            text = made.to_markdown()
            for table in re.findall(r"(?:^\|.*\n?)+", text, re.MULTILINE):
                assert len({len(re.findall(r"(?<!\\)\|", line)) for line in table.splitlines()}) == 1
            assert not re.search(r"<(?!br>)[a-zA-Z/!]", text)
            assert not re.search(r"(?<!\\)\]\(", text)
            assert "::" not in text
            assert all(line.isprintable() or "\u200b" in line for line in without_isolation(text).split("\n"))


def test_a_page_is_small_inert_and_needs_no_network(subtests: pytest.Subtests) -> None:
    for name, made in printed().items():
        with subtests.test(name):
            text = page(made)
            moved = name in MOVED or name.startswith("Report")
            assert_inert(text, scripts=2 if moved else int(name.split()[0] in SORTED))
            assert len(text.encode()) < 300_000
            assert text.count("<h1>") == 1
            assert "connect-src 'none'" in text
            assert not re.search(r"""(?:src|href|url\()\s*=?\s*["']?(?:https?:)?//""", text)


def test_latex_runs_nothing(subtests: pytest.Subtests) -> None:
    known = {"usepackage", "begin", "end", "caption", "centering", "renewcommand", "arraystretch"}
    known |= {"toprule", "midrule", "bottomrule", "symbol", "howsureletter"}
    known |= {f"text{mark}" for mark in ("backslash", "asciitilde", "asciicircum", "less", "greater", "bar")}
    known |= {"textasciigrave", "textquotesingle"}
    for name, made in printed().items():
        with subtests.test(name):
            text = latex(made).replace(f"{LETTER}\n", "")
            assert set(re.findall(r"\\([A-Za-z]+)", text)) <= known
            body = [line for line in text.splitlines()[1:] if not line.startswith("%")]
            for line in body:
                assert len(re.findall(r"(?<!\\)\{", line)) == len(re.findall(r"(?<!\\)\}", line)), line
                assert not re.search(r"(?<!\\)[%#]", line), line
                assert len(re.findall(r"(?<!\\)\$", line)) % 2 == 0, line
            assert len({len(re.findall(r"(?<!\\)&", line)) for line in body if line.endswith(r"\\")}) == 1


def test_latex_text_stays_text() -> None:
    for label in LABELS:
        assert not re.search(r"(?<!\\)[%#$&_]", escaped(label))
        assert "\n" not in escaped(label)
        assert not escaped("[" + label).startswith("[")


def test_csv_holds_no_formula_and_comes_back(subtests: pytest.Subtests) -> None:
    for name, made in everything().items():
        if not hasattr(made, "to_csv"):
            continue
        with subtests.test(name):
            rows = list(csv.DictReader(io.StringIO(made.to_csv(), newline="")))
            assert rows
            for row in rows:
                assert None not in row
                for key, cell in row.items():
                    formula = re.match(r"""["'\s]*[=+\-@\t\r\0]""", cell)
                    assert is_number(cell) or not formula or cell.startswith("'"), key
            if name in ("Report", "Ranking"):
                answers = made.rows if name == "Report" else made.entries
                column = "metric" if name == "Report" else "name"
                for row, one in zip(rows, answers, strict=True):
                    assert float(row["mean"]) == one.mean
                    assert row[column].removeprefix("'") == one.name.removeprefix("'")


def is_number(cell: str) -> bool:
    """Whether a spreadsheet reads a number."""
    try:
        float(cell)
    except ValueError:
        return False
    return True


def test_a_matrix_as_csv_comes_back(tmp_path: Path) -> None:
    for label in (label for label in LABELS if "\0" not in label):
        matrix = hs.ConfusionMatrix([[45, 5], [8, 42]], labels=[label, "other"])
        (tmp_path / "m.csv").write_text(matrix_csv(matrix), encoding="utf-8", newline="")
        back = read(str(tmp_path / "m.csv")).confusion
        assert back.counts.tolist() == matrix.counts.tolist()
        assert [name.split() for name in back.labels] == [name.split() for name in matrix.labels]


def test_json_comes_back(subtests: pytest.Subtests) -> None:
    for name, made in everything().items():
        if hasattr(made, "to_dict"):
            with subtests.test(name):
                plain = made.to_dict()
                assert json.loads(json.dumps(plain, allow_nan=False)) == json.loads(json.dumps(plain))


def test_every_file_is_written_and_a_picture_where_there_is_one(subtests: pytest.Subtests, tmp_path: Path) -> None:
    mpl.use("agg")
    for name, made in printed().items():
        more = (".svg", ".png", ".pdf") if name in ("Report", "Ranking") else (".svg",)
        for ending in (*FORMS, *(more if is_drawn(made) else ())):
            with subtests.test(name, ending=ending), warnings.catch_warnings():
                warnings.filterwarnings("ignore", "Glyph .* missing from font", UserWarning)
                hs.save(made, tmp_path / f"out{ending}")
                written = (tmp_path / f"out{ending}").read_bytes()
                assert len(written) > (50 if ending == ".csv" else 250)
                assert ending != ".csv" or len(written.splitlines()) > 1
                if ending == ".svg":
                    tags = {element.tag.partition("}")[2] for element in ElementTree.fromstring(written).iter()}
                    assert not tags & {"script", "image", "img", "foreignObject", "a"}
                    assert "text" in tags
                if ending in (".svg", ".html", ".txt", ".md", ".tex"):
                    text = written.decode("utf-8")
                    assert "\0" not in text
                    assert "\u202e" not in text
        if not is_drawn(made):
            with subtests.test(name, ending=".svg"), pytest.raises(InvalidArgument, match=r"no picture; write it as"):
                hs.save(made, tmp_path / "none.svg")
            assert not (tmp_path / "none.svg").exists()


@pytest.mark.parametrize("library", ["pandas", "polars"])
def test_frames_and_trackers_hold_the_names(library: Any) -> None:
    for name in ("Report", "Report of two", "Comparison", "Comparison paired", "Ranking"):
        frame = to_frame(everything()[name], library)
        assert len(frame) == len(frame["mean"])
        assert all(re.fullmatch(r"[\w./ -]{1,250}", each) for each in logged_metrics(everything()[name]))


def test_a_terminal_gets_no_control_character() -> None:
    for name in ("Report", "Report of two"):
        screen = Console(file=io.StringIO(), force_terminal=True, color_system=None, width=100)
        show_report(everything()[name], screen)
        shown = without_isolation(screen.file.getvalue())  # type: ignore[attr-defined]  # a StringIO
        assert all(line.isprintable() for line in re.sub(r"\x1b\[[0-9;]*m", "", shown).split("\n"))


@pytest.mark.parametrize("inconclusive", ["warn", "fail", "pass"])
def test_junit_is_xml_with_the_names_as_text(inconclusive: Any) -> None:
    for name in ("Gate", "Gate floor"):
        suite = ElementTree.fromstring(everything()[name].to_junit(inconclusive))
        assert {each.tag for each in suite.iter()} <= {"testsuite", "testcase", "failure", "skipped", "system-out"}
        assert all((each.text or "").isprintable() for each in suite.iter("system-out"))


def test_a_job_summary_starts_no_workflow_command(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("GITHUB_STEP_SUMMARY", str(tmp_path / "summary.md"))
    for name, made in everything().items():
        if name.startswith(("Gate", "Comparison", "Report")):
            assert append_summary(made.to_markdown()) is None
    written = (tmp_path / "summary.md").read_text(encoding="utf-8")
    assert "::" not in written
    assert "<img" not in written


def test_no_control_character_leaves_in_any_text() -> None:
    cm = hs.ConfusionMatrix([[6, 2, 1], [1, 20, 3], [0, 2, 9]], ["\x1b[31mRED", "b\u202e", "c\u2028"])
    for prior in ("flat", "haldane"):
        made = hs.report(hs.infer(cm, prior), draws=500)
        for shown in (
            str(made),
            made.to_markdown(),
            made._repr_html_(),
            str(cm),
            repr(hs.infer(cm, "flat").of("recall@\x1b[31mRED")),
        ):
            assert all(c.isprintable() or c == "\n" for c in shown)
