"""Tables compile, whatever the names are: escaping that looks right is not enough for LaTeX."""

from __future__ import annotations

import re
import shutil
import subprocess
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from tests.house.test_every_writer import printed

import howsure as hs
from howsure.publish import latex
from howsure.publish.latex import LETTER, escaped

#: What a paper has in its head; the first as our docs ask, the second as people do it.
HEADS = {
    "pdflatex": r"\usepackage[T1]{fontenc}\usepackage{booktabs,textcomp}",
    "pdflatex without T1": r"\usepackage{booktabs,textcomp}",
    "lualatex": r"\usepackage{booktabs,textcomp}",
    "xelatex": r"\usepackage{booktabs,textcomp}",
}
#: Those that are on this machine; one to be skipped if there is none.
HERE = [how for how in HEADS if shutil.which(how.split()[0])] or ["pdflatex"]


def run(body: str, how: str, folder: Path) -> str | None:
    """What the engine says of a paper, None if it stops; the list of tables moves captions through a file."""
    paper = f"\\documentclass{{article}}{HEADS[how]}\n\\begin{{document}}\\listoftables\n{body}\\end{{document}}\n"
    (folder / "paper.tex").write_text(paper, encoding="utf-8")
    command = [how.split()[0], "-interaction=nonstopmode", "-halt-on-error", "-no-shell-escape", "paper.tex"]
    for _ in range(2):
        done = subprocess.run(command, cwd=folder, capture_output=True, timeout=120, check=False)
        said = done.stdout.decode("utf-8", "replace")
        if done.returncode:
            return None
    return said


@cache
def works(how: str) -> bool:
    """Whether the engine is here with all that an ordinary paper takes: a distribution in parts may lack its fonts."""
    if shutil.which(how.split()[0]) is None:
        return False
    with TemporaryDirectory() as folder:
        said = run("Words.", how, Path(folder))
    return said is not None and "undefined" not in said


def compiled(body: str, how: str, folder: Path) -> str:
    """What the engine says of a paper with this body."""
    if not works(how):
        pytest.skip(f"{how} does not compile an ordinary paper here")
    said = run(body, how, folder)
    assert said is not None, (folder / "paper.log").read_text("utf-8", "replace")[-2000:]
    assert "undefined" not in said
    return said


@pytest.mark.latex
@pytest.mark.parametrize("how", HERE)
def test_every_table_compiles(how: str, tmp_path: Path, subtests: pytest.Subtests) -> None:
    for name, made in printed().items():
        with subtests.test(name):
            compiled(latex(made), how, tmp_path)


@pytest.mark.latex
@pytest.mark.parametrize("how", [how for how in HERE if "without" not in how])
def test_every_letter_compiles(how: str, tmp_path: Path) -> None:
    letters = [c for c in map(chr, range(0x20, 0x3000)) if c.isprintable()]
    lines = [escaped("".join(letters[i : i + 60])) for i in range(0, len(letters), 60)]
    compiled("\n\n".join([LETTER, *lines]), how, tmp_path)


@pytest.mark.latex
def test_an_ordinary_table_fits_its_page(tmp_path: Path) -> None:
    counts = [[45, 5, 2], [8, 42, 3], [1, 4, 50]]
    made = latex(hs.report(hs.infer(hs.ConfusionMatrix(counts, labels=["setosa", "versicolor", "virginica"]))))
    assert "Overfull" not in compiled(made, "pdflatex", tmp_path)


def test_letters_that_pdflatex_may_not_know_come_with_their_number() -> None:
    boards = hs.rank({name: hs.Posterior.from_accuracy(correct=9, n=10) for name in ("caf\u00e9", "\u03b2-lactam")})
    made = latex(boards)
    assert r"\providecommand\howsureletter" in made.splitlines()[1]
    assert "\\howsureletter{\u03b2}{3B2}-lactam &" in made
    assert "caf\u00e9 &" in made
    assert "howsureletter" not in latex(hs.plan("recall", width=0.2, guess=0.9))


def test_marks_that_fonts_join_stay_apart() -> None:
    assert escaped("a---b,,c") == "a-{}-{}-b,{},c"
    assert not re.search("--|,,", escaped("-----,,,,,"))
