"""Workbooks of Excel: the table of their one sheet, as any file has it; and what hostile ones cannot do."""

from __future__ import annotations

import gzip
import io
import sys
import zipfile
from collections.abc import Callable, Sequence
from datetime import date
from pathlib import Path
from typing import Any

import pytest
from tests.print_outs import PRINT_OUTS

import howsure as hs
from howsure.errors import HowsureError, InvalidFile, MissingExtra
from howsure.io import read
from howsure.io.table import value_text
from howsure.io.workbooks import MARKUP, OTHER_TAGS, _cell

openpyxl = pytest.importorskip("openpyxl", reason="workbooks need howsure[excel]")

Cells = Sequence[Sequence[Any]]
SQUARE: Cells = [["true\\pred", "low", "high"], ["low", 6, 2], ["high", 0, 26]]


def workbook(**sheets: Cells) -> bytes:
    book = openpyxl.Workbook()
    book.remove(book.active)
    for title, rows in sheets.items():
        sheet = book.create_sheet(title.replace("_", " "))
        for row in rows:
            sheet.append(row)
    made = io.BytesIO()
    book.save(made)
    return made.getvalue()


def changed(data: bytes, part: str, new: Callable[[bytes], bytes], **more: bytes) -> bytes:
    """A workbook with one part changed, and further ones."""
    made = io.BytesIO()
    with zipfile.ZipFile(io.BytesIO(data)) as old, zipfile.ZipFile(made, "w", zipfile.ZIP_DEFLATED) as archive:
        for name in old.namelist():
            archive.writestr(name, new(old.read(name)) if name == part else old.read(name))
        for name, content in more.items():
            archive.writestr(name, content)
    return made.getvalue()


SHEET = "xl/worksheets/sheet1.xml"


def with_rows(rows: str) -> bytes:
    """A workbook whose sheet has these rows in XML."""
    made = f'<worksheet xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"><sheetData>{rows}</sheetData></worksheet>'
    return changed(workbook(A=SQUARE), SHEET, lambda _: made.encode())


def counts(given: Any, **keywords: Any) -> list[list[int]]:
    return read(given, **keywords).confusion.counts.tolist()


def test_one_table_in_every_form(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    data = workbook(Counts=SQUARE)
    for name, content in [("x.xlsx", data), ("x", data), ("x.csv", data), ("x.xlsx.gz", gzip.compress(data))]:
        path = tmp_path / name
        path.write_bytes(content)
        assert counts(path) == [[6, 2], [0, 26]]
    assert counts(io.BytesIO(data)) == [[6, 2], [0, 26]]
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(data)))
    assert counts("-") == [[6, 2], [0, 26]]
    (tmp_path / "one").mkdir()
    (tmp_path / "one" / "x.xlsx").write_bytes(data)
    assert counts(tmp_path / "one") == [[6, 2], [0, 26]]


@pytest.mark.parametrize("name", [name for name, it in PRINT_OUTS.items() if "\t" in it.text and "\n" in it.text])
def test_a_sheet_is_read_as_its_cells_are_pasted(name: str) -> None:
    text, expected, names, says = PRINT_OUTS[name]
    rows = [[int(it) if it.isdecimal() else it for it in line.split("\t")] for line in text.splitlines()]
    found = read(io.BytesIO(workbook(A=rows)), rows=None if says else "true").confusion
    assert found.counts.tolist() == expected
    assert names is None or list(found.labels) == names


def test_titles_and_margins_are_left_out_and_lines_are_rows(tmp_path: Path) -> None:
    rows = [["Results of May"], [], *([None, None, *row] for row in SQUARE)]
    found = read(io.BytesIO(workbook(A=rows)))
    assert found.confusion.counts.tolist() == [[6, 2], [0, 26]]
    assert "Left out, above the table: 'Results of May'." in found.notes
    rows[4] = [None, None, "high", 0, 2.5]
    with pytest.raises(InvalidFile, match=r"line 5: true 'high' predicted 'high' holds 2\.5, a fraction"):
        read(io.BytesIO(workbook(A=rows)))
    titled: Cells = [[None, "Reference"], ["Prediction", "low", "high"], ["low", 6, 0], ["high", 2, 26]]
    assert counts(io.BytesIO(workbook(A=titled))) == [[6, 2], [0, 26]]
    assert "Left out" not in " ".join(read(io.BytesIO(workbook(A=titled))).notes)


