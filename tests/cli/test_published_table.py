"""A published table in one command: --tp, --fn, --fp, --tn or --table, and which class is positive."""

from __future__ import annotations

import json

import pytest
from tests.cli.test_cli import answers, howsure

import howsure as hs

CELLS = ("--tp", "45", "--fn", "5", "--fp", "8", "--tn", "92")
#: rows and columns in an order in which the last class is the healthy one
TURNED = "true\\pred,ill,healthy\nill,45,5\nhealthy,8,92\n"


@pytest.mark.full
def test_ways_to_type_the_same_table() -> None:
    first = howsure("report", *CELLS, "--json").stdout
    assert howsure("report", "--table", "45,5,8,92", "--json").stdout == first
    assert howsure("report", "--TP", "45", "--FN", "5", "--FP", "8", "--TN", "92", "--json").stdout == first
    assert howsure("report", "--table", " 45, 5, 8, 92 ", "--json").stdout == first
    data = json.loads(first)
    assert (data["classes"], data["counts"]) == (["negative", "positive"], [[92, 8], [5, 45]])
    for labels, counts in (("healthy,ill", [[92, 8], [5, 45]]), ("ill,healthy", [[45, 5], [8, 92]])):
        named = json.loads(howsure("report", *CELLS, "--labels", labels, "--json").stdout)
        assert (named["counts"], named["positive"]) == (counts, "ill")
    odd = json.loads(howsure("report", *CELLS, "--labels", "low,high", "--positive", "low", "--json").stdout)
    assert (odd["counts"], odd["positive"]) == ([[45, 5], [8, 92]], "low")
    rows = json.loads(howsure("report", "--table", "9,1,0;2,7,1;0,0,5", "--labels", "a,b,c", "--json").stdout)
    assert (rows["classes"], rows["counts"]) == (["a", "b", "c"], [[9, 1, 0], [2, 7, 1], [0, 0, 5]])
    assert "rows truth: of 10 truly a 9 called a, 1 called b, 0 called c." in rows["notes"][0]


@pytest.mark.sweep(3, full=4)
@pytest.mark.parametrize(
    "command",
    [
        ("post-test", "--pre-test", "2%"),
        ("frequencies", "--prevalence", "1/50"),
        ("predict", "--n", "50"),
        ("sensitivity", "ppv"),
    ],
)
def test_every_command_of_one_classifier_takes_the_table_and_says_it_back(command: tuple[str, ...]) -> None:
    done = howsure(*command, *CELLS)
    assert done.returncode == 0, done.stderr
    assert done.stderr.startswith("note: TP 45, FN 5, FP 8, TN 92")
    name, *rest = command
    order = ("-", *rest) if name == "sensitivity" else (*rest, "-")
    file = "true\\pred,negative,positive\nnegative,92,8\npositive,5,45\n"
    from_file = howsure(name, *order, stdin=file)
    assert (from_file.returncode, from_file.stdout) == (0, done.stdout)


def test_the_class_that_the_prevalence_names_is_the_one_that_is_asked_about() -> None:
    """The worst fault of version 0.1.0: PPV at 2% ill was that of the healthy, 0.9974 instead of 0.18."""
    expected = hs.infer(hs.ConfusionMatrix([[92, 8], [5, 45]])).at_prevalence([0.98, 0.02]).of("precision@1").mean
    for table in (TURNED, TURNED.replace("ill", "b").replace("healthy", "a")):
        name = "ill" if "ill" in table else "b"
        rows = answers(howsure("report", "-", "--prevalence", f"{name}=0.02", "-m", "ppv", "--json", stdin=table))
        assert list(rows) == [f"precision@{name}"]
        assert rows[f"precision@{name}"]["mean"] == pytest.approx(expected, abs=1e-9)
