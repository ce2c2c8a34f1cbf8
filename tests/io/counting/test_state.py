"""Counts that grow by batches: nothing is lost and nothing counted twice, whenever the power goes."""

from __future__ import annotations

import fcntl
import json
import os
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from queue import Queue
from typing import Any

import pytest
from tests.patience import PATIENCE

import howsure as hs
from howsure.errors import InvalidFile
from howsure.io.formats.written import append, as_dict, read_state


def batch(a: str = "a", b: str = "b", site: int = 1) -> hs.Counts:
    return hs.count({"t": [a, a, b], "p": [a, b, None], "s": [site] * 3}, y_true="t", y_pred="p", by="s")


def test_a_batch_counts_once(tmp_path: Path) -> None:
    path = tmp_path / "state.json"
    assert append(path, batch(), "monday").new
    assert append(path, batch("b", "c", 2), "tuesday").new
    assert not append(path, batch(), "monday").new
    counts, batches = read_state(path)
    assert batches == ("monday", "tuesday")
    assert counts == batch() + batch("b", "c", 2)
    assert (counts.n, counts.read, counts.labels) == (4, 6, ("a", "b", "c"))
    assert counts.set_aside[0].rows == 2


@pytest.mark.parametrize("damage", ['"kind": "counts"', "}"])
def test_a_damaged_file_is_left_alone(tmp_path: Path, damage: str) -> None:
    path = tmp_path / "state.json"
    append(path, batch(), "monday")
    broken = path.read_text().replace(damage, "9", 1)
    path.write_text(broken)
    with pytest.raises(InvalidFile, match=r"state\.json"):
        append(path, batch(), "tuesday")
    assert path.read_text() == broken


def test_other_questions_do_not_add_up(tmp_path: Path) -> None:
    path = tmp_path / "state.json"
    append(path, batch(), "monday")
    with pytest.raises(InvalidFile, match="different classifiers"):
        append(path, hs.count(y_true=["a", "b"], y_pred=["a", "b"]), "tuesday")


@pytest.mark.sweep(30, full=41)
@pytest.mark.parametrize(
    ("key", "value"),
    [
        ("n", 11),
        ("n", True),
        ("read", 5),
        ("cells.truth", [0.5, 0, 1, 1]),
        ("cells.truth", [0, 0, 1, 3]),
        ("cells.truth", [0, 1, 1]),
        ("cells.answers", [[0], [1], [1], [-1]]),
        ("cells.answers", [[0], [1], [1], [1, 2]]),
        ("cells.group", [0, 0, 1, 2]),
        ("cells.model", [-1, -1, -1, 0]),
        ("cells.cases", [0, 1, 1, 2]),
        ("double", None),
        ("set_aside", [{"reason": "no truth", "rows": 9, "examples": []}]),
        ("set_aside", {"rows": 1}),
        ("classes", ["a", "b", "b"]),
        ("models", ["p", "p"]),
        ("groups", [["1"], ["1"]]),
        ("paired", 1),
        ("orientation", "true-columns"),
        ("batches", ["monday", "monday"]),
        ("files", {"x": {"batch": "friday", "bytes": 3}}),
    ],
)
def test_counts_that_contradict_themselves_are_refused(tmp_path: Path, key: str, value: object) -> None:
    path = tmp_path / "state.json"
    append(path, batch(), "monday")
    append(path, batch("b", "c", 2), "tuesday")
    data = json.loads(path.read_text())
    assert (data["cells"]["truth"], data["cells"]["cases"]) == ([0, 0, 1, 1], [1, 1, 1, 1])
    if key == "double":
        for column in data["cells"].values():
            column.append(column[-1])
        data["n"], data["read"] = 5, 7
    elif key.startswith("cells."):
        data["cells"][key[6:]] = value
    else:
        data[key] = value
    path.write_text(json.dumps(data))
    text = path.read_text()
    for read in (lambda: append(path, batch(), "wednesday"), lambda: read_state(path)):
        with pytest.raises(InvalidFile) as raised:
            read()
        assert raised.value.kind == "damaged"
    assert path.read_text() == text


