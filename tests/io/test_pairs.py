"""Two files or columns of predictions, and second files of labels."""

from __future__ import annotations

import io
import json
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest
from tests.io.test_judged import EXPECTED, ROWS, text_of

import howsure as hs
from howsure.cli import main
from howsure.errors import HowsureError, InvalidArgument, InvalidFile
from howsure.io import Reading, read, read_predictions
from howsure.io.contenders import read_contenders, read_pair

WIDE = "id,y_true,pred_A,pred_B\n1,x,x,x\n2,x,y,x\n3,y,y,x\n4,y,y,y\n"
OWN_NAMES = "true,forest,bayes,id\nx,x,x,1\nx,y,x,2\ny,y,x,3\ny,y,y,4\n"
LONG = "id,model,y_true,y_pred\n" + "".join(
    f"{i},{m},{t},{p}\n"
    for m, row in (("B", "xxxy"), ("A", "xyyy"))
    for i, t, p in zip("1234", "xxyy", row, strict=True)
)
ONE = "id,y_true,y_pred\n1,x,x\n2,x,y\n3,y,y\n4,y,y\n"
TWO = "id,y_true,y_pred\n4,y,y\n3,y,x\n2,x,x\n1,x,x\n"
MATRIX = "true\\pred,x,y\nx,5,1\ny,2,8\n"


@pytest.fixture
def write(tmp_path: Path):  # type: ignore[no-untyped-def]
    def made(name: str, text: str) -> Path:
        path = tmp_path / name
        path.write_text(text, encoding="utf-8")
        return path

    return made


@pytest.mark.parametrize(
    ("text", "a", "b"), [(WIDE, None, None), (WIDE, "A", "B"), (OWN_NAMES, "forest", "bayes"), (LONG, "A", "B")]
)
def test_one_file_of_both_is_paired(write, text: str, a: str | None, b: str | None) -> None:  # type: ignore[no-untyped-def]
    pair = read_pair(write("both.csv", text), a=a, b=b)
    assert pair.predictions is not None
    assert pair.names == (a or "A", b or "B")
    assert pair.predictions.confusion(pair.names[0]).counts.tolist() == [[1, 1], [0, 2]]
    assert pair.predictions.confusion(pair.names[1]).counts.tolist() == [[2, 0], [1, 1]]
    assert pair.predictions.agreement[0, 1] == 0.5


def test_a_classifier_is_named_by_its_column_as_well(write) -> None:  # type: ignore[no-untyped-def]
    path = write("both.csv", WIDE)
    by_column = read_pair(path, a="pred_A", b="pred_B").predictions
    by_name = read_pair(path, a="A", b="B").predictions
    assert by_column is not None
    assert by_name is not None
    assert [by_column.confusion(name) for name in by_column.names] == [by_name.confusion(name) for name in "AB"]
    assert read(path, model="pred_B").confusion == read(path, model="B").confusion == by_name.confusion("B")
    with pytest.raises(InvalidArgument, match="the classifier 'A' comes twice; each needs a"):
        read_pair(path, a="pred_A", b="A")


def test_two_files_are_joined_on_their_ids(write) -> None:  # type: ignore[no-untyped-def]
    pair = read_pair(write("one.csv", ONE), write("two.csv", TWO))
    assert pair.names == ("one", "two")
    assert pair.predictions is not None
    assert pair.predictions.agreement[0, 1] == 0.5
    some = read_pair(write("one.csv", ONE), write("three.csv", TWO.replace("4,y,y\n", "9,y,y\n")))
    assert some.predictions is not None
    assert some.predictions.n == 3
    assert "3 of 5 ids" in some.predictions.notes[0]


def test_two_files_without_ids_are_not_paired_but_advised(write) -> None:  # type: ignore[no-untyped-def]
    plain = (
        ONE.replace("id,", "").replace("\n1,", "\n").replace("\n2,", "\n").replace("\n3,", "\n").replace("\n4,", "\n")
    )
    pair = read_pair(write("one.csv", plain), write("two.csv", plain))
    assert pair.predictions is None
    assert pair.matrices is not None
    assert "same true classes in the same order, which is not enough" in pair.notes[0]
    other = read_pair(write("one.csv", plain), write("two.csv", plain + "y,x\n"))
    assert other.notes == ()


