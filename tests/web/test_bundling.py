"""Scripts in one file do what they do one by one: the page's own in their order, and small ones, run."""

from __future__ import annotations

import gzip
import re
import shutil
import subprocess
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.patience import PATIENCE
from tests.web.test_assets import ASSETS, in_templates, name

from howsure.web.assets import SCRIPT, bare, bundled, served, table

needs_node = pytest.mark.skipif(shutil.which("node") is None, reason="no node; the browser tests run the same scripts")


#: Every form of import and export that the page has.
RUN = {
    "main.js": 'import { tabs } from "./tabs/index.js";\nimport * as all from "./all.js";\n'
    'import twice from "./twice.js";\nall.say(twice(2), tabs.length, all.Kind.name, all.renamed);\n'
    'await null;\nall.say(tabs[0].there, all.count());\n',
    "all.js": 'let times = 0;\n/** so\n */\nexport function say(...words) {\n  times += 1;\n'
    '  console.log(...words);\n}\nexport class Kind {}\nexport const count = () => times;\n'
    'export { one as renamed, two } from "./min.js";\n',
    "min.js": 'import{two as n}from"./twice.js";var t=1,u=n+1;export{t as one,u as two};',
    "twice.js": "var f=2;\nexport const two = f;\nexport default function(x){return f*x}",
    "tabs/index.js": 'import { plan } from "./plan.js";\nexport const tabs = [plan];\n',
    "tabs/plan.js": 'import {\n  count,\n  two,\n} from "../all.js";\nimport { own } from "./plan/own.js";\n'
    "export const plan = { there: [count(), two, own] };\n",
    "tabs/plan/own.js": 'export const own = "own";\nexport async function never() {}\n',
}  # fmt: skip


def written(folder: Path, files: dict[str, str]) -> None:
    (folder / "package.json").write_text('{"type": "module"}')
    for path, text in files.items():
        there = folder / path
        there.parent.mkdir(parents=True, exist_ok=True)
        there.write_text(text)


def run(script: Path) -> str:
    done = subprocess.run(["node", script], capture_output=True, text=True, check=False, timeout=PATIENCE)
    assert (done.stderr, done.returncode) == ("", 0)
    return done.stdout


@needs_node
def test_one_file_says_what_single_ones_say(tmp_path: Path) -> None:
    for folder, files in (("single", RUN), ("one", {"main.js": bundled(RUN, "main.js")})):
        (tmp_path / folder).mkdir()
        written(tmp_path / folder, files)
        assert run(tmp_path / folder / "main.js") == "4 1 Kind 1\n[ 0, 3, 'own' ] 1\n"


@pytest.mark.parametrize(
    ("scripts", "said"),
    [
        ({"main.js": 'import { a } from "./gone.js";'}, r"main\.js: there is no script gone\.js"),
        ({"main.js": 'import { a } from "./a.js";', "a.js": 'import { b } from "./b.js";\nexport const a = b;',
          "b.js": 'import { a } from "./a.js";\nexport const b = a;'},
         r"main\.js -> a\.js -> b\.js -> a\.js: .*circle"),
        ({"main.js": "export let changing = 1;"}, r"main\.js: 'export let changing = 1;' is no form"),
        ({"main.js": "export const { a } = {};"}, r"is no form of import or export"),
        ({"main.js": 'import "./a.js";', "a.js": ""}, r"is no form of import or export"),
    ],
)  # fmt: skip
def test_what_cannot_be_bundled_is_refused_by_name(scripts: dict[str, str], said: str) -> None:
    with pytest.raises(ValueError, match=said):
        bundled(scripts, "main.js")


@given(st.lists(st.sets(st.integers(0, 7), max_size=4), min_size=1, max_size=8))
def test_each_module_stands_once_and_after_all_that_it_imports(edges: list[set[int]]) -> None:
    """Modules that import some of those with larger numbers, of which the last imports none."""
    scripts = {}
    for number, others in enumerate(edges):
        imports = [f'import {{ v{k} }} from "./m{k}.js";' for k in sorted(others) if number < k < len(edges)]
        scripts[f"m{number}.js"] = "\n".join([*imports, f"export const v{number} = {number};\n"])
    first = bundled({**scripts, "main.js": 'import { v0 } from "./m0.js";\n'}, "main.js")
    for number in range(len(edges)):
        starts = [found.start() for found in re.finditer(rf"^const m{number}\$js = \(", first, re.MULTILINE)]
        uses = [found.start() for found in re.finditer(rf"= m{number}\$js;", first)]
        assert len(starts) == (1 if uses else 0)
        assert all(starts[0] < use for use in uses)


def test_lines_of_the_page_that_begin_like_imports_are_code() -> None:
    assert in_templates(r"^(?:import|export)\b") == []


def test_no_script_of_the_page_has_a_name_like_those_of_bundled_ones() -> None:
    texts = {name(path): path.read_text(encoding="utf-8") for path in ASSETS.rglob("*.js")}
    assert [there for there, text in texts.items() if re.search(r"\w\$(?:js)?\b", bare(text))] == []


def test_every_script_of_the_page_is_in_the_one_file_once() -> None:
    together = served()[SCRIPT].body.decode()
    held = re.findall(r"^const ([\w$]+)\$js = \(\(\) =>", together, re.MULTILINE)
    scripts = [path for path in table() if path.endswith(".js") and path not in ("main.js", "theme.js")]
    assert sorted(held) == sorted(re.sub(r"\W", "$", path.removesuffix(".js")) for path in scripts)


def test_the_page_asks_for_one_file_of_styles_and_one_script_at_first() -> None:
    page = served()["index.html"].body.decode()
    asked = re.findall(r'(?:src|href)="assets/([^"]+)"', page)
    assert asked == ["icon.svg", "page.css", "theme.js", SCRIPT]
    written_one = table()["index.html"].body.decode()
    sheets = re.findall(r'"assets/(\w+\.css)"', written_one)
    assert len(sheets) > 1
    # the rules of all of them in their order, without the comments between them
    written, styles = (
        each.decode().split() for each in (b"".join(table()[sheet].body for sheet in sheets), served()["page.css"].body)
    )
    assert styles == re.sub(r"/\*.*?\*/", "", " ".join(written)).split()
    assert page.count("\n") == written_one.count("\n") - len(sheets) + 1 - written_one.count("modulepreload")


def test_all_that_the_page_loads_is_small() -> None:
    """85 kB as it is served."""
    files = served()
    loaded = ("index.html", "page.css", "theme.js", "icon.svg", SCRIPT)
    assert sum(len(gzip.compress(files[path].body)) for path in loaded) < 85_000
