"""A stated prevalence on the page: what it cannot be is said at its field."""

from __future__ import annotations

from typing import Any

import pytest

from howsure.web.fields import InvalidRequest
from howsure.web.handle import handle

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