def test_other_ids_are_other_cases(write) -> None:  # type: ignore[no-untyped-def]
    pair = read_pair(write("one.csv", ONE), write("two.csv", "id,y_true,y_pred\n7,x,x\n8,y,y\n"))
    assert pair.predictions is None
    assert pair.notes == ("The files have no id in common, so they are separate test sets.",)
    chosen = read_pair(write("one.csv", ONE), write("two.csv", TWO), separate=True)
    assert chosen.predictions is None
    assert chosen.notes == ("Treated as separate test sets, as chosen.",)


@pytest.mark.parametrize(
    ("texts", "said"),
    [
        ((ONE.replace("id,", "file,"), TWO.replace("id,", "file,")), "'file' holds the same values .* --id 'file'"),
        ((ONE.replace("id,", "file,"), TWO.replace("id,", "file,").replace("4,y", "9,y")), "holds 3 equal values"),
        ((ONE.replace("id,", "file,"), TWO), "Only 'two' has ids.*give 'one' a column id as well"),
        ((ONE, TWO.replace("\n", "\n00").removesuffix("00")), "4 of them are alike, as '4' and '004' are"),
        ((ONE, TWO.replace(",y,", ".0,y,").replace(",x,", ".0,x,")), "4 of them are alike, as '4' and '4.0' are"),
    ],
)
def test_what_looks_like_ids_is_told_and_not_supposed(write, texts: tuple[str, str], said: str) -> None:  # type: ignore[no-untyped-def]
    pair = read_pair(*(write(f"{name}.csv", text) for name, text in zip(("one", "two"), texts, strict=True)))
    assert pair.predictions is None
    assert re.search(said, " ".join(pair.notes))


@pytest.mark.parametrize("title", ["task_id", "imageHash", "instance_id", "prompt", "row key"])
def test_a_column_that_is_a_key_by_name_and_values_pairs_the_cases(write, title: str) -> None:  # type: ignore[no-untyped-def]
    turned = "\n".join([TWO.splitlines()[0], *TWO.splitlines()[:0:-1]])
    texts = [re.sub(r"(?m)^(?=\d)", "t", text).replace("id,", f"{title},") for text in (ONE, turned)]
    files = [str(write(name, text)) for name, text in zip(("one.csv", "two.csv"), texts, strict=True)]
    pair, ranked = read_pair(*files), read_contenders(files)
    for predictions in (pair.predictions, ranked.predictions):
        assert predictions is not None
        assert predictions.agreement[0, 1] == 0.5
    assert any(f"paired by the column '{title}'" in note for note in pair.notes)
    assert any(f"paired by the column '{title}'" in note for note in ranked.notes)


@pytest.mark.parametrize("title", ["index", "Unnamed: 0", "row_id", ""])
def test_numbers_of_rows_pair_nothing(write, title: str) -> None:  # type: ignore[no-untyped-def]
    files = [str(write(f"{i}.csv", text.replace("id,", f"{title},"))) for i, text in enumerate((ONE, TWO))]
    assert read_pair(*files).predictions is None
    ranked = read_contenders(files)
    assert ranked.predictions is None
    assert any("Nothing says which cases are the same" in note for note in ranked.notes)


def test_a_column_whose_values_come_again_names_no_cases(write) -> None:  # type: ignore[no-untyped-def]
    texts = [text.replace("id,", "site,").replace("3,", "1,") for text in (ONE, TWO)]
    pair = read_pair(*(write(f"{i}.csv", text) for i, text in enumerate(texts)))
    assert not any("--id" in note for note in pair.notes)


def test_matrices_and_lists_can_be_mixed(write) -> None:  # type: ignore[no-untyped-def]
    pair = read_pair(write("one.csv", ONE), write("m.csv", MATRIX))
    assert pair.matrices is not None
    assert [m.counts.tolist() for m in pair.matrices.values()] == [[[1, 1], [0, 2]], [[5, 1], [2, 8]]]
    board = "model,true,pred,count\n" + "".join(f"{m},{t},{p},3\n" for m in "ab" for t in "xy" for p in "xy")
    both = read_pair(write("board.csv", board), a="a", b="b")
    assert both.matrices is not None
    assert both.names == ("a", "b")


