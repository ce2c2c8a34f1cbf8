"""The page without a server: what is in its folder, that its library is whole, and what is refused."""

from __future__ import annotations

import io
import json
import subprocess
import sys
import zipfile
from pathlib import Path
from typing import Any

import pytest
from tests.patience import PATIENCE
from tests.web.pyodide_stand_in import stand_in
from tests.web.sample_questions import COCAINE

from howsure.errors import InvalidArgument
from howsure.web import static_site
from howsure.web.answering import WARM, handle
from howsure.web.in_browser import answered, differing, same
from howsure.web.static_site import FURTHER, built, library_zip

#: Runs in a Python whose only other packages are NumPy and SciPy: no web framework, no command line.
ALONE = """
import sys
class Absent:
    def find_spec(self, name, path=None, target=None):
        if name.partition(".")[0] in {"starlette", "uvicorn", "anyio", "typer", "rich", "pandas", "matplotlib"}:
            raise ModuleNotFoundError(name, name=name)
sys.meta_path.insert(0, Absent())
sys.path.insert(0, sys.argv[1])
import json, howsure
assert howsure.__file__.startswith(sys.argv[1]), howsure.__file__
from howsure.web.in_browser import differing
with open(sys.argv[2], encoding="utf-8") as file:
    questions = json.load(file)["questions"]
print(json.dumps([differing(json.dumps(q["request"]), json.dumps(q["answer"])) for q in questions]))
"""


QUESTIONS = [*WARM, *FURTHER]


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    there = tmp_path_factory.mktemp("site")
    made = built(there / "page", str(stand_in(there / "pyodide")))
    assert (made.questions, made.elsewhere) == (len(QUESTIONS), None)
    assert made.files == sum(path.is_file() for path in made.folder.rglob("*"))
    assert made.size == sum(path.stat().st_size for path in made.folder.rglob("*") if path.is_file())
    return made.folder


@pytest.mark.full
def test_the_folder_has_the_page_the_library_and_what_runs_it(site: Path) -> None:
    found = {path.relative_to(site).as_posix() for path in site.rglob("*") if path.is_file()}
    runtime = {"pyodide.mjs", "pyodide.asm.js", "pyodide.asm.wasm", "python_stdlib.zip", "pyodide-lock.json"}
    wheels = {"numpy-1.whl", "scipy-1.whl", "openblas-1.whl"}
    assert found == {
        "index.html", "howsure.zip", "golden.json",
        *(f"assets/{name}" for name in ("page.js", "page.css", "theme.js", "icon.svg", "worker.js")),
        *(f"pyodide/{name}" for name in runtime | wheels),
    }  # fmt: skip
    page = (site / "index.html").read_text(encoding="utf-8")
    assert "connect-src 'self';" in page
    assert 'id="engine-says" role="status"' in page
    scripts = (site / "assets/page.js").read_text(encoding="utf-8")
    assert "api/v1/" not in scripts
    assert "healthz" not in scripts


@pytest.mark.full
def test_the_archive_is_all_that_the_questions_need(site: Path, tmp_path: Path) -> None:
    zipfile.ZipFile(site / "howsure.zip").extractall(tmp_path)
    done = subprocess.run(
        [sys.executable, "-I", "-c", ALONE, str(tmp_path), str(site / "golden.json")],
        capture_output=True, encoding="utf-8", timeout=PATIENCE, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout) == [""] * len(QUESTIONS)


@pytest.mark.full
def test_the_same_library_makes_the_same_bytes(site: Path) -> None:
    assert library_zip() == (site / "howsure.zip").read_bytes()
    names = zipfile.ZipFile(io.BytesIO(library_zip())).namelist()
    assert names == sorted(names)
    assert not [name for name in names if "/cli/" in name or "/assets/" in name or "__pycache__" in name]


@pytest.mark.full
def test_from_an_address_only_that_origin_is_allowed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    told: list[str] = []

    def unreached(*_: object, **__: object) -> None:
        raise OSError("no route to it")

    monkeypatch.setattr(static_site, "urlopen", unreached)
    made = built(tmp_path / "page", "https://files.example.org/pyodide/v1", said=told.append)
    assert told[0].startswith("https://files.example.org/pyodide/v1/ does not")
    page = (made.folder / "index.html").read_text(encoding="utf-8")
    assert "script-src 'wasm-unsafe-eval' 'self' https://files.example.org;" in page
    assert '"https://files.example.org/pyodide/v1/"' in (made.folder / "assets/page.js").read_text(encoding="utf-8")
    assert not (made.folder / "pyodide").exists()
    assert made.elsewhere == "https://files.example.org/pyodide/v1/"


@pytest.mark.parametrize(
    "place",
    [
        "http://files.example.org/",
        "https://user@files.example.org/",
        "https://files.example.org/' onload='x",
        "https://é.example.org/",
    ],
)
def test_an_address_that_is_none_is_refused(tmp_path: Path, place: str) -> None:
    with pytest.raises(InvalidArgument, match="Pyodide"):
        built(tmp_path / "page", place)
    assert not (tmp_path / "page").exists()


