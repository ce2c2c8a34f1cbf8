"""Requests that schemathesis makes from the published description: none of them is a defect."""

from __future__ import annotations

import json
from typing import Any
from urllib.parse import urlencode

import pytest
from hypothesis import HealthCheck, given, settings
from tests.conftest import tries
from tests.web.client import ask

from howsure.web.schema import openapi

pytest.importorskip("starlette", reason="the page's server needs howsure[web]")

from howsure.web.app import make_app  # after the extra is known to be there


# it knows no ndjson; the other media types of an import are enough
@pytest.mark.filterwarnings("ignore:Skipped test cases:UserWarning")
@pytest.mark.deep
@pytest.mark.parametrize("path", sorted(openapi()["paths"]))
def test_nothing_that_the_description_generates_is_a_defect(path: str) -> None:
    # loaded here: to load it costs more than to collect all tests
    schemathesis = pytest.importorskip("schemathesis", reason="generated requests need schemathesis")
    app = make_app()
    for method in openapi()["paths"][path]:

        @given(case=schemathesis.openapi.from_dict(openapi())[path][method].as_strategy())
        @settings(max_examples=tries(25), deadline=None, suppress_health_check=list(HealthCheck))
        def request_is_no_defect(case: Any) -> None:
            plain = case.body is None or isinstance(case.body, dict | list | str | int | float | bool)
            sent = case.body if plain else ""
            raw = sent.encode("utf-8", "replace") if isinstance(sent, str) else json.dumps(sent).encode()
            query = urlencode(case.query or {})
            answer = ask(app, case.method.upper(), case.formatted_path, raw, media=case.media_type, query=query)
            assert answer.status in (200, 400, 403, 404, 405, 413, 415, 422, 429, 503), answer.body[:300]
            assert b"Traceback" not in answer.body
            if answer.status >= 400:
                assert set(answer.json) == {"code", "message", "field"}

        request_is_no_defect()
