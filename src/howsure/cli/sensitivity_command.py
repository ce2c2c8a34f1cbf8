"""``howsure sensitivity``: one metric under several priors."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

from howsure.cli.flat import flat
from howsure.cli.inputs import Ends, InputOptions, MetricArgument, OtherPrevalence, Sampling
from howsure.cli.options import option
from howsure.cli.output import FileForm
from howsure.cli.progress_line import watched
from howsure.cli.terminal import remark
from howsure.errors import InvalidArgument
from howsure.posterior.posterior import infer
from howsure.text.formats import plain

__all__ = ["sensitivity_command"]


@flat
def sensitivity_command(
    *,
    source: InputOptions,
    metric: MetricArgument,
    priors: Annotated[list[str] | None, option("prior", "sensitivity")] = None,
    where: OtherPrevalence,
    ends: Ends,
    sampling: Sampling,
    form: FileForm,
) -> None:
    """One metric under several priors: how much of the answer is the prior's."""
    if not source.file and not source.published.given and Path(metric).exists():
        raise InvalidArgument(
            f"{plain(metric, 100)} is a file, and behind it the metric: howsure sensitivity FILE METRIC"
        )
    form.spare(*(source.file or ()))
    read = where.read(source)
    known = where.of(infer(read.confusion))
    asked = watched("asking")(known.prior_sensitivity)
    made = asked(metric, priors or None, **vars(ends), **vars(sampling))
    remark(*read.notes, *where.notes(read.confusion))
    form.show(made)
