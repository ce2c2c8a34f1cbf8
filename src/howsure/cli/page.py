"""``howsure serve`` and ``page``, and what the package says of itself: ``metrics``, ``verify``, ``cite``."""

from __future__ import annotations

import ipaddress
from pathlib import Path

import typer

from howsure.cli.options import SHOWN, Options, command
from howsure.cli.terminal import say
from howsure.errors import InvalidArgument, MissingExtra


@command("host port browser allow_host public workers debug")
def serve_command(ask: Options) -> None:
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
    names = tuple(map(_name, ask.allow_host))
    if not _is_loopback(ask.host):
        if not names:
            raise InvalidArgument(
                f"--host {ask.host} lets other machines in; say with --allow-host under which name they reach this one"
            )
        typer.echo(f"howsure: other machines can reach {ask.host}; see docs/page.md", err=True)

    def ready(url: str) -> None:
        typer.echo(f"howsure serves {url} (Ctrl+C stops it)")
        if ask.browser:
            import webbrowser

            webbrowser.open(url)

    serve(Settings(hosts=names, apart=True, **ask.given("public debug workers")), ask.host, ask.port, ready=ready)


def _is_loopback(host: str) -> bool:
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return host == "localhost"


def _name(given: str) -> str:
    """A host name without scheme, port or path."""
    from howsure.web.app import host_of

    name = host_of(given)
    if name is None or name != given.lower():
        raise InvalidArgument(
            f"--allow-host is a name such as howsure.example.org, without port or path; not {given!r}"
        )
    return name


@command("static pyodide")
def page_command(ask: Options) -> None:
    """Write the page as files for any static host: the library runs in the visitor's browser, by Pyodide.

    Nothing that is entered leaves the browser. The page says how far it has loaded, and checks itself against answers
    of this library when asked to.
    """
    from howsure.web.static_site import built

    site = built(Path(ask.static), ask.pyodide, said=lambda what: typer.echo(f"howsure: {what}", err=True))
    where = "Pyodide included" if site.elsewhere is None else f"Pyodide from {site.elsewhere}"
    typer.echo(
        f"{site.files} files, {site.size / 2**20:.1f} MiB, in {site.folder}: {where}; {site.questions} questions to "
        f"check it by.\nTo look at it: python -m http.server --bind 127.0.0.1 --directory {site.folder}"
    )


@command("name")
def metrics_command(ask: Options) -> None:
    """List the metrics by family, or explain one."""
    from howsure.metrics import AVERAGES, FAMILIES, names
    from howsure.reporting.metric_cards import by_family, dependence, explanation, lookup

    if ask.name is not None:
        metric = lookup(ask.name)
        say(f"{metric.name}, of the family {metric.family}")
        for what, text in explanation(metric).items():
            say(f"  {what}: {text}")
        return
    width = max(map(len, names()))
    for family, meaning in FAMILIES.items():
        say(f"{family}: {meaning}")
        for each in by_family(family):
            marks = ("* " if dependence(each) else "  ") + ("@" if each.per == "class" else " ")
            say(f"  {each.name:<{width}} {marks}  {each.description}")
        typer.echo()
    say("*: depends on the prevalence, at least above two classes; howsure metrics NAME says when.")
    say("@: a metric of each class, asked for with @class, or averaged:")
    for average, meaning in AVERAGES.items():
        say(f"  @{average:<{width}}    {meaning}")


@command(SHOWN)
def verify_command(ask: Options) -> None:
    """Check this installation in 15 seconds: closed forms, second routes, published numbers, a short coverage run."""
    from howsure.cli.output import show
    from howsure.verify.verification import verified

    made = verified()
    show(ask, made)
    if not made.passed:
        raise typer.Exit(1)


@command("bibtex")
def cite_command(ask: Options) -> None:
    """Print how to cite howsure and the papers whose models it computes."""
    from howsure.publish.pages import citation

    if ask.bibtex:
        typer.echo(citation(bibtex=True))
    else:
        say(citation())
