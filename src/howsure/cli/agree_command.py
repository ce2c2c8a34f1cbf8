"""``howsure agree``: how well raters agree."""

from __future__ import annotations

from typing import Annotated, Literal

import typer

from howsure.cli.column_options import ItemOption, LabelsOption, label_names
from howsure.cli.flat import flat
from howsure.cli.inputs import Sampling
from howsure.cli.interval_options import KindOption, LevelOption
from howsure.cli.output import FileForm
from howsure.cli.progress_line import watched
from howsure.errors import InvalidArgument, excerpt
from howsure.laws.law import LEVEL

__all__ = ["agree_command"]


@flat
def agree_command(
    *,
    file: Annotated[
        str,
        typer.Argument(
            metavar="FILE",
            help="item,rater,label: a row a rating; item,ann,bob: a column a rater; - for standard input.",
        ),
    ],
    metric: Annotated[
        list[str] | None,
        typer.Option(
            "--metric",
            "-m",
            help="krippendorff_alpha, gwet_ac1 (with weights gwet_ac2), fleiss_kappa, cohen_kappa (of three raters and "
            "more conger_kappa), brennan_prediger, percent_agreement; repeated for several.",
            metavar="METRIC",
        ),
    ] = None,
    item: ItemOption = None,
    rater: Annotated[
        list[str] | None,
        typer.Option("--rater", help="Column that names the rater; or, repeated, the columns of the raters.",
                     metavar="COLUMN"),
    ] = None,
    label: Annotated[
        str | None, typer.Option("--label", help="Column of the rating, of rows of item,rater,label.", metavar="COLUMN")
    ] = None,
    labels: LabelsOption = None,
    scale: Annotated[
        Literal["nominal", "ordinal", "interval", "ratio"],
        typer.Option("--scale", help="What the categories are; their order is that of --labels, or of their numbers.",
                     metavar="nominal|ordinal|interval|ratio"),
    ] = "nominal",
    weights: Annotated[
        Literal["identity", "linear", "quadratic", "ordinal", "ratio"] | None,
        typer.Option("--weights", help="How far two categories agree; by the scale if left out (ordinal: linear; "
                     "interval: quadratic).", metavar="NAME"),
    ] = None,
    raters: Annotated[
        Literal["fixed", "sample"],
        typer.Option("--raters", help="Answers are about these raters, or about raters like these (five or more).",
                     metavar="fixed|sample"),
    ] = "fixed",
    sets: Annotated[
        list[str] | None,
        typer.Option("--set", help="A set of raters (experts=ann,bob); two are compared.", metavar="NAME=RATERS"),
    ] = None,
    model: Annotated[
        str | None,
        typer.Option("--model", help="The rater that is a model: is it as good as a person?", metavar="RATER"),
    ] = None,
    margin: Annotated[
        float, typer.Option("--margin", help="How much less the model may agree with the others than a person.",
                            metavar="SIZE"),
    ] = 0.0,
    sampling: Sampling,
    level: LevelOption = LEVEL,
    kind: KindOption = "central",
    form: FileForm,
) -> None:  # fmt: skip
    """How well several raters agree, who stands out, what they confuse, and whether a model is as good as a person.

    No rater is the truth. Ratings may be missing; items are a sample.
    """
    from howsure.io.rating_files import read_ratings
    from howsure.questions.agree import agree

    form.spare(file)
    named = rater[0] if rater is not None and len(rater) == 1 else rater
    ratings = watched("reading")(read_ratings)(
        file, item=item, rater=named, label=label, labels=label_names(labels), scale=scale, weights=weights,
        sampled=raters, sets=_sets(sets or ()),
    )  # fmt: skip
    form.show(
        watched("simulating")(agree)(
            ratings, metric, model=model, margin=margin, level=level, kind=kind, **vars(sampling)
        )
    )


def _sets(written: list[str] | tuple[()]) -> dict[str, list[str]]:
    """Read ``experts=ann,bob``."""
    found: dict[str, list[str]] = {}
    for text in written:
        name, sign, members = text.partition("=")
        if not sign or not name.strip() or name.strip() in found:
            raise InvalidArgument(
                f"--set is a name and its raters (experts=ann,bob), each name once; not {excerpt(text)}"
            )
        found[name.strip()] = [part.strip() for part in members.split(",")]
    return found