@pytest.mark.parametrize("key", ["cells", "batches"])
def test_counts_that_lack_something_are_refused(tmp_path: Path, key: str) -> None:
    path = tmp_path / "state.json"
    append(path, batch(), "monday")
    data = json.loads(path.read_text())
    del data[key]
    path.write_text(json.dumps(data))
    with pytest.raises(InvalidFile, match=f"no '{key}'"):
        read_state(path)


COLUMNS = {"t": list("aabbab"), "p": [*"abbba", None], "q": [*"aaab", None, None], "w": [3, 1, 2, 5, 0, 2]}


@pytest.mark.parametrize(
    "options",
    [
        {"y_pred": ["p", "q"], "by": "w"},
        {"y_pred": "p", "weight": "w", "weights": "effective"},
        {"y_pred": "p", "model": "m", "id": "i"},
    ],
    ids=str,
)
def test_all_kinds_of_counts_are_read_back_and_grow(tmp_path: Path, options: dict[str, Any]) -> None:
    columns = {**COLUMNS, "m": list("xyxyxy"), "i": ["1", "1", "2", "2", "3", None], "t": list("aabbaa")}
    counts = hs.count(columns, y_true="t", **options)
    path = tmp_path / "state.json"
    append(path, counts, "one")
    append(path, counts, "two")
    read = read_state(path)[0]
    assert read == counts + counts
    assert read.weighted == ("weight" in options)
    assert (read.n, read.set_aside) == (2 * counts.n, (counts + counts).set_aside)


def test_states_of_version_0_1_are_read_and_grow(tmp_path: Path) -> None:
    weighted = hs.count(COLUMNS, y_true="t", y_pred="p", weight="w")
    assert weighted.n > weighted.read
    for number, counts in enumerate((batch(), weighted)):
        path = tmp_path / f"{number}.json"
        data = as_dict(counts, ["monday"])
        del data["weighted"], data["files"]
        path.write_text(json.dumps(data))
        assert read_state(path) == (counts, ("monday",))
        append(path, counts, "tuesday")
        assert read_state(path)[0] == counts + counts


def test_a_file_that_has_grown_is_not_counted_again(tmp_path: Path) -> None:
    state, log, other = tmp_path / "state.json", tmp_path / "log.csv", tmp_path / "other.csv"
    for file in (log, other):
        file.write_text("t,p\na,a\n")
    (tmp_path / "link.csv").symlink_to("log.csv")
    assert append(state, batch(), "monday", [str(log)]).new
    text = state.read_text()
    assert str(tmp_path) not in text
    with log.open("a") as file:
        file.write("b,b\n")
    for name in (log, tmp_path / "link.csv", f"{tmp_path}/../{tmp_path.name}/log.csv"):
        with pytest.raises(
            InvalidFile, match=r"was counted before, in the batch 'monday': it had 8 bytes then and"
        ) as e:
            append(state, batch(), "tuesday", [str(other), str(name)])
        assert "12 bytes now" in str(e.value)
        assert "--batch NAME" in str(e.value)
    assert state.read_text() == text
    assert append(state, batch(), "tuesday", [str(other)]).new
    assert not append(state, batch(), "monday", [str(log)]).new  # the same batch again adds nothing, as ever
    assert append(state, batch(), "on purpose", [str(log)], named=True).new
    with pytest.raises(InvalidFile, match="in the batch 'on purpose': it has changed since"):
        append(state, batch(), "wednesday", [str(log)])
    assert read_state(state)[0].n == 6


def test_queries_of_one_database_are_told_apart(tmp_path: Path) -> None:
    state, base = tmp_path / "state.json", tmp_path / "x.duckdb"
    base.write_bytes(b"1")
    assert append(state, batch(), "one", [str(base)], query="SELECT 1").new
    assert append(state, batch(), "two", [str(base)], query="SELECT 2").new
    base.write_bytes(b"12")
    with pytest.raises(InvalidFile, match="in the batch 'one'"):
        append(state, batch(), "three", [str(base)], query="SELECT 1")