def test_of_several_tables_one_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("x.xlsx").write_bytes(workbook(Train=[*SQUARE[:2], ["high", 1, 1]], Test_set=SQUARE, Notes=[["by hand"]]))
    with pytest.raises(InvalidFile) as refused:
        read("x.xlsx")
    assert str(refused.value) == (
        "x.xlsx: there are several sheets with a table: '1 Train', '2 Test set'. Choose one: x.xlsx#Train"
    )
    assert counts("x.xlsx#Test set") == counts("x.xlsx#2") == [[6, 2], [0, 26]]
    assert "Read from the sheet 'Test set'." in read("x.xlsx#2").notes
    for name, words in [
        ("x.xlsx#4", "no sheet '4'; there are 'Train', 'Test set', 'Notes'"),
        ("x.xlsx#Notes", r"no sheet holds a table, two rows of two cells or more\. Formulas need to"),
        ("y.xlsx#2", "there is no such file. Did you mean 'x.xlsx'"),
    ]:
        with pytest.raises(InvalidFile, match=words):
            read(name)
    Path("z.xlsx").write_text("true,pred\na,b\n")
    with pytest.raises(InvalidFile, match="a sheet is named, and the file is no workbook"):
        read("z.xlsx#2")
    with pytest.raises(InvalidFile, match="and not packed or workbooks"):
        read(["x.xlsx#1", "x.xlsx#2"])
    Path("x.xlsx#2").write_text("true,pred\na,b\n")  # a file of that name is that file
    assert read("x.xlsx#2").confusion.n == 1


def test_a_name_goes_before_a_number(tmp_path: Path) -> None:
    path = tmp_path / "x.xlsx"
    path.write_bytes(workbook(**{"2": SQUARE, "B": [*SQUARE[:2], ["high", 1, 1]]}))
    assert counts(f"{path}#2") == [[6, 2], [0, 26]]


@pytest.mark.parametrize("state", ["hidden", "veryHidden"])
def test_a_hidden_sheet_is_read_where_it_is_named(state: str, tmp_path: Path) -> None:
    book = openpyxl.load_workbook(io.BytesIO(workbook(A=SQUARE, B=[*SQUARE[:2], ["high", 1, 1]])))
    book["B"].sheet_state = state
    book.save(tmp_path / "x.xlsx")
    assert counts(tmp_path / "x.xlsx") == [[6, 2], [0, 26]]
    assert counts(f"{tmp_path}/x.xlsx#B") == [[6, 2], [1, 1]]


def test_cells_are_text_as_in_every_table_with_types() -> None:
    for value in ("ill", 1, 2.0, 0.5, True, False, None, date(2026, 5, 1), 1e300):
        assert _cell(value) == value_text(value)
    assert _cell("two\nlines\tand a tab") == "two lines and a tab"


CASES: Cells = [["id", "y_true", "y_pred"], [1, "a", "b"], [2, "a", "a"], [3, "b", "b"]]


