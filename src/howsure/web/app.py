"""The page over HTTP: a fixed table of routes around `handle`; importing this module needs starlette."""

from __future__ import annotations

import json
from base64 import b64encode
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass
from hashlib import sha256
from typing import Any

from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.requests import ClientDisconnect, Request
from starlette.responses import Response
from starlette.routing import Route

from howsure.errors import InvalidFile
from howsure.io.formats.json_documents import parsed
from howsure.web.assets import Asset, packed, served, table
from howsure.web.guard import DEFECT, LOOPBACK, App, Guard, Intake, has_copy, media_of, refuse_strangers, takes_gzip
from howsure.web.handle import VERBS
from howsure.web.limits import PRIVATE, PUBLIC, Limits, Refusal, as_json
from howsure.web.schema import openapi
from howsure.web.subjects import FILES, WORKBOOK, options_of
from howsure.web.workers import Kept, Workers, cores

__all__ = ["Settings", "make_app"]

#: An answer that nobody keeps.
NOT_KEPT: dict[str, Any] = {"media_type": "application/json", "headers": {"cache-control": "no-store"}}

#: A larger body is neither looked up nor kept.
LARGEST_KEPT = 64 * 1024

#: An effort of gzip at which a slider is not held up, and the largest answer that is packed while others wait.
QUICK, LARGEST_PACKED = 4, 2**20


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
        Route("/", server.index),
        Route("/assets/{path:path}", server.asset),
        Route("/healthz", server.healthz),
        Route("/api/v1/openapi.json", server.openapi),
        *(Route(f"/api/v1/{verb}", server.question(verb), methods=["POST"]) for verb in VERBS),
    ]
    handlers: dict[Any, Any] = {HTTPException: _no_route, Refusal: _refusal, Exception: _defect}
    inner = Starlette(routes=routes, lifespan=server.lifespan, exception_handlers=handlers)
    inner.router.redirect_slashes = False
    return Guard(inner, LOOPBACK | {name.lower() for name in chosen.hosts}, debug=chosen.debug)


class _Server:
    def __init__(self, settings: Settings, limits: Limits) -> None:
        self.settings, self.limits = settings, limits
        self.intake = Intake(limits.patience)
        self.workers = Workers(limits, cores(settings.workers), apart=settings.apart)
        self.kept = Kept(limits.memory)
        self.assets = served()
        for file in self.assets.values():
            _ = file.packed  # now, and not while the first browser waits
        self.description = as_json(openapi(limits))

    @asynccontextmanager
    async def lifespan(self, app: Starlette) -> AsyncIterator[None]:
        self.workers.start()
        yield
        self.workers.close()

    async def index(self, request: Request) -> Response:
        return self._file(request, "/", "index.html")

    async def asset(self, request: Request) -> Response:
        return self._file(request, "/assets/*", request.path_params["path"])

    def _file(self, request: Request, route: str, name: str) -> Response:
        request.scope["howsure.route"] = route
        known: Mapping[str, Asset] = table(comments=True) if self.settings.debug else self.assets
        found = known.get(name)
        if found is None:
            raise Refusal(404, "NotFound", "there is no such file on this server")
        sent = (takes_gzip(request.headers.get("accept-encoding", "")) and found.packed) or found
        # a cache that keeps both bodies tells them apart by what was asked, a browser by the tag
        headers = {"etag": sent.tag, "cache-control": "no-cache", "vary": "accept-encoding"}
        if has_copy(request.headers.get("if-none-match"), sent.tag):
            return Response(status_code=304, headers=headers)
        if sent is not found:
            headers["content-encoding"] = "gzip"
        return Response(sent.body, media_type=sent.media, headers=headers)

    async def healthz(self, request: Request) -> Response:
        request.scope["howsure.route"] = "/healthz"
        health = self.workers.health
        well = health["running"] == health["workers"]
        return Response(as_json({"status": "ok" if well else "starting", **health}), 200 if well else 503, **NOT_KEPT)

    async def openapi(self, request: Request) -> Response:
        request.scope["howsure.route"] = "/api/v1/openapi.json"
        return _json(request, self.description)

    def question(self, verb: str) -> Callable[[Request], Awaitable[Response]]:
        async def answered(request: Request) -> Response:
            request.scope["howsure.route"] = f"/api/v1/{verb}"
            refuse_strangers(request.headers)
            if verb == "import":
                return await self._imported(request)
            media_of(request.headers, ("application/json",))
            body = await self._body(request, self.limits.body)
            return _json(request, await self._answer(verb, body))

        return answered

    async def _imported(self, request: Request) -> Response:
        if not self.limits.imports:
            raise Refusal(
                403, "NoImport", "this server reads no files; enter the counts, or run howsure serve yourself"
            )
        media = media_of(request.headers, FILES)
        body = await self._body(request, self.limits.upload)
        options = options_of(request.query_params.multi_items())
        try:
            text = b64encode(body).decode() if FILES[media] == WORKBOOK else body.decode("utf-8")
        except UnicodeDecodeError:
            raise Refusal(400, "NotUTF8", "the file is not UTF-8; save it so (in a spreadsheet: CSV UTF-8)") from None
        return _json(request, await self.workers.run("import", {**options, "ending": FILES[media], "text": text}))

    async def _body(self, request: Request, most: int) -> bytes:
        try:
            return await self.intake.read(request.stream(), most)
        except ClientDisconnect:
            raise Refusal(400, "Disconnected", "the connection was closed before the body was complete") from None

    async def _answer(self, verb: str, body: bytes) -> bytes:
        if len(body) > LARGEST_KEPT:
            return await self.workers.run(verb, _decoded(body))
        request = _decoded(body)
        key = sha256(f"{verb} {json.dumps(request, sort_keys=True)}".encode()).hexdigest()
        known = self.kept.get(key)
        if known is None:
            known = await self.workers.run(verb, request)
            self.kept.put(key, known)
        return known


def _decoded(body: bytes) -> Any:
    try:
        return parsed("the request", body.decode("utf-8"))
    except (UnicodeDecodeError, InvalidFile) as error:
        problem = error.problem if isinstance(error, InvalidFile) else "not UTF-8"
        raise Refusal(400, "InvalidJSON", f"the body is no JSON that can be read: {problem}") from None


def _json(request: Request, body: bytes) -> Response:
    takes = len(body) <= LARGEST_PACKED and takes_gzip(request.headers.get("accept-encoding", ""))
    short = packed(body, effort=QUICK) if takes else None
    response = Response(short or body, **NOT_KEPT)
    response.headers["vary"] = "accept-encoding"
    if short:
        response.headers["content-encoding"] = "gzip"
    return response


async def _no_route(request: Request, error: HTTPException) -> Response:
    words = {404: ("NotFound", "there is no such route on this server"),
             405: ("NotAllowed", "this route is asked otherwise: GET for files, POST for questions")}  # fmt: skip
    code, message = words.get(error.status_code, ("Refused", "the request cannot be answered"))
    return await _refusal(request, Refusal(error.status_code, code, message))


async def _refusal(request: Request, refusal: Refusal) -> Response:
    return Response(refusal.body, refusal.status, headers=refusal.headers)


async def _defect(request: Request, error: Exception) -> Response:
    return await _refusal(request, DEFECT)
