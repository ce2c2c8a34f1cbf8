"""What is fuzzed: functions of bytes that either return, or raise an error of the library's own."""

from __future__ import annotations

import io
import json
import os
import tempfile
import warnings
from base64 import b64encode
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any

import howsure as hs
from howsure.data.confusion import ConfusionMatrix
from howsure.errors import HowsureError
from howsure.io import read, read_judged, read_predictions, read_repeats, read_scores
from howsure.io.contenders import read_contenders, read_over, read_sites
from howsure.io.counting.count import count
from howsure.io.formats.board import read_board, read_collection
from howsure.io.logs import read_log
from howsure.metrics import parse
from howsure.web.answering import complaint, handle
from howsure.web.limits import PUBLIC
from howsure.web.schema import InvalidRequest

__all__ = ["CORPUS", "TARGETS", "tried"]

CORPUS = Path(__file__).parent / "corpus"

#: Keywords of `read`; the first byte of an input chooses one, and the ending of its file.
ASKED: tuple[dict[str, Any], ...] = (
    {},
    {"rows": "true"},
    {"rows": "pred", "positive": "b"},
    {"missing": "exclude"},
    {"missing": "estimate"},
    {"missing": "estimate", "order": ["a", "b"]},
    {"model": "a"},
    {"labels": ["a", "b"]},
    {"group": True},
    {"group": "g", "repeat": "run"},
    {"folds": "fold"},
    {"y_true": "a", "y_pred": "b"},
)
ENDINGS = (".csv", ".jsonl", ".json", "", ".tsv", ".parquet")
LABELS = ("healthy", "ill", "not ill", "]", "macro", "=1+1")
TWO = hs.infer(ConfusionMatrix([[45, 5], [8, 42]], labels=LABELS[:2], positive="ill"))
SIX = hs.infer(ConfusionMatrix([[9 if i == j else 1 for j in range(6)] for i in range(6)], labels=LABELS))
SMALL = replace(PUBLIC, imports=True, draws=20_000, numbers=2_000_000)


def said(text: object) -> None:
    """A sentence for a terminal holds nothing that a terminal obeys."""
    assert str(text).replace("\n", "").isprintable(), ascii(text)


def _stream(data: bytes, number: int) -> io.BytesIO:
    stream = io.BytesIO(data)
    stream.name = f"it{ENDINGS[number % len(ENDINGS)]}"  # type: ignore[attr-defined]  # as files have one
    return stream


@contextmanager
def _files(data: bytes, ending: str) -> Iterator[list[str]]:
    """A file for each part of the input, in a folder that is removed."""
    with tempfile.TemporaryDirectory(prefix="howsure-fuzz-", dir=os.environ.get("HOWSURE_FUZZ_FOLDER")) as folder:
        parts = data.split(b"\n====\n", 2)
        paths = [os.path.join(folder, f"{'abc'[i]}{ending}") for i in range(len(parts))]
        for path, part in zip(paths, parts, strict=True):
            Path(path).write_bytes(part)
        yield paths