def test_a_formula_is_what_a_program_computed_and_is_never_evaluated() -> None:
    formulas = [*SQUARE[:2], ["high", "=0", "=13*2"]]
    array = openpyxl.worksheet.formula.ArrayFormula("B3", "=SUM(C2:C2)")
    cases: Cells = [["y_true", "y_pred"], ["a", "a"], ["b", "a"], ["=A2", "b"]]
    for rows in (formulas, cases, [*SQUARE[:2], ["high", array, 26]], [*CASES, ["=A9", "=B9", "=C9"]]):
        with pytest.raises(InvalidFile) as refused:  # and not "no true class", or a case fewer
            read(io.BytesIO(workbook(A=rows)), missing="exclude")
        assert refused.value.kind == "uncomputed"
    names = "".join(f'<c r="{place}" t="str"><v>{name}</v></c>' for place, name in [("B1", "a"), ("C1", "b")])
    cached = with_rows(
        f'<row r="1"><c r="A1" t="str"><v>true\\pred</v></c>{names}</row>'
        '<row r="2"><c r="A2" t="str"><v>a</v></c><c r="B2"><f>1/0</f><v>6</v></c><c r="C2"><v>2</v></c></row>'
        '<row r="3"><c r="A3" t="str"><v>b</v></c><c r="B3"><v>0</v></c>'
        '<c r="C3"><f>WEBSERVICE("http://x")</f><v>26</v></c></row>'
    )
    assert counts(io.BytesIO(cached)) == [[6, 2], [0, 26]]
    cases = "".join(
        f'<row r="{place}"><c t="str"><f>A1</f><v>{truth}</v></c><c t="str"><v>{answer}</v></c></row>'
        for place, (truth, answer) in enumerate([("y_true", "y_pred"), ("a", "a"), ("", "a"), ("b", "b")], 1)
    )
    empty = read(io.BytesIO(with_rows(cases)), missing="exclude")  # computed, and an empty text
    assert empty.confusion.counts.tolist() == [[1, 0], [0, 1]]


NOTE = "drawn today"


@pytest.mark.parametrize(
    ("rows", "note"),
    [
        ([*SQUARE, [], [NOTE]], "below the table: 'drawn today'."),
        ([*SQUARE, [NOTE]], "below the table: 'drawn today'."),
        ([*SQUARE, [], ["From X"], ["accuracy", "32/34"]], "below the table: 'From X', 'accuracy', '32/34'."),
        ([SQUARE[0], [*SQUARE[1], None, NOTE], SQUARE[2]], "beside the table: 'drawn today'."),
        ([SQUARE[0], [*SQUARE[1], None, "by", "Ann"], SQUARE[2]], "beside the table: 'by', 'Ann'."),
        ([["A9"], [], *SQUARE], "above the table: 'A9'."),
    ],
)  # fmt: skip
def test_what_stands_outside_the_table_is_left_out_and_told(rows: Cells, note: str) -> None:
    found = read(io.BytesIO(workbook(A=rows)))
    assert found.confusion.counts.tolist() == [[6, 2], [0, 26]]
    assert f"Left out, {note}" in found.notes


@pytest.mark.parametrize(
    ("rows", "words"),
    [
        ([*CASES, [], [None, "a"]], "line 6: the id is missing; fill it in, or leave the row out"),
        ([*CASES, [], [4, "a"]], "1 of 4 cases has no true or no predicted class"),
        ([*SQUARE, [], *SQUARE], "class names must differ|holds|at most|same classes|is missing"),  # a second matrix
        ([*SQUARE[:2], [], ["high", None, 26]], "line 4: true 'high' predicted 'low' is missing"),
        ([*SQUARE, [], ["low", None, 3]], "the row 'low' comes twice; each needs a name of its own"),
    ],
)
def test_a_row_of_the_table_is_never_taken_for_a_note(rows: Cells, words: str) -> None:
    with pytest.raises(InvalidFile, match=words):
        read(io.BytesIO(workbook(A=rows)))


def test_cases_below_a_blank_row_are_read_and_a_remark_is_told() -> None:
    found = read(io.BytesIO(workbook(A=[*CASES[:3], [], CASES[3], [], ["Source: clinic X"]])))
    assert found.confusion.counts.tolist() == [[1, 1], [0, 1]]
    assert "Left out, below the table: 'Source: clinic X'." in found.notes


