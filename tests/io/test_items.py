"""Items with scores, and runs that were repeated."""

from __future__ import annotations

import io
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest
from tests.io.forms import kind_of

from howsure.cli import main
from howsure.data.repeats import Repeats
from howsure.errors import HowsureError, InvalidFile
from howsure.io.items import looks_like_items, read_items
from howsure.io.logs.log import read_repeats
from howsure.knowledge.protocol import Of

REAL = Path(__file__).parents[1] / "reference"


def text(*rows: str) -> io.StringIO:
    return io.StringIO("\n".join(rows) + "\n")


def test_numerators_and_denominators_counts_labels_and_bleu() -> None:
    speech = read_items(text("utterance_id,errors,words", "a,1,7", "b,0,12", "c,3,0"))
    assert speech.metrics[0] == "wer"
    assert speech.observed(Of("wer")) == pytest.approx(4 / 19)
    assert speech.notes == ("1 item with a denominator of 0: what is counted there stays in the sum.",)
    spans = read_items(text("item,label,tp,fp,fn", "d1,PER,2,0,1", "d1,LOC,1,1,0", "d2,PER,1,0,0"))
    assert spans.labels == ("PER", "LOC")
    assert spans.observed(Of("f1@micro")) == pytest.approx(8 / 10)
    tags = read_items(text("id,y_true,pred_a,pred_b", "1,cat|dog,cat,cat|dog", "2,dog,dog,", "3,,cat,"))
    assert tags.names == ("a", "b")
    assert tags.observed(Of("recall@micro", "a")) == pytest.approx(2 / 3)
    assert tags.observed(Of("exact_match", "b")) == pytest.approx(2 / 3)
    head = (
        "item,"
        + ",".join([*(f"match{n}" for n in range(1, 5)), *(f"total{n}" for n in range(1, 5))])
        + ",hyp_len,ref_len"
    )
    counts = read_items(text(head, "1,4,3,2,1,4,3,2,1,4,8", "2,4,3,2,1,4,3,2,1,4,8"))
    assert counts.observed(Of("bleu")) == pytest.approx(100 * np.exp(-1))


def test_two_files_are_two_systems_paired_by_item(tmp_path: Path) -> None:
    for name, more in (("new", 1), ("old", 0)):
        rows = [f"{i},{i % 3 + more}" for i in (range(8) if more else reversed(range(8)))]
        (tmp_path / f"{name}.csv").write_text("item,score\n" + "\n".join(rows) + "\n", encoding="utf-8")
    read = read_items(tmp_path / "new.csv", tmp_path / "old.csv", range=(0, 5))
    assert read.names == ("new", "old")
    assert (read.scores("new") - read.scores("old")).tolist() == [1.0] * 8


def test_logs_whose_scores_are_not_0_and_1(tmp_path: Path) -> None:
    rows: list[dict[str, Any]] = [
        {"testIdx": i, "promptIdx": 0, "provider": {"id": name}, "score": score, "success": True, "vars": {}}
        for name, scores in (("gpt", [0.2, 0.9]), ("llama", [0.4, 0.5])) for i, score in enumerate(scores)
    ]  # fmt: skip
    path = tmp_path / "promptfoo.json"
    path.write_text(json.dumps({"results": {"version": 3, "results": rows}}), encoding="utf-8")
    read = read_items(path)  # the score, and not what passed
    assert read.names == ("gpt", "llama")
    assert read.scores("gpt").tolist() == [0.2, 0.9]
    assert looks_like_items(str(path))


def promptfoo(score: float, test: int, prompt: int, vary: int, failure: int = 0) -> dict[str, Any]:
    return {
        "testIdx": test, "promptIdx": prompt, "provider": {"id": f"openai:{'ab'[prompt]}", "label": ""}, "score": score,
        "success": score == 1, "failureReason": failure, "vars": {"q": vary}, "namedScores": {"tone": 2 + score},
        "gradingResult": {"pass": score == 1, "score": score, "namedScores": {"tone": 2 + score}},
    }  # fmt: skip


