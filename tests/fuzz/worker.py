"""One target under atheris, until the time is over; `python -m tests.fuzz` starts it.

    python -m tests.fuzz.worker TARGET SECONDS FOLDER

A finding is an exception that is not the library's own, more than 5 s of a core, or more than 1 GB. Fuzzing goes on
after it: the input is kept in FOLDER, once for each place in our code, and what was seen stands in ``seen.json`` there.
"""

from __future__ import annotations

import contextlib
import hashlib
import importlib
import json
import os
import pkgutil
import random
import sys
import time
import traceback
from collections.abc import Iterator
from functools import partial
from itertools import islice
from pathlib import Path
from typing import Any

from tests.fuzz.changed_workbooks import LONGEST_WORKBOOK, workbook_changed

# atheris is loaded where it is used: collecting tests imports this file, in environments without it

LONGEST, LARGEST = 5.0, 2**30
#: Beyond this the process ends itself, and is started again.
HANGS, TOO_LARGE = 60, 3072
LONGEST_INPUT = 4096
#: Parts of a document among which one is chosen to be changed.
MOST_PLACES = 5_000
#: Rooms whose branches guide; laws and numerics see numbers that these have checked.
ROOMS = ("howsure.io", "howsure.data", "howsure.metrics", "howsure.text", "howsure.web")

VALUES: list[Any] = [
    None, True, False, 0, -1, 1, 2, 0.5, 1e-320, 1e308, -1e308, 2**53, 10**15, 2**63, "", "x", "\0", "\ud800", "1e999",
    "=1+1", "recall", "mcc@macro", "__proto__", "learned", "haldane", [], {}, [[]], [1, 2], [[0, 0], [0, 0]], {"a": 1},
]  # fmt: skip


def loaded() -> Any:
    """The targets, with every module of the rooms loaded under observation."""
    import atheris

    with atheris.instrument_imports(include=["howsure"]), contextlib.suppress(ImportError):
        for room in ROOMS:
            found = importlib.import_module(room)
            for module in pkgutil.walk_packages(getattr(found, "__path__", ()), f"{room}."):
                with contextlib.suppress(ImportError):  # an extra that is not here
                    importlib.import_module(module.name)
    return importlib.import_module("tests.fuzz.targets")


def places(value: Any) -> Iterator[tuple[Any, Any]]:
    """Parts of a JSON value with what holds them, level by level; it may be as deep as it likes.

    Examples
    --------
    >>> [key for _, key in places({"a": [7, {"b": None}], "c": 1})]
    ['a', 'c', 0, 1, 'b']
    """
    level = [value]
    while level:
        below = []
        for holder in level:
            parts = holder.items() if isinstance(holder, dict) else enumerate(holder)
            for key, part in parts:
                yield holder, key
                if isinstance(part, dict | list):
                    below.append(part)
        level = below


def json_changed(data: bytes, most: int, seed: int) -> bytes:
    """A document with some values exchanged; or its bytes mutated, if it is none or by chance."""
    chance = random.Random(seed)
    try:
        document = json.loads(data)
    except (ValueError, RecursionError):
        document = None
    if not isinstance(document, dict) or chance.random() < 0.2:
        return mutated(data, most)
    for _ in range(chance.choice((1, 1, 2, 4))):
        there = list(islice(places(document), MOST_PLACES))
        if not there:
            break
        holder, last = chance.choice(there)
        old, how = holder[last], chance.random()
        if how < 0.1:
            del holder[last]
        elif how < 0.4 and isinstance(old, int | float):
            with contextlib.suppress(ArithmeticError, ValueError):  # beyond floats, or no number
                changes = (lambda x: x + 1, lambda x: x * 10, lambda x: x / 10, lambda x: -x, lambda x: x * 1e15)
                holder[last] = chance.choice((*changes, lambda x: int(x) * 10**6, lambda x: 1 - x))(old)
        elif how < 0.6 and isinstance(old, str):
            changed = mutated(old.encode("utf-8", "replace") or b"x", len(old) + 16)
            holder[last] = changed.decode("utf-8", "replace")
        elif how < 0.7 and isinstance(holder, list):
            holder.append(old)
        else:
            holder[last] = chance.choice(VALUES)
    try:
        changed_to = json.dumps(document).encode()
    except (ValueError, RecursionError):  # too deep; the decoder goes deeper
        return data
    return changed_to if len(changed_to) <= most else data


