"""The page over HTTP: a fixed table of routes around `handle`, and who is answered; to import this needs starlette.

The log knows no bodies; a body is from this page only, of the right type, in time, and counted while it comes.
"""

from __future__ import annotations

import asyncio
import json
import logging
import re
import time
import traceback
from collections.abc import AsyncIterator, Awaitable, Callable, Iterable, Mapping, MutableMapping
from contextlib import asynccontextmanager
from dataclasses import dataclass
from hashlib import sha256
from typing import Any

from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.middleware import Middleware
from starlette.middleware.gzip import GZipMiddleware
from starlette.requests import ClientDisconnect, Request
from starlette.responses import Response
from starlette.routing import Route

from howsure.web.answering import VERBS, request_of
from howsure.web.assets import Asset, served, table
from howsure.web.limits import PRIVATE, PUBLIC, Limits, Refusal, as_json
from howsure.web.schema import FILES, openapi
from howsure.web.workers import Workers, cores

Scope = MutableMapping[str, Any]
Message = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[Message]]
Send = Callable[[Message], Awaitable[None]]
App = Callable[[Scope, Receive, Send], Awaitable[None]]

#: Names of this machine for itself.
LOOPBACK = frozenset(["localhost", "127.0.0.1", "[::1]"])

_HOST = re.compile(r"(\[[0-9a-f:.]+\]|[a-z0-9._-]+)(?::\d{1,5})?")

#: Headers of every answer.
HEADERS = {
    b"content-security-policy": b"default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data: blob:; "
    b"connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
    b"x-content-type-options": b"nosniff",
    b"referrer-policy": b"no-referrer",
    b"cross-origin-opener-policy": b"same-origin",
    b"cross-origin-resource-policy": b"same-origin",
    b"x-frame-options": b"DENY",
    b"permissions-policy": b"camera=(), geolocation=(), microphone=(), payment=(), usb=()",
}

DEFECT = Refusal(500, "Defect", "a defect of howsure; the server's log has its name")

ENDED = Refusal(503, "Busy", "the server was ended before it had the answer; try again once it is back", wait=5)

#: Bytes of bodies that may be on their way at once.
IN_FLIGHT = 64 * 2**20

#: Answers that are kept for who asks the same again, and bytes of the largest question and answer among them.
MOST_KEPT, LARGEST_QUESTION, LARGEST_KEPT = 32, 2**16, 2**17

log = logging.getLogger("howsure.web")


@dataclass(frozen=True)
class Settings:
    """How a server is run.

    Parameters
    ----------
    hosts : tuple of str
        Names besides those of this machine that a Host header may have.
    public : bool
        Half of all limits, and no files.
    debug : bool
        Tracebacks in the log, and files of the page read anew at each request, as they are written.
    workers : int
        Processes that share the cores.
    apart : bool
        Whether answers are computed in processes of their own, one a core, which are ended at the time limit; in
        threads if not.
    """

    hosts: tuple[str, ...] = ()
    public: bool = False
    debug: bool = False
    workers: int = 1
    apart: bool = False

    @property
    def limits(self) -> Limits:
        """Its limits."""
        return PUBLIC if self.public else PRIVATE


def make_app(settings: Settings | None = None, *, limits: Limits | None = None) -> App:
    """The application for an ASGI server.

    Parameters
    ----------
    settings : Settings, optional
        Those of one person on one machine if left out.
    limits : Limits, optional
        Instead of those that the settings have.
    """
    chosen = settings or Settings()
    server = _Server(chosen, limits or chosen.limits)
    routes = [
        Route("/", server.file),
        Route("/assets/{path:path}", server.file),
        Route("/healthz", server.healthz),
        Route("/api/v1/openapi.json", server.openapi),
        *(Route(f"/api/v1/{verb}", server.question(verb), methods=["POST"]) for verb in VERBS),
    ]
    handlers: dict[Any, Any] = {HTTPException: _no_route, Refusal: _refusal, Exception: _defect}
    packed = Middleware(GZipMiddleware, minimum_size=1000, compresslevel=6)
    inner = Starlette(routes=routes, middleware=[packed], lifespan=server.lifespan, exception_handlers=handlers)
    inner.router.redirect_slashes = False
    hosts = LOOPBACK | {name.lower() for name in chosen.hosts}
    return Guard(inner, hosts, frozenset(route.path for route in routes), debug=chosen.debug)


