"""A stated prevalence on the page: what it cannot be is said at its field."""

from __future__ import annotations

import json
import re
from typing import Any

import pytest

from howsure.web.answering import handle
from howsure.web.schema import InvalidRequest

MATRIX = {"classes": ["healthy", "ill"], "counts": [[170, 30], [14, 86]], "positive": "ill"}


@pytest.mark.parametrize("prevalence", [{"label": "ill", "share": 0.0}, [1.0, 0.0]])
@pytest.mark.parametrize(
    "request_",
    [{"verb": "report", "matrix": MATRIX}, {"verb": "plan", "metric": "recall", "width": 0.2, "pilot": MATRIX}],
)
def test_a_class_that_nobody_or_everybody_belongs_to_is_refused(request_: dict[str, Any], prevalence: Any) -> None:
    with pytest.raises(InvalidRequest, match="strictly between 0 and 1") as caught:
        handle({**request_, "prevalence": prevalence})
    assert caught.value.field == "prevalence"


@pytest.mark.full
def test_an_export_is_about_one_prevalence_and_has_likelihood_ratios() -> None:
    matrix = {"classes": ["sick", "healthy"], "counts": [[45, 5], [8, 92]], "positive": "sick"}
    asked = {"matrix": matrix, "prevalence": {"label": "sick", "share": 0.02}}
    for ending in (".html", ".md", ".csv"):
        text = handle({"verb": "export", "of": "report", "request": asked, "ending": ending})["text"]
        assert "likelihood" in text
        if ending == ".html":
            assert re.findall(r">([^<>]*)\(here\)<", text) == ["0.02 "]
            (place,) = re.findall(r'step="1" value="(\d+)"', text)
            shares = [json.loads(found) for found in re.findall(r'"prevalence": ?(\[[^]]*\])', text)]
            assert shares[0][int(place)] == pytest.approx(0.02, rel=0.1)
            assert text.count("Balanced accuracy is 0.90") >= 1
