"""`howsure count --append`, killed at random moments by the hundred: two writers, links, a disk that fills up.

Each batch has a class of its own, so a state shows which batches are in it, and how often.
"""

from __future__ import annotations

import os
import random
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager, nullcontext
from pathlib import Path

import pytest
from tests.patience import PATIENCE, ended

import howsure as hs
from howsure.io.formats.written import read_state

pytest.importorskip("duckdb")

#: The command line again and again in one process, so that a kill often meets the writing and not the imports.
MANY = """
import sys
import howsure.cli.counts, howsure.io.counting.count, howsure.io.counting.duck, duckdb
from howsure.cli import main
duckdb.connect().close()
print("ready", flush=True)
for file in sys.argv[2:]:
    print(main(["count", file, "--append", sys.argv[1]]), file, flush=True)
"""
#: Bytes of the small file system.
ROOM = 192 * 1024


def first_line(handle: int) -> bytes:
    """One line and no byte more: what a buffer would take of the next ones, `communicate` would not find again."""
    line = b""
    while not line.endswith(b"\n") and (byte := os.read(handle, 1)):
        line += byte
    return line


class Soak:
    """A state, its batches, and what has been said of them.

    Parameters
    ----------
    folder : Path
        Where the state is; the batches are beside it.
    batches : int
    seed : int
    """

    def __init__(self, folder: Path, beside: Path, batches: int, seed: int) -> None:
        self.random = random.Random(seed)
        self.state = folder / "deep" / "state.json"
        self.state.parent.mkdir()
        self.names = [self.state, beside / "link.json", beside / "far.json"]
        self.names[1].symlink_to(self.state)
        self.names[2].symlink_to("link.json")
        self.files = [beside / f"{i:04d}.csv" for i in range(batches)]
        for i, file in enumerate(self.files):
            rows = [f"c{i:04d},c{i:04d}"] * (1 + i % 3) + ["a,b", "b,b", "b,"]
            file.write_text("y_true,y_pred\n" + "\n".join(rows) + "\n")
        self.confirmed: set[Path] = set()
        self.seen: Counter[str] = Counter()

    def check(self) -> list[Path]:
        """The batches that are not in the state yet; nothing in it is doubled, and nothing confirmed is lost."""
        if not self.state.exists():
            assert not self.confirmed
            return self.files
        counts, names = read_state(self.state)
        matrix = counts.confusion()
        found = {label: int(matrix.counts[i, i]) for i, label in enumerate(matrix.labels)}
        inside = [file for file in self.files if f"c{file.stem}" in found]
        for file in inside:
            assert found[f"c{file.stem}"] == 1 + int(file.stem) % 3, f"{file.name} is counted in part or twice"
        assert len(names) == len(set(names)) == len(inside)
        assert counts.read == sum(4 + int(file.stem) % 3 for file in inside)
        assert self.confirmed <= set(inside), "a batch that was confirmed is lost"
        assert all(name.is_symlink() for name in self.names[1:])
        return [file for file in self.files if file not in inside]

    def run(self, delays: list[float | None], todo: list[Path], *, whole: bool) -> None:
        """Writers at once, each killed after its delay or left to end; what they say is noted."""
        writers = []
        for at, delay in enumerate(delays):
            mine = todo[at :: len(delays)][: 1 if whole else 40]
            if not mine:  # fewer batches are left than there are writers
                continue
            again = self.random.sample(sorted(self.confirmed), min(1, len(self.confirmed)))
            name = str(self.random.choice(self.names))
            head = ["-m", "howsure", "count", str(mine[0]), "--append", name]
            rest = ["-c", MANY, name, *map(str, again), *map(str, mine)]
            made = subprocess.Popen(
                [sys.executable, *(head if whole else rest)], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
            )
            writers.append((made, delay, mine))
        start = None if not whole else time.monotonic()
        for made, _, _ in writers:
            assert made.stdout is not None
            if not whole:
                with ended(made):
                    assert first_line(made.stdout.fileno()) == b"ready\n"
        start = start or time.monotonic()
        for made, delay, _ in sorted(writers, key=lambda writer: writer[1] or 0.0):
            if delay is not None:
                if not whole and self.random.random() < 0.5:
                    self._await_writing(start + delay)
                else:
                    time.sleep(max(0.0, start + delay - time.monotonic()))
                if made.poll() is None:
                    self.seen["killed"] += 1
                made.kill()
                made.wait(PATIENCE)
                self.seen["left by a kill"] += bool(self._unfinished())
        for made, delay, mine in writers:
            with ended(made):
                out, err = made.communicate(timeout=PATIENCE)
            self._note(out.splitlines(), err.splitlines(), mine[0] if whole else None, made.returncode, delay)

    def _unfinished(self) -> list[Path]:
        return list(self.state.parent.glob(".howsure-*.part"))

    def _await_writing(self, until: float) -> None:
        """Wait for a moment at which a state is being written."""
        while not self._unfinished() and time.monotonic() < until:
            pass

    def _note(self, out: list[str], err: list[str], one: Path | None, status: int, delay: float | None) -> None:
        done = [line.split(" ", 1) for line in out if line[:2] in ("0 ", "2 ")]
        if one is not None and status in (0, 2):
            done = [[str(status), str(one)]]
        self.confirmed |= {Path(name) for code, name in done if code == "0"}
        refused = [line for line in err if line.startswith("howsure: ")]
        assert all("No space left on device" in line for line in refused), refused
        assert len(refused) - sum(code == "2" for code, _ in done) in ((0,) if delay is None else (0, 1))
        assert not any("Traceback" in line or "defect" in line for line in err), err
        self.seen["confirmed"] += sum(code == "0" for code, _ in done)
        self.seen["refused, disk full"] += len(refused)
        self.seen["nothing added, in it already"] += sum("nothing added" in line for line in err)

    def finish(self) -> None:
        """Send what is missing; then the counts are those from scratch, and nothing of the killed is left."""
        while todo := self.check():
            self.run([None, None], todo, whole=False)
        assert read_state(self.state)[0] == hs.count([str(file) for file in self.files])
        assert sorted(p.name for p in self.state.parent.iterdir()) == [".state.json.lock", "state.json"]


