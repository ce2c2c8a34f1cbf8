"""Pages to share, and what they draw and plan."""

from __future__ import annotations

import base64
import hashlib
import json
import re
import subprocess
import sys
from importlib import resources
from importlib.resources import files
from pathlib import Path
from typing import Any

import jsonschema
import numpy as np
import pytest
from tests.house.everything import everything
from tests.patience import PATIENCE

import howsure as hs
from howsure.cli import main
from howsure.errors import InvalidArgument, InvalidFile
from howsure.planning.plan import thumb_rule
from howsure.publish import latex, page
from howsure.publish.latex import numbers
from howsure.text.svg.curve_pictures import BANDS_LEFT, BANDS_RIGHT, WIDTH
from howsure.units.pooled import Pooled

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


def test_a_title_and_a_comment_are_text(tmp_path: Path) -> None:
    hs.save(hs.report(TWO), tmp_path / "out.html", title="<b>Trial</b>", comment="Seen by\n<script>alert(1)</script>")
    text = (tmp_path / "out.html").read_text(encoding="utf-8")
    assert "<title>&lt;b&gt;Trial" in text
    assert "<h1>&lt;b&gt;Trial" in text
    assert "Seen by\n&lt;script&gt;" in text
    with pytest.raises(InvalidArgument, match="no place"):
        hs.save(hs.report(TWO), tmp_path / "out.csv", comment="Seen")


# -- pooled sites and a metric by slice as pages, files and JSON that its schema knows --------------------------------

STUDIES = {"a": (47, 9, 101, 738), "b": (126, 51, 272, 1543), "c": (19, 10, 12, 192), "d": (36, 3, 78, 276)}
SITES = {name: hs.ConfusionMatrix.from_counts(tp=tp, fn=fn, fp=fp, tn=tn) for name, (tp, fn, fp, tn) in STUDIES.items()}


@pytest.fixture(scope="module")
def pooled() -> Pooled:
    return hs.pool(SITES, draws=1000)