def tables(data: bytes) -> None:
    """One confusion matrix of a stream: every layout of tables and of JSON, packed or not."""
    reading = read(_stream(data[1:], data[0] // 16), **ASKED[data[0] % 16 % len(ASKED)])
    for sentence in (reading.layout, *reading.notes):
        said(sentence)
    assert reading.confusion.n >= 0


def others(data: bytes) -> None:
    """Scores, repeated runs, studies of four cells, leaderboards."""
    readers: tuple[Callable[[Any], Any], ...] = (
        read_scores,
        lambda path: read_scores(path, score=[]),
        read_repeats,
        read_collection,
        read_board,
        lambda stream: read_board(stream, n=100),
        lambda stream: read_repeats(stream, threshold=0.5, missing="exclude"),
        lambda stream: read_scores(stream, group="g"),
    )
    readers[data[0] % 16 % len(readers)](_stream(data[1:], data[0] // 16))


def several(data: bytes) -> None:
    """Files that are paired, judged, ranked or pooled; parts of the input stand between lines of ====."""
    readers: tuple[Callable[[list[str]], Any], ...] = (
        lambda paths: read_predictions(*paths),
        lambda paths: read_predictions(*paths, missing="exclude", group=None),
        lambda paths: read_judged(paths[0]),
        read_contenders,
        lambda paths: read_contenders(paths, n=50, separate=True, missing="exclude"),
        lambda paths: read_sites(paths, site="site"),
        read_sites,
        lambda paths: read_over(paths, "site"),
        lambda paths: read(paths[0], labels_from=paths[-1], missing="estimate"),
    )
    with _files(data[1:], ENDINGS[data[0] // 16 % len(ENDINGS)]) as paths:
        readers[data[0] % 16 % len(readers)](paths)


def logs(data: bytes) -> None:
    """Logs of evaluation harnesses: JSON, JSON Lines, archives."""
    options: tuple[dict[str, Any], ...] = ({}, {"threshold": 0.5}, {"metric": "acc", "filter": "none"}, {"field": "ok"})
    ending = (".json", ".jsonl", ".eval", ".parquet")[data[0] // 16 % 4]
    with _files(data[1:], ending) as paths:
        read_log(paths[0], **options[data[0] % 16 % len(options)])


def counted(data: bytes) -> None:
    """Files that DuckDB counts, and states of counts."""
    options: tuple[dict[str, Any], ...] = (
        {},
        {"by": "g"},
        {"weight": "w", "weights": "effective"},
        {"id": "id", "model": "model"},
        {"y_true": "a", "y_pred": ["b"]},
    )
    with _files(data[1:], ENDINGS[data[0] // 16 % len(ENDINGS)]) as paths:
        found = count(paths, **options[data[0] % 16 % len(options)])
        assert found.n <= found.read or found.weighted
        for note in found.notes:
            said(note)


def workbooks(data: bytes) -> None:
    """Workbooks of Excel: the one sheet with a table, one of several, for every reader and for the page."""
    number, book = data[0] // 8, data[1:]
    sheet = ("", "", "#1", "#2", "#Test")[number % 5]
    readers: tuple[Callable[[str], Any], ...] = (
        read,
        lambda path: read(path, rows="true"),
        read_scores,
        read_board,
        read_collection,
        count,
        read_predictions,
    )
    if data[0] % 8 < len(readers):
        with tempfile.TemporaryDirectory(prefix="howsure-fuzz-", dir=os.environ.get("HOWSURE_FUZZ_FOLDER")) as folder:
            path = os.path.join(folder, "a.xlsx")
            Path(path).write_bytes(book)
            readers[data[0] % 8](path + sheet)
    else:
        asked: dict[str, Any] = {"verb": "import", "text": b64encode(book).decode(), "ending": ".xlsx"}
        chosen = {"sheet": sheet[1:]} if sheet else {}
        json.dumps(handle({**asked, **chosen}, limits=SMALL), allow_nan=False)


def metric_names(data: bytes) -> None:
    """Names of metrics with parameters and classes, up to their law."""
    text = data.decode("utf-8", "replace")
    for labels in (LABELS[:2], LABELS):
        for positive in (None, "ill"):
            try:
                measure = parse(text, labels, positive)
            except HowsureError as error:
                said(error)
            else:
                assert parse(measure.name, labels, positive) == measure, measure.name
    said((TWO if len(text) % 2 else SIX).of(text, draws=200).metric)


def requests(data: bytes) -> None:
    """What the page's server is asked; a refusal is data as well."""
    try:
        request = json.loads(data)
    except (ValueError, RecursionError):
        return
    try:
        json.dumps(handle(request, limits=SMALL), allow_nan=False)
    except HowsureError as error:
        refused = error
    else:
        return
    told = complaint(refused)
    assert not isinstance(refused, InvalidRequest) or 0 < len(told["message"] or "") < 2000


TARGETS: dict[str, Callable[[bytes], None]] = {
    target.__name__: target for target in (tables, others, several, logs, counted, workbooks, metric_names, requests)
}


def tried(target: Callable[[bytes], None], data: bytes) -> bool:
    """Whether it was read; errors of our own are answers, and anything else is raised."""
    if not data:
        return False
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            target(data)
        except HowsureError as error:
            said(error)
            return False
    return True