class _Server:
    def __init__(self, settings: Settings, limits: Limits) -> None:
        self.limits, self.debug = limits, settings.debug
        self.workers = Workers(limits, cores(settings.workers), apart=settings.apart)
        self.assets = served()
        self.description = as_json(openapi(limits))
        self.in_flight = 0
        self.kept: dict[str, bytes] = {}

    @asynccontextmanager
    async def lifespan(self, app: Starlette) -> AsyncIterator[None]:
        self.workers.start()
        yield
        self.workers.close()

    async def file(self, request: Request) -> Response:
        known: Mapping[str, Asset] = table(comments=True) if self.debug else self.assets
        found = known.get(request.path_params.get("path", "index.html"))
        if found is None:
            raise Refusal(404, "NotFound", "there is no such file on this server")
        headers = {"etag": found.tag, "cache-control": "no-cache"}
        if found.tag in request.headers.get("if-none-match", ""):
            return Response(status_code=304, headers=headers)
        return Response(found.body, media_type=found.media, headers=headers)

    async def healthz(self, request: Request) -> Response:
        health = self.workers.health
        well = health["running"] == health["workers"]
        return _json(as_json({"status": "ok" if well else "starting", **health}), 200 if well else 503)

    async def openapi(self, request: Request) -> Response:
        return _json(self.description)

    def question(self, verb: str) -> Callable[[Request], Awaitable[Response]]:
        reads = verb == "import"
        media_types, most = (FILES, self.limits.upload) if reads else (("application/json",), self.limits.body)

        async def answered(request: Request) -> Response:
            refuse_strangers(request.headers)
            if reads and not self.limits.imports:
                raise Refusal(
                    403, "NoImport", "this server reads no files; enter the counts, or run howsure serve yourself"
                )
            media = media_of(request.headers, media_types)
            body = await self._body(request, most)
            asked = request_of(verb, body, media, request.query_params.multi_items())
            is_small = len(body) <= LARGEST_QUESTION
            key = sha256(f"{verb} {json.dumps(asked, sort_keys=True)}".encode()).hexdigest() if is_small else ""
            answer = self.kept.get(key) or await self.workers.run(verb, asked)
            if is_small and len(answer) <= LARGEST_KEPT:
                self.kept[key] = answer
                if len(self.kept) > MOST_KEPT:
                    del self.kept[next(iter(self.kept))]
            return _json(answer)

        return answered

    async def _body(self, request: Request, most: int) -> bytes:
        """The whole body, or a `Refusal`: too large (413), too slow (408), too many at once (429)."""
        parts, size = [], 0
        try:
            async with asyncio.timeout(self.limits.patience):
                async for part in request.stream():
                    size += len(part)
                    self.in_flight += len(part)
                    if size > most:
                        words = f"a body of this route has at most {most // 1024:,} KiB; the command line reads more"
                        raise Refusal(413, "TooLarge", words)
                    if self.in_flight > IN_FLIGHT:
                        raise Refusal(429, "Busy", "too many bodies are on their way; try again in a moment", wait=2)
                    parts.append(part)
        except TimeoutError:
            raise Refusal(408, "TooSlow", f"the body did not arrive within {self.limits.patience:g} s") from None
        except ClientDisconnect:
            raise Refusal(400, "Disconnected", "the connection was closed before the body was complete") from None
        finally:
            self.in_flight -= size
        return b"".join(parts)


def _json(body: bytes, status: int = 200) -> Response:
    """An answer that nobody keeps."""
    return Response(body, status, media_type="application/json", headers={"cache-control": "no-store"})


