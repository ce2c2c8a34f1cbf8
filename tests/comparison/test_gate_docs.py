"""The shell lines of the documented workflow run as they stand."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest
from tests.cli.test_gate_command import cases
from tests.patience import PATIENCE

ROOT = Path(__file__).parents[2]


def steps() -> dict[str, str]:
    """Name and shell lines of each step of the workflow in docs/compare.md."""
    text = (ROOT / "docs/compare.md").read_text(encoding="utf-8")
    workflow = re.search(r"```yaml\n(.*?)```", text, re.DOTALL)
    assert workflow is not None
    found = re.findall(r"- name: ([^\n]+)\n(?:\s+if: [^\n]+\n)?\s+run: \|\n((?:          [^\n]+\n)+)", workflow[1])
    return {name: "\n".join(line[10:] for line in lines.splitlines()) for name, lines in found}


def run(lines: str, folder: Path) -> subprocess.CompletedProcess[str]:
    """Run as the server does: bash -e, with howsure on the path."""
    program = folder / "bin" / "howsure"
    program.parent.mkdir(exist_ok=True)
    program.write_text(f'#!/bin/sh\nexec "{sys.executable}" -m howsure "$@"\n')
    program.chmod(0o755)
    known = os.environ | {"PATH": f"{program.parent}:{os.environ['PATH']}", "GITHUB_STEP_SUMMARY": str(folder / "s.md")}
    return subprocess.run(
        ["bash", "-e", "-c", lines],
        cwd=folder,
        env=known,
        capture_output=True,
        encoding="utf-8",
        check=False,
        timeout=PATIENCE,
    )


@pytest.mark.full
@pytest.mark.skipif(sys.platform == "win32", reason="the workflow runs in bash")
def test_the_workflow_of_the_docs(tmp_path: Path) -> None:
    found = steps()
    assert list(found) == ["gate", "new baseline"]
    cases(tmp_path / "candidate.csv", range(12))
    first = run(found["new baseline"], tmp_path)
    assert first.returncode == 0, first.stderr
    assert (tmp_path / "baseline.json").exists()
    same = run(found["gate"], tmp_path)
    assert same.returncode == 0, same.stdout + same.stderr
    assert "howsure gate" in (tmp_path / "gate.xml").read_text()
    assert "| accuracy |" in (tmp_path / "s.md").read_text()
    cases(tmp_path / "candidate.csv", range(60))
    worse = run(found["gate"], tmp_path)
    assert worse.returncode == 1
    assert worse.stdout.startswith("Fail: of 2 metrics 2 fail")
