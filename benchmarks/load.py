"""Load on the page's server: clients on loopback that ask without pause, then requests that mean harm.

No error but 429 and 503 with advice; at least 80% of the answers that the CPU time of the computing processes could
have given arrive; memory flat after the first ten seconds; an answer within a second right after, and after the harm.

    python benchmarks/load.py [--clients 32] [--seconds 60]
"""

from __future__ import annotations

import argparse
import asyncio
import json
import os
import random
import statistics
import subprocess
import sys
import time
from collections import Counter
from pathlib import Path
from typing import Any

WARM_UP = 10.0
#: Between two quarters of the time, and of one answer's arrays above the rest: the median moves, a peak comes and goes.
GROWTH, PEAK = 0.10, 0.25
#: Of the answers that the cores could give, so many arrive; so many requests mean harm.
ENOUGH, HARMFUL = 0.8, 200
FINE = {200, 429, 503}


def question(rng: random.Random) -> tuple[str, dict[str, Any]]:
    """What a page asks while somebody works with it; hardly ever the same twice."""
    size = rng.choice([2, 2, 2, 3, 5])
    classes = [f"c{i}" for i in range(size)]
    counts = [[rng.randint(20, 90) if i == j else rng.randint(0, 9) for j in range(size)] for i in range(size)]
    matrix = {"classes": classes, "counts": counts}
    verb = rng.choice(["report", "report", "report", "compare", "rank", "post_test"])
    if verb == "report":
        return verb, {"matrix": matrix, "want": ["densities", "predictive"], "draws": 4000}
    if verb == "post_test":
        return verb, {"matrix": matrix, "pre_test": rng.random(), "label": "c1", "draws": 4000}
    if verb == "compare":
        other = {"classes": classes, "counts": [row[::-1] for row in counts[::-1]]}
        return verb, {"classifiers": [{"name": "a", "matrix": matrix}, {"name": "b", "matrix": other}], "draws": 4000}
    entries = [{"name": f"e{i}", "correct": rng.randint(100, 190), "n": 200} for i in range(10)]
    return verb, {"entries": entries}


async def ask(port: int, verb: str, body: dict[str, Any]) -> tuple[int, dict[str, str], bytes]:
    """One request on a connection of its own."""
    text = json.dumps(body).encode()
    reader, writer = await asyncio.open_connection("127.0.0.1", port)
    head = (
        f"POST /api/v1/{verb} HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\nContent-Type: application/json\r\n"
        f"Content-Length: {len(text)}\r\nConnection: close\r\n\r\n"
    )
    writer.write(head.encode() + text)
    answer = await reader.read()
    writer.close()
    first, _, rest = answer.partition(b"\r\n")
    lines, _, content = rest.partition(b"\r\n\r\n")
    headers = {k.lower(): v.strip() for k, _, v in (line.partition(":") for line in lines.decode().split("\r\n"))}
    return int(first.split()[1]), headers, content


async def client(port: int, number: int, until: float, seen: list[tuple[int, float]], odd: list[str]) -> None:
    """Ask without pause, but wait as long as a refusal says."""
    rng = random.Random(number)
    while time.monotonic() < until:
        verb, body = question(rng)
        began = time.monotonic()
        status, headers, content = await ask(port, verb, body)
        seen.append((status, time.monotonic() - began))
        if status not in FINE or (status != 200 and "retry-after" not in headers):
            odd.append(f"{status} {verb} {content[:200]!r}")
        if status != 200:
            await asyncio.sleep(rng.random() * float(headers.get("retry-after", "1")))


def family(pid: int) -> list[int]:
    """A process and those that it began."""
    children = Path(f"/proc/{pid}/task/{pid}/children").read_text().split()
    return [pid, *(grown for child in children for grown in family(int(child)))]


def cpu(pid: int) -> float:
    """Seconds of all cores that a process and those it began have used."""
    ticks = [Path(f"/proc/{one}/stat").read_text().rpartition(")")[2].split()[11:13] for one in family(pid)]
    return sum(int(user) + int(system) for user, system in ticks) / os.sysconf("SC_CLK_TCK")


def memory(pid: int) -> int:
    """Resident bytes of a process and those it began."""
    lines = [line for one in family(pid) for line in Path(f"/proc/{one}/status").read_text().splitlines()]
    return sum(1024 * int(line.split()[1]) for line in lines if line.startswith("VmRSS"))


async def watched(pid: int, began: float, until: float) -> list[tuple[float, int]]:
    """Memory twice a second."""
    found = []
    while time.monotonic() < until:
        found.append((time.monotonic() - began, memory(pid)))
        await asyncio.sleep(0.5)
    return found


async def one_report(port: int) -> tuple[int, float]:
    """Status and seconds of a plain question that was not asked before."""
    asked = time.monotonic()
    right = int(1000 * asked) % 10_000 + 50
    status, _, _ = await ask(port, "report", {"matrix": {"classes": ["a", "b"], "counts": [[right, 4], [5, 60]]}})
    return status, time.monotonic() - asked


