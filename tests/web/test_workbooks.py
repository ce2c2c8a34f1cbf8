"""A workbook of Excel that is chosen on the page: its bytes to the server, base64 in JSON, and one sheet of it."""

from __future__ import annotations

import sys
from base64 import b64encode

import pytest
from tests.io.test_workbooks import SQUARE, workbook
from tests.web.client import ask

from howsure.errors import InvalidFile, MissingExtra
from howsure.web.answering import handle
from howsure.web.app import make_app

MEDIA = "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"
TWO = workbook(Train=[*SQUARE[:2], ["high", 1, 1]], Test=SQUARE)


def imported(data: bytes, **more: object) -> dict[str, object]:
    return handle({"verb": "import", "text": b64encode(data).decode(), "ending": ".xlsx", **more})


def test_its_bytes_are_sent_as_they_are() -> None:
    app = make_app()
    answer = ask(app, path="/api/v1/import", query="sheet=Test", body=TWO, media=MEDIA)
    assert answer.status == 200, answer.json
    assert answer.json["matrix"]["counts"] == [[6, 2], [0, 26]]
    refused = ask(app, path="/api/v1/import", body=TWO, media=MEDIA)
    assert refused.status == 422
    assert "there are several sheets with a table: '1" in refused.json["message"]


def test_scores_tables_and_leaderboards_are_in_sheets_too() -> None:
    cases = workbook(A=[["y_true", "score"], ["a", 0.25], ["b", 0.5], ["b", 0.75]])
    assert imported(cases, scores=True, positive="b")["kind"] == "scores"
    studies = workbook(A=[["study", "tp", "fn", "fp", "tn"], ["Oslo", 47, 9, 101, 738], ["Rome", 36, 3, 78, 276]])
    assert imported(studies, tables=True)["kind"] == "tables"
    board = workbook(A=[["name", "score", "n"], ["a", 0.86, 50], ["b", 0.84, 50]])
    assert imported(board)["kind"] == "leaderboard"


def test_what_is_no_workbook_gets_a_sentence(monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(InvalidFile, match="a workbook is sent as its bytes"):
        handle({"verb": "import", "text": "true,pred\na,b\n", "ending": ".xlsx"})
    with pytest.raises(InvalidFile, match="no sheet '3'; there are 'Train', 'Test'"):
        imported(TWO, sheet="3")
    monkeypatch.setitem(sys.modules, "openpyxl", None)
    with pytest.raises(MissingExtra, match="the extra 'excel'"):
        imported(TWO)
