"""Counts that grow by batches: nothing is lost and nothing counted twice, whenever the power goes."""

from __future__ import annotations

import json
import os
import random
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

import howsure as hs
from howsure.counting.document import as_dict, from_dict
from howsure.counting.state import append, read_state
from howsure.errors import InvalidFile
from tests.patience import PATIENCE, ended


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


def test_plain_data_and_back() -> None:
    counts = batch() + batch("x", "y", 3)
    again = from_dict(json.loads(json.dumps(as_dict(counts))))
    assert again == counts
    assert again.set_aside == counts.set_aside


@pytest.mark.parametrize("damage", ['"n": 2', '"truth": [0', '"kind": "counts"', '"cells"', "}"])
def test_a_damaged_file_is_left_alone(tmp_path: Path, damage: str) -> None:
    path = tmp_path / "state.json"
    append(path, batch(), "monday")
    text = path.read_text()
    broken = text.replace(damage, '"n": 7' if damage == '"n": 2' else "9", 1)
    path.write_text(broken)
    with pytest.raises(InvalidFile, match=r"state\.json"):
        append(path, batch(), "tuesday")
    assert path.read_text() == broken


def test_other_questions_do_not_add_up(tmp_path: Path) -> None:
    path = tmp_path / "state.json"
    append(path, batch(), "monday")
    with pytest.raises(InvalidFile, match="different classifiers"):
        append(path, hs.count(y_true=["a", "b"], y_pred=["a", "b"]), "tuesday")


WRITER = """
import sys
import howsure as hs
from howsure.counting.state import append
counts = hs.count(y_true=["a", "b", "b"], y_pred=["a", "a", "b"])
print("ready", flush=True)
for number in range(int(sys.argv[2]), 10**6):
    append(sys.argv[1], counts, str(number))
    print(number, flush=True)
"""


def test_killed_at_ten_moments_it_loses_and_doubles_nothing(tmp_path: Path) -> None:
    path = tmp_path / "state.json"
    moments = random.Random(0)
    done = 0
    for _ in range(10):
        writer = subprocess.Popen(
            [sys.executable, "-c", WRITER, str(path), str(done)], stdout=subprocess.PIPE, text=True, env=os.environ
        )
        assert writer.stdout is not None
        with ended(writer):
            assert writer.stdout.readline() == "ready\n"
        time.sleep(moments.uniform(0.0, 0.15))
        writer.send_signal(signal.SIGKILL)
        said = [int(line) for line in writer.stdout.read().split("\n")[:-1]]
        writer.stdout.close()
        writer.wait(PATIENCE)
        if not path.exists():
            assert not said
            continue
        counts, batches = read_state(path)
        assert len(set(batches)) == len(batches)
        assert counts.n == 3 * len(batches)
        # all that was confirmed is there, and at most one more that was not yet said
        assert len(batches) - 1 <= max([*said, done - 1]) + 1
        assert set(map(str, said)) <= set(batches)
        done = max(0, len(batches) - 1)  # the last batch is sent again
    assert done > 10
