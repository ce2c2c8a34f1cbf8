"""Our metric in evaluations that Inspect itself runs, on a model that is asked nothing; its logs, read by us."""

from __future__ import annotations

import importlib.util
import random
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from howsure.cli import main
from howsure.data.groups import ENOUGH_GROUPS
from howsure.errors import InvalidArgument, MissingExtra
from howsure.integrations import howsure_accuracy, inspect_metrics
from howsure.integrations.inspect_metrics import sentences_of
from howsure.io.logs import paired, read_log
from howsure.reporting.repeats import log_report

WITHOUT = importlib.util.find_spec("inspect_ai") is None


def scores(*values: tuple[str, object], passage: object = "p") -> list[object]:
    return [
        SimpleNamespace(sample_id=item, score=SimpleNamespace(value=value), sample_metadata={"passage": passage})
        for item, value in values
    ]


def computed(given: list[object], **options: Any) -> dict[str, float]:
    """What the metric makes of scores, without Inspect around it."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(inspect_metrics, "_register_hook", lambda: None)
        return inspect_metrics._metric(**options)(given)


@pytest.mark.skipif(not WITHOUT, reason="inspect_ai is installed here")
def test_without_inspect_the_extra_is_named() -> None:
    with pytest.raises(MissingExtra, match="the extra 'inspect'"):
        howsure_accuracy()


@pytest.mark.parametrize("options", [{"level": 1.5}])
def test_options_are_checked_when_the_task_is_made(options: dict[str, Any]) -> None:
    with pytest.raises(InvalidArgument):
        howsure_accuracy(**options)


def test_few_questions_are_about_these_again() -> None:
    found = computed(scores(*((f"q{i}", "C" if i % 3 else "I") for i in range(6) for _ in range(3))))
    assert list(found) == ["mean_of_these", "lower_of_these", "upper_of_these", "questions", "answers", "worth"]
    assert (found["questions"], found["answers"]) == (6, 18)
    metrics = {k: SimpleNamespace(name=k, group="howsure_accuracy", value=v, params={}) for k, v in found.items()}
    (sentence,) = sentences_of([SimpleNamespace(name="match", metrics=metrics)])
    assert "the accuracy on these questions again is" in sentence


def test_bad_input() -> None:
    assert all(value != value for value in computed([]).values())
    with pytest.raises(InvalidArgument, match=r"sample 'q1' holds the score 0\.5.*threshold="):
        computed(scores(("q1", 0.5)))
    assert computed(scores(("q1", 0.5), ("q2", 0.2)), threshold=0.5)["answers"] == 2
    with pytest.raises(InvalidArgument, match="no metadata 'story' to name its group; there are 'passage'"):
        computed(scores(("q1", "C")), group="story")
    with pytest.raises(InvalidArgument, match="no metadata 'passage'"):
        computed(scores(("q1", "C"), passage=float("nan")), group="passage")
    assert computed(scores(("q1", "C"), ("q2", float("nan"))))["answers"] == 1


# -- with Inspect itself --------------------------------------------------------------------------------------


def task(questions: int, seed: int, metrics: list[Any]) -> Any:
    inspect = pytest.importorskip("inspect_ai", reason="inspect_ai is not installed")
    from inspect_ai.dataset import Sample
    from inspect_ai.model import ModelOutput
    from inspect_ai.scorer import match
    from inspect_ai.solver import solver

    rates = [random.Random(i).betavariate(2, 1.2) for i in range(questions)]

    @solver
    def prepared() -> Any:
        async def solve(state: Any, generate: Any) -> Any:
            right = random.Random(f"{seed} {state.sample_id} {state.epoch}").random() < rates[int(state.sample_id[1:])]
            state.output = ModelOutput.from_content("none", "4" if right else "5")
            return state

        return solve

    samples = [
        Sample(id=f"q{i}", input="2+2?", target="4", metadata={"passage": f"p{i // 4}"}) for i in range(questions)
    ]
    return inspect.Task(dataset=samples, solver=prepared(), scorer=match(), metrics=metrics)


def run(made: Any, folder: Path, **options: Any) -> Any:
    import inspect_ai

    (log,) = inspect_ai.eval(made, model="mockllm/model", log_dir=str(folder), display="none", **options)
    assert log.status == "success", log.error
    return log


@pytest.mark.inspect
def test_a_log_of_five_epochs_says_the_same_in_inspect_and_here(tmp_path: Path) -> None:
    scorer = pytest.importorskip("inspect_ai.scorer", reason="inspect_ai is not installed")
    from inspect_ai.log import read_eval_log

    asked = [scorer.stderr(), howsure_accuracy(), howsure_accuracy(level=0.9, group="passage")]
    log = run(task(40, 1, asked), tmp_path, epochs=5)
    found: dict[str, dict[str, float]] = {}
    for score in log.results.scores:
        for metric in score.metrics.values():
            found.setdefault(repr(metric.params) if metric.group else metric.name, {})[metric.name] = metric.value
    made = log_report(read_log(log.location.removeprefix("file://")))
    assert found["{}"]["mean"] == pytest.approx(made.answer.mean, rel=1e-9)
    assert found["{}"]["lower"] == pytest.approx(made.answer.low, rel=1e-6)
    assert found["{}"]["upper"] == pytest.approx(made.answer.high, rel=1e-6)
    assert (found["{}"]["questions"], found["{}"]["answers"]) == (made.items, made.n) == (40, 200)
    assert made.clustered_error == pytest.approx(found["stderr"]["stderr"], rel=1e-9)
    by_passage = log_report(read_log(log.location.removeprefix("file://"), group="passage"), level=0.9)
    (other,) = (numbers for key, numbers in found.items() if "passage" in key)
    assert (other["groups"], other["lower"]) == (10, pytest.approx(by_passage.answer.low, rel=1e-6))
    # the viewer shows the metadata of a log
    back = read_eval_log(log.location)
    assert len(back.samples) == 200
    assert back.metadata["howsure"].startswith("match: the accuracy on new questions is ")
    assert "on new groups is " in back.metadata["howsure"]
    assert "90% HDI" in back.metadata["howsure"]


@pytest.mark.inspect
def test_inspect_finds_the_metric_by_its_entry_point() -> None:
    pytest.importorskip("inspect_ai", reason="inspect_ai is not installed")
    from importlib.metadata import entry_points

    (entry,) = (each for each in entry_points(group="inspect_ai") if each.name == "howsure")
    assert entry.load().__name__ == entry.value
    from inspect_ai.scorer._metric import metric_create

    assert metric_create("howsure/howsure_accuracy", level=0.8)


@pytest.mark.inspect
def test_a_log_without_the_metric_is_left_alone_and_few_questions_are_these(tmp_path: Path) -> None:
    scorer = pytest.importorskip("inspect_ai.scorer", reason="inspect_ai is not installed")
    few = run(task(ENOUGH_GROUPS - 1, 3, [howsure_accuracy()]), tmp_path, epochs=3)
    assert "mean_of_these" in few.results.scores[0].metrics
    plain = run(task(10, 3, [scorer.accuracy()]), tmp_path, epochs=2)
    assert "howsure" not in plain.metadata


@pytest.mark.inspect
def test_two_logs_of_inspect_are_compared_gated_and_ranked(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    scorer = pytest.importorskip("inspect_ai.scorer", reason="inspect_ai is not installed")
    files = []
    for seed in (4, 5, 6):
        log = run(task(20, seed, [scorer.accuracy()]), tmp_path / str(seed), epochs=5)
        files.append(log.location.removeprefix("file://"))
    both = paired({str(i): read_log(file) for i, file in enumerate(files)})
    assert (both.n, len(set(both.group.tolist() if both.group is not None else ()))) == (100, 20)
    capsys.readouterr()
    for command in (
        ["compare", *files[:2]],
        ["gate", "--candidate", files[0], "--baseline", files[1]],
        ["rank", *files],
    ):
        assert main(command) in (0, 1, 3)
        said = capsys.readouterr().out
        assert "accuracy" in said
        assert "Groups: the 20 questions" in said
