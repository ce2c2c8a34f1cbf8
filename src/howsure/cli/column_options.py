"""Options that name columns and classes: all that counting needs, which loads no law and no prior."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, Any

import typer

from howsure.cli.options import option
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

TrueOption = Annotated[str | None, option("true")]
PredOption = Annotated[str | None, option("pred")]
ScoreOption = Annotated[str | None, option("score")]
ItemOption = Annotated[str | None, option("item")]
PredsOption = Annotated[list[str] | None, option("pred", "classifiers")]
IdOption = Annotated[str | None, option("id")]
ByOption = Annotated[list[str] | None, option("by")]
CaseOption = Annotated[str | None, option("id", "once")]
TablesArgument = Annotated[
    list[str],
    typer.Argument(metavar="FILE...", help="CSV, TSV, JSON Lines or Parquet (.gz, .zst), patterns, folders."),
]
GroupOption = Annotated[str | None, option("group")]
GroupsOption = Annotated[Question | None, option("groups")]
RepeatOption = Annotated[str | None, option("repeat")]
FoldsOption = Annotated[str | None, option("folds")]
SiteOption = Annotated[str | None, option("site")]
LabelsOption = Annotated[str | None, option("labels")]


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
