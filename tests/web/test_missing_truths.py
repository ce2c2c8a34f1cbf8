"""Cases without a truth in requests: the library's numbers, code that gives them again, and what has no answer."""

from __future__ import annotations

import subprocess
import sys
from typing import Any

import pytest
from tests.patience import PATIENCE

import howsure as hs
from howsure.errors import HowsureError
from howsure.web.answering import handle

MATRIX = {"classes": ["fail", "pass"], "counts": [[22, 7], [6, 65]], "positive": "pass"}
ASKED = {"verb": "report", "matrix": MATRIX, "unlabelled": [572, 1328]}


@pytest.mark.full
def test_the_answer_is_the_librarys() -> None:
    answer = handle({**ASKED, "want": ["densities"]})
    matrix = hs.ConfusionMatrix(MATRIX["counts"], MATRIX["classes"], unlabelled=[572, 1328], positive="pass")
    made = hs.report(hs.infer(matrix))
    assert answer["shown"]["verdict"] == made.verdict
    assert answer["result"] == made.to_dict()
    assert answer["shown"]["matrix"]["row_share"] == [["76%", "24%"], ["8%", "92%"]]


@pytest.mark.full
def test_python_and_command_give_it_again(capsys: pytest.CaptureFixture[str]) -> None:
    answer = handle(ASKED)
    exec(answer["code"]["python"], {})
    printed = capsys.readouterr().out
    assert printed.startswith(answer["shown"]["verdict"])
    command = answer["code"]["command"].replace("howsure", f"{sys.executable} -m howsure", 1)
    done = subprocess.run(
        ["sh", "-c", f"{command} --explain"], capture_output=True, text=True, check=True, timeout=PATIENCE
    )
    assert done.stdout == printed


@pytest.mark.parametrize(
    "extra",
    [
        {"unlabelled": [1, 2, 3]},
        {"prevalence": {"label": "pass", "share": 0.5}},
        {"shares": "chosen"},
    ],
)
def test_what_has_no_answer_is_a_sentence(extra: dict[str, Any]) -> None:
    with pytest.raises(HowsureError):
        handle({**ASKED, **extra})


def test_a_pasted_row_of_cases_without_a_truth() -> None:
    text = "true\\pred\tfail\tpass\nfail\t22\t7\npass\t6\t65\nunlabelled\t572\t1328"
    found = handle({"verb": "paste", "text": text})
    assert found["matrix"]["unlabelled"] == [572, 1328]
    with pytest.raises(HowsureError, match="command line"):
        handle(
            {
                "verb": "paste",
                "text": "true\\pred\tfail\tpass\tunsure\nfail\t22\t7\t1\npass\t6\t65\t3\nunlabelled\t5\t8\t9",
            }
        )
