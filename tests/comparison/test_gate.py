"""Gates: rules, priors and documentation."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from importlib import resources
from pathlib import Path
from xml.etree import ElementTree

import jsonschema
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import special, stats
from tests.cli.test_gate_command import cases
from tests.patience import PATIENCE

import howsure as hs
from howsure.errors import InconclusiveWarning
from howsure.questions import gate_rule
from howsure.questions.gate_rule import OneSet, cases_to_settle, prior_decides

pytestmark = pytest.mark.filterwarnings("ignore::howsure.PriorShiftWarning")


SCHEMA = json.loads(resources.files("howsure.answers").joinpath("schemas/gate.schema.json").read_text(encoding="utf-8"))


def cells(both: int, only_new: int, only_old: int, neither: int) -> hs.Predictions:
    """Two classes, half of the cases each, answers right or wrong as counted."""
    new = [True] * (both + only_new) + [False] * (only_old + neither)
    old = [True] * both + [False] * only_new + [True] * only_old + [False] * neither
    truth = np.arange(len(new)) % 2
    return hs.Predictions(
        truth, {"new": np.where(new, truth, 1 - truth), "old": np.where(old, truth, 1 - truth)}, labels=[0, 1]
    )


def accuracy(correct: int, n: int = 500) -> hs.posterior.AccuracyPosterior:
    return hs.Posterior.from_accuracy(correct=correct, n=n)


@given(st.integers(0, 60), st.integers(0, 60))
def test_the_strict_probability_is_the_sign_test(ahead: int, behind: int) -> None:
    """Two routes: the incomplete beta function, and the binomial tail."""
    p = float(stats.binom.cdf(behind, ahead + behind, 0.5)) if ahead + behind else 1.0
    assert gate_rule.strict_probability(ahead, behind) == pytest.approx(1 - p, abs=1e-12)
    # it never exceeds the posterior, so it is the harder gate
    assert gate_rule.strict_probability(ahead, behind) <= special.betainc(behind + 1 / 3, ahead + 1 / 3, 0.5) + 1e-12


@pytest.mark.sweep(3, full=20)
@pytest.mark.parametrize(
    ("metric", "mode", "margin"),
    [
        ("error_rate", "non-inferiority", 0.0),
        ("balanced_accuracy", "superiority", 0.02),
        ("false_positive_rate", "superiority", 0.0),
        ("mcc", "non-inferiority", 0.02),
    ],
)
def test_the_verdict_follows_the_probabilities(metric: str, mode: str, margin: float) -> None:
    data = cells(400, 30, 12, 58)
    made = hs.gate(data, "new", "old", metric=metric, mode=mode, margin=margin, strict=False)
    row = made.rows[0]
    difference = hs.compare(data, "new", "old", metric=metric).difference
    values = difference.law.values if metric == "mcc" else difference.sample(200_000, seed=1)
    if row.better == "lower":
        values = -values
    threshold = margin if mode == "superiority" else -margin
    assert row.threshold == threshold
    assert row.p_pass == pytest.approx(float((values > threshold).mean()), abs=0.006)
    assert row.p_pass + row.p_fail == pytest.approx(1, abs=1e-9)
    assert made.verdict == ("pass" if row.p_pass >= 0.95 else "fail" if row.p_fail >= 0.95 else "inconclusive")


@pytest.mark.full
@given(st.integers(0, 30), st.integers(0, 30), st.integers(0, 40))
def test_paired_accuracy_is_strict_by_default(ahead: int, behind: int, both: int) -> None:
    data = cells(both, ahead, behind, 1)
    made = hs.gate(data, "new", "old", metric="accuracy")
    row = made.rows[0]
    assert row.strict is not None
    expected = gate_rule.verdict(
        gate_rule.strict_probability(ahead, behind), gate_rule.strict_probability(behind, ahead), 0.95
    )
    assert made.verdict == expected
    assert row.p_pass == pytest.approx(special.betainc(behind + 1 / 3, ahead + 1 / 3, 0.5), abs=1e-9)
    mirrored = hs.gate(data, "new", "old", metric="error_rate")
    assert mirrored.verdict == made.verdict
    swapped = {"pass": "fail", "fail": "pass", "inconclusive": "inconclusive"}
    assert hs.gate(data, "old", "new", metric="accuracy").verdict == swapped[expected]


def test_strict_is_refused_where_there_is_none() -> None:
    data = cells(80, 10, 3, 7)
    for options in ({"metric": "balanced_accuracy"}, {"metric": "accuracy", "margin": 0.01}, {"metric": "f1@macro"}):
        with pytest.raises(hs.HowsureError, match="sign test: it needs paired accuracy"):
            hs.gate(data, "new", "old", strict=True, **options)
        assert hs.gate(data, "new", "old", **options).rows[0].strict is None
    with pytest.raises(hs.HowsureError, match="sign test"):
        hs.gate(accuracy(450), accuracy(440), metric="accuracy", strict=True)
    with pytest.raises(hs.HowsureError, match="sign test"):
        hs.gate(accuracy(450), metric="accuracy", floor=0.8, strict=True)


def test_a_floor_is_for_the_candidate_alone() -> None:
    known = accuracy(480)
    law = known.of("accuracy").law
    made = hs.gate(known, metric="accuracy", floor=0.93)
    assert made.rows[0].p_pass == pytest.approx(law.prob(above=0.93))
    assert (made.mode, made.verdict, made.paired) == ("floor", "pass", None)
    assert hs.gate(known, metric="error_rate", floor=0.07).verdict == "pass"
    assert hs.gate(known, metric="error_rate", floor=0.02).verdict == "fail"
    assert hs.gate(cells(400, 30, 12, 58), "new", metric="recall@1", floor=0.5).verdict == "pass"
    assert "is above 0.93" in made.sentence
    assert "is below 0.07" in hs.gate(known, metric="error_rate", floor=0.07).sentence


def test_several_metrics_must_all_pass() -> None:
    data = cells(400, 40, 12, 48)
    made = hs.gate(data, "new", "old", metric=["accuracy", "recall@0", "recall@1"])
    assert {row.verdict for row in made.rows} == {"pass"}
    assert made.verdict == "pass"
    assert "all 3 metrics pass" in made.sentence
    assert any("a false alarm" in note for note in made.notes)
    rng = np.random.default_rng(0)
    truth = np.repeat([0, 1], 200)
    better = np.where(rng.random(400) < np.where(truth == 0, 0.99, 0.6), truth, 1 - truth)
    worse = np.where(rng.random(400) < 0.8, truth, 1 - truth)
    mixed = hs.gate(hs.Predictions(truth, {"n": better, "o": worse}), "n", "o", metric=["recall@0", "recall@1"])
    assert [row.verdict for row in mixed.rows] == ["pass", "fail"]
    assert mixed.verdict == "fail"
    assert "1 passes, 1 fails" in mixed.sentence
    assert gate_rule.together(["pass", "inconclusive"]) == "inconclusive"


@pytest.mark.parametrize(("ahead", "behind"), [(12, 7), (5, 9)])
def test_so_many_more_cases_settle_it_if_the_numbers_stay(ahead: int, behind: int) -> None:
    first = hs.gate(cells(150, ahead, behind, 20), "new", "old", metric="accuracy")
    n, more = first.cases[0], first.rows[0].more_cases
    assert first.verdict == "inconclusive"
    assert more is not None

    def again(times: float) -> str:
        grown = (round(x * times) for x in (150, ahead, behind, 20))
        return hs.gate(cells(*grown), "new", "old", metric="accuracy").verdict

    assert again((n + 1.3 * more) / n) != "inconclusive"
    assert again((n + 0.7 * more) / n) == "inconclusive"


GATES = [
    lambda: hs.gate(cells(400, 30, 12, 58), "new", "old", metric=["accuracy", "f1@macro"], draws=500),
    lambda: hs.gate(accuracy(440), accuracy(430), metric="accuracy", margin=0.01),
    lambda: hs.gate(accuracy(440), metric=["accuracy", "error_rate"], floor=0.5),
    lambda: hs.gate(accuracy(340), accuracy(430), metric="accuracy", mode="superiority"),
]


@pytest.mark.parametrize("make", GATES)
def test_every_gate_is_valid_json_of_its_schema(make: object) -> None:
    made = make()  # type: ignore[operator]
    data = json.loads(json.dumps(made.to_dict(), allow_nan=False))
    jsonschema.validate(data, SCHEMA)
    assert data["verdict"] == made.verdict
    for view in (str(made), made.to_markdown(), made._repr_html_()):
        assert "calibrated" in view
        assert "nan" not in view.lower().replace("finance", "")
    suite = ElementTree.fromstring(made.to_junit("fail"))
    assert int(suite.attrib["tests"]) == len(made.rows)
    failing = sum(row.verdict != "pass" for row in made.rows)
    assert int(suite.attrib["failures"]) == failing == len(suite.findall("testcase/failure"))


def test_assert_better() -> None:
    data = cells(400, 40, 12, 48)
    assert hs.assert_better(data, "new", "old", metric="accuracy").passed
    with pytest.raises(AssertionError, match=r"^Fail: old is not better than new in accuracy with probability"):
        hs.assert_better(data, "old", "new", metric="accuracy")
    even = cells(400, 12, 12, 48)
    with pytest.warns(InconclusiveWarning, match="Inconclusive: that new is better"):
        hs.assert_better(even, "new", "old", metric="accuracy")
    with pytest.raises(AssertionError, match="Inconclusive"):
        hs.assert_better(even, "new", "old", metric="accuracy", on_inconclusive="fail")
    assert hs.assert_better(even, "new", "old", metric="accuracy", on_inconclusive="pass").verdict == "inconclusive"
    assert hs.assert_better(even, "new", "old", metric="accuracy", margin=0.05, mode="non-inferiority").passed


@pytest.mark.parametrize(
    ("make", "sentence"),
    [
        (lambda: hs.gate(accuracy(4)), "needs a confusion matrix|two posteriors"),
        (lambda: hs.gate(floor=0.5), "not nothing"),
        (lambda: hs.gate(accuracy(4), accuracy(3), metric=[]), "needs a metric"),
        (lambda: hs.gate(accuracy(4), accuracy(3), metric="accuracy", mode="better"), "mode is 'non-inferiority'"),
        (lambda: hs.gate(accuracy(4), accuracy(3), metric="accuracy", margin=float("nan")), "margin is"),
        (lambda: hs.gate(accuracy(4), accuracy(3), metric="accuracy", min_prob=0.5), "min_prob is"),
        (lambda: hs.gate(accuracy(4), accuracy(3), metric="accuracy", mode="superiority", floor=0.5), "belongs to"),
        (lambda: hs.gate(accuracy(4), metric="accuracy", mode="floor", floor=0.9, margin=0.1), "no margin"),
        (lambda: hs.gate(cells(1, 1, 1, 1), "new", "olt", metric="accuracy"), "No classifier named"),
    ],
)
def test_hostile_input_gets_a_sentence(make: object, sentence: str) -> None:
    with pytest.raises(hs.HowsureError, match=sentence):
        make()  # type: ignore[operator]


def test_one_metric_that_fails_fails_the_gate_whatever_the_others_say() -> None:
    assert gate_rule.together(["inconclusive", "fail", "pass"]) == "fail"
    assert gate_rule.together(["pass", "inconclusive"]) == "inconclusive"
    assert gate_rule.together(["pass", "pass"]) == "pass"


TRUTH = ["cat"] * 40 + ["dog"] * 40

BOTH = hs.Predictions(TRUTH, {"new": TRUTH, "old": ["cat"] * 34 + ["dog"] * 46})

NEW, OLD = (hs.infer(BOTH.confusion(name)) for name in BOTH.names)


def test_a_floor_alone_may_be_asserted_and_shows_its_mean() -> None:
    made = hs.assert_better(NEW, floor=0.5, metric="accuracy")
    assert (made.mode, made.verdict) == ("floor", "pass")
    header = str(made).splitlines()[3].split()
    assert header.count("metric") == 1
    assert "mean" in header
    assert str(hs.gate(BOTH, "new", "old", metric="mcc").rows[0].threshold) == "0.0"


def test_a_probability_that_just_reaches_the_asked_one_decides() -> None:
    verdict = gate_rule.verdict
    assert (verdict(0.95, 0.05, 0.95), verdict(0.05, 0.95, 0.95)) == ("pass", "fail")
    below = np.nextafter(0.95, 0)
    assert (verdict(below, 1 - below, 0.95), verdict(1 - below, below, 0.95)) == ("inconclusive", "inconclusive")


def test_draws_cannot_make_a_gate_certain() -> None:
    truth = np.tile([0, 1, 2], 60)
    worse = np.where(np.arange(180) % 4 == 0, truth, (truth + 1) % 3)
    both = hs.Predictions(truth, {"good": truth, "bad": worse}, labels=range(3))
    for order in (("good", "bad"), ("bad", "good")):
        (row,) = hs.gate(both, *order, metric="mcc", draws=500).rows
        assert row.draws == 500
        assert {row.p_pass, row.p_fail} == {1 / 500, 1 - 1 / 500}


# -- where the prior would make the verdict of a gate, the gate is inconclusive, and says so --------------------------


def table(right: int, n: int, classes: int) -> hs.ConfusionMatrix:
    """Classes of n cases, of each so many right; the others are called the next class."""
    counts = np.eye(classes, dtype=int) * right
    return hs.ConfusionMatrix(counts + np.roll(np.eye(classes, dtype=int), 1, axis=1) * (n - right))


def equals(small: int = 20, large: int = 200, classes: int = 9, prior: str = "flat") -> list[hs.Posterior]:
    """Both 95% right in every class."""
    return [hs.infer(table(n * 19 // 20, n, classes), prior) for n in (small, large)]


@given(st.floats(-1, 1), st.floats(-1, 1))
def test_the_prior_decides_where_more_than_half_of_the_distance_is_its_own(distance: float, pull: float) -> None:
    """Two routes: the pull against the distance, and the observed distance against half of the mean's."""
    observed = distance - pull
    towards = np.sign(distance)
    if abs(pull - distance / 2) > 1e-9 and distance:
        assert prior_decides(distance, pull) == bool(towards * observed < abs(distance) / 2)


