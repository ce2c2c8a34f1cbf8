"""``howsure serve``: the page, on one's own machine."""

from __future__ import annotations

import ipaddress
from typing import Annotated

import typer

from howsure.errors import InvalidArgument, MissingExtra

__all__ = ["serve_command"]


def serve_command(
    host: Annotated[str, typer.Option("--host", help="Address to listen on.", metavar="ADDRESS")] = "127.0.0.1",
    port: Annotated[
        int | None,
        typer.Option(
            "--port", help="Port; 8765, or a free one if it is taken; 0: a free one.", metavar="N", min=0, max=65535
        ),
    ] = None,
    browser: Annotated[bool, typer.Option("--open/--no-open", help="Open the page in a browser.")] = False,
    allow_host: Annotated[
        list[str] | None,
        typer.Option("--allow-host", help="Name under which the server is reached; may be repeated.", metavar="NAME"),
    ] = None,
    public: Annotated[
        bool, typer.Option("--public", help="For everybody: half of most limits, and no import of files.")
    ] = False,
    workers: Annotated[int, typer.Option("--workers", help="Processes.", metavar="N", min=1, max=64)] = 1,
    debug: Annotated[
        bool, typer.Option("--debug", help="Tracebacks in the log, and the page's files as they are written.")
    ] = False,
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
