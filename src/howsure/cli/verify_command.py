"""``howsure verify``: checks of the installed package. Exit status 0 where all pass, 1 otherwise."""

from __future__ import annotations

import typer

from howsure.cli.flat import flat
from howsure.cli.output import Form
from howsure.verify.verification import verified

__all__ = ["verify_command"]


@flat
def verify_command(*, form: Form) -> None:
    """Check this installation in 15 seconds: closed forms, second routes, published numbers, a short coverage run."""
    made = verified()
    form.show(made)
    if not made.passed:
        raise typer.Exit(1)