def test_equal_scores_on_test_sets_of_unlike_size_do_not_fail_the_gate() -> None:
    small, large = equals()
    made = hs.gate(small, large)
    row = made.rows[0]
    assert row.p_fail > 0.95
    assert (row.by_prior, row.verdict, made.verdict) == (True, "inconclusive", "inconclusive")
    assert row.difference is not None
    assert row.difference.observed == pytest.approx(0, abs=1e-12)
    # closed form: the mean of Beta(k + 1, n - k + 1)
    assert row.difference.mean == pytest.approx(20 / 22 - 191 / 202, abs=1e-12)
    assert "the flat prior makes more than half of what speaks for a verdict" in made.sentence
    assert "from 0.000 as observed to -0.036" in made.sentence
    assert "more cases would hardly settle it" in made.sentence
    jsonschema.validate(made.to_dict(), SCHEMA)
    assert made.to_dict()["metrics"][0]["by_prior"] is True
    turned = hs.gate(large, small)
    assert (turned.rows[0].by_prior, turned.verdict) == (True, "inconclusive")
    assert turned.rows[0].p_pass > 0.95
    error = hs.gate(small, large, metric="false_positive_rate@macro")
    assert error.verdict == "inconclusive"


def test_a_pair_is_never_decided_by_its_prior_without_a_margin() -> None:
    """The mean difference of a class is the observed one times n / (n + 4/3): nearer to 0, never beyond it."""
    both = hs.Predictions([0] * 6 + [1] * 30, {"A": [0] * 6 + [1] * 30, "B": [1] * 6 + [1] * 30})
    row = hs.gate(both, metric="recall@0").rows[0]
    assert row.difference is not None
    assert row.difference.mean == pytest.approx(6 / (6 + 4 / 3), abs=1e-12)
    assert (row.by_prior, row.verdict) == (False, "pass")


