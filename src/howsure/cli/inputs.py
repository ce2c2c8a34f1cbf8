"""Options that every command shares, declared once, and the reading of its file."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Annotated, Any, Literal

import typer

from howsure.cli.column_options import (
    IdOption,
    LabelsOption,
    PredOption,
    PredsOption,
    TrueOption,
    UnitOptions,
    label_names,
)
from howsure.cli.interval_options import CertaintyOption, KindOption, LevelOption
from howsure.cli.options import option
from howsure.cli.published_table import FnOption, FpOption, PublishedTable, TableOption, TnOption, TpOption
from howsure.cli.share_options import by_class, shares_of
from howsure.errors import InvalidArgument, excerpt, listing
from howsure.laws.draw_settings import DRAWS, SEED
from howsure.laws.law import KIND, LEVEL
from howsure.posterior.means_over_classes import Shares
from howsure.posterior.priors import FEWEST_LEARNED, PRIORS, default_prior

if TYPE_CHECKING:
    from howsure.data.confusion import ConfusionMatrix
    from howsure.data.judged_answers import JudgedAnswers
    from howsure.io import Reading
    from howsure.io.reading import Pair
    from howsure.posterior.posterior import Posterior

__all__ = [
    "Cases",
    "CasesOption",
    "CertaintyOption",
    "DrawsOption",
    "Ends",
    "FileArgument",
    "InputOptions",
    "KindOption",
    "LevelOption",
    "MetricArgument",
    "OtherPrevalence",
    "PositiveOption",
    "PrevalenceOption",
    "PriorOption",
    "RopeOption",
    "RowsOption",
    "Sampling",
    "SeedOption",
    "SeparateOption",
    "SharesOption",
    "at_other_prevalence",
    "reading",
]

FileArgument = Annotated[
    list[str] | None,
    typer.Argument(
        metavar="[FILE]...", help="A file, - for standard input, a folder, a pattern, or files that are one table."
    ),
]
#: Beside the two priors that are chosen unasked.
_CHOSEN = {
    default_prior(2): f" (default of {FEWEST_LEARNED - 1} classes)",
    default_prior(FEWEST_LEARNED): f" (from {FEWEST_LEARNED} on)",
}
PriorOption = Annotated[
    str | None, option("prior", words={"priors": ", ".join(name + _CHOSEN.get(name, "") for name in PRIORS)})
]
SharesOption = Annotated[Shares | None, option("shares")]
PrevalenceOption = Annotated[str | None, option("prevalence")]
CasesOption = Annotated[str | None, option("cases")]
VerdictsOption = Annotated[str | None, option("verdicts")]
RowsOption = Annotated[Literal["true", "pred"] | None, option("rows")]
PositiveOption = Annotated[str | None, option("positive")]
ModelOption = Annotated[str | None, option("model")]
MissingOption = Annotated[Literal["error", "exclude", "wrong", "estimate"], option("missing")]
OrderOption = Annotated[str | None, option("order")]
LabelsFromOption = Annotated[str | None, option("labels-from")]
DrawsOption = Annotated[int | None, option("draws", words={"usual": f"{DRAWS:,d}"})]
ThatManyDrawsOption = Annotated[int, option("draws", "fixed")]
SeedOption = Annotated[int, option("seed")]
AnyMissingOption = Annotated[
    Literal["error", "wrong", "class", "exclude", "estimate"], option("missing", "classifiers")
]
SeparateOption = Annotated[bool, option("separate")]
RopeOption = Annotated[float | None, option("rope")]
MetricArgument = Annotated[str, typer.Argument(metavar="METRIC", help="Any metric, such as recall or f1@macro.")]


@dataclass(frozen=True)
class InputOptions:
    """A file that holds one classifier, and how to read it, or a table that is given in its place."""

    file: FileArgument = None
    rows: RowsOption = None
    positive: PositiveOption = None
    labels: LabelsOption = None
    true: TrueOption = None
    pred: PredOption = None
    model: ModelOption = None
    missing: MissingOption = "error"
    order: OrderOption = None
    labels_from: LabelsFromOption = None
    tp: TpOption = None
    fn: FnOption = None
    fp: FpOption = None
    tn: TnOption = None
    table: TableOption = None

    @property
    def published(self) -> PublishedTable:
        """The table that is given in place of a file."""
        return PublishedTable(self.tp, self.fn, self.fp, self.tn, self.table)

    @property
    def positive_is_said(self) -> bool:
        """Whether the positive class was chosen, by its option or by the names of the cells."""
        return self.positive is not None or (bool(self.published.given) and ";" not in (self.table or ""))

    def read(self, units: UnitOptions | None = None) -> Reading:
        """Counts, by group where these are asked for, and what was said of them on the way."""
        if self.published.given:
            return self._typed(() if units is None else units.named)
        if not self.file:
            raise InvalidArgument(
                "name a FILE, - for standard input, or type a table: --tp, --fn, --fp and --tn (or --table)"
            )
        if len(self.file) == 4 and all(cell.isascii() and cell.isdigit() for cell in self.file):
            raise InvalidArgument(f"four numbers are not a FILE; a table is typed as --table {','.join(self.file)}")
        how = ("rows", "positive", "labels", "model", "missing", "true", "pred", "order", "labels_from")
        options = {name: getattr(self, name) for name in how}
        return reading(self.file, **options, **({} if units is None else units.given))

    def _typed(self, units: Sequence[str]) -> Reading:
        from howsure.io import Reading

        said = self.published.given
        if self.file:
            names = listing(map(excerpt, self.file))
            raise InvalidArgument(f"FILE ({names}) and {listing(said)} exclude each other; cases come from one of them")
        options = ("rows", "true", "pred", "model", "order", "labels_from")
        odd = [f"--{name.replace('_', '-')}" for name in options if getattr(self, name) is not None]
        odd += units
        if odd:
            raise InvalidArgument(f"{listing(odd)} tell how to read a FILE; leave them out with {listing(said)}")
        confusion, echo = self.published.confusion(label_names(self.labels), self.positive)
        return Reading(confusion, "the command line", "table as typed", (echo,))


@dataclass(frozen=True)
class Cases:
    """How to read files that hold several classifiers together."""

    separate: SeparateOption = False
    true: TrueOption = None
    pred: PredsOption = None
    case: IdOption = None
    rows: RowsOption = None
    positive: PositiveOption = None
    labels: LabelsOption = None
    missing: AnyMissingOption = "error"

    @property
    def given(self) -> dict[str, Any]:
        """As the readers take them."""
        options = {key: value for key, value in vars(self).items() if key not in ("true", "pred", "case")}
        columns = {"y_true": self.true, "y_pred": tuple(self.pred or ()), "id": self.case}
        return {**options, **columns, "labels": label_names(self.labels)}

    @property
    def one_pred(self) -> str | None:
        """The column of the one classifier that is asked about."""
        if self.pred and len(self.pred) > 1:
            raise InvalidArgument(f"one classifier is asked about, and --pred names {len(self.pred)}; choose one")
        return self.pred[0] if self.pred else None

    def judged(self, files: Sequence[str]) -> JudgedAnswers | None:
        """Models under one judge, where --missing estimate says so."""
        if self.missing != "estimate":
            return None
        from howsure.io.label_files import read_judged

        given: dict[str, object] = {"--true": self.true, "--pred": self.pred, "--id": self.case, "--rows": self.rows}
        given |= {"--separate": self.separate or None, "--positive": self.positive}
        if odd := [name for name, value in given.items() if value is not None]:
            raise InvalidArgument(
                f"leave {listing(odd)} out with --missing estimate: its columns are item,model,verdict,label, and the "
                "metric names the class that is right, such as prevalence@pass"
            )
        if len(files) != 1:
            raise InvalidArgument(f"--missing estimate reads one FILE of all models, not {len(files)}")
        return read_judged(files[0], labels=label_names(self.labels))

    def pair(
        self, files: Sequence[str], a: str | None, b: str | None, group: str | Literal[True] | None = None
    ) -> Pair:
        """Two classifiers, from one table or two."""
        from howsure.io.contenders import read_pair

        return read_pair(*files, a=a, b=b, group=group, **self.given)


@dataclass(frozen=True)
class OtherPrevalence:
    """Another prevalence than that of the test set."""

    prevalence: PrevalenceOption = None
    cases: CasesOption = None
    verdicts: VerdictsOption = None

    def read(self, source: InputOptions, units: UnitOptions | None = None) -> Reading:
        """The table; several files are one."""
        if self.verdicts is not None and units is not None and not units.named:
            units = None  # rates that are carried over are those of cases
        return source.read(units)

    def of(self, posterior: Posterior) -> Posterior:
        """The posterior there."""
        if self.verdicts is None:
            return at_other_prevalence(posterior, self.prevalence, self.cases)
        if self.prevalence is not None or self.cases is not None:
            other = "--cases" if self.prevalence is None else "--prevalence"
            raise InvalidArgument(f"{other} and --verdicts exclude each other; choose one")
        counts = by_class(self.verdicts, posterior.labels, "--verdicts", "counts", 700)
        return posterior.at_prevalence(verdicts=counts)  # type: ignore[arg-type]  # checked to be whole there

    def notes(self, confusion: ConfusionMatrix) -> tuple[str, ...]:
        """What was done to the shares on the way."""
        return () if self.prevalence is None else shares_of(self.prevalence, confusion, "--prevalence").notes


@dataclass(frozen=True)
class Ends:
    """Which interval."""

    level: LevelOption = LEVEL
    kind: KindOption = KIND


@dataclass(frozen=True)
class Sampling:
    """Draws of what has no closed law."""

    draws: ThatManyDrawsOption = DRAWS
    seed: SeedOption = SEED


def reading(
    files: str | Sequence[str],
    *,
    rows: Literal["true", "pred"] | None,
    positive: str | None,
    labels: str | None,
    model: str | None,
    missing: Literal["error", "exclude", "wrong", "estimate"],
    true: str | None = None,
    pred: str | None = None,
    order: str | None = None,
    labels_from: str | None = None,
    **units: Any,
) -> Reading:
    """Read a file with the options that the command line gives as text."""
    from howsure.io import read

    return read(
        files,
        rows=rows,
        positive=positive,
        labels=label_names(labels),
        model=model,
        missing=missing,
        y_true=true,
        y_pred=pred,
        order=label_names(order),
        labels_from=labels_from,
        **units,
    )


def at_other_prevalence(posterior: Posterior, prevalence: str | None, cases: str | None) -> Posterior:
    """The posterior where --prevalence or --cases say."""
    if prevalence is not None and cases is not None:
        raise InvalidArgument("--prevalence and --cases exclude each other; choose one")
    if prevalence is not None:
        return posterior.at_prevalence(shares_of(prevalence, posterior.confusion, "--prevalence").of)
    if cases is not None:
        counts = by_class(cases, posterior.labels, "--cases", "counts", 490)
        return posterior.at_prevalence(cases=counts)  # type: ignore[arg-type]  # checked to be whole there
    return posterior
