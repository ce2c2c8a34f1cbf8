"""Many tables in a real browser: pooled or each for itself; typed, pasted, read, sorted and filtered."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest
from tests.browser.page import REFUSED, expect, line_of, printed

pytestmark = [pytest.mark.browser, pytest.mark.deep]

TEXT = "author;TN;FP;FN;TP\nOslo 2001;738;101;9;47\nRome 2004;276;78;3;36\nKyoto 2010;192;12;10;19\n"


def rows(tab: Any) -> list[str]:
    return [text.strip() for text in tab.locator("table.sorted tbody th").all_inner_texts()]


def test_slices_are_sorted_and_filtered(opened: Any) -> None:
    tab = opened.at("tables")
    tab.push("Six languages")
    expect(tab.field("verdict")).to_contain_text("lowest is nl")
    worst = rows(tab)
    head = tab.locator("table.sorted thead th", has_text="cases")
    firsts = []
    for order in ("ascending", "descending", ""):
        head.get_by_role("button").click()
        expect(head).to_have_attribute("aria-sort", order) if order else None
        firsts.append(rows(tab)[0])
    assert firsts == ["pt", "en", "nl"]
    assert rows(tab) == worst
    tab.get_by_label("Show rows with").fill("t")
    expect(tab.locator("table.sorted tbody th")).to_have_count(2)
    assert set(rows(tab)) == {"it", "pt"}


def test_tables_are_pasted_and_typed(opened: Any, tmp_path: Path) -> None:
    tab = opened.at("tables")
    tab.get_by_text("Paste tables").click()
    tab.get_by_label("CSV or cells of a spreadsheet").fill(TEXT)
    tab.push("Read it")
    assert rows(tab)[-3:] == ["Oslo 2001", "Rome 2004", "Kyoto 2010"]
    tab.enter("False negatives of Rome 2004", "13")
    file = tmp_path / "three.csv"
    file.write_text(TEXT.replace("276;78;3;36", "276;78;13;36"))
    text = printed("pool", file)
    assert tab.value("verdict") in " ".join(text.split())
    assert tab.value("Rome 2004.3") in line_of(text, "Rome 2004")


def test_one_table_is_no_many_and_what_is_no_count_is_named(opened: Any) -> None:
    opened.forgiven.append(REFUSED)
    tab = opened.at("tables")
    tab.drop(("one.csv", "study,tp,fn,fp,tn\nA,1,2,3,4\n"))
    expect(tab.get_by_text("It is one table")).to_be_visible()
    tab.drop(("two.csv", "study,tp,fn,fp,tn\nA,1,2,3,4\nB,1,2,x,4\n"))
    expect(tab.locator(".drop [role=alert]")).to_contain_text("fp of 'B'")
    assert len(rows(tab)) == 20
    box = tab.get_by_label("True positives of study 2")
    tab.enter("True positives of study 2", "many")
    expect(box).to_have_attribute("aria-invalid", "true")
    expect(tab.locator(".answer .wrong")).to_contain_text("count")
    tab.enter("True positives of study 2", "126")
    expect(box).not_to_have_attribute("aria-invalid", re.compile(""))
