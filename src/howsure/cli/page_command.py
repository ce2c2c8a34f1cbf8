"""``howsure page``: the page as a folder for a static host."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from howsure.cli.options import option

__all__ = ["page_command"]


def page_command(
    static: Annotated[Path, option("static", show_default=False)],
    pyodide: Annotated[str, option("pyodide", show_default=False)],
) -> None:
    """Write the page as files for any static host: the library runs in the visitor's browser, by Pyodide.

    Nothing that is entered leaves the browser. The page says how far it has loaded, and checks itself against answers
    of this library when asked to.
    """
    from howsure.web.static_site import built

    site = built(static, pyodide, said=lambda what: typer.echo(f"howsure: {what}", err=True))
    where = "Pyodide included" if site.elsewhere is None else f"Pyodide from {site.elsewhere}"
    typer.echo(
        f"{site.files} files, {site.size / 2**20:.1f} MiB, in {site.folder}: {where}; {site.questions} questions to "
        f"check it by.\nTo look at it: python -m http.server --bind 127.0.0.1 --directory {site.folder}"
    )