def test_files_of_one_name_are_told_apart(write, tmp_path: Path) -> None:  # type: ignore[no-untyped-def]
    (tmp_path / "main").mkdir()
    (tmp_path / "main" / "preds.csv").write_text(ONE, encoding="utf-8")
    pair = read_pair(write("preds.csv", TWO), tmp_path / "main" / "preds.csv")
    assert pair.names == (str(tmp_path / "preds.csv"), str(tmp_path / "main" / "preds.csv"))
    same = read_pair(write("preds.csv", TWO), write("preds.csv", TWO))
    assert same.names[0].endswith("(A)")


@pytest.mark.parametrize(
    ("files", "options", "sentence"),
    [
        ([ONE], {}, "it holds the answers of one classifier, and two"),
        ([MATRIX], {}, "it has one classifier and no predictions case by"),
        ([WIDE], {"a": "A"}, "name them with --a and --b"),
        ([WIDE], {"a": "A", "b": "A"}, "the classifier 'A' comes twice; each needs a"),
        ([WIDE], {"a": "A", "b": "C"}, "no classifier 'C'; there are 'A', 'B'"),
        ([WIDE.replace("pred_B", "pred_B,pred_C").replace("\n1,x,x,x", "\n1,x,x,x,x")], {}, "cells|holds 3"),
        ([ONE, WIDE], {}, r"there are several classifiers: 'A', 'B'\."),
        ([ONE, ONE.replace("2,x,y", "1,x,y")], {}, "line 3: the id '1' comes twice"),
        ([ONE, ONE.replace("2,x,y", ",x,y")], {}, "line 3: the id is missing; fill it in, or leave"),
        ([ONE, TWO.replace("2,x,x", "2,y,x")], {}, "the id '2' has the true class .* --separate"),
        ([WIDE.replace("2,x,y,x", "2,x,,x")], {}, r"missing in 1 of 4 cases \(first: id '2'\) of classifier 'A'"),
        ([WIDE.replace("2,x,y,x", "2,x,0.7,x")], {}, "line 3: the class is '0.7', a score"),
        (["y_true,pred_A,pred_B\n"], {}, "there is a header and no case below it"),
        ([WIDE], {"labels": ["x", "z"]}, "the class 'y' is not among the labels"),
        (
            [WIDE.replace("id,", "weight,").replace("\n2", "\n0.5").replace("\n3", "\n1").replace("\n4", "\n1")],
            {},
            "weight",
        ),
    ],
)
def test_what_cannot_be_compared_is_refused_with_its_place(
    write,  # type: ignore[no-untyped-def]
    files: list[str],
    options: dict[str, object],
    sentence: str,
) -> None:
    paths = [write(f"f{i}.csv", text) for i, text in enumerate(files)]
    with pytest.raises(HowsureError, match=sentence) as caught:
        read_pair(*paths, **options)  # type: ignore[arg-type]
    assert isinstance(caught.value, InvalidFile | InvalidArgument)


def test_standard_input_is_one_of_two(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(ONE.encode()), "utf-8"))
    with pytest.raises(InvalidArgument, match="the file '-' comes twice; each needs a name of"):
        read_pair("-", "-")


def test_what_a_reader_has_to_say_comes_along(write) -> None:  # type: ignore[no-untyped-def]
    grouped = [ONE.replace("id,", "site,id,").replace("\n", "\nK,").removesuffix("K,"), TWO]
    both = read_predictions(*(write(f"{i}.csv", text) for i, text in enumerate(grouped)))
    assert any("site" in note for note in both.notes)


@pytest.mark.parametrize(
    ("texts", "said"),
    [
        ((MATRIX, ONE), "counts"),
        ((ONE.replace("id,", "spare,"), TWO), "column id"),
        (("name,correct,n\nA,3,4\nB,2,4\n",), "leaderboard"),
    ],
)
def test_what_cannot_be_paired_is_refused(write, texts: tuple[str, ...], said: str) -> None:  # type: ignore[no-untyped-def]
    with pytest.raises(InvalidFile, match=said):
        read_predictions(*(write(f"{i}.csv", text) for i, text in enumerate(texts)))