async def _no_route(request: Request, error: HTTPException) -> Response:
    words = {404: ("NotFound", "there is no such route on this server"),
             405: ("NotAllowed", "this route is asked otherwise: GET for files, POST for questions")}  # fmt: skip
    code, message = words.get(error.status_code, ("Refused", "the request cannot be answered"))
    return await _refusal(request, Refusal(error.status_code, code, message))


async def _refusal(request: Request, refusal: Refusal) -> Response:
    return Response(refusal.body, refusal.status, headers=refusal.headers)


async def _defect(request: Request, error: Exception) -> Response:
    return await _refusal(request, DEFECT)


# -- Who is answered ---------------------------------------------------------------------------------------------------


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
    routes : frozenset of str
        Paths that the log may name.
    debug : bool
        Whether a defect is written out in the log.
    """

    def __init__(self, app: App, hosts: frozenset[str], routes: frozenset[str], *, debug: bool = False) -> None:
        self.app, self.hosts, self.routes, self.debug = app, hosts, routes, debug

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Serve one connection."""
        if scope["type"] == "lifespan":
            await self.app(scope, receive, send)
            return
        if scope["type"] != "http":
            await send({"type": "websocket.close", "code": 1008})
            return
        began, status = time.perf_counter(), 0

        async def guarded(message: Message) -> None:
            nonlocal status
            if message["type"] == "http.response.start":
                status = message["status"]
                message["headers"] = [*message.get("headers", []), *HEADERS.items()]
            await send(message)

        async def refused(refusal: Refusal) -> None:
            if not status:
                await Response(refusal.body, refusal.status, headers=refusal.headers)(scope, receive, guarded)

        try:
            self._check_host(scope)
            await self.app(scope, receive, guarded)
        except Refusal as refusal:
            await refused(refusal)
        except asyncio.CancelledError:  # uvicorn ends what is pending after its grace, and would log a traceback
            await refused(ENDED)
        except Exception as error:
            log.error("a defect, %s", type(error).__name__)
            if self.debug:
                log.error("%s", traceback.format_exc())
            await refused(DEFECT)
        finally:
            method = scope["method"] if scope["method"] in ("GET", "HEAD", "POST") else "-"
            # never a path that was asked for and is none of ours
            path = "/assets/*" if scope["path"].startswith("/assets/") else scope["path"]
            taken = 1000 * (time.perf_counter() - began)
            log.info("%s %s %d %.0f ms", method, path if path in {*self.routes, "/assets/*"} else "-", status, taken)

    def _check_host(self, scope: Scope) -> None:
        given = [value for name, value in scope["headers"] if name == b"host"]
        name = host_of(given[0].decode("latin-1")) if len(given) == 1 else None
        if name not in self.hosts:
            raise Refusal(
                400, "UnknownHost", "this server does not answer under that name; start it with --allow-host NAME"
            )


def refuse_strangers(headers: Mapping[str, str]) -> None:
    """Refuse what another site's page sends: its browser says where it comes from."""
    origin = headers.get("origin")
    foreign = headers.get("sec-fetch-site") not in (None, "same-origin", "none")
    if foreign or (origin is not None and origin.partition("://")[2] != headers.get("host")):
        raise Refusal(403, "CrossOrigin", "only the page of this server may ask it; a page of another site asked")


def media_of(headers: Mapping[str, str], known: Iterable[str]) -> str:
    """Media type of a body, one of those known."""
    given, _, parameters = headers.get("content-type", "").partition(";")
    media, charset = given.strip().lower(), parameters.replace('"', "").replace(" ", "").lower()
    if media not in known:
        raise Refusal(
            415, "UnknownMediaType", f"a body of this route is {', '.join(known)}; the Content-Type says otherwise"
        )
    if charset not in ("", "charset=utf-8", "charset=utf8"):
        raise Refusal(415, "UnknownMediaType", "a body is UTF-8; the Content-Type says otherwise")
    if headers.get("content-encoding", "identity").lower() != "identity":
        raise Refusal(415, "UnknownEncoding", "a body is sent as it is, not compressed; leave Content-Encoding out")
    return media
