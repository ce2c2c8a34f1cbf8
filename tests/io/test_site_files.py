"""Tables of published studies: the names that people give to columns, and what is said of a table that is none."""

from __future__ import annotations

from pathlib import Path

import pytest

from howsure.cli import main
from howsure.io.site_files import read_sites

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
        (
            "study,sensitivity,specificity\nAoki,0.9,1.0\n",
            "there is no column tp among study, sensitivity, specificity.",
        ),
        ("study,tp,fn,fp,tn\nAoki,1,2,3,4\nAoki,1,2,3,4\n", "line 3: the name 'Aoki' comes twice; each row has"),
        ("year,tp,fn,fp,tn\n2001,1,2,3,4\n", "there is no column name among year, tp, fn, fp, tn."),
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
