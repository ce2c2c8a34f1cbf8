"""The published OpenAPI: the same bounds as the checks, which name the field that is wrong."""

from __future__ import annotations

import json
import subprocess
import sys
from dataclasses import replace
from typing import Any

import jsonschema
import pytest
from tests.patience import PATIENCE
from tests.web.sample_questions import QUESTIONS

from howsure.errors import InvalidFile
from howsure.web import handle
from howsure.web.limits import PRIVATE, PUBLIC
from howsure.web.schema import RESULTS, InvalidRequest, openapi


@pytest.mark.full
def test_what_is_answered_is_as_described() -> None:
    whole = openapi()
    for question in QUESTIONS.values():
        verb = question["verb"]
        asked = {key: value for key, value in question.items() if key != "verb"}
        jsonschema.validate(asked, whole["components"]["schemas"][verb])
        if verb in RESULTS:
            answer = whole["paths"][f"/api/v1/{verb}"]["post"]["responses"]["200"]["content"]["application/json"]
            jsonschema.validate(json.loads(json.dumps(handle(question))), answer["schema"])


def test_what_is_not_as_described_is_refused() -> None:
    wrong: list[tuple[str, dict[str, Any]]] = [
        ("report", {}),
        ("report", {"matrix": {"classes": ["a", "b"], "counts": [[1, 2], [3, -1]]}}),
        ("report", {"matrix": {"classes": ["a", "b"], "counts": [[1, 2], [3, 4]], "orientation": "x"}}),
        ("rank", {"entries": [{"name": "a", "n": 0}]}),
        ("plan", {"metric": 3}),
        ("post_test", {"pre_test": 0.2}),
    ]
    for verb, given in wrong:
        with pytest.raises(jsonschema.ValidationError):
            jsonschema.validate(given, openapi()["components"]["schemas"][verb])
        with pytest.raises(InvalidRequest):
            handle({**given, "verb": verb})


def test_a_field_is_named_by_its_place() -> None:
    matrix = {"classes": ["high", "low"], "counts": [[26, 0], [2, -1]]}
    with pytest.raises(InvalidRequest, match="a count is an integer of 0 or more") as caught:
        handle({"verb": "report", "matrix": matrix})
    assert caught.value.field == "matrix.counts[1][1]"
    with pytest.raises(InvalidRequest, match="proportions") as caught:
        handle({"verb": "report", "matrix": {**matrix, "counts": [[0.93, 1], [2, 3]]}})
    assert caught.value.field == "matrix.counts[0][0]"
    with pytest.raises(InvalidRequest, match="Did you mean 'matrix'") as caught:
        handle({"verb": "report", "matrx": matrix})
    assert caught.value.field == "matrx"
    with pytest.raises(InvalidRequest) as caught:
        handle({"verb": "export", "of": "report", "ending": ".md", "request": {"matrix": matrix}})
    assert caught.value.field == "request.matrix.counts[1][1]"


@pytest.mark.full
def test_handle_needs_no_web_framework() -> None:
    code = "import sys; import howsure.web; print([m for m in ('starlette', 'uvicorn', 'anyio') if m in sys.modules])"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True, timeout=PATIENCE)
    assert done.stdout == "[]\n"


def test_a_budget_of_draws_is_spent_or_refused() -> None:
    size = 60
    matrix = {
        "classes": [str(i) for i in range(size)],
        "counts": [[1 + 8 * (i == j) for j in range(size)] for i in range(size)],
    }
    tight = replace(PRIVATE, numbers=1_000_000)
    made = handle({"verb": "report", "matrix": matrix, "metrics": ["mcc"]}, limits=tight)
    assert made["result"]["draws"] == 200
    assert "draws=200" in made["code"]["python"]
    with pytest.raises(InvalidRequest, match="the command line, which has no limit") as caught:
        handle({"verb": "report", "matrix": matrix, "metrics": ["mcc"], "draws": 20_000}, limits=tight)
    assert caught.value.field == "draws"


@pytest.mark.full
def test_a_report_says_the_same_on_whichever_server() -> None:
    request = {"verb": "report", "matrix": table_of(60), "metrics": ["mcc"]}
    own, shared = (handle(request, limits=limits)["result"] for limits in (PRIVATE, PUBLIC))
    assert own == shared
    assert own["draws"] == 6900


def table_of(size: int) -> dict[str, Any]:
    return {
        "classes": [str(i) for i in range(size)],
        "counts": [[9 if i == j else 1 for j in range(size)] for i in range(size)],
    }


@pytest.mark.parametrize(
    "request_",
    [
        {"verb": "plan", "metric": "balanced_accuracy", "width": 0.1, "pilot": table_of(11)},
        {"verb": "plan", "metric": "accuracy", "difference": 0.005},
        {"verb": "plan", "metric": "accuracy", "detect": "difference", "n": 500_000},
        {"verb": "post_test", "matrix": table_of(31), "pre_test": 0.1, "label": "1"},
        {"verb": "rank", "classifiers": [{"name": str(i), "matrix": table_of(2)} for i in range(26)]},
    ],
)
def test_what_takes_long_is_refused_with_another_way(request_: dict[str, Any]) -> None:
    with pytest.raises(InvalidRequest, match="command line"):
        handle(request_)


@pytest.mark.full
def test_a_file_of_too_many_classes_is_refused_before_its_matrix_is_made() -> None:
    text = "true,predicted\n" + "".join(f"c{i},c{i}\n" for i in range(20_000))
    with pytest.raises(InvalidFile, match="20,000 classes"):
        handle({"verb": "import", "text": text, "ending": ".csv"})