def test_an_error_of_the_spreadsheet_is_no_class(tmp_path: Path) -> None:
    for word in ("#REF!", "#DIV/0!"):
        book = openpyxl.load_workbook(io.BytesIO(workbook(A=CASES)))
        book["A"]["B3"].value, book["A"]["B3"].data_type = word, "e"
        book.save(tmp_path / "x.xlsx")
        (tmp_path / "x.csv").write_text(f"y_true,y_pred\nb,b\n{word},a\n", encoding="utf-8")
        for name in ("x.xlsx", "x.csv"):
            with pytest.raises(InvalidFile, match=f"line 3: '{word}' is a spreadsheet error, not a class"):
                read(tmp_path / name)
        with pytest.raises(HowsureError, match=f"column 'y_true': '{word}' is a spreadsheet error"):
            hs.count(tmp_path / "x.csv")


def test_hidden_rows_are_read_and_told(tmp_path: Path) -> None:
    book = openpyxl.load_workbook(io.BytesIO(workbook(A=CASES)))
    book["A"].row_dimensions[3].hidden = True
    book.save(tmp_path / "x.xlsx")
    found = read(tmp_path / "x.xlsx")
    assert found.confusion.n == 3
    assert any(note.startswith("Rows of the workbook are hidden") for note in found.notes)
    book["A"].row_dimensions[3].hidden = False
    book.create_sheet("B").row_dimensions[1].hidden = True  # is not read
    book.save(tmp_path / "x.xlsx")
    assert not any("hidden" in note for note in read(tmp_path / "x.xlsx").notes)


def test_without_the_library_one_line_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "openpyxl", None)
    with pytest.raises(MissingExtra) as missing:
        read(io.BytesIO(DATA))
    assert str(missing.value) == str(MissingExtra("Reading a workbook of Excel", "excel"))


DATA = workbook(A=SQUARE)
MANY_OF_ONE = changed(
    changed(DATA, SHEET, lambda xml: xml.replace(b"</sheetData>", b"<row><c/></row>" * 5_000 + b"</sheetData>")),
    "xl/workbook.xml",
    lambda xml: xml.replace(b"</sheets>", b'<sheet name="B" sheetId="2" r:id="rId1"/>' * 1_000 + b"</sheets>"),
)
_BOMB = b'<!DOCTYPE x [<!ENTITY a "aaaaaaaaaa"><!ENTITY b "&a;&a;&a;&a;&a;&a;&a;&a;&a;&a;">]>'
_STRANGER = b'<!doctype x [<!ENTITY a SYSTEM "file:///etc/passwd">]>'


