"""A server that has too much to do is asked again, and the page says so; one that gives up is not."""

from __future__ import annotations

from typing import Any

import pytest
from tests.browser.asking import said
from tests.browser.conftest import settled
from tests.browser.test_one_matrix import cell

pytestmark = pytest.mark.browser


@pytest.mark.parametrize("reply", [
    {"status": 503, "json": {"code": "Busy", "message": "other questions took all the time", "field": None}},
    {"status": 429, "json": {"code": "Busy", "message": "too many questions wait", "field": None}},
    {"status": 503, "body": "Service Unavailable"},
])  # fmt: skip
def test_a_server_that_is_busy_is_asked_again_and_that_is_said(opened: Any, reply: dict[str, Any]) -> None:
    opened.forgiven += ["status of 503", "status of 429"]
    tab = opened()
    before = said(tab, "verdict")
    busy = [True]
    tab.route("**/api/v1/report", lambda route: route.fulfill(**reply) if busy[0] else route.continue_())
    cell(tab, 0, 0).fill("60")
    tab.get_by_text("it is asked again").wait_for()
    assert said(tab, "verdict") == before
    busy[0] = False
    tab.get_by_text("it is asked again").wait_for(state="detached")
    settled(tab)
    assert said(tab, "verdict") != before
    assert "low 62" in said(tab, "about")


def test_an_answer_that_takes_too_long_is_not_asked_for_again(opened: Any) -> None:
    opened.forgiven.append("status of 503")
    tab = opened()
    asked: list[str] = []
    late = {"code": "TooLong", "message": "the answer takes more than 10 s", "field": None}
    tab.route("**/api/v1/report", lambda route: (asked.append(route.request.url), route.fulfill(status=503, json=late)))
    cell(tab, 0, 0).fill("60")
    settled(tab)
    assert "takes more than 10 s" in tab.locator(".answer [role=alert]").inner_text()
    count = len(asked)
    tab.evaluate("() => new Promise((done) => setTimeout(done, 1500))")
    assert len(asked) == count


def test_what_a_page_at_rest_asks_for_in_silence_may_fail_in_silence(opened: Any) -> None:
    opened.forgiven.append("status of 503")
    tab = opened()
    late = {"code": "TooLong", "message": "the answer takes more than 10 s", "field": None}
    refused: list[str] = []

    def answered(route: Any) -> None:
        if '"stops"' not in (route.request.post_data or ""):
            route.continue_()
        else:
            refused.append(route.request.url)
            route.fulfill(status=503, json=late)

    tab.route("**/api/v1/report", answered)
    cell(tab, 0, 0).fill("60")
    with tab.expect_response(lambda answer: '"stops"' in (answer.request.post_data or "")):
        settled(tab)
    settled(tab)
    assert refused
    assert tab.locator(".answer [role=alert]").count() == 0
    assert "low 62" in said(tab, "about")
