"""Logs of several epochs: the question is the unit, through every door, and nothing is lost silently."""

from __future__ import annotations

import json
import random
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.conftest import tries

import howsure as hs
from howsure.cli import main
from howsure.errors import InvalidArgument, InvalidFile, InvalidLabels, NoInformation
from howsure.io.logs import Outcomes, paired, read_log
from howsure.io.logs.log import log_alone
from howsure.laws import GroupMeans
from howsure.numerics.populations.groups import PopulationMean
from howsure.reporting.repeats import log_report

EPOCHS = 5


def inspect_log(
    path: Path,
    seed: int,
    questions: int = 24,
    epochs: Iterable[int] = range(1, EPOCHS + 1),
    *,
    left_out: Iterable[tuple[int, int]] = (),
    better: float = 0.0,
    values: dict[tuple[int, int], object] | None = None,
) -> Path:
    """What Inspect writes, as far as it is read."""
    rates = [random.Random(i).betavariate(2, 1.2) for i in range(questions)]
    draw = random.Random(seed)
    samples = [
        {
            "id": f"q{i}",
            "epoch": epoch,
            "metadata": {"passage": f"p{i // 4}", "notes": {"a": 1}},
            "scores": {
                "match": {"value": (values or {}).get((i, epoch), "C" if draw.random() < rates[i] + better else "I")}
            },
        }
        for epoch in epochs
        for i in range(questions)
        if (i, epoch) not in set(left_out)
    ]
    path.write_text(json.dumps({"version": 2, "status": "success", "eval": {"task": "t"}, "samples": samples}))
    return path


def harness_lines(path: Path, rows: list[dict[str, Any]]) -> Path:
    whole = [{"filter": "none", "metrics": ["acc"], "resps": [], **row} for row in rows]
    path.write_text("".join(json.dumps(row) + "\n" for row in whole))
    return path


# -- one log --------------------------------------------------------------------------------------------------


@pytest.mark.full
def test_the_accuracy_of_new_questions_leads_and_that_of_these_stands_beside_it(tmp_path: Path) -> None:
    log = read_log(inspect_log(tmp_path / "a.json", 1))
    assert (log.n, log.distinct, log.independent) == (120, 24, 24)
    assert log.units == "groups: the 24 questions, each answered in 5 epochs"
    made = log_report(log)
    new, these = made.rows[:2]
    assert (made.about, new.about, these.about) == ("new", "new", "these")
    # another way: the population of the rates, and the rates of these items
    table = np.zeros((24, EPOCHS))
    for item, epoch, right in zip(log.items, log.epochs, log.right.tolist(), strict=True):
        table[int(item[1:]), int(epoch) - 1] = right
    population = PopulationMean(table.sum(axis=1).astype(int), np.full(24, EPOCHS))
    assert new.mean == pytest.approx(GroupMeans([(population, 1.0)]).mean, rel=1e-9)
    assert these.mean == pytest.approx(hs.infer(log.repeats, groups="these").of("mean_score").mean)
    assert made.clustered_error == pytest.approx(table.mean(axis=1).std(ddof=1) / np.sqrt(24), rel=1e-12)
    assert 24 < made.effective_n < 120


@pytest.mark.parametrize(
    ("questions", "leads", "has_other"), [(8, "new", True), (7, "these", True), (4, "these", False)]
)
def test_which_question_leads(tmp_path: Path, questions: int, leads: str, has_other: bool) -> None:
    made = log_report(read_log(inspect_log(tmp_path / "a.json", 1, questions)))
    assert made.about == leads
    assert (made.rows[1].mean is not None) == has_other
    assert ("below 5 nothing but the prior" in str(made)) == (questions < 5)


def test_too_few_questions_have_no_new_ones(tmp_path: Path) -> None:
    log = read_log(inspect_log(tmp_path / "a.json", 1, 4))
    with pytest.raises(NoInformation, match="below 5"):
        log_report(log, groups="new")


def test_one_question_in_many_epochs(tmp_path: Path) -> None:
    made = log_report(read_log(inspect_log(tmp_path / "a.json", 1, 1, range(1, 21))))
    assert (made.items, made.about) == (1, "these")
    assert "1 item, 20 runs of each" in str(made)


@pytest.mark.full
def test_several_tries(tmp_path: Path) -> None:
    log = read_log(inspect_log(tmp_path / "a.json", 1))
    made = log_report(log, tries=[EPOCHS])
    right = np.array(
        [sum(r for i, r in zip(log.items, log.right.tolist(), strict=True) if i == f"q{q}") for q in range(24)]
    )
    rows = [each for each in made.rows if each.about == "new"][1:]
    assert [each.metric for each in rows] == ["pass@5", "pass^5"]
    assert [each.observed for each in rows] == pytest.approx([(right > 0).mean(), (right == EPOCHS).mean()])
    assert all(each.low < each.mean < each.high for each in rows)
    with pytest.raises(InvalidArgument, match="up to 5"):
        log_report(log, tries=[6])
    with pytest.raises(InvalidArgument, match="runs are of items"):
        log_report(read_log(tmp_path / "a.json", group="passage"), tries=[2])


