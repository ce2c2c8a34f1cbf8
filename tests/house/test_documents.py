"""The documents: README, gallery, examples, benchmarks, promises and plain words."""

from __future__ import annotations

import ast
import builtins
import doctest
import importlib
import inspect
import json
import re
import runpy
import shlex
import subprocess
import sys
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path

import pytest
from matplotlib.axes import Axes
from tests.golden.corpus import called
from tests.house.test_public_names import MODULES
from tests.house.test_site import page_of
from tests.papers.printed import CASES
from tests.patience import PATIENCE

import howsure as hs
from howsure import curves, metrics, plots
from howsure.cli import main
from howsure.cli.program import COMMANDS
from howsure.io import read

ROOT = Path(__file__).parents[2]
TEXT = (ROOT / "README.md").read_text(encoding="utf-8")
ROWS = re.findall(r"^\| .*\? \| `(howsure .*)` \| \[.*\]\((.*)\) \|$", TEXT, re.MULTILINE)
#: What stands outside of blocks and tables, where a reader begins.
PROSE = re.sub(r"^```.*?^```", "", TEXT, flags=re.DOTALL | re.MULTILINE)


def test_it_is_short_and_its_table_has_a_question_for_every_command() -> None:
    assert len(TEXT.splitlines()) <= 120
    assert 5 <= len(ROWS) <= 12
    assert len(ROWS) == TEXT.count("| `howsure ")


def test_the_picture_comes_first_light_and_dark() -> None:
    assert page_of(TEXT[: TEXT.index("**")]).loads == ["docs/figures/page_dark.jpg", "docs/figures/page.jpg"]


def test_an_abbreviation_is_spelled_out_before_it_is_used() -> None:
    assert TEXT.index("HDI") == TEXT.index("highest-density interval (HDI)") + len("highest-density interval (")


def test_every_link_leads_to_a_file() -> None:
    links = [*re.findall(r"\]\(([^)#:]+)", PROSE), *page_of(TEXT).loads]
    assert len(links) > 20
    assert [link for link in links if not (ROOT / link).is_file()] == []


@pytest.mark.full
@pytest.mark.parametrize("command", [command for command, _ in ROWS])
def test_a_command_of_the_table_works(command: str) -> None:
    status, said, complaint = called(command)
    assert status == 0, complaint
    assert said


# -- coming from another tool -----------------------------------------------------------------------------------------

COMING_FROM = (ROOT / "docs/other-tools.md").read_text(encoding="utf-8")
#: The last cell of every row of its tables: what to type here.
HERE = [line.split(" | ")[-1] for line in COMING_FROM.splitlines() if line.startswith("| ")]
NAMES = [name for cell in HERE for name in re.findall(r"`([^`]+)`", cell)]
OWNERS = {
    "hs": hs,
    "curves": curves,
    "plots": plots,
    "x": hs.Distribution,
    "a": hs.Posterior,
    "posterior": hs.Posterior,
}


def test_every_metric_named_for_newcomers_is_one() -> None:
    named = [name for name in NAMES if re.fullmatch(r"[a-z_0-9+-]+(?:\(\w+=\d\))?@\w+|[a-z_]+\(\w+=\d\)", name)]
    assert len(named) >= 50
    for name in named:
        metrics.parse(name, ["healthy", "ill"])


def test_every_call_and_command_named_for_newcomers_is_there() -> None:
    calls = [name.split("(")[0].split(".")[:2] for name in NAMES if name.split(".")[0] in OWNERS]
    assert len(calls) > 25
    assert [call for call in calls if not hasattr(OWNERS[call[0]], call[1])] == []
    commands = {name.split()[1] for name in NAMES if name.startswith("howsure ")}
    assert commands <= set(COMMANDS)


@pytest.mark.parametrize(
    "named", ["accuracy", "error_rate", "mcc", "kappa", "no_information_rate", "scott_pi", "gwet_ac1", "cramer_v"]
)
def test_a_metric_of_the_whole_table_is_named_for_newcomers(named: str) -> None:
    assert named in NAMES
    assert named in metrics.REGISTRY


# -- the gallery is what the code draws -------------------------------------------------------------------------------

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


# -- the example files: each has its line, is read by the command that the line names, and holds what was

