"""Many tables in a real browser: pooled or each for itself; typed, pasted, read, sorted and filtered."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from tests.browser.asking import EXAMPLES, at, drop, fill, line_of, printed, said
from tests.browser.conftest import settled

pytestmark = pytest.mark.browser

TEXT = "author;TN;FP;FN;TP\nOslo 2001;738;101;9;47\nRome 2004;276;78;3;36\nKyoto 2010;192;12;10;19\n"


def names(tab: Any) -> list[str]:
    return [text.strip() for text in tab.locator("table.sorted tbody th").all_inner_texts()]


def test_a_pool_is_the_command_lines(opened: Any) -> None:
    tab = at(opened, "tables")
    text = printed("pool", EXAMPLES / "audit_c.csv")
    assert said(tab, "verdict") in " ".join(text.split())
    for site in ("typical study", "new study", "study 3"):
        for column in (3, 4, 7, 8):
            assert said(tab, f"{site}.{column}") in line_of(text, site)


def test_slices_are_sorted_and_filtered(opened: Any) -> None:
    tab = at(opened, "tables")
    tab.get_by_role("button", name="Six languages").click()
    settled(tab)
    assert names(tab)[0] == "nl"
    assert "lowest is nl" in said(tab, "verdict")
    worst = names(tab)
    head = tab.locator("table.sorted thead th", has_text="cases")
    head.get_by_role("button").click()
    assert head.get_attribute("aria-sort") == "ascending"
    assert names(tab)[0] == "pt"
    head.get_by_role("button").click()
    assert names(tab)[0] == "en"
    head.get_by_role("button").click()
    assert names(tab) == worst
    tab.get_by_label("Show rows with").fill("t")
    assert set(names(tab)) == {"it", "pt"}


def test_tables_are_pasted_and_typed(opened: Any, tmp_path: Path) -> None:
    tab = at(opened, "tables")
    tab.get_by_text("Paste tables").click()
    tab.get_by_label("CSV or cells of a spreadsheet").fill(TEXT)
    tab.get_by_role("button", name="Read it").click()
    settled(tab)
    assert names(tab)[-3:] == ["Oslo 2001", "Rome 2004", "Kyoto 2010"]
    fill(tab, "False negatives of Rome 2004", "13")
    settled(tab)
    file = tmp_path / "three.csv"
    file.write_text(TEXT.replace("276;78;3;36", "276;78;13;36"))
    assert said(tab, "verdict") in " ".join(printed("pool", file).split())
    assert said(tab, "Rome 2004.3") in line_of(printed("pool", file), "Rome 2004")


def test_a_file_is_dropped_and_one_table_is_no_many(opened: Any) -> None:
    tab = at(opened, "tables")
    drop(tab, ("one.csv", "study,tp,fn,fp,tn\nA,1,2,3,4\n"))
    tab.get_by_text("It is one table").wait_for()
    drop(tab, ("two.csv", "study,tp,fn,fp,tn\nA,1,2,3,4\nB,1,2,x,4\n"))
    assert "fp of 'B'" in tab.locator(".drop [role=alert]").inner_text()
    assert len(names(tab)) == 20
    opened.complaints.clear()  # the refusals themselves


def test_a_cell_that_is_no_count_is_marked(opened: Any) -> None:
    tab = at(opened, "tables")
    fill(tab, "True positives of study 2", "many")
    settled(tab)
    box = tab.get_by_label("True positives of study 2")
    assert box.get_attribute("aria-invalid") == "true"
    assert "count" in tab.locator(".answer .wrong").inner_text()
    opened.complaints.clear()
    fill(tab, "True positives of study 2", "126")
    settled(tab)
    assert box.get_attribute("aria-invalid") is None