def test_compare_of_files_says_how_to_pair_them(write) -> None:  # type: ignore[no-untyped-def]
    files = write("one.csv", ONE), write("two.csv", TWO)
    for given in (files, tuple(map(str, files)), tuple(map(read, files))):
        with pytest.raises(InvalidArgument, match="read_predictions"):
            hs.compare(*given)


# -- labels in a file of their own, joined to a table or a log by the item; and the options of the command

REFERENCE = Path(__file__).parents[1] / "reference"


@pytest.fixture
def two(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Any:
    monkeypatch.chdir(tmp_path)

    def make(first: str, second: str, *, missing: str = "estimate", **options: Any) -> Reading:
        Path("verdicts.csv").write_text(first)
        Path("labels.csv").write_text(second)
        return read("verdicts.csv", labels_from="labels.csv", missing=missing, **options)  # type: ignore[arg-type]

    return make


VERDICTS = text_of("item,verdict,score", [(a, b, 0.5) for a, b, _ in ROWS])
LABELS = text_of("item,label", [(a, c) for a, _, c in reversed(ROWS)])


@pytest.mark.parametrize(
    "labels",
    [
        LABELS,
        LABELS.replace("item,label", "who,what"),
        LABELS.replace("q2,\n", "").replace("item,label", "question_id,human"),
        LABELS.replace(",", ";"),
        text_of("comment,id,label,name of checker", [("x", a, c, "me") for a, _, c in ROWS]),
        text_of("sample id,Human label,comment", [(a, c, "x") for a, _, c in ROWS]),
    ],
)
def test_labels_of_a_second_file_are_joined_by_the_item(two: Any, labels: str) -> None:
    reading = two(VERDICTS, labels)
    assert reading.confusion == EXPECTED
    assert "Labels of 3 items are from labels.csv." in reading.notes
    assert two(VERDICTS, labels, missing="exclude").confusion.counts.tolist() == [[1, 1, 0], [0, 1, 0], [0, 0, 0]]


def test_the_column_of_labels_may_be_named(two: Any) -> None:
    labels = text_of("item,who,what", [(a, "me", c) for a, _, c in ROWS])
    assert two(VERDICTS, labels, y_true="what").confusion == EXPECTED
    with pytest.raises(InvalidFile, match="there is no column for items and one for labels"):
        two(VERDICTS, labels, y_true="why")


def test_labels_of_several_models(two: Any) -> None:
    long = text_of("item,model,verdict", [(a, m, b) for a, b, _ in ROWS for m in ("gpt", "llama")])
    labels = text_of("item,model,label", [(a, "gpt", c) for a, _, c in ROWS])
    assert two(long, labels, model="gpt").confusion == EXPECTED
    with pytest.raises(InvalidFile, match=r"verdicts.csv has a column of models and labels.csv has none"):
        two(long, LABELS, model="gpt")


@pytest.mark.parametrize(
    ("first", "second", "words"),
    [
        (VERDICTS, LABELS.replace("q", "z"), "3 of 3 labelled items are not in verdicts.csv .first: 'z5'.. Is it"),
        (VERDICTS, LABELS.replace("q1", "z1"), r"1 of 3 labelled items are not in verdicts\.csv"),
        (VERDICTS, LABELS.replace("q4", "q1"), "line 6: the item 'q1' comes twice, also in line"),
        (VERDICTS, LABELS.replace("q1", ""), "line 6: the item of a label is missing; fill it"),
        (VERDICTS, "item,label\nq1,\n", "no case has a label, so the judge's rates are"),
        (VERDICTS, "item,id,label\nq1,1,a\n", "there is no column for items and one for labels"),
        (VERDICTS, "item,a,b\nq1,1,a\n", "there is no column for items and one for labels"),
        (VERDICTS, '{"counts": [[1, 2], [3, 4]]}', "it is one JSON document"),
        ("verdict,why\npass,x\n", LABELS, r"there is no column for items \(id, item,"),
        ('{"counts": [[1, 2], [3, 4]]}', LABELS, r"labels \('labels\.csv'\) is a column of a list"),
    ],
)
def test_second_files_that_are_refused(two: Any, first: str, second: str, words: str) -> None:
    with pytest.raises(InvalidFile, match=words):
        two(first, second)


def test_labels_of_some_need_a_word_on_the_others(two: Any) -> None:
    with pytest.raises(InvalidArgument, match="say missing='estimate' if these were chosen at random"):
        two(VERDICTS, LABELS, missing="error")


@pytest.mark.parametrize("words", [("right", "wrong"), ("Pass", "Fail"), ("1", "0"), ("correct", "incorrect")])
def test_a_log_and_a_sheet_of_labels(tmp_path: Path, words: tuple[str, str]) -> None:
    lines = [{"doc_id": i, "doc_hash": f"h{i}", "filter": "none", "acc": i % 3 > 0} for i in range(30)]
    log, labels = tmp_path / "log.jsonl", tmp_path / "labels.csv"
    log.write_text("".join(json.dumps(line) + "\n" for line in lines))
    labels.write_text(f"item,human\nh1,{words[0]}\nh2,{words[1]}\nh3,{words[1]}\n")
    made = read(log, labels_from=str(labels), missing="estimate").confusion
    expected = [[1, 1], [0, 1]]  # h1 and h2 are called right
    assert (made.labels, made.positive) == (("wrong", "right"), "right")
    assert made.counts.tolist() == expected
    assert made.unlabelled == {"right": 18, "wrong": 9}
    labels.write_text("item,human\nh1,perhaps\n")
    with pytest.raises(InvalidFile, match=r"a label must be right or wrong \(right,"):
        read(log, labels_from=str(labels), missing="estimate")


def test_a_log_of_inspect_whose_items_come_again_has_several_answers(tmp_path: Path) -> None:
    labels = tmp_path / "labels.csv"
    labels.write_text("item,label\nfour,right\n")
    with pytest.raises(InvalidFile, match=r"comes twice.*one label per item is counted"):
        read(REFERENCE / "inspect.eval", labels_from=str(labels), missing="estimate")


# -- the command line --------------------------------------------------------------------------------------------


# -- what a newcomer does first and gets refused: the sentence names what to type -------------------------------------

MATRIX_OF_WAYS_OUT = "true\\pred,a,b\na,9,1\nb,2,8\n"
NAMED = "name,diag,model\nAnna,ill,ill\nBert,well,ill\nCara,ill,well\nDora,ill,ill\nAnna,well,well\n"


@pytest.fixture
def said(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Callable[..., str]:
    monkeypatch.chdir(tmp_path)

    def ask(asked: str, **files: str) -> str:
        for name, text in files.items():
            (tmp_path / f"{name}.csv").write_text(text)
        status = main(asked.split())
        out = capsys.readouterr()
        return out.err if status else out.out

    return ask


def test_a_column_without_its_word_is_named_by_an_option(said: Callable[..., str]) -> None:
    assert "name its column y_true; or say which column it is: --true COLUMN" in said(
        "report a.csv", a="diag,model\nill,ill\nwell,ill\n"
    )
    sentence = said("report b.csv", b="id,judge,human\n1,pass,fail\n2,pass,pass\n")
    assert "or say which columns they are: --true COLUMN and --pred COLUMN" in sentence
    with pytest.raises(HowsureError, match="y_pred='COLUMN'"):
        read("b.csv")


def test_names_of_patients_are_no_classifiers_where_the_columns_are_named(said: Callable[..., str]) -> None:
    answer = said("report a.csv --true diag --pred model -m accuracy", a=NAMED)
    assert answer.startswith("accuracy is")
    assert "; 'name' not used" in answer
    assert "howsure: a.csv: there are several classifiers" in said(
        "report a.csv", a=NAMED.replace("diag,model", "y_true,y_pred")
    )


def test_a_folder_of_matrices_is_no_table(said: Callable[..., str]) -> None:
    sentence = said("report .", a=MATRIX_OF_WAYS_OUT, b=MATRIX_OF_WAYS_OUT)
    assert "this is one confusion matrix of 'a.csv', 'b.csv'" in sentence
    assert "Name the one file that is meant" in said("report .", a="y_true,y_pred\na,a\n", b="name,size\nx,2\n")


def test_a_folder_of_printed_tables_is_told_what_is_read_together(said: Callable[..., str]) -> None:
    printed = "true\\pred  a  b\na  9  1\nb  2  8\n"
    sentence = said("report .", a=printed, b=printed)
    assert "several files (a folder, a pattern) are read as one table" in sentence
    assert "name one file" in sentence


def test_repeats_are_read_as_such_by_both_commands_and_sent_there_by_others(said: Callable[..., str]) -> None:
    repeats = "question,run,correct\n1,1,1\n1,2,0\n2,1,1\n2,2,1\n"
    assert "howsure repeats" in said("report a.csv", a=repeats)
    assert "2 items" in said("repeats a.csv", a=repeats)
    assert "3 of 4 answers to 2 items are right" in said("log a.csv", a=repeats)


def test_columns_that_count_was_told_of_keep_their_names_in_its_sentence() -> None:
    cases = pd.DataFrame({"label": ["a", "b"], "pred": ["a", "b"], "site": ["x", "y"]})
    with pytest.raises(HowsureError, match="no column 'lable' in the data frame; there are"):
        hs.count(cases, y_true="lable", y_pred="pred", by="site")


# -- answers such as "inconclusive", nobody's true class: refused, set aside or counted as errors, never a

#: Truth, answer and cases; most of the sure answers are right.
CELLS = [("ill", "ill", 9), ("ill", "well", 2), ("ill", "Inconclusive", 3), ("well", "well", 8), ("well", "unsure", 1)]
THREE = [("a", "a", 5), ("a", "b", 1), ("a", "no decision", 3), ("b", "b", 4), ("c", "c", 6), ("c", "abstain", 1)]


def cases(folder: Path, cells: list[tuple[str, str, int]]) -> Path:
    path = folder / "cases.csv"
    path.write_text("y_true,y_pred\n" + "".join(f"{true},{pred}\n" * n for true, pred, n in cells), encoding="utf-8")
    return path


def counts(folder: Path, cells: list[tuple[str, str, int]]) -> Path:
    path = folder / "counts.csv"
    path.write_text("true,pred,count\n" + "".join(f"{true},{pred},{n}\n" for true, pred, n in cells), encoding="utf-8")
    return path


def matrix(folder: Path, cells: list[tuple[str, str, int]]) -> Path:
    rows, columns = (list(dict.fromkeys(cell[side] for cell in cells)) for side in (0, 1))
    table = {(true, pred): n for true, pred, n in cells}
    lines = ["true\\pred," + ",".join([*rows, *(it for it in columns if it not in rows)])]
    for true in rows:
        shown = [str(table.get((true, pred), 0)) for pred in [*rows, *(it for it in columns if it not in rows)]]
        lines.append(",".join([true, *shown]))
    path = folder / "matrix.csv"
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")
    return path


@pytest.mark.parametrize("written", [cases, counts, matrix])
@pytest.mark.parametrize("cells", [CELLS, THREE])
def test_they_are_refused_set_aside_or_errors_in_every_form(written, cells, tmp_path: Path) -> None:  # type: ignore[no-untyped-def]
    path = written(tmp_path, cells)
    with pytest.raises(InvalidFile, match="--missing wrong"):
        read(path)
    labels = list(dict.fromkeys(true for true, _, _ in cells))
    answered = {(true, pred): n for true, pred, n in cells if pred in labels}
    apart = read(path, missing="exclude", labels=None)
    assert any("Set aside" in note for note in apart.notes)
    place = {label: i for i, label in enumerate(apart.confusion.labels)}
    expected = np.zeros((len(labels), len(labels)), dtype=int)
    for (true, pred), n in answered.items():
        expected[place[true], place[pred]] = n
    assert apart.confusion.counts.tolist() == expected.tolist()
    wrong = read(path, missing="wrong").confusion
    assert wrong.labels == apart.confusion.labels
    assert np.diag(wrong.counts).tolist() == np.diag(expected).tolist()
    silent = dict.fromkeys(labels, 0)
    for true, pred, n in cells:
        silent[true] += n if pred not in labels else 0
    added = wrong.counts - expected
    assert added.sum(1).tolist() == [silent[label] for label in wrong.labels]
    off = added[~np.eye(len(labels), dtype=bool)].reshape(len(labels), -1)
    assert (off.max(1) - off.min(1) <= 1).all()