def test_links_lead_to_one_state_and_one_lock(tmp_path: Path) -> None:
    (tmp_path / "there").mkdir()
    (tmp_path / "elsewhere").mkdir()
    state = tmp_path / "there" / "state.json"
    link, far = tmp_path / "link.json", tmp_path / "elsewhere" / "far.json"
    link.symlink_to("there/state.json")
    far.symlink_to("../link.json")
    for number, name in enumerate((link, state, far, link)):  # the first by a link that leads to nothing yet
        assert append(name, batch(), str(number)).new
    assert (link.is_symlink(), far.is_symlink()) == (True, True)
    assert read_state(state)[1] == ("0", "1", "2", "3")
    assert sorted(p.name for p in (tmp_path / "there").iterdir()) == [".state.json.lock", "state.json"]
    assert sorted(p.name for p in tmp_path.iterdir()) == ["elsewhere", "link.json", "there"]


flock = fcntl.flock


class Locks:
    """Locks as writers ask for them, each noted before it is waited for."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self._free: Queue[bool] = Queue()
        monkeypatch.setattr(fcntl, "flock", self._flock)

    def _flock(self, handle: int, how: int) -> None:
        try:
            flock(handle, how | fcntl.LOCK_NB)
        except BlockingIOError:
            self._free.put(False)
            flock(handle, how)
        else:
            self._free.put(True)

    def next_was_free(self) -> bool:
        """Whether the next lock that is asked for is free; the file is open then."""
        return self._free.get(timeout=PATIENCE)


@contextmanager
def writer_of(path: Path) -> Iterator[None]:
    """Somebody who appends a batch meanwhile, and is done in the end."""
    done: list[bool] = []
    writer = threading.Thread(target=lambda: done.append(append(path, batch(), "tuesday").new), daemon=True)
    writer.start()
    yield
    writer.join(PATIENCE)
    assert done == [True]
    assert read_state(path)[1] == ("monday", "tuesday")


@pytest.mark.parametrize("how", [fcntl.LOCK_SH, fcntl.LOCK_EX])
def test_nobody_appends_while_another_has_the_lock_even_to_read(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, how: int
) -> None:
    path, link = tmp_path / "state.json", tmp_path / "link.json"
    append(path, batch(), "monday")
    locks = Locks(monkeypatch)
    link.symlink_to("state.json")
    with (tmp_path / ".state.json.lock").open() as lock:
        flock(lock, how)
        with writer_of(link):
            assert not locks.next_was_free()
            assert read_state(path)[1] == ("monday",)
            flock(lock, fcntl.LOCK_UN)


@pytest.mark.parametrize("replaced", [False, True])
def test_a_lock_that_is_removed_or_replaced_is_no_lock(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, replaced: bool
) -> None:
    path, lock, new = tmp_path / "state.json", tmp_path / ".state.json.lock", tmp_path / "new"
    append(path, batch(), "monday")
    locks = Locks(monkeypatch)
    new.touch()
    with new.open() as held, lock.open() as old:
        flock(held, fcntl.LOCK_EX)
        flock(old, fcntl.LOCK_EX)
        with writer_of(path):
            assert not locks.next_was_free()  # the old one
            if replaced:
                new.replace(lock)
            else:
                lock.unlink()
            flock(old, fcntl.LOCK_UN)
            assert locks.next_was_free() == (not replaced)
            if replaced:
                assert read_state(path)[1] == ("monday",)
            flock(held, fcntl.LOCK_UN)
    assert lock.exists()


@pytest.mark.parametrize("name", ["", "folder", "pipe", "absent/state.json"])
def test_counts_grow_in_files_only(tmp_path: Path, name: str) -> None:
    (tmp_path / "folder").mkdir()
    os.mkfifo(tmp_path / "pipe")
    with pytest.raises(InvalidFile):
        append(tmp_path / name if name else "", batch(), "monday")
    assert sorted(p.name for p in tmp_path.iterdir()) == ["folder", "pipe"]
