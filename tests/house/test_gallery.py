"""The gallery is what the code draws."""

from __future__ import annotations

import ast
import builtins
import re
import runpy
from pathlib import Path

import pytest
from matplotlib.axes import Axes

from howsure import plots

DOCS = Path(__file__).parents[2] / "docs"


def test_every_figure_is_on_the_page_and_in_the_folder() -> None:
    script = runpy.run_path(str(DOCS / "make_figures.py"))
    page = (DOCS / "gallery.md").read_text(encoding="utf-8")
    for name, (caption, _) in script["FIGURES"].items():
        assert f"## {name}\n" in page
        assert caption in page
        drawn = (DOCS / "figures" / f"{name}.svg").read_text(encoding="utf-8")
        assert "<text" in drawn


def test_every_kind_of_plot_is_in_the_gallery() -> None:
    page = (DOCS / "gallery.md").read_text(encoding="utf-8")
    assert [name for name in plots.__all__ if name != "theme" and f"ax = plots.{name}(" not in page] == []


def test_the_code_under_a_picture_needs_nothing_but_what_the_page_begins_with() -> None:
    first, *pictures = re.findall(r"^```py\n(.*?)^```", (DOCS / "gallery.md").read_text(encoding="utf-8"), re.M | re.S)
    given: dict[str, object] = {}
    exec(first, given)
    missing = {}
    for code in pictures:
        named = [each for each in ast.walk(ast.parse(code)) if isinstance(each, ast.Name)]
        # a loop or a comprehension may bind a name anywhere in it
        bound = {each.id for each in named if isinstance(each.ctx, ast.Store)} | given.keys() | set(dir(builtins))
        if loose := {each.id for each in named} - bound:
            missing[code.splitlines()[0]] = loose
    assert missing == {}
    exec(pictures[0], given)
    assert isinstance(given["ax"], Axes)


@pytest.mark.full
@pytest.mark.parametrize("name", ["brodersen2010_figure_1", "toetsch2021_figure_3"])
def test_a_figure_is_drawn_by_one_command(name: str, tmp_path: Path) -> None:
    script = runpy.run_path(str(DOCS / "make_figures.py"))
    script["draw"].__globals__["OUT"] = tmp_path
    script["draw"](name)
    assert (tmp_path / f"{name}.svg").stat().st_size > 1_000


@pytest.mark.full
def test_the_picture_of_the_model_is_drawn_by_its_script(tmp_path: Path) -> None:
    script = runpy.run_path(str(DOCS / "make_model_picture.py"))
    script["draw"](tmp_path / "model.svg")
    texts = [
        re.findall(r"<text[^>]*>([^<]*)<", where.read_text(encoding="utf-8"))
        for where in (tmp_path / "model.svg", DOCS / "figures/model.svg")
    ]
    assert texts[0] == texts[1]
    assert "0.91 (0.81 to 0.99)" in texts[0]


def test_the_pictures_and_the_table_of_validity_are_those_of_its_tables() -> None:
    script = runpy.run_path(str(DOCS / "make_validity_pictures.py"))
    assert script["page"]() == (DOCS / "validity.md").read_text(encoding="utf-8"), "run: the script"
    for name, drawn in script["pictures"]().items():
        assert drawn == (DOCS / "figures" / name).read_text(encoding="utf-8")