def test_what_is_no_pyodide_is_refused(tmp_path: Path) -> None:
    with pytest.raises(InvalidArgument, match=r"has no pyodide-lock\.json"):
        built(tmp_path / "page", str(tmp_path))
    there = stand_in(tmp_path / "pyodide")
    (there / "scipy-1.whl").write_bytes(b"another")
    with pytest.raises(InvalidArgument, match=r"scipy-1\.whl in .* its sha256 is another"):
        built(tmp_path / "page", str(there))
    (there / "scipy-1.whl").unlink()
    with pytest.raises(InvalidArgument, match=r"without .scipy-1\.whl.: what npm serves is its"):
        built(tmp_path / "page", str(there))
    outside = '{"packages": {"numpy": {"file_name": "../x", "sha256": "", "depends": []}, "scipy": {}}}'
    for lock in ("{", '{"packages": {"numpy": 1, "scipy": 2}}', outside):
        (there / "pyodide-lock.json").write_text(lock, encoding="utf-8")
        with pytest.raises(InvalidArgument, match="no list of packages with numpy and scipy"):
            built(tmp_path / "page", str(there))
    assert not (tmp_path / "page").exists()


@pytest.mark.full
def test_the_engine_of_pyodide_is_a_module_or_a_script(tmp_path: Path) -> None:
    there = stand_in(tmp_path / "pyodide")
    (there / "pyodide.asm.js").rename(there / "pyodide.asm.mjs")  # as from release 314 on
    made = built(tmp_path / "page", str(there))
    assert (made.folder / "pyodide" / "pyodide.asm.mjs").exists()
    (there / "pyodide.asm.mjs").unlink()
    with pytest.raises(InvalidArgument, match=r"pyodide\.asm\.mjs of Pyodide cannot be read"):
        built(tmp_path / "other", str(there))


def test_nothing_is_written_over(tmp_path: Path) -> None:
    (tmp_path / "page").mkdir()
    (tmp_path / "page" / "mine.txt").write_text("mine", encoding="utf-8")
    with pytest.raises(InvalidArgument, match="not empty"):
        built(tmp_path / "page", "https://files.example.org/")
    with pytest.raises(InvalidArgument, match="not empty"):
        built(tmp_path / "page" / "mine.txt", "https://files.example.org/")


@pytest.mark.parametrize(
    ("path", "body", "media", "status", "said"),
    [
        ("report", "{", "application/json", 400, "no JSON"),
        ("nothing", "{}", "application/json", 404, "no such question"),
        ("import", "x", "application/pdf", 415, "text/csv"),
        ("import?n=1&n=2", "x", "text/csv", 422, "comes twice"),
    ],
)
def test_what_cannot_be_answered_is_refused_as_by_the_server(
    path: str, body: str, media: str, status: int, said: str
) -> None:
    found, text = answered(path, body, media)
    assert found == status
    assert said in json.loads(text)["message"]


def test_a_question_and_a_file_are_answered() -> None:
    status, text = answered("report", json.dumps({"matrix": COCAINE}), "application/json")
    assert (status, json.loads(text)) == (200, json.loads(json.dumps(handle({"verb": "report", "matrix": COCAINE}))))
    status, text = answered("import?scores=false", "truth,prediction\na,a\nb,b\na,b\n", "text/csv")
    assert (status, json.loads(text)["matrix"]["counts"]) == (200, [[1, 1], [0, 1]])


def test_a_defect_is_a_sentence(monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(*_: Any) -> bytes:
        raise ZeroDivisionError

    monkeypatch.setattr("howsure.web.in_browser.answer_to", broken)
    status, text = answered("report", "{}", "application/json")
    assert status == 500
    assert json.loads(text)["message"] == "a defect of howsure: ZeroDivisionError"


@pytest.mark.parametrize(
    ("expected", "found", "where"),
    [
        ({"a": 1}, {"a": 1.0 + 1e-9}, ""),
        ({"a": 1}, {"a": 1.001}, "answer.a"),
        ({"a": 0.0}, {"a": 1e-9}, "answer.a"),
        ({"a": "0.50"}, {"a": "0.51"}, "answer.a"),
        ({"a": True}, {"a": 1}, "answer.a"),
        ({"a": [1]}, {"a": [1, 2]}, "answer.a"),
        ({"a": 1}, {"b": 1}, "answer"),
    ],
)
def test_what_is_the_same(expected: Any, found: Any, where: str) -> None:
    assert same(expected, found, "answer").partition(":")[0] == where


def test_a_check_finds_a_wrong_answer_and_a_failure() -> None:
    question = {"verb": "report", "matrix": COCAINE}
    right = handle(question)
    assert differing(json.dumps(question), json.dumps(right)) == ""
    wrong = json.loads(json.dumps(right).replace('"exact"', '"simulated"', 1))
    assert differing(json.dumps(question), json.dumps(wrong)).endswith('"simulated" was expected')
    assert differing('{"verb": "report"}', "{}").startswith("InvalidRequest: ")