@contextmanager
def small_disk(folder: Path) -> Iterator[Path]:
    """A file system of some kilobytes."""
    folder.mkdir()
    made = subprocess.run(
        ["mount", "-t", "tmpfs", "-o", f"size={ROOM}", "none", str(folder)],
        capture_output=True,
        text=True,
        check=False,
        timeout=PATIENCE,
    )
    if made.returncode:
        pytest.skip(f"no file system can be mounted here: {made.stderr.strip()}")
    try:
        yield folder
    finally:
        subprocess.run(["umount", str(folder)], check=True, timeout=PATIENCE)


def fill(folder: Path) -> Path:
    """Take all the room that is left."""
    ballast = folder / "ballast"
    with ballast.open("wb", buffering=0) as file:
        try:
            while file.write(b"x" * 512):
                pass
        except OSError:
            return ballast
    return ballast


@pytest.mark.deep
def test_two_writers_killed_through_links_lose_and_double_nothing(tmp_path: Path) -> None:
    soak = Soak(tmp_path, tmp_path, 60, seed=0)
    for _ in range(4):
        soak.run([soak.random.uniform(0, 0.5) for _ in range(2)], soak.check() or soak.files[:2], whole=False)
    soak.finish()


@pytest.mark.full
def test_two_writers_share_what_is_left_when_that_is_one_batch(tmp_path: Path) -> None:
    soak = Soak(tmp_path, tmp_path, 3, seed=0)
    soak.run([None, None], soak.files[:2], whole=False)
    soak.finish()
    assert soak.confirmed == set(soak.files)


@pytest.mark.full
def test_a_full_disk_refuses_and_keeps_what_was(tmp_path: Path) -> None:
    with small_disk(tmp_path / "disk") as disk:
        soak = Soak(disk, tmp_path, 6, seed=1)
        soak.run([None], soak.files[:3], whole=False)
        before = soak.state.read_bytes()
        ballast = fill(disk)
        soak.run([None, None], soak.files[3:], whole=False)
        assert soak.seen["refused, disk full"] >= 3
        assert soak.state.read_bytes() == before
        assert sorted(p.name for p in soak.state.parent.iterdir()) == [".state.json.lock", "state.json"]
        ballast.unlink()
        soak.finish()


@pytest.mark.validate
@pytest.mark.parametrize("seed", [2, 3])
@pytest.mark.parametrize("full", [False, True], ids=["roomy", "filling"])
def test_a_hundred_kills(tmp_path: Path, full: bool, seed: int) -> None:
    # a real disk is slow to confirm, so kills meet unfinished files; a small one fills up
    with small_disk(tmp_path / "disk") if full else nullcontext(tmp_path) as disk:
        soak = Soak(disk, tmp_path, 300, seed=seed)
        begun = time.monotonic()
        soak.run([None], soak.files[:1], whole=True)
        life = time.monotonic() - begun
        while soak.seen["killed"] < 100:
            # every other time whole commands, killed at any moment of their life
            whole = soak.random.random() < 0.5
            ballast = fill(disk) if full and soak.random.random() < 0.3 else None
            todo = soak.check()
            if len(todo) < 2:
                todo = soak.files[:2]
            soak.run([soak.random.uniform(0, 1.3 * life if whole else 0.8) for _ in range(2)], todo, whole=whole)
            soak.seen["rounds"] += 1
            if ballast is not None:
                ballast.unlink()
        soak.finish()
        took = time.monotonic() - begun
        sys.stderr.write(f"{dict(soak.seen)}, {took:.0f} s on {os.cpu_count()} processors\n")
        assert soak.seen["refused, disk full"] if full else soak.seen["left by a kill"]
