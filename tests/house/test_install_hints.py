"""What a missing extra is added with: by where this copy was installed from, in the pip of this environment."""

from __future__ import annotations

import json
import re
import subprocess
import sys
import venv
from importlib.metadata import PackageNotFoundError
from pathlib import Path
from typing import Any

import pytest
from tests.patience import PATIENCE

from howsure.errors import MissingExtra, installing
from howsure.errors.installing import install_hint, packages_of

ROOT = Path(__file__).parents[2]
REQUIREMENTS = [
    "numpy>=1.26",
    "rich>=13.8; extra == 'cli'",
    'typer<0.29,>=0.15; python_version >= "3.11" and extra == "cli"',
    "howsure[cli,plot]; extra == 'web'",
    "starlette>=0.46; extra == 'web'",
    "matplotlib>=3.8; extra == 'plot'",
    "rich>=13.8; extra == 'web'",
]


class Installed:
    """The metadata of a package, as far as a hint reads them."""

    def __init__(self, origin: dict[str, Any] | None = None, installer: str = "pip") -> None:
        self.files = {"direct_url.json": json.dumps(origin) if origin else None, "INSTALLER": f"{installer}\n"}
        self.requires = REQUIREMENTS

    def read_text(self, name: str) -> str | None:
        return self.files[name]


def hint(monkeypatch: pytest.MonkeyPatch, installed: Installed, *, pip: str | None = None) -> str:
    """The hint for the page's extra, in an environment whose pip is found unless another is named."""
    monkeypatch.setattr(installing, "distribution", lambda name: installed)
    monkeypatch.setattr(installing.shutil, "which", lambda name: pip or str(Path(sys.executable).parent / name))
    monkeypatch.setattr(installing, "QUOTE", "'")
    return install_hint("web")


def of_folder(folder: Path, **more: object) -> dict[str, Any]:
    return {"url": folder.as_uri(), "dir_info": more}


def test_of_a_folder_it_names_the_folder(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    folder = tmp_path / "with a blank"
    folder.mkdir()
    assert hint(monkeypatch, Installed(of_folder(folder))) == f"pip install '{folder}[web]'"
    assert hint(monkeypatch, Installed(of_folder(folder, editable=True))) == f"pip install -e '{folder}[web]'"
    monkeypatch.chdir(folder)
    assert hint(monkeypatch, Installed(of_folder(folder))) == "pip install '.[web]'"
    assert hint(monkeypatch, Installed(of_folder(folder, editable=True))) == "pip install -e '.[web]'"


def test_of_a_wheel_it_names_the_file_and_once_that_is_gone_the_packages(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    wheel = tmp_path / "howsure-0.2.0-py3-none-any.whl"
    wheel.touch()
    installed = Installed({"url": wheel.as_uri(), "archive_info": {}})
    assert hint(monkeypatch, installed) == f"pip install '{wheel}[web]'"
    wheel.unlink()
    packages = "'rich>=13.8' 'typer<0.29,>=0.15' 'matplotlib>=3.8' 'starlette>=0.46'"
    assert hint(monkeypatch, installed) == f"pip install {packages}"
    assert hint(monkeypatch, Installed()) == f"pip install {packages}"  # from an index, whose name says nothing


def test_of_a_repository_it_names_the_commit(monkeypatch: pytest.MonkeyPatch) -> None:
    version = {"url": "https://example.org/a.git", "vcs_info": {"vcs": "git", "commit_id": "1f"}}
    assert hint(monkeypatch, Installed(version)) == "pip install 'howsure[web] @ git+https://example.org/a.git@1f'"
    wheel = {"url": "https://example.org/howsure-0.2.0-py3-none-any.whl", "archive_info": {}}
    assert hint(monkeypatch, Installed(wheel)) == f"pip install 'howsure[web] @ {wheel['url']}'"


def test_another_pip_than_that_of_this_environment_is_not_named(monkeypatch: pytest.MonkeyPatch) -> None:
    named = hint(monkeypatch, Installed(), pip="/usr/bin/pip")
    assert named.startswith(f"{sys.executable} -m pip install ")
    monkeypatch.setattr(installing, "find_spec", lambda name: None)
    assert hint(monkeypatch, Installed(installer="uv")).startswith("uv pip install ")


def test_run_from_its_folder_it_names_that(monkeypatch: pytest.MonkeyPatch) -> None:
    def absent(name: str) -> None:
        raise PackageNotFoundError(name)

    monkeypatch.setattr(installing, "distribution", absent)
    monkeypatch.chdir(ROOT)
    monkeypatch.setattr(installing, "QUOTE", '"')
    assert install_hint("web").endswith('install -e ".[web]"')


def test_extras_in_an_extra_are_followed() -> None:
    assert packages_of(REQUIREMENTS, "plot") == ["matplotlib>=3.8"]
    assert packages_of(REQUIREMENTS, "cli") == ["rich>=13.8", "typer<0.29,>=0.15"]
    assert packages_of(REQUIREMENTS, "no such extra") == []


def test_every_sentence_about_an_extra_has_the_hint() -> None:
    assert str(MissingExtra("The page", "web")) == f"The page needs the extra 'web': {install_hint('web')}"
    written = [
        f"{path.name}: {line}"
        for path in (ROOT / "src").rglob("*.py")
        for line in path.read_text(encoding="utf-8").splitlines()
        if re.search(r"pip install", line)
    ]
    assert written == []


@pytest.mark.deep
def test_the_hint_works_where_a_wheel_was_installed(tmp_path: Path) -> None:
    """Built, installed without its extras, and the hint typed as it is printed; the packages come from this machine."""
    pytest.importorskip("hatchling", reason="howsure[dev] is not installed")
    wheels, environment = tmp_path / "wheels", tmp_path / "env"
    build = [sys.executable, "-m", "pip", "wheel", "-q", "--no-deps", "--no-build-isolation", "-w", str(wheels)]
    subprocess.run([*build, str(ROOT)], check=True, timeout=PATIENCE)
    venv.create(environment, with_pip=True)
    python = environment / "bin/python"
    wheel = next(wheels.glob("*.whl"))
    subprocess.run([python, "-m", "pip", "install", "-q", "--no-deps", wheel], check=True, timeout=PATIENCE)
    code = "from howsure.errors import MissingExtra; print(MissingExtra('The command line', 'cli'))"
    said = subprocess.run(
        [python, "-c", code], check=True, capture_output=True, encoding="utf-8", cwd=tmp_path, timeout=PATIENCE
    )
    command = said.stdout.partition(": ")[2].strip()
    assert command == f"{python} -m pip install '{wheel}[cli]'"
    typed = f"{command} --dry-run --no-deps --no-index"
    done = subprocess.run(typed, shell=True, capture_output=True, encoding="utf-8", check=False, timeout=PATIENCE)
    assert done.returncode == 0, done.stderr