def test_promptfoo_repeats_are_runs_errors_have_no_score_and_named_scores_are_known(tmp_path: Path) -> None:
    path = tmp_path / "promptfoo.json"
    rows = [promptfoo(0.25 * ((i + p) % 5), i, p, i % 3) for i in range(6) for p in range(2)]
    summary = [{"label": "p", "provider": "openai:a", "metrics": {"score": 1.2}}]
    path.write_text(json.dumps({"evalId": "e", "results": {"version": 3, "prompts": summary, "results": rows}}))
    read = read_items(path, score="tone")
    assert (read.names, read.size(), read.runs is not None) == (("openai:a", "openai:b"), 3, True)
    assert read.scores("openai:a").tolist() == [2.375, 2.625, 2.25]
    rows[0]["failureReason"] = 2
    path.write_text(json.dumps({"results": {"results": rows}}))
    with pytest.raises(InvalidFile, match="without a score"):
        read_items(path)


def test_scores_of_deepeval_are_those_of_its_test_cases() -> None:
    path = REAL / "deepeval_sample.json"
    assert looks_like_items(str(path))
    with pytest.raises(InvalidFile, match="'Answer Relevancy', 'Faithfulness'") as refusal:
        read_items(path)
    assert refusal.value.kind == "choose"
    assert read_items(path, score="Faithfulness").scores().tolist() == [0.45]


def test_events_of_openai_evals_tables_of_mlflow_and_names_of_langfuse(tmp_path: Path) -> None:
    events = [{"spec": {"eval_name": "x", "run_config": {}}, "run_id": "1"}]
    events += [{"sample_id": f"s{i}", "type": "sampling", "data": {"prompt": []}} for i in range(3)]
    events += [{"sample_id": f"s{i}", "type": "metrics", "data": {"f1_score": i / 4, "em": 0}} for i in range(3)]
    path = tmp_path / "events.jsonl"
    path.write_text("\n".join(map(json.dumps, [*events, {"final_report": {"f1_score": 0.25}}])) + "\n")
    assert looks_like_items(str(path))
    assert read_items(path, score="f1_score").scores().tolist() == [0, 0.25, 0.5]
    columns = ["inputs", "ground_truth", "outputs", "similarity/v1/score", "toxicity/v1/score"]
    path = tmp_path / "eval_results_table.json"
    path.write_text(json.dumps({"columns": columns, "data": [[f"q{i}", "a", "b", i, 0.5] for i in range(3)]}))
    assert looks_like_items(str(path))
    assert read_items(path, score="similarity").scores().tolist() == [0, 1, 2]
    rows = [f"a{i}{n},t{i},{n},{i / 4 + (n == 'tone')},NUMERIC" for i in range(3) for n in ("help", "tone")]
    langfuse = text("id,traceId,name,value,dataType", *rows)
    assert read_items(langfuse, score="tone").scores().tolist() == [1, 1.25, 1.5]
    spans = text(
        "id,span_id,root_span_id,input,expected,scores.Fact", *(f"{i}x,{i}y,{i}y,q{i},e,0.5" for i in range(3))
    )
    assert read_items(spans).items == ("q0", "q1", "q2")


@pytest.mark.parametrize("measures", [("map", "ndcg_cut_10"), ("map",)])
def test_trec_eval_and_ir_measures_have_no_header(tmp_path: Path, measures: tuple[str, ...]) -> None:
    path = tmp_path / "run.txt"
    lines = [f"{m:22}\t{q}\t{q / 1000:.4f}" for q in (301, 302, 303) for m in measures]
    path.write_text("\n".join(["runid\tall\tbm25", *lines, *(f"{m}\tall\t0.3" for m in measures)]) + "\n")
    assert looks_like_items(str(path))
    read = read_items(path, score="map")
    assert (read.items, read.scores().tolist()) == (("301", "302", "303"), [0.301, 0.302, 0.303])
    assert read.measured("mean").limits == (0, 1)
    other = read_items(text(*(f"{q}\tnDCG@10\t0.{q}" for q in (11, 12, 13))))
    assert (other.items, other.measured("mean").called) == (("11", "12", "13"), "mean of nDCG@10")


