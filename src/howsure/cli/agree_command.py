"""``howsure agree``: how well raters agree."""

from __future__ import annotations

from typing import Annotated, Any, get_args

import typer

from howsure.cli.column_options import ItemOption, LabelsOption, label_names
from howsure.cli.flat import flat
from howsure.cli.inputs import Sampling
from howsure.cli.interval_options import KindOption, LevelOption
from howsure.cli.options import option
from howsure.cli.output import FileForm
from howsure.cli.progress_line import watched
from howsure.errors import InvalidArgument, excerpt
from howsure.knowledge.ratings import Raters
from howsure.laws.law import KIND, LEVEL
from howsure.numerics.agreement import Scale, Weighting

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
    metric: Annotated[list[str] | None, option("metric", "agree")] = None,
    item: ItemOption = None,
    rater: Annotated[list[str] | None, option("rater")] = None,
    label: Annotated[str | None, option("label", "agree")] = None,
    labels: LabelsOption = None,
    scale: Annotated[Scale, option("scale")] = "nominal",
    weights: Annotated[str | None, option("weights", "agree")] = None,
    raters: Annotated[Raters, option("raters")] = "fixed",
    sets: Annotated[list[str] | None, option("set")] = None,
    model: Annotated[str | None, option("model", "agree")] = None,
    margin: Annotated[float, option("margin", "agree")] = 0.0,
    width: Annotated[float | None, option("width", "agree")] = None,
    sampling: Sampling,
    level: LevelOption = LEVEL,
    kind: KindOption = KIND,
    form: FileForm,
) -> None:  # fmt: skip
    """How well several raters agree, who stands out, what they confuse, and whether a model is as good as a person.

    No rater is the truth. Ratings may be missing; items are a sample.
    """
    from howsure.io.rating_files import read_ratings, read_weights
    from howsure.questions.agree import agree

    form.spare(file)
    named = rater[0] if rater is not None and len(rater) == 1 else rater
    order: Any = label_names(labels)
    table: Any = weights
    if weights is not None and weights not in get_args(Weighting):
        order, table = read_weights(weights, order)
    ratings = watched("reading")(read_ratings)(
        file, item=item, rater=named, label=label, labels=order, scale=scale, weights=table,
        sampled=raters, sets=_sets(sets or ()),
    )  # fmt: skip
    form.show(
        watched("simulating")(agree)(
            ratings, metric, model=model, margin=margin, width=width, level=level, kind=kind, **vars(sampling)
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
