"""Compare in a real browser: the numbers of the command line, from matrices, from pairs, from files."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from tests.browser.page import EXAMPLES, REFUSED, as_json, expect, line_of, printed

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
    tab = opened.at("compare")
    tab.choose("By", "error rate")
    assert tab.value("verdict") == as_json("compare", *files[:2], "--metric", "error_rate")["verdict"]
    sides = tab.locator('[data-picture="difference"] text.side').all_text_contents()
    assert sides == ["← new is better", "old is better →"]


def test_pairs_show_the_cases_that_decide(opened: Any) -> None:
    tab = opened.at("compare")
    tab.push("Two classifiers, the same digits")
    expected, text = as_json("compare", PAIR, "--rope", 0.005), printed("compare", PAIR, "--rope", 0.005)
    assert tab.value("verdict") == expected["verdict"]
    places = ("knn3 right.1", "knn3 right.2", "knn3 wrong.1", "knn3 wrong.2")
    assert [int(tab.value(f"discordant.{place}")) for place in places] == list(expected["discordant"].values())
    for row in expected["per_class"]:
        name = f"  recall of {row['label']}"
        for column in (2, 3):
            assert tab.value(f"{name}.{column}") in line_of(text, name.strip())
    tab.tick("As if separate")
    for prior, options in (("", ()), ("Jeffreys", ("--prior", "jeffreys"))):
        if prior:
            tab.choose("Prior", prior)
        assert tab.value("verdict") == as_json("compare", PAIR, "--separate", "--rope", 0.005, *options)["verdict"]
    expect(tab.locator('[data-value^="discordant"]')).to_have_count(0)


def test_matrices_are_read_one_by_one_or_together_and_ranked(opened: Any, files: list[Path]) -> None:
    tab = opened.at("compare")
    files[1].write_text(OLD.replace("41", "40"))  # as an example has it, it would give way to the next file
    tab.drop(*((path.name, path.read_text()) for path in (files[1], files[0])))
    assert tab.value("verdict") == as_json("compare", files[1], files[0])["verdict"]
    tab.drop(("third.csv", files[2].read_text()))
    assert tab.locator(".classifier > summary").all_inner_texts() == ["old", "new", "third"]
    assert tab.chosen("B") == "third"
    tab.choose("A", "third")
    assert tab.chosen("B") == "old"
    expect(tab.field("verdict")).to_contain_text("third")
    tab.push("Rank all 3")
    assert (
        tab.value("verdict")
        == as_json("rank", files[1], files[0], files[2], "--metric", "balanced_accuracy")["verdict"]
    )
    expect(tab.get_by_role("tab", name="Leaderboard")).to_have_attribute("aria-selected", "true")


def test_a_file_that_is_none_and_one_beside_the_place_change_nothing(opened: Any) -> None:
    opened.forgiven.append(REFUSED)
    tab = opened.at("compare")
    before = tab.value("verdict")
    tab.drop(("letter.csv", "Dear reader,\nthis is no table\n"))
    expect(tab.locator(".drop .wrong")).to_contain_text("letter.csv")
    carrier = """text => {
        const carried = new DataTransfer();
        carried.items.add(new File([text], "pair.csv", {type: "text/csv"}));
        return carried;
    }"""
    carried = tab.evaluate_handle(carrier, PAIR.read_text())
    tab.dispatch_event(".answers", "drop", {"dataTransfer": carried})
    tab.settle()
    assert tab.value("verdict") == before
    tab.dispatch_event(".drop", "dragover", {"dataTransfer": carried})
    expect(tab.locator(".drop.over")).to_have_count(1)
    tab.dispatch_event(".drop", "drop", {"dataTransfer": carried})
    tab.settle()
    expect(tab.field("discordant.knn3 right.1")).to_have_text("849")


def test_a_matrix_that_does_not_say_what_its_rows_are_is_asked_about(opened: Any) -> None:
    opened.forgiven.append(REFUSED)
    tab = opened.at("compare")
    tab.drop(("bare.csv", ",healthy,ill\nhealthy,45,8\nill,5,42\n"))
    tab.push("the predicted class")
    # an example gives way: it is nobody's other classifier
    assert tab.grids() == [[["45", "5"], ["8", "42"]], [["", ""], ["", ""]]]


def test_missing_answers_are_decided_and_never_dropped(opened: Any, tmp_path: Path) -> None:
    opened.forgiven.append(REFUSED)
    lines = PAIR.read_text().splitlines()
    lines[1] = lines[1].rpartition(",")[0] + ","
    path = tmp_path / "gap.csv"
    path.write_text("\n".join(lines) + "\n")
    tab = opened.at("compare")
    tab.drop((path.name, path.read_text()))
    expect(tab.locator(".drop .wrong")).to_contain_text("missing in 1 of 899 cases")
    tab.push("left out")
    assert tab.value("verdict") == as_json("compare", path, "--missing", "exclude")["verdict"]


def test_metrics_are_called_as_people_call_them(opened: Any) -> None:
    tab = opened.at("compare")
    offered = tab.get_by_label("By", exact=True).locator("option").all_text_contents()
    assert {"balanced accuracy", "sensitivity", "specificity", "PPV", "NPV", "MCC", "Cohen's kappa"} <= set(offered)
    assert [name for name in offered if "_" in name or "@" in name] == []
    assert len(set(offered)) == len(offered)
    tab.choose("By", "sensitivity")
    expect(tab.field("verdict")).to_contain_text("better than old in sensitivity")
    expect(tab.locator("figure[data-picture=difference] svg")).to_contain_text("sensitivity of new - old")


def test_the_answer_stands_beside_the_matrices_and_the_metric_of_evaluate_comes_along(opened: Any) -> None:
    tab = opened(size=(1280, 800))
    tab.go("compare")
    verdict, matrix = (tab.locator(place).first.bounding_box() for place in (".verdict", ".matrices"))
    assert verdict["x"] > matrix["x"] + matrix["width"] - 1
    expect(tab.locator("figure[data-picture=difference]")).to_be_in_viewport()
    tab.go("evaluate")
    tab.locator("summary", has_text="Metrics").click()
    tab.push("Agreement")
    tab.go("compare")
    assert tab.chosen("By") == "accuracy"
    tab.go("evaluate")
    tab.locator("summary", has_text="Metrics").click()
    for sought in ("mutual information", "informedness@high"):
        tab.get_by_label("Search").fill(sought)
        tab.settle()
        tab.locator(".checks input").first.check()
        tab.settle()
    tab.go("compare")
    assert tab.chosen("By").lower().startswith("mutual information")  # nobody is high here