EXAMPLES = Path(__file__).parents[2] / "examples"
README = (EXAMPLES / "README.md").read_text(encoding="utf-8")
LINES = dict(re.findall(r"^\| `([\w.]+)` \| (.*) \|$", README, re.MULTILINE))
SOURCES = [name for name in LINES if (name.removesuffix(".csv") in {case.lower() for case in CASES})]


def test_the_readme_lists_every_file() -> None:
    files = {path.name for path in EXAMPLES.iterdir() if path.is_file()}
    assert set(LINES) == {name for name in files if name.endswith((".csv", ".json"))}
    assert all(f"`{name}`" in README for name in files - {"README.md"})


@pytest.mark.full
@pytest.mark.parametrize("name", LINES)
def test_each_is_read_by_its_command(name: str, capsys: pytest.CaptureFixture[str]) -> None:
    named = re.match(r"`howsure ([^`]+)`", LINES[name])
    command, *words = shlex.split(named[1]) if named else ["report"]
    words = [str(EXAMPLES / word) if word in LINES else word for word in words]
    files = [] if str(EXAMPLES / name) in words else [str(EXAMPLES / name)]
    assert main([command, *files, *words, "--json"]) in (0, None)
    assert json.loads(capsys.readouterr().out)["format"] == "howsure/1"


def test_the_sources_are_what_was_published() -> None:
    assert len(SOURCES) == 12  # the help of the toolbox is in no paper
    by_name = {case.lower(): CASES[case] for case in CASES}
    for name in SOURCES:
        assert read(EXAMPLES / name).confusion.counts.tolist() == by_name[name.removesuffix(".csv")]["matrix"]


def test_the_script_writes_them_again(tmp_path: Path) -> None:
    script = (EXAMPLES / "make_sources.py").read_text(encoding="utf-8")
    (tmp_path / "examples").mkdir()
    (tmp_path / "tests/reference").mkdir(parents=True)
    published = EXAMPLES.parent / "tests/reference/published.json"
    (tmp_path / "tests/reference/published.json").write_bytes(published.read_bytes())
    (tmp_path / "examples/make_sources.py").write_text(script, encoding="utf-8")
    subprocess.run([sys.executable, str(tmp_path / "examples/make_sources.py")], check=True, timeout=PATIENCE)
    made = sorted((tmp_path / "examples").glob("*.csv"))
    assert len(made) == 13
    assert all(path.read_bytes() == (EXAMPLES / path.name).read_bytes() for path in made)


# -- the section of benchmarks quotes rows of what was measured, and no other numbers ---------------------------------

ROWS_OF_BENCHMARKS = re.compile(r"^\| (?!---).*\|$", re.MULTILINE)


def test_every_row_of_the_section_is_one_that_was_measured() -> None:
    _, _, section = (DOCS / "other-tools.md").read_text(encoding="utf-8").partition("\n## Benchmarks\n")
    quoted = ROWS_OF_BENCHMARKS.findall(section)
    written = set(ROWS_OF_BENCHMARKS.findall((DOCS / "benchmarks/measured.txt").read_text(encoding="utf-8")))
    assert len(quoted) >= 30
    assert [row for row in quoted if row not in written] == [], "copy these rows again"


def test_what_is_said_of_a_tool_has_a_date() -> None:
    page = (DOCS / "other-tools.md").read_text(encoding="utf-8")
    assert re.search(r"on 20\d\d-\d\d-\d\d", page)


# -- what SECURITY.md promises has a test, and the test is there ------------------------------------------------------

PROMISES = re.findall(r"^\| (.+) \| (.+) \|$", (ROOT / "SECURITY.md").read_text(encoding="utf-8"), re.MULTILINE)[1:]


def test_every_promise_names_tests_that_are_there() -> None:
    assert len(PROMISES) > 5
    for promise, tests in PROMISES:
        named = re.findall(r"`(tests/[\w/]+/test_\w+\.py)`", tests)
        assert named, promise
        for path in named:
            assert "\ndef test_" in (ROOT / path).read_text(encoding="utf-8"), path


# -- what users read is in the field's words: print-outs, help, refusals, documents and docstrings of public