@pytest.mark.sweep(1, full=19)
@pytest.mark.parametrize(
    ("data", "words"),
    [
        (changed(DATA, SHEET, lambda xml: _BOMB + xml), "holds declared entities"),
        (changed(DATA, SHEET, lambda xml: _STRANGER + xml), "holds declared entities"),
        (changed(DATA, SHEET, lambda xml: xml.decode().encode("utf-16")), "holds declared entities"),
        (changed(DATA, "xl/workbook.xml", lambda xml: _BOMB + xml), "holds declared entities"),
        (changed(DATA, SHEET, lambda xml: xml + b" " * 2**26), "more than 200 times as many"),
        (with_rows('<row r="999999999"><c r="A1"><v>1</v></c></row>'), "blank ones counted, and at most"),
        (with_rows('<row><c r="XFD1"><v>1</v></c></row>' * 2_000), "blank ones counted, and at most"),
        (with_rows("<row>" + "<c/>" * 2**20 + "</row>"), "a longer text, or more markup"),
        (with_rows("<x>" * 40_000 + "</x>" * 40_000), "a longer text, or more markup"),
        (changed(DATA, "xl/styles.xml", lambda _: b"<styleSheet>" + b"<xf/>" * 40_000), "more markup"),
        (with_rows(f'<row r="{"9" * 300_000}"/>'), "a longer text, or more markup"),
        (MANY_OF_ONE, "several sheets are one part"),
        (with_rows(""), "no sheet holds a table"),
        (with_rows("<row><c r='A1'><v>"), "the workbook cannot be read"),
        (changed(DATA, "xl/workbook.xml", lambda _: b"<nothing/>"), "no sheet holds a table"),
        (changed(DATA, "xl/workbook.xml", lambda _: b"<nothing>"), "the workbook cannot be read"),
        (changed(DATA, "", bytes, **{"xl/Workbook.bin": b"", "xl/a.xml": b"\0"}), "holds declared entities"),
        (DATA[:2000], "the workbook is damaged or cut short"),
        (b"\xd0\xcf\x11\xe0" + bytes(600), "looks like an old Excel workbook, or one with a password"),
    ],
)  # fmt: skip
def test_hostile_and_damaged_workbooks_get_a_sentence(data: bytes, words: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("howsure.io.workbooks.MOST_CELLS", 2_000_000)
    with pytest.raises(InvalidFile, match=words):
        read(io.BytesIO(data))


@pytest.mark.parametrize("tag", [b"<c/>", b"<xf/>"])
def test_tags_of_all_parts_are_counted_together(tag: bytes) -> None:
    """Each part is within the bounds, and both are not."""
    many = (MARKUP if tag == b"<c/>" else OTHER_TAGS) * 6 // 10
    one = changed(DATA, "xl/styles.xml", lambda _: b"<styleSheet>" + tag * many + b"</styleSheet>")
    with pytest.raises(InvalidFile, match=r"its part 'xl/more\.xml' holds a longer text, or more markup, more than"):
        read(io.BytesIO(changed(one, "", bytes, **{"xl/more.xml": b"<a>" + tag * many + b"</a>"})))


@pytest.mark.parametrize(
    ("data", "bound", "words"),
    [
        (
            with_rows('<row r="300"><c r="A300"><v>1</v></c></row>'),
            ("MOST_CELLS", 1_000),
            "1,000 cells, blank ones counted, and at most 1,000 are read",
        ),
        (workbook(A=SQUARE, B=SQUARE), ("MOST_CELLS", 30), "30 cells, blank ones counted, and at most 30 are read"),
        (DATA, ("MOST_PARTS", 5), "9 parts, and at most 5 are read"),
    ],
)
def test_bounds_count_blank_rows_all_sheets_and_parts(
    data: bytes, bound: tuple[str, int], words: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(f"howsure.io.workbooks.{bound[0]}", bound[1])
    with pytest.raises(InvalidFile, match=words):
        read(io.BytesIO(data))


def test_other_documents_of_office_are_none() -> None:
    for kept, words in [
        ("xl/workbook.bin", "a binary one"),
        ("word/document.xml", r"the workbook of Excel must be \.xlsx or CSV, not 'no workbook'"),
    ]:
        made = io.BytesIO()
        with zipfile.ZipFile(made, "w") as archive:
            archive.writestr("[Content_Types].xml", "<Types/>")
            archive.writestr(kept, "<x/>")
        with pytest.raises(InvalidFile, match=words):
            read(io.BytesIO(made.getvalue()))


def test_parts_without_cells_do_not_reach_the_library() -> None:
    """Links to other workbooks, pictures and macros may hold anything."""
    more = {"xl/externalLinks/externalLink1.xml": _STRANGER, "xl/media/a.png": b"\0" * 99, "xl/vbaProject.bin": b"\0"}
    assert counts(io.BytesIO(changed(DATA, "", bytes, **more))) == [[6, 2], [0, 26]]


def test_a_part_that_comes_twice_is_refused() -> None:
    with pytest.warns(UserWarning, match="Duplicate name"):
        data = changed(DATA, "", bytes, **{SHEET: b"<worksheet/>"})
    with pytest.raises(InvalidFile, match="10 parts, and at most 10,000 are read"):
        read(io.BytesIO(data))


def answer(data: bytes) -> str:
    try:
        return str(counts(io.BytesIO(data)))
    except InvalidFile as refused:
        return refused.problem
