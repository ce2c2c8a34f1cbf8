"""Files whose ids repeat: folds of a cross-validation, repeats of a question, and neither, through the command line."""

from __future__ import annotations

from pathlib import Path

import pytest

import howsure as hs
from howsure.cli import main
from howsure.data.folds import Folds
from howsure.errors import InvalidFile, InvalidLabels
from howsure.io import read, read_predictions

TRUTH = ["ill" if i % 3 else "well" for i in range(24)]
SAID = [[t if (7 * i + 5 * r) % 6 else "ill" for i, t in enumerate(TRUTH)] for r in range(4)]


def written(folder: Path, header: str, *, ids: bool = True, skip: int = 0, name: str = "x.csv") -> str:
    """Four answers to each of 24 cases: ``header`` has the words fold and repeat, or others."""
    words = header.split(",")
    lines = []
    for r in range(4):
        for i, truth in enumerate(TRUTH):
            units = {"fold": str((i + r) % 5), "split": f"{r}-{i % 5}"}
            cells = [units.get(word, str(r)) for word in words if word]
            lines.append(",".join([*([str(i)] if ids else []), *cells, truth, SAID[r][i]]))
    head = ",".join([*(["id"] if ids else []), *(word for word in words if word), "y_true", "y_pred"])
    path = folder / name
    path.write_text("\n".join([head, *lines[skip:]]) + "\n", encoding="utf-8")
    return str(path)


PASSES = hs.ConfusionMatrix.of_passes([hs.ConfusionMatrix.from_predictions(TRUTH, said) for said in SAID])


@pytest.mark.parametrize(
    ("header", "options"), [("fold,repeat", {}), ("fold,run", {}), ("split", {"folds": "split"}), ("fold,pass", {})]
)
def test_repeated_passes_are_divided(tmp_path: Path, header: str, options: dict[str, str]) -> None:
    if "pass" in header:
        options = {"repeat": "pass"}
    made = read(written(tmp_path, header), **options)
    assert made.confusion.counts.tolist() == PASSES.counts.tolist()
    assert made.confusion.folds == Folds(20, 4)
    assert made.layout == "predictions, 24 cases"
    assert made.notes == ()


def test_passes_without_ids_by_their_repeats(tmp_path: Path) -> None:
    made = read(written(tmp_path, "fold,repeat", ids=False))
    assert made.confusion.folds == Folds(20, 4)
    assert made.confusion.counts.tolist() == PASSES.counts.tolist()
    with pytest.raises(InvalidFile, match="of class 'well' pass '0' comes 7 times and '1'"):
        read(written(tmp_path, "fold,repeat", ids=False, skip=1))


def test_classifiers_that_answer_again_are_compared_over_items(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    files = [written(tmp_path, "run", name=name) for name in ("one.csv", "two.csv")]
    assert main(["compare", *files]) == 0
    shown = capsys.readouterr().out
    assert "96 cases answered by both, in 24 groups" in shown
    assert "96 answers to 24 items (column 'run'): the answers to an item are one group" in shown


def test_repeats_of_which_none_comes_again_change_nothing(tmp_path: Path) -> None:
    path = tmp_path / "seeds.csv"
    path.write_text("id,seed,y_true,y_pred\n" + "".join(f"{i},42,x,x\n{i + 50},42,y,y\n" for i in range(9)))
    assert read(str(path), group=True).confusion.groups is None
    made = read(str(path), repeat="seed")
    assert made.confusion.groups is None
    assert "No id comes again, so the repeats (column 'seed') change nothing." in made.notes


def test_repeats_that_nobody_asks_for_are_said(tmp_path: Path) -> None:
    notes = " ".join(read(written(tmp_path, "run")).notes)
    assert "The answers of all repeats are added up as separate cases (column 'run')." in notes
    assert "96 rows have only 24 different ids: answers to the same items hold less information" in notes


@pytest.mark.parametrize(
    ("text", "options", "sentence"),
    [
        (
            "id,fold,y_true,y_pred\n1,a,x,x\n1,b,x,x\n2,a,y,y\n",
            {},
            "the id '1' comes 2 times and '2' 1; each pass",
        ),
        (
            "id,fold,y_true,y_pred\n1,a,x,x\n1,b,y,x\n2,a,y,y\n",
            {},
            "line 3: the id '1' has two values of true",
        ),
        (
            "id,fold,y_true,y_pred\n1,a,x,x\n1,a,x,x\n2,a,y,y\n",
            {},
            r"comes twice \(of one fold\).*each case is one row$",
        ),
        ("id,fold,y_true,y_pred\n1,,x,x\n2,a,y,y\n", {}, r"line 2: the fold \(column 'fold'\) is missing"),
        (
            "id,fold,y_true,y_pred\n1,a,x,x\n2,a,y,y\n1,b,x,\n2,b,y,y\n",
            {"missing": "exclude"},
            "class 'x' has 1 tests in 2 passes.*set aside in some passes only",
        ),
    ],
)
def test_passes_that_are_not_whole(tmp_path: Path, text: str, options: dict[str, str], sentence: str) -> None:
    path = tmp_path / "x.csv"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(InvalidFile, match=sentence):
        read(str(path), **options)  # type: ignore[arg-type]  # of one kind


def test_cases_of_several_passes_are_not_compared(tmp_path: Path) -> None:
    files = [written(tmp_path, "fold,repeat", name=name) for name in ("one.csv", "two.csv")]
    with pytest.raises(InvalidFile, match=r"comes in 4 folds, .*compare_algorithms"):
        read_predictions(*files)


def test_every_reader_names_the_ways_out(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = written(tmp_path, "trial")
    assert main(["count", path, "--id", "id"]) == 2
    assert "howsure report and howsure.io.read take --group, --repeat or --folds" in capsys.readouterr().err
    assert main(["compare", path, path]) == 2
    assert "--repeat COLUMN" in capsys.readouterr().err
    with pytest.raises(InvalidLabels, match=r"the id '3' comes 2 times \(cases 1, 2\).*these ids as group="):
        hs.Predictions([1, 0, 1], {"m": [1, 0, 1]}, id=[3, 3, 4])
    with pytest.raises(InvalidLabels, match="by= counts the folds"):
        hs.count({"y_true": [1, 0, 1], "y_pred": [1, 0, 1], "id": [3, 3, 4]}, id="id")


def test_the_same_repeats_from_an_engine(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = written(tmp_path, "run")
    rows = read(path, group=True).confusion, read(written(tmp_path, "fold,repeat", name="y.csv")).confusion
    monkeypatch.setattr("howsure.io.table.LARGE", 0)
    assert read(path, group=True).confusion == rows[0]
    assert read(written(tmp_path, "fold,repeat", name="y.csv")).confusion == rows[1]