@pytest.mark.parametrize("ending", [".svg", ".pdf"])
def test_a_picture_does_not_say_when_it_was_drawn(ending: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    drawn = []
    for seconds in ("0", "1000000000"):  # where matplotlib takes the time from
        monkeypatch.setenv("SOURCE_DATE_EPOCH", seconds)
        hs.save(hs.report(OLD, metrics=["accuracy"]), tmp_path / f"{seconds}{ending}")
        drawn.append((tmp_path / f"{seconds}{ending}").read_bytes())
    assert drawn[0] == drawn[1]


def test_the_page_of_a_pool_has_the_population_the_sites_and_a_picture(pooled: Pooled) -> None:
    text = page(pooled, comment="of spring")
    for words in ("typical site", "new site", "Reitsma et al. 2005", "mostly the prior", "of spring", ">d<"):
        assert words in text
    assert text.count("<svg") == 1
    assert "script-src 'sha256-" in text  # that of the table which sorts, and no other
    assert "first 20 sites" not in text
    many = hs.pool({f"site {i}": (8 + i % 9, 20) for i in range(41)}, draws=300)
    assert "The first 40 sites." in page(many)


def test_the_page_of_slices_draws_the_worst_of_many() -> None:
    many = hs.slice_report({f"s{i}": hs.ConfusionMatrix([[10 + i % 7, 3], [2, 15]]) for i in range(25)})
    text = page(many, title="Ours")
    for words in ("<h1>Ours</h1>", "The worst 20 slices.", "Largest gap", "P(worst)"):
        assert words in text
    assert text.count("<svg") == 1
    assert text.partition("</table>")[0].count("<tr>") == 26, "the table that is sorted and filtered has all slices"
    few = hs.slice_report({"x": SITES["a"], "y": SITES["b"]})
    assert "The worst" not in page(few)
    # a table in a paper says what it leaves out
    assert re.search(r"\\caption\{.*and 5 slices more", latex(many))
    assert "more;" not in latex(few)


def schema_of(kind: str) -> Any:
    return json.loads(
        resources.files("howsure.answers").joinpath(f"schemas/{kind}.schema.json").read_text(encoding="utf-8")
    )


HOSTILE = [("Pooled", "pool"), ("Pooled rate", "pool"), ("RepeatsReport", "repeats")]
HOSTILE += [("Fairness", "fairness")]
HOSTILE += [(name, "compare_over") for name in ("ComparedOver", "ComparedOver paired")]
HOSTILE += [("RankedOver", "rank_over")]
HOSTILE += [(name, "slices") for name in ("SliceReport", "SliceReport drawn")]

HOSTILE += [("SliceComparison", "compare_slices"), ("SliceGate", "gate_slices")]
HOSTILE += [("SliceRanking", "rank_slices"), ("SlicesInTime", "slices_in_time")]


@pytest.mark.full
@pytest.mark.parametrize(("name", "kind"), HOSTILE)
def test_json_is_what_its_schema_says_and_nothing_else(name: str, kind: str) -> None:
    schema, made = schema_of(kind), json.loads(json.dumps(everything()[name].to_dict()))
    jsonschema.Draft202012Validator.check_schema(schema)
    jsonschema.validate(made, schema)
    for key in made:  # every key is required, and none is unknown
        with pytest.raises(jsonschema.ValidationError):
            jsonschema.validate({k: v for k, v in made.items() if k != key}, schema)
    with pytest.raises(jsonschema.ValidationError):
        jsonschema.validate({**made, "more": 1}, schema)


@pytest.mark.full
def test_odd_answers_have_their_place_in_the_schema() -> None:
    one_run = hs.infer(hs.Repeats.from_array([[1], [0], [1], [1], [0], [1]]))
    scores = hs.infer(hs.Repeats.from_array([[0, 0.5, 1], [1, 1, 0.5], [0, 0, 0.5], [1, 0.5, 1]] * 3))
    for posterior in (one_run, scores):
        jsonschema.validate(json.loads(json.dumps(hs.report(posterior).to_dict())), schema_of("repeats"))
    empty = {**SITES, "none ill": hs.ConfusionMatrix.from_counts(tp=0, fn=0, fp=3, tn=40)}
    for sites in (empty, dict(list(SITES.items())[:2])):
        jsonschema.validate(json.loads(json.dumps(hs.pool(sites, draws=300).to_dict())), schema_of("pool"))
    for metric in ("recall", "f1", "mcc"):
        for tables in (empty, {"alone": SITES["a"]}):
            made = hs.slice_report(tables, metric, draws=500).to_dict()
            jsonschema.validate(json.loads(json.dumps(made)), schema_of("slices"))


# -- plans as pages, files and pictures -------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def counted() -> hs.Plan:
    return hs.plan("accuracy", width=0.15, guess=0.8)


@pytest.mark.full
def test_the_picture_has_band_target_n_and_the_rule_where_it_holds(counted: hs.Plan) -> None:
    drawn = counted.picture()
    assert drawn.count("<path") == 3
    assert f">{counted.n}<" in drawn
    assert thumb_rule(counted)[0] == pytest.approx(2 / counted.curve[0].n ** 0.5)
    for other in (
        hs.plan("accuracy", width=0.15, guess=0.8, level=0.9),
        hs.plan("accuracy", above=0.7, guess=0.85),
        hs.plan("informedness", width=0.5, guess=0.5),
    ):
        assert thumb_rule(other) == ()
        assert other.picture().count("<path") == 2
    assert "<svg" in counted._repr_html_()


@pytest.mark.deep
def test_drawn_plans_and_boards_say_how_they_were_made() -> None:
    drawn = page(hs.plan("f1", width=0.3, guess=0.8, n=100, seed=7))
    assert "simulated tests (seed 7)" in drawn
    found = page(hs.detect("accuracy", 100, guess=0.8))
    assert "The goal was computed that 100 cases for each classifier reach" in found
    board = hs.settle({"<b>a</b>": 0.9, "\\input{x}": 0.8}, n=100)
    assert "<b>" not in page(board).split("<body>")[1]
    assert "&lt;b&gt;a" in page(board)
    assert "\\input{" not in latex(board)


def test_the_table_for_a_paper(counted: hs.Plan) -> None:
    text = latex(counted)
    assert r"\toprule" in text
    assert rf"{counted.n} & " in text
    assert r"95\% interval of accuracy" in text


# -- the line that a slider moves stands where the picture has it -----------------------------------------------------


def test_the_script_knows_the_axis_of_the_picture() -> None:
    script = files("howsure.publish").joinpath("slider.js").read_text(encoding="utf-8")
    found = re.search(r"const x = (\d+) \+ \(\((\d+) - (\d+) - (\d+)\) \* at\)", script)
    assert found is not None
    assert [float(number) for number in found.groups()] == [BANDS_LEFT, WIDTH, BANDS_RIGHT, BANDS_LEFT]
