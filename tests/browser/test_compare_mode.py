"""Compare in a real browser: the numbers of the command line, from matrices, from pairs, from files."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest
from tests.browser.asking import EXAMPLES, as_json, at, choose, drop, fill, line_of, printed, said
from tests.browser.conftest import settled
from tests.browser.test_modes import link
from tests.browser.test_typing import PASTE

pytestmark = pytest.mark.browser

NEW = "true\\pred,healthy,ill\nhealthy,45,5\nill,8,42\n"
OLD = "true\\pred,healthy,ill\nhealthy,40,10\nill,9,41\n"


@pytest.fixture
def files(tmp_path: Path) -> list[Path]:
    made = [tmp_path / "new.csv", tmp_path / "old.csv"]
    for path, text in zip(made, (NEW, OLD), strict=True):
        path.write_text(text)
    return made


def test_two_matrices_are_compared_as_on_the_command_line(opened: Any, files: list[Path]) -> None:
    tab = at(opened, "compare")
    assert said(tab, "verdict") == as_json("compare", *files)["verdict"]
    fill(tab, "Differences up to this size do not matter", "0.02")
    expected = as_json("compare", *files, "--rope", 0.02)
    text = printed("compare", *files, "--rope", 0.02)
    assert said(tab, "verdict") == expected["verdict"]
    for name in ("new", "old", "new - old"):
        line = line_of(text, name)
        for key in ("observed", "mean", "interval"):
            assert said(tab, f"{name}.{key}") in line
    for key, name in (("better", "p_better"), ("same", "p_equal"), ("worse", "p_worse")):
        assert float(said(tab, key)) == pytest.approx(expected[name], abs=5e-4)
    assert "give me per-item predictions and this interval shrinks" in tab.locator(".answers").inner_text()
    parts = tab.locator('[data-picture="chances"] .part')
    widths = [float(parts.nth(i).get_attribute("width")) for i in range(3)]
    shares = [width / sum(widths) for width in widths]
    assert shares == pytest.approx([expected["p_worse"], expected["p_equal"], expected["p_better"]], abs=0.002)


def test_less_is_better_turns_the_sides_round(opened: Any, files: list[Path]) -> None:
    tab = at(opened, "compare")
    choose(tab, "By", "error rate")
    assert said(tab, "verdict") == as_json("compare", *files, "--metric", "error_rate")["verdict"]
    sides = tab.locator('[data-picture="difference"] text.side').all_text_contents()
    assert sides == ["← new is better", "old is better →"]


def test_pairs_show_the_cases_that_decide(opened: Any) -> None:
    tab = at(opened, "compare")
    tab.get_by_role("button", name="Two classifiers, the same digits").click()
    settled(tab)
    expected = as_json("compare", EXAMPLES / "digits_pair.csv", "--rope", 0.005)
    assert said(tab, "verdict") == expected["verdict"]
    assert {key: int(said(tab, key)) for key in expected["discordant"]} == expected["discordant"]
    text = printed("compare", EXAMPLES / "digits_pair.csv", "--rope", 0.005)
    tab.get_by_text("As a table").click()
    for row in expected["per_class"]:
        line = line_of(text, f"recall@{row['label']}")
        assert said(tab, f"{row['label']}.interval") in line
        assert said(tab, f"{row['label']}.better") in line
    paired = said(tab, "knn3 - knn9.interval")
    tab.get_by_label("As if separate").check()
    settled(tab)
    assert said(tab, "knn3 - knn9.interval") != paired
    separate = as_json("compare", EXAMPLES / "digits_pair.csv", "--separate", "--rope", 0.005)
    assert separate["prior"]["name"] == "learned"
    assert said(tab, "verdict") == separate["verdict"]
    choose(tab, "Prior", "Jeffreys")
    options = ["--separate", "--rope", 0.005, "--prior", "jeffreys"]
    assert said(tab, "verdict") == as_json("compare", EXAMPLES / "digits_pair.csv", *options)["verdict"]
    assert tab.locator('[data-value="only_a"]').count() == 0


def test_a_file_of_predictions_is_read_and_paired(opened: Any) -> None:
    tab = at(opened, "compare")
    drop(tab, ("digits_pair.csv", (EXAMPLES / "digits_pair.csv").read_text()))
    fill(tab, "Differences up to this size do not matter", "0.005")
    assert said(tab, "verdict") == as_json("compare", EXAMPLES / "digits_pair.csv", "--rope", 0.005)["verdict"]
    told = tab.locator(".drop").inner_text()
    assert "Read digits_pair." in told
    assert "compared case by case" in told


def test_matrices_are_read_one_by_one_or_together(opened: Any, files: list[Path]) -> None:
    tab = at(opened, "compare")
    drop(tab, ("old.csv", OLD), ("new.csv", NEW))
    assert said(tab, "verdict") == as_json("compare", *files[::-1])["verdict"]
    drop(tab, ("third.csv", NEW.replace("42", "48")))
    assert tab.locator(".classifier > summary").all_inner_texts() == ["old", "new", "third"]
    assert tab.get_by_label("B", exact=True).evaluate("box => box.selectedOptions[0].text") == "third"
    choose(tab, "A", "third")
    assert tab.get_by_label("B", exact=True).evaluate("box => box.selectedOptions[0].text") == "old"
    assert "third" in said(tab, "verdict")
    (files[0].parent / "third.csv").write_text(NEW.replace("42", "48"))
    expected = as_json("rank", *files, files[0].parent / "third.csv", "--metric", "balanced_accuracy")
    tab.get_by_role("button", name="Rank all 3").click()
    settled(tab)
    assert said(tab, "verdict") == expected["verdict"]
    assert tab.get_by_role("tab", name="Leaderboard").get_attribute("aria-selected") == "true"


def test_a_file_that_is_none_says_so_and_changes_nothing(opened: Any) -> None:
    tab = at(opened, "compare")
    before = said(tab, "verdict")
    drop(tab, ("letter.csv", "Dear reader,\nthis is no table\n"))
    assert "letter.csv" in tab.locator(".drop .wrong").inner_text()
    assert said(tab, "verdict") == before
    opened.complaints.clear()  # the refusal itself


def test_a_matrix_that_does_not_say_what_its_rows_are_is_asked_about(opened: Any) -> None:
    tab = at(opened, "compare")
    drop(tab, ("bare.csv", ",healthy,ill\nhealthy,45,8\nill,5,42\n"))
    tab.get_by_role("button", name="the predicted class").click()
    tab.wait_for_selector("summary >> text=bare")
    settled(tab)
    first, second = tab.locator(".classifier").all()  # an example gives way: it is nobody's other classifier
    assert first.locator('[data-row="0"][data-column="1"]').input_value() == "5"
    assert second.locator('[data-row="0"][data-column="1"]').input_value() == ""
    opened.complaints.clear()


def test_two_matrices_of_ten_classes_have_the_default_prior_of_the_library(opened: Any, tmp_path: Path) -> None:
    names = [f"c{i}" for i in range(10)]
    texts = []
    for right in (20, 17):
        rows = [[name, *[str(right if i == j else 1) for j in range(10)]] for i, name in enumerate(names)]
        texts.append("\n".join(",".join(row) for row in [["true\\pred", *names], *rows]) + "\n")
    for name, text in zip("ab", texts, strict=True):
        (tmp_path / f"{name}.csv").write_text(text)
    tab = at(opened, "compare")
    drop(tab, ("a.csv", texts[0]), ("b.csv", texts[1]))
    expected = as_json("compare", tmp_path / "a.csv", tmp_path / "b.csv")
    assert expected["prior"]["name"] == "learned"
    assert said(tab, "verdict") == expected["verdict"]


def test_a_file_is_dropped_and_one_beside_the_place_does_no_harm(opened: Any) -> None:
    tab = at(opened, "compare")
    text = (EXAMPLES / "digits_pair.csv").read_text()
    made = """text => {
        const carried = new DataTransfer();
        carried.items.add(new File([text], "pair.csv", {type: "text/csv"}));
        return carried;
    }"""
    carried = tab.evaluate_handle(made, text)
    tab.dispatch_event(".answers", "drop", {"dataTransfer": carried})
    tab.dispatch_event(".drop", "dragover", {"dataTransfer": carried})
    assert tab.locator(".drop.over").count() == 1
    tab.dispatch_event(".drop", "drop", {"dataTransfer": carried})
    tab.wait_for_selector(".drop [role=status] p")
    settled(tab)
    assert said(tab, "both_right") == "849"


def test_missing_answers_are_decided_and_never_dropped(opened: Any, tmp_path: Path) -> None:
    lines = (EXAMPLES / "digits_pair.csv").read_text().splitlines()
    lines[1] = lines[1].rpartition(",")[0] + ","
    text = "\n".join(lines) + "\n"
    (tmp_path / "gap.csv").write_text(text)
    tab = at(opened, "compare")
    drop(tab, ("gap.csv", text))
    assert "the answer is missing in 1 of 899 cases" in tab.locator(".drop .wrong").inner_text()
    tab.get_by_role("button", name="left out").click()
    tab.wait_for_selector(".drop [role=status] p")
    settled(tab)
    assert said(tab, "both_right") == "848"
    expected = as_json("compare", tmp_path / "gap.csv", "--missing", "exclude")
    assert said(tab, "verdict") == expected["verdict"]
    opened.complaints.clear()


def test_editing_by_keys_alone(opened: Any, files: list[Path]) -> None:
    tab = at(opened, "compare")
    tab.get_by_label("true ill, predicted ill").first.focus()
    tab.keyboard.type("30")
    settled(tab)
    files[0].write_text(NEW.replace("42", "30"))
    assert said(tab, "verdict") == as_json("compare", *files)["verdict"]
    tab.keyboard.press("ArrowUp")
    assert tab.evaluate("document.activeElement.getAttribute('aria-label')") == "true healthy, predicted ill"
    tab.keyboard.press("Control+z")
    settled(tab)
    files[0].write_text(NEW)
    assert said(tab, "verdict") == as_json("compare", *files)["verdict"]


def test_a_wrong_cell_is_named_where_it_stands(opened: Any) -> None:
    tab = at(opened, "compare")
    tab.get_by_label("true ill, predicted healthy").nth(1).fill("-2")
    settled(tab)
    wrong = tab.locator(".classifier").nth(1).locator("[aria-invalid=true]")
    assert wrong.count() == 1
    assert tab.locator(".stale").count() > 0
    opened.complaints.clear()


def test_metrics_are_called_as_people_call_them(opened: Any) -> None:
    tab = at(opened, "compare")
    by = tab.get_by_label("By", exact=True)
    offered = by.locator("option").all_text_contents()
    assert {"balanced accuracy", "sensitivity", "specificity", "PPV", "NPV", "MCC", "Cohen's kappa"} <= set(offered)
    assert [name for name in offered if "_" in name or "@" in name] == []
    assert len(set(offered)) == len(offered)
    assert "better than old in balanced accuracy" in said(tab, "verdict")
    choose(tab, "By", "sensitivity")
    assert "better than old in sensitivity" in said(tab, "verdict")
    assert "sensitivity of new - old" in tab.locator("figure[data-picture=difference] svg").text_content()
    tab.click("#tab-evaluate")
    settled(tab)
    tab.get_by_label("Cases of the other test").fill("100")
    settled(tab)
    for part in (".again", "section:has(> #sensitivity-title)"):
        words = tab.locator(part).text_content()
        assert "balanced accuracy" in words
        assert not re.search(r"[a-z]_[a-z]|recall@", words), part


def test_nothing_is_said_of_others_while_one_is_still_to_come(opened: Any) -> None:
    opened.forgiven.append("status of 422")  # the refusal of the empty one
    tab = at(opened, "compare")
    tab.evaluate(PASTE, ["#main", "45\t5\n8\t42"])
    tab.get_by_text("paste the other one too").wait_for()
    settled(tab)
    assert said(tab, "verdict") == "No answer yet."
    assert tab.locator(".answers section").count() == 0
    assert "old" not in tab.locator("main").inner_text().split()
    tab.wait_for_function("() => document.querySelector('[aria-live]').textContent === ''")
    tab.evaluate(PASTE, ["#main", "40\t10\n9\t41"])
    settled(tab)
    assert "better than the other one" in said(tab, "verdict")


@pytest.mark.parametrize(("width", "seen"), [(1280, 10), (1100, 8), (390, 4)])
def test_matrices_of_ten_classes_have_the_room_there_is(opened: Any, width: int, seen: int) -> None:
    names = ["airplane", "automobile", "bird", "cat", "deer", "dog", "frog", "horse", "ship", "truck"]
    counts = [[90 if i == j else i % 3 for j in range(10)] for i in range(10)]
    one = {"classes": names, "counts": counts, "positive": None}
    classifiers = [{"name": name, "matrix": one} for name in ("new", "old")]
    tab = opened(link("compare", {"classifiers": classifiers}), size=(width, 900))
    settled(tab)
    for scroll in tab.locator(".matrix .scroll").all():
        inside = """frame => {
            const {right} = frame.getBoundingClientRect();
            const boxes = [...frame.querySelectorAll("[data-row='0']")].map((box) => box.getBoundingClientRect());
            return boxes.filter((box) => box.right <= right).length;
        }"""
        assert scroll.evaluate(inside) >= seen
    assert tab.evaluate("document.documentElement.scrollWidth <= window.innerWidth")
