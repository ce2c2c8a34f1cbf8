"""Test sets of several sites: a row a study, cases with a column of the site, or a file each."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Literal, NamedTuple

from howsure.data.confusion import ConfusionMatrix
from howsure.data.predictions import Predictions
from howsure.errors import InvalidArgument, InvalidFile, excerpt
from howsure.io.answers import read_answers
from howsure.io.formats.collection import Collection, is_collection, read_collection
from howsure.io.formats.printed import printed
from howsure.io.opening import located, opened
from howsure.io.reading import Reading, Request
from howsure.io.stages import read
from howsure.io.table import delimited
from howsure.text.formats import plain

__all__ = ["Sites", "read_sites"]

LAYOUTS = (
    "Several sites are a file with a row each (study,tp,fn,fp,tn), cases with a column that names the site "
    "(--site COLUMN), or a file each"
)


class Sites(NamedTuple):
    """What `howsure.pool` takes, and what was said on the way."""

    sites: dict[str, ConfusionMatrix | Predictions] | ConfusionMatrix
    notes: tuple[str, ...] = ()
    unit: Literal["site", "study"] = "site"


def read_sites(
    paths: Sequence[str],
    *,
    site: str | None = None,
    rows: Literal["true", "pred"] | None = None,
    positive: str | None = None,
    labels: Sequence[str] | None = None,
    missing: Literal["error", "exclude"] = "error",
    y_true: str | None = None,
    y_pred: str | None = None,
) -> Sites:
    """Read the test sets of several sites.

    Parameters
    ----------
    paths : sequence of str
        One table with the columns ``study,tp,fn,fp,tn``; with ``site`` a table of cases or counts; or a file a site.
    site : str, optional
        Column of the site of each case, or of the names of studies.
    rows, positive, labels, missing, y_true, y_pred
        As in `read`.

    Raises
    ------
    InvalidFile, InvalidArgument
        With the file, what came, and what to do.
    """
    if site is not None:
        data = list(paths) if len(paths) > 1 else paths[0]
        try:
            found = read(
                data, rows=rows, positive=positive, labels=labels, missing=missing, y_true=y_true, y_pred=y_pred,
                group=site,
            )  # fmt: skip
        except InvalidFile:
            if len(paths) > 1 or paths[0] == "-" or not _has_studies(paths[0]):
                raise
            return _of_rows(read_collection(paths[0], named_by=site))
        return Sites(found.confusion, found.notes)
    files = located(paths[0])[0] if len(paths) == 1 and paths[0] != "-" else list(paths)
    if len(files) < 2:
        return _of_rows(_rows(paths[0]))
    pred = () if y_pred is None else (y_pred,)
    request = Request(rows, positive, labels, None, missing, y_true, pred)
    sites: dict[str, ConfusionMatrix | Predictions] = {}
    notes: list[str] = []
    for path in files:
        name = Path(path).stem
        if name in sites:
            raise InvalidArgument(f"two files are called {excerpt(name)}; rename one, their names name the sites")
        one = read_answers(path, request)
        notes += [f"{plain(name, 40)}: {note}" for note in one.notes]
        if isinstance(one, Reading):
            sites[name] = one.confusion
            continue
        if len(one.classifiers) != 1:
            problem = f"it holds {len(one.classifiers)} classifiers, and a pool is of one"
            raise InvalidFile(one.source, f"{problem}; name its column (--pred)")
        said = next(iter(one.classifiers.values()))
        sites[name] = Predictions(
            said.true, {name: said.pred}, id=said.id, labels=labels, positive=positive, missing=missing
        )
    return Sites(sites, tuple(notes))


def _has_studies(path: str) -> bool:
    """Whether a file is a table with a row a study; what is no table at all has been told of already."""
    try:
        with opened(path) as file:
            return is_collection((printed(file) or delimited(file)).header)
    except InvalidFile:
        return False


def _of_rows(found: Collection) -> Sites:
    return Sites(dict(found), unit="study" if found.are_studies else "site")


def _rows(path: str) -> Collection:
    try:
        return read_collection(path)
    except InvalidFile as error:
        if "One classifier a row" not in error.problem:
            raise
        why = error.problem.partition(". One classifier a row")[0]
        raise InvalidFile(error.source, f"it is no table of sites: {why}. {LAYOUTS}", error.line) from None
