"""``howsure sensitivity``: one metric under several priors."""

from __future__ import annotations

from typing import Annotated

import typer

from howsure.cli.flat import flat
from howsure.cli.inputs import Ends, InputOptions, MetricArgument, OtherPrevalence, Sampling
from howsure.cli.output import FileForm
from howsure.cli.progress_line import watched
from howsure.cli.terminal import remark
from howsure.posterior.posterior import infer

__all__ = ["sensitivity_command"]


@flat
def sensitivity_command(
    *,
    source: InputOptions,
    metric: MetricArgument,
    priors: Annotated[
        list[str] | None,
        typer.Option("--prior", help="Prior to try; may be repeated. The usual ones if left out.", metavar="NAME"),
    ] = None,
    where: OtherPrevalence,
    ends: Ends,
    sampling: Sampling,
    form: FileForm,
) -> None:
    """One metric under several priors: how much of the answer is the prior's."""
    form.spare(*(source.file or ()))
    read = where.read(source)
    known = where.of(infer(read.confusion))
    asked = watched("asking")(known.prior_sensitivity)
    made = asked(metric, priors or None, **vars(ends), **vars(sampling))
    remark(*read.notes, *where.notes(read.confusion))
    form.show(made)