def mutated(data: bytes, most: int) -> bytes:
    """Bytes with a few of them changed; atheris has another function for it once it fuzzes, so it is asked anew."""
    import atheris

    return bytes(atheris.Mutate(data, most))


def peak() -> int:
    """Bytes that the process held at most since `forget_peak`."""
    status = Path("/proc/self/status").read_text(encoding="ascii")
    return int(status.partition("VmHWM:")[2].split()[0]) * 1024


def held() -> int:
    """Bytes that it holds."""
    return int(Path("/proc/self/statm").read_text(encoding="ascii").split()[1]) * os.sysconf("SC_PAGE_SIZE")


def forget_peak() -> None:
    """Begin anew with `peak`."""
    Path("/proc/self/clear_refs").write_text("5", encoding="ascii")


def where(error: BaseException) -> str:
    """The kind of an error and the last place in our code that it went through."""
    frames = [
        f for f in traceback.extract_tb(error.__traceback__) if "howsure" in f.filename or "targets" in f.filename
    ]
    last = frames[-1] if frames else None
    return f"{type(error).__name__} at {Path(last.filename).name}:{last.lineno}" if last else type(error).__name__


class Watched:
    """Tries inputs, and keeps count."""

    def __init__(self, name: str, targets: Any, folder: Path) -> None:
        self._target, self._tried, self._folder = targets.TARGETS[name], targets.tried, folder
        self.seen: dict[str, Any] = {"inputs": 0, "read": 0, "slowest": 0.0, "largest": 0, "findings": {}}
        self._written = time.monotonic()
        self.end = self._written + 1e9

    def __call__(self, data: bytes) -> None:
        """Try one input."""
        forget_peak()
        before, start, problem = held(), time.process_time(), None
        try:
            self.seen["read"] += self._tried(self._target, data)
        except Exception as error:  # whatever it is, it is what is looked for
            problem = where(error)
            note = "".join(traceback.format_exception(error))
        seconds, grown = time.process_time() - start, peak() - before
        self.seen["inputs"] += 1
        if seconds > LONGEST or grown > LARGEST:
            problem = note = f"{seconds:.0f} s, {grown / 2**20:.0f} MB" if problem is None else problem
        if problem is not None and (seconds <= LONGEST or problem not in self.seen["findings"]):
            name = hashlib.sha256(problem.encode()).hexdigest()[:8]
            if problem not in self.seen["findings"]:
                Path(self._folder, name).write_bytes(data)
                Path(self._folder, f"{name}.txt").write_text(note, encoding="utf-8")
                print(f"FOUND {problem}: {ascii(data)[:300]}", flush=True)
            self.seen["findings"].setdefault(problem, 0)
            self.seen["findings"][problem] += 1
        for what, value in (("slowest", seconds), ("largest", grown)):
            if value > self.seen[what]:
                self.seen[what] = value
                Path(self._folder, what).write_bytes(data)
        if time.monotonic() > self.end:
            self.write()
            os._exit(0)  # threads of DuckDB may wait for each other in an orderly end
        if time.monotonic() - self._written > 2:
            self.write()

    def write(self) -> None:
        """Keep what was seen where the process that started this one finds it, also after a crash."""
        Path(self._folder, "seen.json").write_text(json.dumps(self.seen), encoding="utf-8")
        self._written = time.monotonic()


def main(name: str, seconds: str, given: str) -> None:
    """Fuzz one target."""
    import atheris

    folder = Path(given)
    found = folder / "found"
    found.mkdir(parents=True, exist_ok=True)
    targets = loaded()
    watched = Watched(name, targets, folder)
    dictionary = folder.parent / "words.dict"
    watched.end = time.monotonic() + float(seconds)
    longest = LONGEST_WORKBOOK if name == "workbooks" else LONGEST_INPUT
    flags = [f"-max_len={longest}", f"-timeout={HANGS}", "-detect_leaks=0"]
    flags += [f"-rss_limit_mb={TOO_LARGE}", f"-artifact_prefix={folder}/", f"-dict={dictionary}"]
    inside = {"requests": json_changed, "workbooks": partial(workbook_changed, mutated=mutated)}
    options = {"custom_mutator": inside[name]} if name in inside else {}
    atheris.Setup([sys.argv[0], *flags, str(found), str(targets.CORPUS / name)], watched, **options)
    atheris.Fuzz()


if __name__ == "__main__":
    main(*sys.argv[1:])
