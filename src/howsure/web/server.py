"""The page on a socket: uvicorn with the settings that go with `howsure.web.app`."""

from __future__ import annotations

import asyncio
import json
import logging
import os
import socket
from collections.abc import Callable
from dataclasses import asdict
from typing import Any

import uvicorn
from uvicorn.protocols.http.h11_impl import H11Protocol

from howsure.errors import InvalidArgument
from howsure.web.app import App, Settings, make_app


class PatientProtocol(H11Protocol):
    """Hangs up where the head of a request does not come in time, however busily it trickles.

    uvicorn itself waits for it without end, and 256 such clients would keep all others out. The body has a limit of
    its own (`howsure.web.guard`), and so has the pause between two requests.

    Attributes
    ----------
    seconds : float
        From the connection, or the first byte of a further request, to the end of its head.
    """

    seconds = 10.0

    def __init__(self, *args: Any, **options: Any) -> None:
        super().__init__(*args, **options)
        self._deadline: asyncio.TimerHandle | None = None

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]  # as uvicorn has it
        """Begin to wait for the first request."""
        super().connection_made(transport)
        self._wait()

    def data_received(self, data: bytes) -> None:
        """Wait on, unless the head of a request is complete."""
        super().data_received(data)
        if self.cycle is not None and not self.cycle.response_complete:
            self._wait_no_more()
        elif self._deadline is None:
            self._wait()

    def connection_lost(self, exc: Exception | None) -> None:
        """Wait for nothing."""
        self._wait_no_more()
        super().connection_lost(exc)

    def _wait(self) -> None:
        self._deadline = self.loop.call_later(self.seconds, self._hang_up)

    def _wait_no_more(self) -> None:
        if self._deadline is not None:
            self._deadline.cancel()
            self._deadline = None

    def _hang_up(self) -> None:
        if not self.transport.is_closing():
            self.transport.close()


#: How the settings reach the processes of a server with several.
ENVIRONMENT = "HOWSURE_SERVE"

USUAL_PORT = 8765

APPLICATION = "howsure.web.server:from_environment"

#: No log but ours, no word of proxies believed, no websockets; 256 connections at once, beyond which it says 503.
OPTIONS: dict[str, Any] = {
    "factory": True,
    "access_log": False,
    "log_level": "warning",
    "ws": "none",
    "http": PatientProtocol,
    "server_header": False,
    "proxy_headers": False,
    "limit_concurrency": 256,
    "timeout_keep_alive": 20,
    "timeout_graceful_shutdown": 3,
}


def serve(settings: Settings, host: str, port: int | None, *, ready: Callable[[str], None]) -> None:
    """Serve until interrupted.

    Parameters
    ----------
    settings : Settings
        Hosts, limits, processes.
    host : str
        Address to listen on.
    port : int, optional
        0 for a free one; the usual one if left out, or a free one where that is taken.
    ready : callable
        Is told the URL before the first request.

    Raises
    ------
    InvalidArgument
        An address that cannot be listened on.
    """
    bound = listening(host, port)
    _log_plainly()
    os.environ[ENVIRONMENT] = json.dumps(asdict(settings))
    ready(url_of(bound))
    if settings.workers > 1:
        uvicorn.run(APPLICATION, fd=bound.fileno(), workers=settings.workers, **OPTIONS)
    else:
        uvicorn.Server(uvicorn.Config(APPLICATION, **OPTIONS)).run(sockets=[bound])


def from_environment() -> App:
    """The application of one process, with the settings that its parent left."""
    given = json.loads(os.environ.get(ENVIRONMENT, "{}"))
    _log_plainly()
    return make_app(Settings(**{**given, "hosts": tuple(given.get("hosts", ()))}))


def listening(host: str, port: int | None) -> socket.socket:
    """A socket that listens, or the sentence that says why not."""
    if port is None:
        try:
            return listening(host, USUAL_PORT)
        except InvalidArgument:
            return listening(host, 0)
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    made = socket.socket(family, socket.SOCK_STREAM, socket.IPPROTO_TCP)
    # without it the body of an answer waits 40 ms for the receipt of its head; asyncio sets it only where the protocol
    # is named, and several processes share a socket without that name: what is set here connections inherit
    made.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    if os.name != "nt":  # there it would let two servers share a port
        made.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        made.bind((host, port))
        made.listen(128)  # who comes before the server is ready waits
    except (OSError, OverflowError) as error:
        made.close()
        reason = getattr(error, "strerror", None) or str(error)
        raise InvalidArgument(f"cannot listen on {host} port {port}: {reason}; --port 0 takes a free one") from None
    made.set_inheritable(True)
    return made


def url_of(bound: socket.socket) -> str:
    """Where a browser on this machine finds it."""
    host, port = bound.getsockname()[:2]
    if host in ("0.0.0.0", "::"):
        host = "127.0.0.1"
    return f"http://[{host}]:{port}/" if ":" in host else f"http://{host}:{port}/"


def _log_plainly() -> None:
    """One line a request on standard error."""
    log = logging.getLogger("howsure.web")
    if not log.handlers:
        handler = logging.StreamHandler()
        handler.setFormatter(logging.Formatter("%(asctime)s %(message)s", "%H:%M:%S"))
        log.addHandler(handler)
        log.setLevel(logging.INFO)
        log.propagate = False
