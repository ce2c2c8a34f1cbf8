"""A client that speaks ASGI itself, so that a test can send what no polite client would."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Coroutine, Iterable
from dataclasses import dataclass
from typing import Any

__all__ = ["Answer", "Clock", "ask", "asked", "at_the_clock", "clock"]

HOST = "127.0.0.1:8765"


class Clock(asyncio.SelectorEventLoop):
    """A loop whose time passes where a test says so: no limit is met because a machine is busy."""

    now = 0.0

    def time(self) -> float:
        """Seconds that have passed."""
        return self.now

    async def passes(self, seconds: float) -> None:
        """Let time pass, and whoever waited for it go on."""
        self.now += seconds
        for _ in range(20):  # a timer, the task that it wakes, who waits for that task, and so on
            await asyncio.sleep(0)


def at_the_clock(test: Coroutine[Any, Any, Any]) -> Any:
    """Run a test at a `Clock`."""
    with asyncio.Runner(loop_factory=Clock) as runner:
        return runner.run(test)


def clock() -> Clock:
    """The clock of the test that runs."""
    loop = asyncio.get_running_loop()
    assert isinstance(loop, Clock)
    return loop


@dataclass
class Answer:
    """Status, headers (lower case) and body."""

    status: int
    headers: dict[str, str]
    body: bytes

    @property
    def json(self) -> Any:
        return json.loads(self.body)


async def asked(
    app: Any,
    method: str = "POST",
    path: str = "/api/v1/report",
    body: bytes | Iterable[bytes] = b"",
    *,
    headers: dict[str, str] | list[tuple[bytes, bytes]] | None = None,
    host: str | None = HOST,
    media: str | None = "application/json",
    query: str = "",
    pause: float = 0.0,
) -> Answer:
    """One request; a body that is a list comes in parts, ``pause`` seconds apart by the clock."""
    parts = [body] if isinstance(body, bytes) else list(body)
    sent: list[tuple[bytes, bytes]] = [] if host is None else [(b"host", host.encode("latin-1"))]
    if media is not None and method == "POST":
        sent.append((b"content-type", media.encode()))
    given = headers or {}
    sent += given if isinstance(given, list) else [(k.lower().encode(), v.encode("latin-1")) for k, v in given.items()]
    scope = {"type": "http", "asgi": {"version": "3.0"}, "http_version": "1.1", "method": method, "path": path,
             "raw_path": path.encode(), "query_string": query.encode(), "headers": sent, "scheme": "http",
             "server": ("127.0.0.1", 8765), "client": ("127.0.0.1", 5), "root_path": "", "state": {}}  # fmt: skip
    messages: list[Any] = []
    number = 0

    async def receive() -> dict[str, Any]:
        nonlocal number
        if number >= len(parts):
            return {"type": "http.disconnect"}
        if pause:
            await clock().passes(pause)
        number += 1
        return {"type": "http.request", "body": parts[number - 1], "more_body": number < len(parts)}

    async def send(message: Any) -> None:
        messages.append(message)

    await app(scope, receive, send)
    start = next(m for m in messages if m["type"] == "http.response.start")
    text = b"".join(m.get("body", b"") for m in messages if m["type"] == "http.response.body")
    return Answer(start["status"], {k.decode().lower(): v.decode() for k, v in start["headers"]}, text)


def ask(app: Any, *arguments: Any, **options: Any) -> Answer:
    """The same, from a test that is not asynchronous."""
    return asyncio.run(asked(app, *arguments, **options))
