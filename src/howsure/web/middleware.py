"""The outermost layer: which hosts are answered, which headers every answer has, and the log, which knows no bodies."""

from __future__ import annotations

import asyncio
import logging
import re
import time
import traceback
from collections.abc import Awaitable, Callable, MutableMapping
from typing import Any

from howsure.web.http_error import Refusal

__all__ = ["DEFECT", "LOOPBACK", "Guard", "host_of"]

Scope = MutableMapping[str, Any]
Message = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[Message]]
Send = Callable[[Message], Awaitable[None]]
App = Callable[[Scope, Receive, Send], Awaitable[None]]

#: Names of this machine for itself.
LOOPBACK = frozenset(["localhost", "127.0.0.1", "[::1]"])

POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data: blob:; connect-src 'self'; "
    "base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
)

HEADERS = [
    (b"content-security-policy", POLICY.encode()),
    (b"x-content-type-options", b"nosniff"),
    (b"referrer-policy", b"no-referrer"),
    (b"cross-origin-opener-policy", b"same-origin"),
    (b"cross-origin-resource-policy", b"same-origin"),
    (b"x-frame-options", b"DENY"),
    (b"permissions-policy", b"camera=(), geolocation=(), microphone=(), payment=(), usb=()"),
]

_HOST = re.compile(r"(\[[0-9a-f:.]+\]|[a-z0-9._-]+)(?::\d{1,5})?")

DEFECT = Refusal(500, "Defect", "a defect of howsure; the server's log has its name")

ENDED = Refusal(503, "Busy", "the server was ended before it had the answer; try again once it is back", wait=5)

log = logging.getLogger("howsure.web")


def host_of(value: str) -> str | None:
    """Name in a Host header, without its port; None if it is none.

    Examples
    --------
    >>> host_of("LocalHost:8765"), host_of("[::1]:80"), host_of("evil.example/x")
    ('localhost', '[::1]', None)
    """
    match = _HOST.fullmatch(value.lower())
    return match[1] if match else None


class Guard:
    """An ASGI application around another one.

    Parameters
    ----------
    app : ASGI application
        What it guards.
    hosts : frozenset of str
        Names that a Host header may have: a page of another site that was made to point here has none of them.
    debug : bool
        Whether a defect is written out in the log.
    """

    def __init__(self, app: App, hosts: frozenset[str], *, debug: bool = False) -> None:
        self.app, self.hosts, self.debug = app, hosts, debug

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Serve one connection."""
        if scope["type"] == "lifespan":
            await self.app(scope, receive, send)
            return
        if scope["type"] != "http":
            await send({"type": "websocket.close", "code": 1008})
            return
        await self._answer(scope, receive, send)

    async def _answer(self, scope: Scope, receive: Receive, send: Send) -> None:
        began, status = time.perf_counter(), 0

        async def guarded(message: Message) -> None:
            nonlocal status
            if message["type"] == "http.response.start":
                status = message["status"]
                message["headers"] = [*message.get("headers", []), *HEADERS]
            await send(message)

        try:
            self._check_host(scope)
            await self.app(scope, receive, guarded)
        except Refusal as refusal:
            await refused(guarded, refusal)
        except (
            asyncio.CancelledError
        ):  # uvicorn ends what is pending after its time of grace, and would log a traceback
            if not status:
                await refused(guarded, ENDED)
        except Exception as error:
            log.error("a defect, %s", type(error).__name__)
            if self.debug:
                log.error("%s", traceback.format_exc())
            if not status:
                await refused(guarded, DEFECT)
        finally:
            taken = 1000 * (time.perf_counter() - began)
            # the route of the table, never the path that was asked for
            log.info("%s %s %d %.0f ms", _word(scope["method"]), scope.get("howsure.route", "-"), status, taken)

    def _check_host(self, scope: Scope) -> None:
        given = [value for name, value in scope["headers"] if name == b"host"]
        name = host_of(given[0].decode("latin-1")) if len(given) == 1 else None
        if name not in self.hosts:
            raise Refusal(
                400, "UnknownHost", "this server does not answer under that name; start it with --allow-host NAME"
            )


async def refused(send: Send, refusal: Refusal) -> None:
    """Send a refusal."""
    headers = [(name.encode(), value.encode()) for name, value in refusal.headers.items()]
    length = (b"content-length", str(len(refusal.body)).encode())
    await send({"type": "http.response.start", "status": refusal.status, "headers": [*headers, length]})
    await send({"type": "http.response.body", "body": refusal.body})


def _word(method: str) -> str:
    return method if method in ("GET", "HEAD", "POST") else "-"
