"""The page on a socket: uvicorn with the settings that go with `howsure.web.app`."""

from __future__ import annotations

import json
import logging
import os
import socket
from collections.abc import Callable
from dataclasses import asdict
from typing import Any

import uvicorn

from howsure.errors import InvalidArgument
from howsure.web.app import Settings, make_app
from howsure.web.middleware import App
from howsure.web.slow_clients import PatientProtocol

__all__ = ["from_environment", "listening", "serve", "url_of"]

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