def test_passages_may_be_the_unit(tmp_path: Path) -> None:
    path = inspect_log(tmp_path / "a.json", 1, 40)
    log = read_log(path, group="passage")
    assert (log.independent, log.grouped_by) == (10, "passage")
    assert log.units == "groups: the 10 values of 'passage', with 40 questions, each answered in 5 epochs"
    made = log_report(log)
    assert (made.about, made.items, made.noun) == ("new", 10, "group")
    assert "the accuracy on new groups is" in made.verdict
    with pytest.raises(InvalidFile, match=r"'q0' \(sample 1\) has no 'story' to name its group; there are 'passage'"):
        read_log(path, group="story")
    with pytest.raises(InvalidFile, match="has no 'notes'"):  # no name, but an object
        read_log(path, group="notes")


def test_missing_answers_are_counted(tmp_path: Path) -> None:
    path = inspect_log(
        tmp_path / "a.json", 1, left_out=[(3, 2), (4, 2), (5, 5)], values={(0, 1): float("nan"), (1, 1): None}
    )
    log = read_log(path)
    assert log.n == 115
    assert log.notes == (
        "Set aside: 2 of 117 answers that were not scored.",
        "Missing: 3 of the 120 answers that 24 items in 5 epochs would have (2 in epoch 2, 1 in epoch 5).",
    )
    assert log.units == "groups: the 24 questions, each answered 4 to 5 times"


@pytest.mark.parametrize(
    ("values", "complaint"),
    [
        ({(2, 3): "half"}, r"'match' of 'q2' \(sample 51\) holds 'half', and a number, or right or wrong"),
        ({(2, 3): {"a": 1}}, "there are several scores of each answer:"),
        (
            dict.fromkeys(((i, e) for i in range(24) for e in range(1, 6)), float("nan")),
            "none of 120 answers was scored",
        ),
    ],
)
def test_scores_that_are_none(tmp_path: Path, values: dict[tuple[int, int], object], complaint: str) -> None:
    with pytest.raises(InvalidFile, match=complaint):
        read_log(inspect_log(tmp_path / "a.json", 1, values=values))


def test_no_items(tmp_path: Path) -> None:
    with pytest.raises(InvalidFile, match="the log holds none and no samples; was it cut"):
        read_log(inspect_log(tmp_path / "a.json", 1, 0))


def test_an_epoch_twice_is_two_runs_in_one_file(tmp_path: Path) -> None:
    with pytest.raises(InvalidFile, match="the item 'q0' comes twice"):
        read_log(inspect_log(tmp_path / "a.json", 1, epochs=[1, 1]))


@settings(max_examples=tries(60))
@given(st.lists(st.tuples(st.integers(0, 6), st.booleans()), min_size=1, max_size=40))
def test_answers_are_counted_whatever_their_order(answers: list[tuple[int, bool]]) -> None:
    log = Outcomes([str(i) for i, _ in answers], [right for _, right in answers])
    assert (log.confusion.n, int(log.confusion.correct.sum())) == (log.n, log.correct)
    assert log.distinct <= log.independent if log.group is None else log.distinct == log.independent
    assert log.repeats.n == log.n
    assert sum(log.repeats.right.tolist()) == log.correct
    assert len(set(zip(log.items, log.epochs, strict=True))) == log.n


def test_records_that_contradict_themselves() -> None:
    with pytest.raises(InvalidLabels, match="item 'a' has two answers in epoch '1'"):
        Outcomes(["a", "a"], [True, False], epochs=[1, 1])
    with pytest.raises(InvalidLabels, match="item 'a' is in two groups, 'x' and 'y'"):
        Outcomes(["a", "a"], [True, False], group=["x", "y"])
    with pytest.raises(InvalidLabels, match="2 items and 1 epochs"):
        Outcomes(["a", "b"], [True, False], epochs=[1])


# -- several logs ---------------------------------------------------------------------------------------------


def test_a_pair_is_about_new_questions(tmp_path: Path) -> None:
    logs = {str(seed): read_log(inspect_log(tmp_path / f"{seed}.json", seed)) for seed in (1, 2)}
    both = paired(logs)
    assert both.n == 120
    assert both.group is not None
    assert len(set(both.group.tolist())) == 24
    made = hs.compare(both)
    assert made.metric == "accuracy"
    assert "about new groups" in str(made)
    assert both.notes == ("Groups: the 24 questions; epochs of a question are paired by their numbers.",)
    # nothing moves if the answers stand in another order
    order = np.random.default_rng(1).permutation(120)
    log = logs["2"]
    other = Outcomes(
        [log.items[i] for i in order], log.right[order], epochs=[log.epochs[i] for i in order], metric="match"
    )
    assert hs.compare(paired({"1": logs["1"], "2": other})).difference.mean == made.difference.mean


