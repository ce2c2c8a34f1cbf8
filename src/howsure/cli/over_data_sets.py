"""The option that takes compare and rank over many data sets."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Annotated, Any

import typer

from howsure.cli.inputs import Cases
from howsure.errors import InvalidArgument, listing

if TYPE_CHECKING:
    from howsure.io.data_set_files import OverDataSets

__all__ = ["OverOption", "over_data_sets"]

OverOption = Annotated[
    str | None,
    typer.Option(
        "--site",
        help="Column of the data set (or site) of each case, or of each row of published counts: about the mean over "
        "data sets, and a new one.",
        metavar="COLUMN",
    ),
]


def over_data_sets(
    files: Sequence[str], site: str, cases: Cases, others: Mapping[str, object], *, n: int | None = None
) -> OverDataSets:
    """Read them, and refuse options that have no meaning there.

    Parameters
    ----------
    files, site, cases, n
        As the command has them.
    others : mapping of str to object
        Options by name that must have been left out: None, False or empty.
    """
    from howsure.io.data_set_files import read_over

    if odd := [name for name, value in others.items() if value]:
        raise InvalidArgument(f"leave {listing(odd)} out with --site, which is about the population of data sets")
    given: dict[str, Any] = cases.given
    return read_over(files, site, n=n, **given)