def harmful(rng: random.Random) -> tuple[str, dict[str, Any]]:
    """A small request that might cost much: huge counts, empty classes, many draws, ends of shares, odd types."""
    count = rng.choice([0, 1, 10**14, 10**15 + 1, 2**53 - 1, 2**53, 2**70, -1, 0.5, "7", None, [], True])
    counts = [[10**15 + 1, 10**14], [rng.choice([10**14, 0, count]), rng.choice([10**15, 0, count])]]
    matrix = {"classes": ["a", "b"], "counts": counts}
    share = rng.choice([0, 1, 1e-320, 1 - 1e-16, 0.5, -1, 2, "x", None])
    prevalence = {"label": "b", "share": share}
    want = rng.sample(["densities", "predictive", "frequencies"], 2)
    return rng.choice([
        ("report", {"matrix": matrix, "want": want, "draws": 200_000}),
        ("report", {"matrix": matrix, "prevalence": prevalence, "want": want}),
        ("report", {"matrix": {"classes": ["a"] * 200, "counts": [[count] * 200] * 200}}),
        ("report", {"matrix": {"classes": [*map(str, range(200))], "counts": [[1] * 200] * 200}, "draws": 200_000}),
        ("compare", {"classifiers": [{"name": x, "matrix": matrix} for x in "ab"], "draws": 200_000}),
        ("rank", {"entries": [{"name": str(i), "correct": 2**53 - 1, "n": 2**53 - 1} for i in range(500)]}),
        ("rank", {"entries": [{"name": str(i), "correct": i * 10**12, "n": 10**15} for i in range(500)]}),
        ("post_test", {"matrix": matrix, "pre_test": share}),
        ("plan", {"metric": "f1@macro", "width": 1e-9, "guess": 0.5}),
        ("plan", {"metric": "recall", "width": rng.choice([1e-300, 1e-6]), "guess": rng.choice([0, 1, 0.5])}),
    ])  # fmt: skip


async def harmed(port: int, odd: list[str]) -> dict[int, int]:
    """Send them, four at once; a status that is no answer and no sentence is odd."""
    rng = random.Random(0)
    found: Counter[int] = Counter()

    async def one() -> None:
        for _ in range(HARMFUL // 4):
            verb, body = harmful(rng)
            status, _, content = await ask(port, verb, body)
            found[status] += 1
            if status not in FINE | {400, 413, 422}:
                odd.append(f"{status} {verb} {content[:200]!r} for {json.dumps(body)[:200]}")

    await asyncio.gather(*(one() for _ in range(4)))
    return dict(sorted(found.items()))


async def measured(port: int, pid: int, clients: int, seconds: float) -> bool:
    """Run the load and print what came of it; whether all was well."""
    seen: list[tuple[int, float]] = []
    odd: list[str] = []
    began = time.monotonic()
    until = began + seconds
    used = cpu(pid)
    watch = asyncio.create_task(watched(pid, began, until))
    await asyncio.gather(*(client(port, number, until, seen, odd) for number in range(clients)))
    used, taken = cpu(pid) - used, time.monotonic() - began
    status, after = await one_report(port)
    sizes = [size for at, size in await watch if at >= WARM_UP] or [memory(pid)]
    part = max(1, len(sizes) // 4)
    before, now = statistics.median(sizes[:part]), statistics.median(sizes[-part:])
    growth = now / before - 1
    times = sorted(taken for status, taken in seen if status == 200)
    counted = Counter(status for status, _ in seen)
    print(f"{clients} clients, {seconds:g} s: {len(seen)} requests, by status {dict(sorted(counted.items()))}")
    print(
        f"answers: {len(times) / seconds:.1f} a second, median {statistics.median(times):.2f} s, "
        f"95% within {times[int(0.95 * len(times))]:.2f} s"
    )
    cores = len(os.sched_getaffinity(0))
    share = used / (cores * taken)
    possible = len(times) / share
    print(
        f"CPU: {used / len(times):.3f} s an answer, so that {cores} cores could give {possible:.0f}; "
        f"{len(times) / possible:.0%} of them arrived"
    )
    print(
        f"memory from {WARM_UP:g} s on: {before / 2**20:.0f} MiB in the first quarter, {now / 2**20:.0f} in the last "
        f"({growth:+.1%}), at most {max(sizes) / 2**20:.0f} MiB"
    )
    print(f"right after: status {status} in {after:.2f} s")
    hostile = await harmed(port, odd)
    status, healed = await one_report(port)
    print(f"after {HARMFUL} harmful requests (by status {hostile}): status {status} in {healed:.2f} s")
    for line in odd[:10]:
        print("odd:", line)
    flat = growth <= GROWTH and max(sizes) <= (1 + PEAK) * before
    return not odd and flat and share >= ENOUGH and status == 200 and max(after, healed) < 1.0


def main() -> int:
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--clients", type=int, default=32)
    options.add_argument("--seconds", type=float, default=60.0)
    given = options.parse_args()
    command = [sys.executable, "-m", "howsure", "serve", "--port", "0", "--no-open"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True) as server:
        assert server.stdout is not None
        port = int(server.stdout.readline().split("http://127.0.0.1:")[1].split("/")[0])
        try:
            return 0 if asyncio.run(measured(port, server.pid, given.clients, given.seconds)) else 1
        finally:
            server.terminate()


if __name__ == "__main__":
    sys.exit(main())