def test_a_floor_is_not_failed_by_the_prior() -> None:
    perfect = hs.infer(table(3, 3, 10), "flat")
    made = hs.gate(perfect, floor=0.95)
    row = made.rows[0]
    assert row.p_fail > 0.95
    assert (row.by_prior, made.verdict) == (True, "inconclusive")
    assert "it moves balanced_accuracy from 1.00 as observed to 0.80" in made.sentence
    assert row.more_cases is not None
    jsonschema.validate(made.to_dict(), SCHEMA)
    wrong = hs.gate(perfect, metric="error_rate", floor=0.05)
    assert not wrong.rows[0].by_prior


def test_further_cases_are_counted_without_the_pull() -> None:
    # sd 0.06 and a pull of -0.02 of 20 cases hide an observed 0.03
    assert cases_to_settle(0.03, [OneSet(20, 0.06, -0.02)], 0.95) == 230
    assert cases_to_settle(0.03, [OneSet(20, 0.06, 0.0)], 0.95) == 200
    # nothing observed, so nothing to settle: the pull alone would have been "settled"
    assert cases_to_settle(0.0, [OneSet(20, 0.01, -0.04)], 0.95) is None
    assert cases_to_settle(0.1, [OneSet(0, 0.1, 0.0)], 0.95) is None


# -- the shell lines of the documented workflow run as they stand -----------------------------------------------------

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
