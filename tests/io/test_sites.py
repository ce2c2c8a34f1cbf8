"""Tables of published studies: the names that people give to columns, and what is said of a table that is none."""

from __future__ import annotations

from pathlib import Path

import pytest

from howsure.cli import main
from howsure.errors import InvalidArgument, InvalidFile
from howsure.io.contenders import read_sites

CELLS = [("Aoki", 19, 2, 0, 13), ("Barber", 25, 3, 12, 40)]


def written(folder: Path, header: str, mark: str = ",") -> str:
    path = folder / "studies.csv"
    lines = [header, *(mark.join(map(str, row)) for row in CELLS)]
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")
    return str(path)


@pytest.mark.parametrize(
    ("header", "mark"),
    [
        ("study,tp,fn,fp,tn", ","),
        ("Author;true positives;false negatives;false positives;true negatives", ";"),
        ("First author\tTP\tFN\tFP\tTN", "\t"),
        ("Publication,True-Positive,False-Negative,False-Positive,True-Negative", ","),
    ],
)
def test_columns_by_the_names_of_published_tables(tmp_path: Path, header: str, mark: str) -> None:
    sites = read_sites([written(tmp_path, header, mark)]).sites
    found = {name: matrix.counts.tolist() for name, matrix in sites.items()}  # type: ignore[union-attr]
    assert found == {"Aoki": [[13, 0], [2, 19]], "Barber": [[40, 12], [3, 25]]}


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("study,sensitivity,specificity\nAoki,0.9,1.0\n", "there is no column for tp among 'study',"),
        ("study,tp,fn,fp,tn\nAoki,1,2,3,4\nAoki,1,2,3,4\n", "line 3: the name 'Aoki' comes twice"),
        ("year,tp,fn,fp,tn\n2001,1,2,3,4\n", "there is no column for name among 'year', 'tp'"),
        ("study,tp,fn,fp,tn\nAoki,1,2,90 %,4\n", "line 2: fp of 'Aoki'"),
    ],
)
def test_what_is_no_table_of_studies_is_told(
    tmp_path: Path, text: str, said: str, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "studies.csv"
    path.write_text(text, encoding="utf-8")
    assert main(["pool", str(path)]) == 2
    assert said in " ".join(capsys.readouterr().err.split())


def test_two_studies_of_an_author_are_told_apart_by_their_year(tmp_path: Path) -> None:
    path = tmp_path / "studies.csv"
    path.write_text("Author,Year,TP,FP,FN,TN\nKim,2010,40,5,3,60\nKim,2014,30,4,6,70\n,,,,,\nLi,2012,22,9,1,40\n")
    sites = read_sites([str(path)]).sites
    assert list(sites) == ["Kim 2010", "Kim 2014", "Li 2012"]  # type: ignore[arg-type]
    assert sites["Kim 2014"].counts.tolist() == [[70, 4], [6, 30]]  # type: ignore[index, union-attr]
    path.write_text("Author,Year,TP,FP,FN,TN\nKim,2010,40,5,3,60\nLi,2012,22,9,1,40\n")
    assert list(read_sites([str(path)]).sites) == ["Kim", "Li"]  # type: ignore[arg-type]
    path.write_text("Author,Year,TP,FP,FN,TN\nKim,2010,40,5,3,60\nKim,2010,22,9,1,40\n")
    with pytest.raises(InvalidFile, match="line 3: the name 'Kim 2010' comes twice"):
        read_sites([str(path)])


def test_the_column_of_a_table_of_studies_may_be_named(tmp_path: Path) -> None:
    path = tmp_path / "studies.csv"
    path.write_text("study,hospital,tp,fp,fn,tn\n1,Oslo,40,5,3,60\n2,Bergen,30,4,6,70\n")
    assert list(read_sites([str(path)], site="study").sites) == ["1", "2"]  # type: ignore[arg-type]
    assert list(read_sites([str(path)], site="hospital").sites) == ["Oslo", "Bergen"]  # type: ignore[arg-type]
    with pytest.raises(InvalidArgument, match="no column 'town' in"):
        read_sites([str(path)], site="town")
