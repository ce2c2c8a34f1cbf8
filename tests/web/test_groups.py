"""Cases in groups through the server: columns that are offered, counts by group, both questions, the same numbers."""

from __future__ import annotations

import json
from typing import Any

import pytest

import howsure as hs
from howsure.errors import HowsureError
from howsure.web.answering import handle

WRONG = (0, 1, 2, 3, 9, 25, 26, 27, 40, 54, 55, 56, 57, 63)
TRUTH = ["ill" if i < 36 else "well" for i in range(72)]
SAID = [("well" if t == "ill" else "ill") if i in WRONG else t for i, t in enumerate(TRUTH)]
WHO = [f"<script>p{i // 6:02d}" for i in range(72)]


def text(header: str = "patient,site", who: list[str] = WHO) -> str:
    rows = [f"{w},s{i % 3},{t},{s}" for i, (w, t, s) in enumerate(zip(who, TRUTH, SAID, strict=True))]
    return "\n".join([f"{header},y_true,y_pred", *rows])


def read(content: str, **options: Any) -> dict[str, Any]:
    return handle({"verb": "import", "text": content, **options})


def test_columns_are_offered_and_one_is_chosen() -> None:
    found = read(text())
    assert found["columns"] == [{"name": "patient", "groups": 12}, {"name": "site", "groups": 3}]
    assert "groups" not in found
    chosen = read(text(), group="patient")
    assert (chosen["group"], chosen["columns"]) == ("patient", found["columns"])
    assert sum(cell[3] for cell in chosen["groups"]) == 72
    assert chosen["matrix"] == found["matrix"]
    by_name = read(text("group,site"))
    assert (by_name["group"], by_name["groups"]) == ("group", chosen["groups"])
    assert "<script>" not in json.dumps(chosen["groups"])


def test_answers_of_one_item_are_one_group_and_one_case_a_group_is_none() -> None:
    runs = "\n".join(
        [
            "id,run,y_true,y_pred",
            *(f"{i // 4},{i % 4},{t},{s}" for i, (t, s) in enumerate(zip(TRUTH, SAID, strict=True))),
        ]
    )
    found = read(runs)
    assert found["group"] == "id"
    assert len({cell[0] for cell in found["groups"]}) == 18
    alone = read(text("group,site", [f"p{i}" for i in range(72)]))
    assert "groups" not in alone


@pytest.mark.full
@pytest.mark.parametrize("about", [None, "these"])
def test_the_report_is_that_of_the_command_line(about: str | None) -> None:
    found = read(text(), group="patient")
    request = {"verb": "report", "matrix": found["matrix"], "groups": found["groups"]}
    request |= {} if about is None else {"about": about}
    answer = handle(request)
    matrix = hs.ConfusionMatrix.from_predictions(TRUTH, SAID, group=WHO, positive="ill")
    report = hs.report(hs.infer(matrix, groups=about))  # type: ignore[arg-type]  # one of two words
    assert answer["shown"]["verdict"] == report.verdict
    assert answer["result"]["metrics"] == report.to_dict()["metrics"]
    shown = answer["shown"]["groups"]
    assert shown["worth"] == "The 72 cases of 12 groups are equivalent to about 29."
    assert shown["question"] == (about or "new")
    other = "New cases of the same groups" if about != "these" else "A new case from a new group"
    assert shown["other"].startswith(f"About {other[:1].lower()}{other[1:]}: accuracy 0.")
    scope: dict[str, Any] = {}
    exec(answer["code"]["python"].replace("print(", "("), scope)  # what the page shows
    assert scope["posterior"].of("accuracy").mean == report.rows[0].mean


def test_the_command_gives_it_again() -> None:
    found = read(text(), group="patient")
    answer = handle({"verb": "report", "matrix": found["matrix"], "groups": found["groups"], "metrics": ["accuracy"]})
    assert "--groups=new" in answer["code"]["command"]
    assert answer["code"]["command"].startswith("printf '%s\\n' group,y_true,y_pred,count")
    odd = {**found["matrix"], "classes": ["a,b", "well"], "positive": None}
    del odd["positive"]
    assert handle({"verb": "report", "matrix": odd, "groups": found["groups"]})["code"]["command"] is None


@pytest.mark.parametrize(
    ("more", "sentence"),
    [
        ({"groups": [[0, 0, 0, 5]]}, "do not add up to the matrix"),
        ({"groups": [[0, 0, 9, 5]]}, "with places of classes"),
        ({"about": "new"}, "there are none"),
        ({"groups": [[0, 0, 0, 5]], "about": "old"}, "one of these, new|one of new, these"),
        ({"groups": [[0, 0, 0, 5]], "unlabelled": [1, 2]}, "cannot be combined"),
    ],
)
def test_requests_that_are_none(more: dict[str, Any], sentence: str) -> None:
    matrix = {"classes": ["ill", "well"], "counts": [[28, 8], [6, 30]]}
    with pytest.raises(HowsureError, match=sentence):
        handle({"verb": "report", "matrix": matrix, **more})
