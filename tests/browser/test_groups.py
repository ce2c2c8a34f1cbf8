"""Cases in groups on the page: a column is picked when a file is read, both questions answered, an edit drops them."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from tests.browser.conftest import settled, violations

import howsure as hs
from howsure.io import read

pytestmark = pytest.mark.browser

WRONG = (0, 1, 2, 3, 9, 25, 26, 27, 40, 54, 55, 56, 57, 63)
TRUTH = ["ill" if i < 36 else "well" for i in range(72)]
SAID = [("well" if t == "ill" else "ill") if i in WRONG else t for i, t in enumerate(TRUTH)]


def written(folder: Path, header: str) -> str:
    """Lesions of 12 patients whose names are HTML, at three sites."""
    rows = [f"<b>p{i // 6:02d}</b>,s{i % 3},{t},{s}" for i, (t, s) in enumerate(zip(TRUTH, SAID, strict=True))]
    path = folder / "lesions.csv"
    path.write_text("\n".join([f"{header},site,y_true,y_pred", *rows]) + "\n", encoding="utf-8")
    return str(path)


def said(tab: Any, key: str) -> str:
    return " ".join(tab.locator(f'[data-value="{key}"]').first.inner_text().split())


def dropped(tab: Any, path: str) -> None:
    with tab.expect_response("**/api/v1/import*"):
        tab.get_by_label("Read a file").first.set_input_files(path)
    settled(tab)


def test_a_column_is_picked_and_both_questions_are_answered(opened: Any, tmp_path: Path) -> None:
    path = written(tmp_path, "patient")
    tab = opened()
    dropped(tab, path)
    alone = hs.report(hs.infer(read(path).confusion))
    assert said(tab, "verdict") == alone.verdict
    picker = tab.get_by_label("Cases of one patient, document or question")
    assert picker.locator("option").all_inner_texts() == [
        "none, each case is by itself", "patient (12 groups)", "site (3 groups)",
    ]  # fmt: skip
    with tab.expect_response("**/api/v1/import?group=patient"):
        picker.select_option(label="patient (12 groups)")
    settled(tab)
    matrix = read(path, group="patient").confusion
    assert said(tab, "verdict") == hs.report(hs.infer(matrix)).verdict
    assert said(tab, "worth") == "The 72 cases of 12 groups are worth about 29."
    assert said(tab, "other").startswith("About these groups again: accuracy 0.80 (0.71 to 0.88)")
    assert violations(tab) == []
    tab.get_by_role("group", name="Numbers are about").get_by_label("these groups again").check()
    settled(tab)
    assert said(tab, "verdict") == hs.report(hs.infer(matrix, groups="these")).verdict
    assert said(tab, "other").startswith("About a new case from a new group: accuracy 0.79 (0.65 to 0.92)")
    tab.get_by_role("button", name="Take each case by itself").click()
    settled(tab)
    assert said(tab, "verdict") == alone.verdict
    assert tab.locator('[data-value="worth"]').count() == 0


def test_a_column_called_group_is_taken_and_goes_with_its_counts(opened: Any, tmp_path: Path) -> None:
    tab = opened()
    dropped(tab, written(tmp_path, "group"))
    assert "in new groups" in said(tab, "verdict")
    cell = tab.locator('[data-row="0"][data-column="0"]')
    cell.fill("29")
    cell.press("Tab")
    settled(tab)
    assert "groups" not in said(tab, "verdict")
    tab.get_by_role("button", name="Undo").click()
    settled(tab)
    assert "in new groups" in said(tab, "verdict")
    tab.get_by_label("Cases of one patient, document or question").select_option(label="none, each case is by itself")
    settled(tab)
    assert "groups" not in said(tab, "verdict")