def test_wer_of_edits_and_of_each_utterance() -> None:
    rows = ("u1,8,1,1,0", "u2,10,0,0,2", "u3,5,0,0,0")
    words = read_items(text("utterance_id,hits,substitutions,deletions,insertions", *rows))
    assert (words.items[0], words.observed(Of("wer"))) == ("u1", pytest.approx(4 / 25))
    each = read_items(text("utterance_id,reference,hypothesis,wer", "u1,a,b,1.5", "u2,a,a,0"))
    assert (each.observed(Of("mean")), each.measured("mean").better) == (0.75, "lower")
    assert "is not the wer of all words" in each.notes[1]
    two = read_items(text("id,system,errors,ref_words", "u1,x,1,4", "u1,y,2,4", "u2,x,0,4", "u2,y,1,4"))
    assert (two.names, two.observed(Of("wer", "y"))) == (("x", "y"), 3 / 8)


def test_labels_in_other_forms(tmp_path: Path) -> None:
    truth, answers = [["a", "b"], ["b"], [], ["a"]], [["a"], ["b"], ["b"], ["a"]]
    semicolons = text(
        "id,true,pred",
        *(f"{i},{';'.join(t)},{';'.join(p)}" for i, (t, p) in enumerate(zip(truth, answers, strict=True))),
    )
    marks = text("id,true_a,true_b,pred_a,pred_b", *(
        ",".join([str(i), *(str(int(label in of)) for of in both for label in "ab")])
        for i, both in enumerate(zip(truth, answers, strict=True))
    ))  # fmt: skip
    path = tmp_path / "labels.jsonl"
    rows = [{"id": i, "true": t, "pred": p} for i, (t, p) in enumerate(zip(truth, answers, strict=True))]
    path.write_text("\n".join(map(json.dumps, rows)) + "\n")
    assert looks_like_items(str(path))
    for read in (read_items(semicolons), read_items(marks), read_items(path)):
        assert read.labels == ("a", "b")
        assert read.observed(Of("f1@micro")) == pytest.approx(6 / 8)
    comment = text("id,true,pred,comment", "1,a,a,x | y", "2,b,a,z")
    with pytest.raises(HowsureError):  # a sign in another column makes no labels
        read_items(comment)


BAD = [
    (("item,score", "a,3", "b,"), {}, "1 row without a score (first: row 2, item 'b')"),
    (("item,score", "a,3", "b,good"), {}, "numbers_and_words"),
    (("item,score", "a,3", "b,7"), {"range": (1, 5)}, "the score of item 'b' (row 2) is 7, outside the range 1 to 5"),
    (("item,score", "a,3", "b,inf"), {}, "inf"),
    (("item,errors,words", "a,1,x", "b,1,2"), {}, "not_a"),
    (("item,errors,words", "a,1,0", "b,1,0"), {}, "the denominators add up to zero"),
    (("item,model,score", "a,x,3", "b,x,4", "a,y,3"), {}, "1 item of 2 are not answered by all (1 by y)"),
    (("item,A,B", "a,0.3,0.2", "a,0.4,0.1"), {}, "item 'a' comes 2 times of 'A'; if these are runs"),
    (("q,score", "a,3"), {"item": "question"}, "absent"),
]


@pytest.mark.parametrize(("rows", "options", "words"), BAD)
def test_what_is_no_score_is_refused_with_the_file(rows: tuple[str, ...], options: dict[str, Any], words: str) -> None:
    with pytest.raises(HowsureError) as refusal:
        read_items(text(*rows), **options)
    assert words in kind_of(refusal.value)
    assert isinstance(refusal.value, InvalidFile)


def test_counts_of_one_item_in_several_rows_are_added() -> None:
    rows = ["a,cat,3,1,0", "a,cat,2,0,1", "b,cat,1,1,1", "c,cat,4,0,0", "d,cat,2,2,0"]
    once = ["a,cat,5,1,1", *rows[2:]]
    one, other = (read_items(text("item,label,tp,fp,fn", *lines)) for lines in (rows, once))
    assert one.size() == other.size() == 4
    assert one.observed(Of("f1@micro")) == other.observed(Of("f1@micro")) == pytest.approx(24 / 30)


# -- files of items that were tried several times, and the command that reads them ------------------------------------

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
