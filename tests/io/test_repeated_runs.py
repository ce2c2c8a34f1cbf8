"""Files of items that were tried several times, and the command that reads them."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest

from howsure.cli import main
from howsure.data.repeats import Repeats
from howsure.errors import HowsureError
from howsure.io.logs.log import read_repeats

LONG = "item,epoch,correct\na,1,true\na,2,false\nb,1,true\nb,2,true\nc,2,false\nc,1,false\n"
WIDE = "task,1,2\na,1,0\nb,1,1\nc,0,0\n"
SIDES = "question,seed,true,pred\na,1,x,x\na,2,x,y\nb,1,y,y\nb,2,y,y\nc,1,x,y\nc,2,x,y\n"
BARE = "id,score\na,1\nb,1\na,0\nb,1\nc,0\nc,0\n"
LINES = "".join(json.dumps({"item": i, "run": r, "score": s}) + "\n" for i, r, s in
                [("a", 1, 1), ("a", 2, 0), ("b", 1, True), ("b", 2, 1.0), ("c", 1, 0), ("c", 2, False)])  # fmt: skip

Written = Callable[..., str]


@pytest.fixture
def written(tmp_path: Path) -> Written:
    """Write a file and give its path."""

    def make(text: str, name: str = "runs.csv") -> str:
        path = tmp_path / name
        path.write_text(text, encoding="utf-8")
        return str(path)

    return make


@pytest.mark.parametrize("text", [LONG, WIDE, SIDES, BARE, LINES, LONG.replace(",", ";"), LONG.replace(",", "\t")])
def test_every_form_is_the_same_runs(written: Written, text: str) -> None:
    made = read_repeats(written(text, "runs.jsonl" if text is LINES else "runs.csv"))
    assert made.items == ("a", "b", "c")
    assert made.answers.tolist() == [[1, 0], [1, 1], [0, 0]]
    assert any("which run" in note for note in made.notes) == (text is BARE)


def test_a_frame_and_parquet_are_read_alike(tmp_path: Path) -> None:
    frame = pd.DataFrame({"item": list("aabb"), "run": [1, 2, 1, 2], "score": [0.5, 1, 0, np.nan]})
    made = read_repeats(frame, missing="exclude")
    assert made.counts.tolist() == [[0, 1, 1], [1, 0, 0]]
    frame.to_parquet(tmp_path / "runs.parquet")
    assert read_repeats(str(tmp_path / "runs.parquet"), missing="exclude").to_dict() == made.to_dict()


def test_a_log_with_epochs(tmp_path: Path) -> None:
    made = read_repeats(str(Path(__file__).parents[1] / "reference" / "inspect.eval"))
    assert isinstance(made, Repeats)
    assert made.n >= len(made.items)


@pytest.mark.parametrize(
    ("text", "options", "sentence"),
    [
        ("item,run,correct\na,1,1\na,1,0\n", {}, "the item 'a' comes twice, in run '1' (line 2"),
        ("item,run,correct\na,1,1\n,2,0\n", {}, "line 3: the item of a row is missing; fill it"),
        ("item,run,correct\na,1,1\na,2,\n", {}, "1 run without a score (first: item 'a', run"),
        ("item,run,correct\na,1,<b>\n", {}, "holds '<b>', and a number, or right or wrong"),
        ("item,run,correct\na,1,inf\n", {}, "holds inf, and a number"),
        ("item,run,note\na,1,x\n", {}, "--field names the column"),
        ("x,y\n1,2\n", {}, "right and wrong has the columns item"),
        ("item,epoch,run,correct\na,1,1,1\na,2,2,1\n", {}, "there are several columns that may be the run:"),
        ("item,run,correct\na,1,1\n", {"item": "q"}, "no column 'q'; there are 'item', 'run',"),
        ("item,1,2\na,1,0\na,1,1\n", {}, "line 3: the item 'a' comes twice, in run '1'"),
        ("item,run,correct\n", {}, "there is a header and no row below it"),
        ("item,run,correct\na,1\n", {}, "line 2: 2 cells"),
        ('{"matrix": [[1, 0], [0, 1]]}', {}, "no answers of single items in it; it has 'matrix'"),
        (
            "item,model,correct\na,llama,1\na,mistral,0\n",
            {},
            "the answers of 2 models, 'llama', 'mistral', which are not runs",
        ),
        ("id,run,Classifier,score\na,1,x,1\na,2,y,0\n", {}, "compare them with howsure log"),
    ],
)
def test_what_cannot_be_read_is_said(written: Written, text: str, options: dict[str, Any], sentence: str) -> None:
    with pytest.raises(HowsureError) as caught:
        read_repeats(written(text), **options)
    assert sentence in str(caught.value)


def test_one_model_may_be_named_and_columns_that_may_be_models_are_told(written: Written) -> None:
    assert read_repeats(written("item,model,correct\na,llama,1\na,llama,0\n")).answers.tolist() == [[1, 0]]
    assert read_repeats(written("item,run,model\na,1,1\na,2,0\n"), score="model").answers.tolist() == [[1, 0]]
    with pytest.raises(HowsureError, match="compare them with howsure log; columns of runs are called run_1, run_2"):
        read_repeats(written("item,llama,mistral\na,1,0\n"))
    assert not any("model" in note for note in read_repeats(written(WIDE)).notes)


# -- the command ----------------------------------------------------------------------------------------------------


def runs_of(items: int, runs: int, gap: bool = False) -> str:
    rng = np.random.default_rng(items)
    rates = rng.beta(3, 1, items)
    rows = [f"q{i},{r},{int(rng.random() < rates[i])}" for i in range(items) for r in range(runs)]
    return "item,run,correct\n" + "\n".join(rows[1:] if gap else rows) + "\n"


@pytest.mark.full
def test_the_command_answers_both_questions(written: Written, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["repeats", written(runs_of(20, 4, gap=True)), "--k", "2", "--k", "4"]) == 0
    out = capsys.readouterr().out
    assert "new items" in out
    assert "new runs of the same items" in out
    assert all(name in out for name in ("mean_score", "pass@2", "pass^4"))
    assert "1 item has fewer than 4 runs" in out
    assert "1 of 20 items was left out by some run" in out
    assert "20 items, 3 to 4 runs of each, 79 in all" in out


@pytest.mark.sweep(4, full=5)
@pytest.mark.parametrize(
    ("options", "sentence"),
    [
        (["--k", "9"], "no item has more than 2"),
        (["--k", "0"], "a number of runs, 1 or more"),
        (["--outcomes", "a,b"], "--outcomes are numbers"),
        (["--groups", "new"], "below 5 nothing but the prior says"),
        (["-o", "x.png"], "no picture"),
    ],
)
def test_bad_options_are_said(
    written: Written, capsys: pytest.CaptureFixture[str], options: list[str], sentence: str
) -> None:
    assert main(["repeats", written(LONG), *options]) == 2
    assert sentence in capsys.readouterr().err


@pytest.mark.deep
def test_a_hundred_thousand_items(written: Written, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["repeats", written(runs_of(100_000, 2))]) == 0
    assert "100,000 items, 2 runs of each" in capsys.readouterr().out
