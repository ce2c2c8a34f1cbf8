"""The files of the page keep the promises that a reviewer of a page asks for: small, typed, no markup from text."""

from __future__ import annotations

import gzip
import os
import re
import shutil
import subprocess
from html.parser import HTMLParser
from pathlib import Path

import pytest
from tests.patience import PATIENCE

from howsure.web.assets import bare, table

ASSETS = Path(__file__).parents[2] / "src" / "howsure" / "web" / "assets"
SCRIPTS = sorted(path for path in ASSETS.rglob("*.js") if path.parent.name != "vendor")
EVERYTHING = [*SCRIPTS, *sorted((ASSETS / "vendor").glob("*.js"))]
TYPES = Path(__file__).parents[1] / "browser" / "tsconfig.json"

#: A script may round what a person enters; numbers of ours come as text from Python.
ROUNDS_INPUT = {"parts/prevalence.js"}


def name(path: Path) -> str:
    return path.relative_to(ASSETS).as_posix()


def in_templates(pattern: str) -> list[tuple[str, str]]:
    """Where a script has a line that begins like this amid a template: what a line in a text looks like is no code."""
    return [
        (name(path), found[0])
        for path in SCRIPTS
        for text in [path.read_text(encoding="utf-8")]
        for found in re.finditer(pattern, text, re.MULTILINE)
        if text.count("`", 0, found.start()) % 2
    ]


def test_no_template_has_a_line_that_looks_like_a_comment_which_is_left_out_when_it_is_served() -> None:
    assert in_templates(r"^\s*/[/*]") == []


@pytest.mark.parametrize(
    ("text", "left"),
    [
        ("a;\n// b\nc;", "a;\n\nc;"),
        ("/** one\n * two */ \nf();", "\n\nf();"),
        ("/** one */ f();\n/** two */", "/** one */ f();\n"),
        ("const there = 'http://x'; // why", "const there = 'http://x'; // why"),
        ("const open = '/*';\nf();\nconst shut = '*/';", "const open = '/*';\nf();\nconst shut = '*/';"),
    ],
)
def test_only_comments_with_lines_of_their_own_are_left_out(text: str, left: str) -> None:
    assert bare(text) == left


def test_scripts_are_served_bare_and_with_their_comments_to_who_debugs() -> None:
    served, debugged = table(), table(comments=True)
    assert served.keys() == debugged.keys()
    for path in EVERYTHING:
        text = path.read_text(encoding="utf-8")
        assert served[name(path)].body.decode() == bare(text)
        assert debugged[name(path)].body.decode() == text


@pytest.mark.full
@pytest.mark.skipif(shutil.which("node") is None, reason="no node; the browser tests run the same scripts")
def test_what_is_served_is_still_a_script(tmp_path: Path) -> None:
    """Parsed, not run, all of them by one process."""
    files = table()
    copies = {name(path): tmp_path / f"{number}.mjs" for number, path in enumerate(EVERYTHING)}
    for there, copy in copies.items():
        copy.write_bytes(files[there].body)
    parse = (
        "const { readFileSync } = require('fs'), { SourceTextModule } = require('vm');"
        "for (const file of process.argv.slice(1)) { try { new SourceTextModule(readFileSync(file, 'utf8')); }"
        " catch (error) { console.log(`${file}: ${error}`); } }"
    )
    node = ["node", "--no-warnings", "--experimental-vm-modules", "-e", parse]
    done = subprocess.run([*node, *copies.values()], capture_output=True, text=True, check=False, timeout=PATIENCE)
    assert done.stderr == ""
    assert done.stdout.splitlines() == []
    assert done.returncode == 0


UNSAFE = ("innerHTML", "outerHTML", "insertAdjacentHTML", "document.write", "eval(", "new Function", "@ts-ignore",
          "dangerouslySet")  # fmt: skip


def test_scripts_are_short_typed_and_make_text_nodes_only() -> None:
    texts = {name(path): path.read_text(encoding="utf-8") for path in SCRIPTS}
    assert len(texts) > 20
    assert [there for there, text in texts.items() if len(text.splitlines()) > 400] == []
    assert [there for there, text in texts.items() if not text.startswith("// @ts-check")] == []
    assert [(there, word) for there, text in texts.items() for word in UNSAFE if word in text] == []


def test_no_number_of_ours_is_formatted_in_the_browser() -> None:
    texts = {name(path): bare(path.read_text(encoding="utf-8")) for path in SCRIPTS}
    formats = ("toFixed", "toExponential", "toLocaleString", "Intl.")
    assert [(there, word) for there, text in texts.items() for word in formats if word in text] == []
    assert [there for there, text in texts.items() if "toPrecision" in text and there not in ROUNDS_INPUT] == []


def test_nothing_is_asked_for_elsewhere() -> None:
    texts = {name(path): bare(path.read_text(encoding="utf-8")) for path in SCRIPTS}
    asked = {(there, url) for there, text in texts.items() for url in re.findall(r"https?://[^\s\"'`]+", text)}
    assert [(there, url) for there, url in asked if url != "http://www.w3.org/2000/svg"] == []


def test_the_page_has_no_script_or_style_inside() -> None:
    class Seen(HTMLParser):
        def __init__(self) -> None:
            super().__init__()
            self.wrong: list[str] = []

        def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
            given = dict(attrs)
            if tag == "style" or (tag == "script" and "src" not in given) or "style" in given:
                self.wrong.append(tag)
            self.wrong += [key for key in given if key.startswith("on")]
            self.wrong += [v for k, v in attrs if k in ("src", "href") and not (v or "").startswith("assets/")]

    seen = Seen()
    seen.feed((ASSETS / "index.html").read_text(encoding="utf-8"))
    assert seen.wrong == []


def test_the_page_is_small() -> None:
    """80 kB of scripts for seven tabs and 10 kB of"""
    for ending, most in ((".js", 80), (".css", 10)):
        together = b"\n".join(file.body for path, file in table().items() if path.endswith(ending))
        assert len(gzip.compress(together)) <= most * 1000


def test_what_is_vendored_has_its_licence_and_its_version() -> None:
    notes = (ASSETS / "vendor" / "README.md").read_text(encoding="utf-8")
    for path in (ASSETS / "vendor").glob("*.js"):
        assert f"`{path.name}`" in notes
    for licence in re.findall(r"`(LICENSE\.\w+)`", notes):
        assert (ASSETS / "vendor" / licence).stat().st_size > 500


@pytest.mark.full
def test_every_import_of_the_page_is_a_file_of_it() -> None:
    files = table()
    for path in [*SCRIPTS, *(ASSETS / "vendor").glob("*.js")]:
        for there in re.findall(r"from ?\"([^\"]+)\"", path.read_text(encoding="utf-8")):
            assert there.startswith("."), (name(path), there)
            assert (path.parent / there).resolve().relative_to(ASSETS).as_posix() in files, (name(path), there)


def test_the_types_of_the_page_hold() -> None:
    compiler = os.environ.get("HOWSURE_TSC") or shutil.which("tsc")
    if compiler is None or shutil.which("node") is None:
        pytest.skip("TypeScript is not installed (npm install -g typescript, or HOWSURE_TSC=path/to/tsc)")
    done = subprocess.run([compiler, "-p", str(TYPES)], capture_output=True, text=True, check=False, timeout=PATIENCE)
    assert done.stdout == ""
    assert done.returncode == 0