#: What to avoid, and the word in its place.
WORDS = {
    r"\bdrawn\b(?! (in|to|as|from|with|by|at|where|below|above)\b)": "simulated",
    r"\blaws?\b(?![.=/_]|\\?_)": "method, distribution",
    r"\bshifts?\b": "prior effect",
    r"\bnil\b": "equivalent, negligible",
    r"\bunasked\b": "by default",
    r"(?<!-)\bbeside\b(?!-)": "next to, compared with",
    r"\bsays? so\b": "(nothing)",
    r"\d %": "95%",
    r"\bwhole numbers?\b": "counts, integers",
    r"\balarmed\b": "tested positive",
    r"\bat the least\b": "at least",
    r"\bunlike the (rest|others)\b": "stands out from",
    r"\b(was|were) called so\b": "was predicted",
    r"\bcases elsewhere\b": "another population",
    r"\bthese (groups|items) again\b": "new cases of the same groups, new runs of the same items",
    r"\bis no \w+ that is known\b": "unrecognized",
}  # fmt: skip

#: Documents next to those of docs/ that readers of the project read.
OF_THE_TOP = ("README.md", "CONTRIBUTING.md", "CHANGELOG.md")

#: Old keys, names in code, and what somebody typed.
QUOTED = re.compile(r'"\w+":|`[^`]*`|\]\([^)]*\)|^\$ .*|^(?:>>>|\.\.\.) .*|sentence: .*|percentage .*', re.M)


def texts() -> Iterator[tuple[str, str]]:
    """Everything that users read, by where it stands."""
    pages = [*(ROOT / "docs").glob("*.md"), ROOT / "README.md", ROOT / "src" / "howsure" / "data" / "refusals.toml"]
    for path in (*sorted(pages), *sorted((ROOT / "tests" / "golden" / "answers").rglob("*.txt"))):
        yield str(path.relative_to(ROOT)), path.read_text(encoding="utf-8")


def docstrings() -> Iterator[tuple[str, str]]:
    """The summaries of public names: the line that an editor shows."""
    for module in sorted(MODULES):
        it = import_module(module)
        for name in getattr(it, "__all__", ()):
            yield f"{module}.{name}", (inspect.getdoc(getattr(it, name)) or "").partition("\n\n")[0]


def foreign(text: str) -> list[str]:
    """The words of the list that stand in a text, each with what is around it."""
    bare = QUOTED.sub("", text)
    return [
        f"...{bare[max(0, hit.start() - 30) : hit.end() + 20]!r}: {better}"
        for word, better in WORDS.items()
        for hit in re.finditer(word, bare)
    ]


def test_the_list_finds_its_words() -> None:
    assert len(foreign("the 95\N{SPACE}% interval says so; `law` and [this](beside.md) are names")) == 2


def test_the_documents_are_short() -> None:
    """Words are what has a letter or a digit, code, tables and print-outs included."""
    pages = [*(ROOT / "docs").glob("*.md")]
    texts = [path.read_text(encoding="utf-8") for path in (*pages, *(ROOT / name for name in OF_THE_TOP))]
    words = sum(bool(re.search(r"\w", word)) for text in texts for word in text.split())
    long = sum(len(line) > 200 for text in texts for line in text.split("\n"))
    assert (len(pages) <= 25, words <= 60_000, long <= 60) == (True, True, True), (len(pages), words, long)


@pytest.mark.full
def test_what_users_read_is_in_plain_words() -> None:
    assert [(where, found) for where, text in texts() if (found := foreign(text))] == []


@pytest.mark.full
def test_public_names_are_described_in_plain_words() -> None:
    plain = ((where, text) for where, text in docstrings() if not where.startswith("howsure.laws"))
    assert [(where, found) for where, text in plain if (found := foreign(text))] == []


# -- examples in docstrings run; a module is imported when its examples are run, and not to look for tests in

SOURCE = Path(__file__).parents[2] / "src"


def modules_with_examples() -> list[str]:
    """Names of the modules whose text has a prompt."""
    return [
        ".".join(path.relative_to(SOURCE).with_suffix("").parts).removesuffix(".__init__")
        for path in sorted(SOURCE.rglob("*.py"))
        if ">>> " in path.read_text(encoding="utf-8")
    ]


@pytest.mark.sweep(3, full=74)
@pytest.mark.parametrize("name", modules_with_examples())
def test_the_examples_of_a_module_run(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(SOURCE.parent)
    result = doctest.testmod(importlib.import_module(name), optionflags=doctest.ELLIPSIS)
    assert result.attempted > 0, "a prompt that is no docstring's"
    assert result.failed == 0
