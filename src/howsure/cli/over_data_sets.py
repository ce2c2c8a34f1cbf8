"""Files of classifiers over many data sets, for compare and rank."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from howsure.cli.inputs import Cases
from howsure.errors import InvalidArgument, listing

if TYPE_CHECKING:
    from howsure.io.sites import OverDataSets

__all__ = ["over_data_sets"]


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
    from howsure.io.sites import read_over

    if odd := [name for name, value in others.items() if value]:
        raise InvalidArgument(f"leave {listing(odd)} out with --site, which is about the population of data sets")
    given: dict[str, Any] = cases.given
    return read_over(files, site, n=n, **given)
