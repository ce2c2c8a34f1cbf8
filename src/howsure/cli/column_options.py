"""Options that name columns and classes: all that counting needs, which loads no law and no prior."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, Any

import typer

from howsure.data.groups import Question
from howsure.errors import InvalidArgument

__all__ = [
    "ByOption",
    "CaseOption",
    "GroupOption",
    "GroupsOption",
    "IdOption",
    "ItemOption",
    "LabelsOption",
    "PredOption",
    "PredsOption",
    "RepeatOption",
    "ScoreOption",
    "SiteOption",
    "TablesArgument",
    "TrueOption",
    "UnitOptions",
    "label_names",
    "refuse_groupless",
]

TrueOption = Annotated[
    str | None, typer.Option("--true", help="Column of the true class, in a table of cases.", metavar="COLUMN")
]
PredOption = Annotated[
    str | None, typer.Option("--pred", help="Column of the answers, in a table of cases.", metavar="COLUMN")
]
ScoreOption = Annotated[
    str | None, typer.Option("--score", help="Column of scores; of repeats also of right and wrong.", metavar="COLUMN")
]
ItemOption = Annotated[
    str | None, typer.Option("--item", help="Column of the item, task or question.", metavar="COLUMN")
]
PredsOption = Annotated[
    list[str] | None,
    typer.Option("--pred", help="Column of the answers of a classifier; repeated for several.", metavar="COLUMN"),
]
IdOption = Annotated[
    str | None, typer.Option("--id", help="Column of the case's name, where tables are paired.", metavar="COLUMN")
]
ByOption = Annotated[
    list[str] | None,
    typer.Option("--by", help="Column whose values are slices, counted apart; may be repeated.", metavar="COLUMN"),
]
CaseOption = Annotated[
    str | None, typer.Option("--id", help="Column of the case's name; refused if it comes twice.", metavar="COLUMN")
]
TablesArgument = Annotated[
    list[str],
    typer.Argument(metavar="FILE...", help="CSV, TSV, JSON Lines or Parquet (.gz, .zst), patterns, folders."),
]
GroupOption = Annotated[
    str | None,
    typer.Option(
        "--group",
        help="Column (of a log: field) of the patient, document or question that a case belongs to, if it is not "
        "called group.",
        metavar="COLUMN",
    ),
]
GroupsOption = Annotated[
    Question | None,
    typer.Option(
        "--groups",
        help="About a case from a new group (new; so from 8 groups on), or about these groups again.",
        metavar="new|these",
    ),
]
RepeatOption = Annotated[
    str | None,
    typer.Option(
        "--repeat",
        help="Column of the run, epoch, attempt or seed, which tells answers to one id apart.",
        metavar="COLUMN",
    ),
]
FoldsOption = Annotated[
    str | None,
    typer.Option(
        "--folds",
        help="Column of the fold of a cross-validation, if it is not called fold; counts of several passes are divided "
        "by the passes.",
        metavar="COLUMN",
    ),
]
SiteOption = Annotated[
    str | None,
    typer.Option(
        "--site",
        help="Column of the site, study or data set of each case, or of each row of published counts: answers are "
        "about their population, and a new one.",
        metavar="COLUMN",
    ),
]
LabelsOption = Annotated[
    str | None, typer.Option("--labels", help="All classes in order, comma separated.", metavar="A,B,...")
]


@dataclass(frozen=True)
class UnitOptions:
    """Columns that say which cases belong together."""

    group: GroupOption = None
    repeat: RepeatOption = None
    folds: FoldsOption = None

    @property
    def named(self) -> list[str]:
        """The options that are given."""
        return [f"--{name}" for name, value in vars(self).items() if value is not None]

    @property
    def given(self) -> dict[str, Any]:
        """As the reader takes them: groups and repeats by name where no group is named."""
        return {**vars(self), "group": self.group or True}


def label_names(labels: str | None) -> list[str] | None:
    """Read ``a,b,c``."""
    return None if labels is None else [name.strip() for name in labels.split(",")]


def refuse_groupless(groups: Question | None, *, known: bool) -> None:
    """Refuse --groups where no column of groups was read."""
    if groups is not None and not known:
        raise InvalidArgument(
            f"--groups {groups} is about cases that come in groups, and no column of groups was read of all cases; "
            "name one with --group"
        )
