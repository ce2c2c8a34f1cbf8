"""The wheel and the source archive as they are built: every file of the library, its data, and no test."""

from __future__ import annotations

import subprocess
import sys
import tarfile
import zipfile
from pathlib import Path

import pytest
from tests.patience import PATIENCE

ROOT = Path(__file__).parents[2]
SOURCE = ROOT / "src"

pytestmark = pytest.mark.deep


@pytest.fixture(scope="module")
def archives(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with both archives, built by the project's own backend in this environment."""
    pytest.importorskip("hatchling", reason="howsure[dev] is not installed")
    folder = tmp_path_factory.mktemp("archives")
    command = [sys.executable, "-m", "hatchling", "build", "--directory", str(folder), "--target", "wheel"]
    subprocess.run([*command, "--target", "sdist"], cwd=ROOT, check=True, capture_output=True, timeout=PATIENCE)
    return folder


def wheel_names(archives: Path) -> list[str]:
    return zipfile.ZipFile(next(archives.glob("*.whl"))).namelist()


def sdist_names(archives: Path) -> set[str]:
    with tarfile.open(next(archives.glob("*.tar.gz"))) as archive:
        return {name.partition("/")[2] for name in archive.getnames()}


def library() -> set[str]:
    """Every file of the library, from the folder itself."""
    files = (path for path in (SOURCE / "howsure").rglob("*") if path.is_file() and path.suffix != ".pyc")
    return {path.relative_to(SOURCE).as_posix() for path in files}


def test_the_wheel_is_the_library_and_nothing_else(archives: Path) -> None:
    held = {name for name in wheel_names(archives) if ".dist-info/" not in name}
    assert (sorted(library() - held), sorted(held - library())) == ([], [])


def test_the_licence_is_in_the_wheel(archives: Path) -> None:
    assert any(name.endswith("/licenses/LICENSE") for name in wheel_names(archives))


def test_the_source_archive_has_what_the_checks_and_the_documentation_need(archives: Path) -> None:
    names = sdist_names(archives)
    folders = ("src", "tests", "docs", "examples", "benchmarks", "paper", "conda")
    alone = ("pyproject.toml", "conftest.py", "constraints.txt", "action.yml", "Makefile", "README.md", "CHANGELOG.md",
             "CONTRIBUTING.md", "CITATION.cff", "LICENSE")  # fmt: skip
    assert sorted(set(alone) - names) == []
    kinds = {".py", ".md", ".csv", ".json", ".svg", ".js", ".css", ".html", ".yaml", ".txt"}
    files = [path for folder in folders for path in (ROOT / folder).rglob("*.*") if path.suffix in kinds]
    kept = {path.relative_to(ROOT).as_posix() for path in files}
    assert sorted(kept - names) == []


def test_the_wheel_runs_without_the_folder(archives: Path, tmp_path: Path) -> None:
    zipfile.ZipFile(next(archives.glob("*.whl"))).extractall(tmp_path)
    asked = "import sys, howsure; sys.exit(not howsure.__file__.startswith(sys.argv[1]))"
    command = [sys.executable, "-c", f"import sys; sys.path.insert(0, sys.argv[1]); {asked}", str(tmp_path)]
    assert subprocess.run(command, cwd=tmp_path, check=False, timeout=PATIENCE).returncode == 0
    run = (
        "import sys; sys.path.insert(0, sys.argv.pop(1)); from howsure.cli import main; "
        "sys.exit(main(['report', '--tp', '45', '--fn', '5', '--fp', '8', '--tn', '92', '-o', 'page.html']))"
    )
    subprocess.run([sys.executable, "-c", run, str(tmp_path)], cwd=tmp_path, check=True, timeout=PATIENCE)
    assert "Balanced accuracy is 0.90" in (tmp_path / "page.html").read_text(encoding="utf-8")
