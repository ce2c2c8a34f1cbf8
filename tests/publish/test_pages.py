"""Pages say what the results say, under a policy that lets nothing else in."""

from __future__ import annotations

import base64
import hashlib
import json
import re
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from tests.patience import PATIENCE

import howsure as hs
from howsure.cli import main
from howsure.errors import InvalidArgument, InvalidFile
from howsure.publish import latex, page
from howsure.publish.latex import numbers

TWO = hs.infer(hs.ConfusionMatrix([[45, 5], [8, 42]], labels=["healthy", "ill"]))
OLD = hs.infer(hs.ConfusionMatrix([[40, 10], [9, 41]], labels=["healthy", "ill"]))
THREE = hs.infer(hs.ConfusionMatrix([[45, 5, 3], [8, 42, 2], [1, 3, 30]], labels=["a", "b", "c"]))


def hashes(text: str) -> set[str]:
    return {f"sha256-{base64.b64encode(hashlib.sha256(part.encode()).digest()).decode()}" for part in [text]}


@pytest.mark.full
@pytest.mark.parametrize("posterior", [TWO, THREE], ids=["two", "three"])
def test_the_policy_names_the_style_and_the_script_by_their_hashes(posterior: hs.Posterior) -> None:
    text = page(hs.report(posterior))
    policy = re.search(r'Content-Security-Policy" content="([^"]*)"', text)
    assert policy
    style = re.search(r"<style>(.*?)</style>", text, re.DOTALL)
    script = re.search(r"</script><script>(.*?)</script>", text, re.DOTALL)
    assert style
    assert script
    assert hashes(style[1]) <= set(re.findall(r"style-src '(.*?)'", policy[1]))
    assert hashes(script[1]) <= set(re.findall(r"script-src '(.*?)'", policy[1]))
    assert "unsafe" not in policy[1]


def test_the_grid_of_the_slider_is_the_posterior() -> None:
    three = hs.infer(THREE.confusion, "flat")
    text = page(hs.report(three, level=0.9))
    found = re.search(r'id="predictive">(.*?)</script>', text)
    assert found
    data = json.loads(found[1])
    assert [each["label"] for each in data["classes"]] == ["a", "b", "c"]
    at = 30
    share = data["prevalence"][at]
    there = three.at_prevalence({"b": share})
    column = [row[at] for row in data["classes"][1]["positive"]]
    known = there.of("precision@b")
    low, high = known.interval(0.9)
    assert column == pytest.approx([low, known.mean, high], rel=1e-4)
    assert data["classes"][1]["alarm"] == pytest.approx(there.of("false_positive_rate@b").mean, rel=1e-3)
    assert data["classes"][1]["recall"] == pytest.approx(three.of("recall@b").mean, rel=1e-3)


@pytest.mark.full
def test_many_classes_and_none_tested_have_a_page() -> None:
    many = hs.infer(hs.ConfusionMatrix(np.eye(24, dtype=int) * 9 + 1), "flat")
    text = page(hs.report(many, ["balanced_accuracy"]))
    assert len(text.encode()) < 300_000
    assert "commonest confusions" in text
    empty = hs.infer(hs.ConfusionMatrix([[0, 0], [0, 0]]))
    assert "no cases at all" in page(hs.report(empty))
    silent = hs.infer(hs.ConfusionMatrix([[9, 0], [0, 9]]), "haldane")
    assert "no information" in page(hs.report(silent))


def test_asymmetric_intervals_add_up_with_few_digits() -> None:
    assert numbers(0.844, 0.684, 0.933) == ("$0.84^{+0.09}_{-0.16}$", "$[0.68,\\, 0.93]$")
    assert numbers(0.06, -0.04, 0.16) == ("$0.06^{+0.10}_{-0.10}$", "$[-0.04,\\, 0.16]$")
    text = latex(hs.rank({"new": TWO, "old": OLD, "third": OLD}, metric="accuracy", entries="independent"))
    assert r"\toprule" in text
    assert "new & $0.87^{" in text


@pytest.mark.full
@pytest.mark.parametrize("ending", [".svg", ".pdf", ".png", ".html"])
def test_a_file_does_not_know_when_it_was_written(ending: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    written = []
    for moment in ("0", "86400"):
        monkeypatch.setenv("SOURCE_DATE_EPOCH", moment)  # the clock that pictures are dated by
        hs.save(hs.report(TWO), tmp_path / f"out{ending}")
        written.append((tmp_path / f"out{ending}").read_bytes())
    assert written[0] == written[1]


def test_what_cannot_be_written_is_said(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(InvalidArgument, match=r"ends in none of \.html"):
        hs.save(hs.report(TWO), tmp_path / "out.docx")
    with pytest.raises(InvalidFile, match="it cannot be written \\(its folder does not exist; make it first\\)"):
        hs.save(hs.report(TWO), tmp_path / "absent" / "out.md")
    with pytest.raises(InvalidArgument, match="takes an answer, such as a report or a comparison, not Posterior"):
        hs.save(TWO, tmp_path / "out.md")  # type: ignore[arg-type]  # on purpose
    assert main(["report", "examples/cocaine.csv", "--json", "-o", str(tmp_path / "x.md")]) == 2
    assert "--out" in capsys.readouterr().err


@pytest.mark.full
def test_a_page_needs_no_matplotlib() -> None:
    code = (
        "import sys, tempfile, os; from howsure.cli import main;"
        "main(['report', 'examples/cocaine.csv', '-o', os.path.join(tempfile.mkdtemp(), 'x.html')]);"
        "print([m for m in ('matplotlib', 'scipy.stats', 'sklearn', 'pandas') if m in sys.modules])"
    )
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, encoding="utf-8", check=True, timeout=PATIENCE
    )
    assert done.stdout == "[]\n"


def test_what_is_infinite_has_a_picture_and_a_row() -> None:
    sure = hs.infer(hs.ConfusionMatrix([[45, 0], [8, 42]], labels=["healthy", "ill"]))
    known = sure.of("positive_likelihood_ratio")
    assert known.observed == np.inf
    made = hs.report(sure, ["positive_likelihood_ratio", "recall"])
    assert "<svg" in known._repr_html_()
    for text in (page(made), latex(made), made.to_csv()):
        assert "likelihood" in text
        assert "nan" not in text


def test_a_title_and_a_comment_are_text(tmp_path: Path) -> None:
    hs.save(hs.report(TWO), tmp_path / "out.html", title="<b>Trial</b>", comment="Seen by\n<script>alert(1)</script>")
    text = (tmp_path / "out.html").read_text(encoding="utf-8")
    assert "<title>&lt;b&gt;Trial" in text
    assert "<h1>&lt;b&gt;Trial" in text
    assert "Seen by\n&lt;script&gt;" in text
    with pytest.raises(InvalidArgument, match="no place"):
        hs.save(hs.report(TWO), tmp_path / "out.csv", comment="Seen")