@pytest.mark.sweep(2, full=4)
@pytest.mark.parametrize("command", ["compare", "gate", "rank", "log"])
def test_every_door_says_the_number_of_units(tmp_path: Path, command: str, capsys: pytest.CaptureFixture[str]) -> None:
    files = [str(inspect_log(tmp_path / f"{name}.json", i, better=0.1 * i)) for i, name in enumerate("abc")]
    asked = {
        "compare": ["compare", *files[:2]],
        "gate": ["gate", "--candidate", files[1], "--baseline", files[0]],
        "rank": ["rank", *files],
        "log": ["log", *files],
    }[command]
    assert main(asked) in (0, 1, 3)
    said = capsys.readouterr().out
    assert "accuracy" in said
    assert "Groups: the 24 questions; epochs of a question are paired by their numbers." in said


def test_a_floor_of_a_log_is_about_new_questions(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = str(inspect_log(tmp_path / "a.json", 1))
    assert main(["gate", "--candidate", path, "--floor", "0.3", "--json"]) == 0
    data = json.loads(capsys.readouterr().out)
    assert data["verdict"] == "pass"
    assert data["metrics"][0]["metric"] == "accuracy"
    whole, parts = log_alone(path, None), log_alone(path, None, "passage")
    assert whole is not None
    assert parts is not None
    assert [len(it.confusion.groups or ()) for it in (whole, parts)] == [24, 6]
    few = str(inspect_log(tmp_path / "few.json", 1, 6))
    assert main(["gate", "--candidate", few, "--floor", "0.1"]) == 3
    assert "the cases come from 6 groups" in capsys.readouterr().out


def test_the_score_and_its_filter_are_named_as_the_harness_does(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    files = []
    for name, step in (("a", 3), ("b", 4)):
        rows = [
            {"doc_id": i, "doc_hash": f"h{i}", "acc": (i % step > 0) if kind == "strict" else True, "filter": kind}
            for i in range(30)
            for kind in ("strict", "flexible")
        ]
        files.append(str(harness_lines(tmp_path / f"{name}.jsonl", rows)))
    assert main(["compare", *files]) == 2
    assert "Choose one: --pred METRIC,strict." in capsys.readouterr().err
    assert main(["compare", *files, "--pred", "acc,strict", "--json"]) == 0
    data = json.loads(capsys.readouterr().out)
    assert data["metric"] == "accuracy"


@pytest.mark.parametrize(
    ("more", "complaint"),
    [
        (["-m", "f1"], "their metric is accuracy or error_rate, not f1"),
        (["--labels", "a,b"], "and --labels cannot be combined"),
        (["--pred", "match", "--pred", "other"], "howsure: there are several scores: 'match',"),
        (["--pred", "other"], "no metric 'other'; there are 'match'"),
        (["--group", "story"], "has no 'story' to name its group"),
    ],
)
def test_options_that_logs_do_not_have(
    tmp_path: Path, more: list[str], complaint: str, capsys: pytest.CaptureFixture[str]
) -> None:
    files = [str(inspect_log(tmp_path / f"{name}.json", i)) for i, name in enumerate("ab")]
    assert main(["compare", *files, *more]) == 2
    assert complaint in capsys.readouterr().err


def test_files_that_do_not_go_together(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    log, table = str(inspect_log(tmp_path / "a.json", 1)), tmp_path / "t.csv"
    table.write_text("id,y_true,y_pred\n1,a,a\n2,b,a\n")
    assert main(["compare", log, str(table)]) == 2
    assert "it is not a log of an evaluation" in capsys.readouterr().err
    assert main(["compare", log, log]) == 2
    assert "comes twice" in capsys.readouterr().err
    assert main(["gate", "--candidate", log, "--baseline", str(tmp_path / "b.json"), "--update-baseline"]) == 2
    assert "keep the candidate's log as the baseline" in capsys.readouterr().err


def test_other_metrics_are_refused_in_the_library_too() -> None:
    logs = {
        name: Outcomes([str(i) for i in range(20)], [i % step > 0 for i in range(20)])
        for name, step in (("a", 3), ("b", 4))
    }
    both = paired(logs)
    assert hs.compare(both).metric == hs.rank(both).metric == "accuracy"
    for asked in (hs.compare, hs.rank, hs.gate):
        with pytest.raises(InvalidArgument, match="logs say which answers are right"):
            asked(both, *(("a", "b") if asked is hs.gate else ()), metric="f1")
