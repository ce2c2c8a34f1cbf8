"""Around the answers: who is answered, which headers an answer has, the log, and bodies that are taken in.

The log knows no bodies; a body is from this page only, of the right type, in time, and counted while it comes.
"""

from __future__ import annotations

import asyncio
import logging
import re
import time
import traceback
from collections.abc import AsyncIterator, Awaitable, Callable, Iterable, Iterator, Mapping, MutableMapping
from contextlib import contextmanager
from typing import Any

from howsure.web.limits import Refusal

__all__ = [
    "DEFECT", "LOOPBACK", "App", "Guard", "Intake", "has_copy", "host_of", "media_of", "refuse_strangers", "takes_gzip",
]  # fmt: skip

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


#: Bytes of bodies that may be on their way at once.
IN_FLIGHT = 64 * 2**20


def refuse_strangers(headers: Mapping[str, str]) -> None:
    """Refuse what another site's page sends: its browser says where it comes from."""
    site = headers.get("sec-fetch-site")
    origin = headers.get("origin")
    foreign = site is not None and site not in ("same-origin", "none")
    if origin is not None and origin.partition("://")[2] != headers.get("host"):
        foreign = True
    if foreign:
        raise Refusal(403, "CrossOrigin", "only the page of this server may ask it; a page of another site asked")


def media_of(headers: Mapping[str, str], known: Iterable[str]) -> str:
    """Media type of a body, one of those known."""
    given, _, parameters = headers.get("content-type", "").partition(";")
    media, charset = given.strip().lower(), parameters.replace('"', "").replace(" ", "").lower()
    expected = ", ".join(known)
    if media not in known:
        raise Refusal(415, "UnknownMediaType", f"a body of this route is {expected}; the Content-Type says otherwise")
    if charset not in ("", "charset=utf-8", "charset=utf8"):
        raise Refusal(415, "UnknownMediaType", "a body is UTF-8; the Content-Type says otherwise")
    if headers.get("content-encoding", "identity").lower() != "identity":
        raise Refusal(415, "UnknownEncoding", "a body is sent as it is, not compressed; leave Content-Encoding out")
    return media


def has_copy(known: str | None, tag: str) -> bool:
    """Whether an If-None-Match header names this tag, compared weakly, as for a GET (RFC 9110, 13.1.2).

    Examples
    --------
    >>> has_copy('"a", W/"b"', '"b"'), has_copy("*", '"b"'), has_copy('"a"', '"b"'), has_copy(None, '"b"')
    (True, True, False, False)
    """
    tags = [given.strip().removeprefix("W/") for given in (known or "").split(",")]
    return tag in tags or tags == ["*"]


def takes_gzip(accepted: str) -> bool:
    """Whether an Accept-Encoding header allows gzip; a weight of 0 forbids it.

    Examples
    --------
    >>> takes_gzip("br, gzip"), takes_gzip("*"), takes_gzip("gzip;q=0, *"), takes_gzip("deflate")
    (True, True, False, False)
    """
    pairs = (each.partition(";")[::2] for each in accepted.lower().replace(" ", "").split(","))
    weights = dict(pairs)
    weight = weights.get("gzip", weights.get("*", "q=0"))
    return re.fullmatch(r"q=0(\.0*)?", weight) is None


class Intake:
    """Reads bodies, and knows how much is on its way."""

    def __init__(self, patience: float) -> None:
        self.patience = patience
        self._in_flight = 0

    async def read(self, stream: AsyncIterator[bytes], most: int) -> bytes:
        """The whole body, or a `Refusal`: too large (413), too slow (408), too many at once (429)."""
        with self._counted() as taken:
            try:
                async with asyncio.timeout(self.patience):
                    return await self._read(stream, most, taken)
            except TimeoutError:
                raise Refusal(408, "TooSlow", f"the body did not arrive within {self.patience:g} s") from None

    async def _read(self, stream: AsyncIterator[bytes], most: int, taken: list[int]) -> bytes:
        parts: list[bytes] = []
        async for part in stream:
            taken[0] += len(part)
            self._in_flight += len(part)
            if taken[0] > most:
                raise Refusal(
                    413,
                    "TooLarge",
                    f"a body of this route has at most {most // 1024:,} KiB; the command line reads more",
                )
            if self._in_flight > IN_FLIGHT:
                raise Refusal(429, "Busy", "too many bodies are on their way; try again in a moment", wait=2)
            parts.append(part)
        return b"".join(parts)

    @contextmanager
    def _counted(self) -> Iterator[list[int]]:
        taken = [0]
        try:
            yield taken
        finally:
            self._in_flight -= taken[0]
