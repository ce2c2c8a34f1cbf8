"""``howsure serve``: the page, on one's own machine."""

from __future__ import annotations

import ipaddress
from typing import Annotated

import typer

from howsure.cli.options import option
from howsure.errors import InvalidArgument, MissingExtra

__all__ = ["serve_command"]


def serve_command(
    host: Annotated[str, option("host")] = "127.0.0.1",
    port: Annotated[int | None, option("port")] = None,
    browser: Annotated[bool, option("open/--no-open")] = False,
    allow_host: Annotated[list[str] | None, option("allow-host")] = None,
    public: Annotated[bool, option("public")] = False,
    workers: Annotated[int, option("workers")] = 1,
    debug: Annotated[bool, option("debug")] = False,
) -> None:
    """Serve the page: enter or drop a matrix, see every metric with its interval, share, export.

    Nothing leaves the machine: the page asks this server only, and the server answers this machine only, unless
    --host and --allow-host say otherwise.
    """
    try:
        from howsure.web.app import Settings
        from howsure.web.server import serve
    except ModuleNotFoundError as absent:
        if (absent.name or "").partition(".")[0] not in ("starlette", "uvicorn", "anyio"):
            raise
        raise MissingExtra("The page", "web") from None
    names = [_name(given) for given in allow_host or []]
    if not _is_loopback(host):
        if not names:
            raise InvalidArgument(
                f"--host {host} lets other machines in; say with --allow-host under which name they reach this one"
            )
        typer.echo(f"howsure: other machines can reach {host}; see docs/page.md", err=True)
    settings = Settings(hosts=tuple(names), public=public, debug=debug, workers=workers, apart=True)
    serve(settings, host, port, ready=lambda url: _ready(url, browser))


def _ready(url: str, browser: bool) -> None:
    typer.echo(f"howsure serves {url} (Ctrl+C stops it)")
    if browser:
        import webbrowser

        webbrowser.open(url)


def _is_loopback(host: str) -> bool:
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return host == "localhost"


def _name(given: str) -> str:
    """A host name without scheme, port or path."""
    from howsure.web.middleware import host_of

    name = host_of(given)
    if name is None or name != given.lower():
        raise InvalidArgument(
            f"--allow-host is a name such as howsure.example.org, without port or path; not {given!r}"
        )
    return name
