"""Compare in a real browser: the numbers of the command line, from matrices, from pairs, from files."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from tests.browser.page import (
    EXAMPLES,
    REFUSED,
    as_json,
    at,
    choose,
    chosen,
    drop,
    expect,
    field,
    fits,
    grids,
    line_of,
    link,
    press,
    printed,
    settle,
    value,
)

pytestmark = [pytest.mark.browser, pytest.mark.deep]

NEW = "true\\pred,healthy,ill\nhealthy,45,5\nill,8,42\n"
OLD = "true\\pred,healthy,ill\nhealthy,40,10\nill,9,41\n"
PAIR = EXAMPLES / "digits_pair.csv"


@pytest.fixture
def files(tmp_path: Path) -> list[Path]:
    paths = [tmp_path / "new.csv", tmp_path / "old.csv", tmp_path / "third.csv"]
    for path, text in zip(paths, (NEW, OLD, NEW.replace("42", "48")), strict=True):
        path.write_text(text)
    return paths


def test_less_is_better_turns_the_sides_round(opened: Any, files: list[Path]) -> None:
    tab = at(opened, "compare")
    choose(tab, "By", "error rate")
    assert value(tab, "verdict") == as_json("compare", *files[:2], "--metric", "error_rate")["verdict"]
    sides = tab.locator('[data-picture="difference"] text.side').all_text_contents()
    assert sides == ["← new is better", "old is better →"]


def test_pairs_show_the_cases_that_decide(opened: Any) -> None:
    tab = at(opened, "compare")
    press(tab, "Two classifiers, the same digits")
    expected, text = as_json("compare", PAIR, "--rope", 0.005), printed("compare", PAIR, "--rope", 0.005)
    assert value(tab, "verdict") == expected["verdict"]
    assert {key: int(value(tab, key)) for key in expected["discordant"]} == expected["discordant"]
    for row in expected["per_class"]:
        for key in ("interval", "better"):
            assert value(tab, f"{row['label']}.{key}") in line_of(text, f"recall@{row['label']}")
    tab.get_by_label("As if separate").check()
    settle(tab)
    for prior, options in (("", ()), ("Jeffreys", ("--prior", "jeffreys"))):
        if prior:
            choose(tab, "Prior", prior)
        assert value(tab, "verdict") == as_json("compare", PAIR, "--separate", "--rope", 0.005, *options)["verdict"]
    expect(tab.locator('[data-value="only_a"]')).to_have_count(0)


def test_matrices_are_read_one_by_one_or_together_and_ranked(opened: Any, files: list[Path]) -> None:
    tab = at(opened, "compare")
    drop(tab, ("old.csv", OLD), ("new.csv", NEW))
    assert value(tab, "verdict") == as_json("compare", files[1], files[0])["verdict"]
    drop(tab, ("third.csv", files[2].read_text()))
    assert tab.locator(".classifier > summary").all_inner_texts() == ["old", "new", "third"]
    assert chosen(tab, "B") == "third"
    choose(tab, "A", "third")
    assert chosen(tab, "B") == "old"
    expect(field(tab, "verdict")).to_contain_text("third")
    press(tab, "Rank all 3")
    assert value(tab, "verdict") == as_json("rank", *files, "--metric", "balanced_accuracy")["verdict"]
    expect(tab.get_by_role("tab", name="Leaderboard")).to_have_attribute("aria-selected", "true")


def test_a_file_that_is_none_and_one_beside_the_place_change_nothing(opened: Any) -> None:
    opened.forgiven.append(REFUSED)
    tab = at(opened, "compare")
    before = value(tab, "verdict")
    drop(tab, ("letter.csv", "Dear reader,\nthis is no table\n"))
    expect(tab.locator(".drop .wrong")).to_contain_text("letter.csv")
    carrier = """text => {
        const carried = new DataTransfer();
        carried.items.add(new File([text], "pair.csv", {type: "text/csv"}));
        return carried;
    }"""
    carried = tab.evaluate_handle(carrier, PAIR.read_text())
    tab.dispatch_event(".answers", "drop", {"dataTransfer": carried})
    settle(tab)
    assert value(tab, "verdict") == before
    tab.dispatch_event(".drop", "dragover", {"dataTransfer": carried})
    expect(tab.locator(".drop.over")).to_have_count(1)
    tab.dispatch_event(".drop", "drop", {"dataTransfer": carried})
    settle(tab)
    expect(field(tab, "both_right")).to_have_text("849")


def test_a_matrix_that_does_not_say_what_its_rows_are_is_asked_about(opened: Any) -> None:
    opened.forgiven.append(REFUSED)
    tab = at(opened, "compare")
    drop(tab, ("bare.csv", ",healthy,ill\nhealthy,45,8\nill,5,42\n"))
    press(tab, "the predicted class")
    # an example gives way: it is nobody's other classifier
    assert grids(tab) == [[["45", "5"], ["8", "42"]], [["", ""], ["", ""]]]


def test_missing_answers_are_decided_and_never_dropped(opened: Any, tmp_path: Path) -> None:
    opened.forgiven.append(REFUSED)
    lines = PAIR.read_text().splitlines()
    lines[1] = lines[1].rpartition(",")[0] + ","
    path = tmp_path / "gap.csv"
    path.write_text("\n".join(lines) + "\n")
    tab = at(opened, "compare")
    drop(tab, (path.name, path.read_text()))
    expect(tab.locator(".drop .wrong")).to_contain_text("missing in 1 of 899 cases")
    press(tab, "left out")
    assert value(tab, "verdict") == as_json("compare", path, "--missing", "exclude")["verdict"]


def test_a_wrong_cell_is_named_where_it_stands(opened: Any) -> None:
    opened.forgiven.append(REFUSED)
    tab = at(opened, "compare")
    tab.get_by_label("true ill, predicted healthy").nth(1).fill("-2")
    settle(tab)
    expect(tab.locator(".classifier").nth(1).locator("[aria-invalid=true]")).to_have_count(1)
    expect(tab.locator(".stale").first).to_be_visible()


def test_metrics_are_called_as_people_call_them(opened: Any) -> None:
    tab = at(opened, "compare")
    offered = tab.get_by_label("By", exact=True).locator("option").all_text_contents()
    assert {"balanced accuracy", "sensitivity", "specificity", "PPV", "NPV", "MCC", "Cohen's kappa"} <= set(offered)
    assert [name for name in offered if "_" in name or "@" in name] == []
    assert len(set(offered)) == len(offered)
    choose(tab, "By", "sensitivity")
    expect(field(tab, "verdict")).to_contain_text("better than old in sensitivity")
    expect(tab.locator("figure[data-picture=difference] svg")).to_contain_text("sensitivity of new - old")


@pytest.mark.parametrize(("width", "seen"), [(1280, 10), (390, 4)])
def test_matrices_of_ten_classes_have_the_room_there_is(opened: Any, width: int, seen: int) -> None:
    names = ["airplane", "automobile", "bird", "cat", "deer", "dog", "frog", "horse", "ship", "truck"]
    counts = [[90 if i == j else i % 3 for j in range(10)] for i in range(10)]
    one = {"classes": names, "counts": counts, "positive": None}
    classifiers = [{"name": name, "matrix": one} for name in ("new", "old")]
    tab = opened(link("compare", {"classifiers": classifiers}), size=(width, 900))
    inside = """frame => {
        const {right} = frame.getBoundingClientRect();
        const boxes = [...frame.querySelectorAll("[data-row='0']")].map((box) => box.getBoundingClientRect());
        return boxes.filter((box) => box.right <= right).length;
    }"""
    for scroll in tab.locator(".matrix .scroll").all():
        assert scroll.evaluate(inside) >= seen
    assert fits(tab)
