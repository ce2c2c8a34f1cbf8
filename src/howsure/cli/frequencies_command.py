"""``howsure frequencies``: what a classifier does to ten thousand people, in integers."""

from __future__ import annotations

from typing import Annotated

from howsure.cli.flat import flat
from howsure.cli.inputs import Ends, InputOptions, OtherPrevalence, PriorOption, SharesOption
from howsure.cli.options import option
from howsure.cli.output import FileForm
from howsure.cli.terminal import remark
from howsure.posterior.posterior import infer

__all__ = ["frequencies_command"]


@flat
def frequencies_command(
    *,
    of: Annotated[int, option("of")] = 10_000,
    prior: PriorOption = None,
    shares: SharesOption = None,
    where: OtherPrevalence,
    ends: Ends,
    source: InputOptions,
    form: FileForm,
) -> None:
    """What the classifier does to ten thousand people, in integers that add up."""
    form.spare(*(source.file or ()))
    read = where.read(source)
    made = where.of(infer(read.confusion, prior, shares=shares)).natural_frequencies(of, **vars(ends))
    remark(*read.notes, *where.notes(read.confusion))
    form.show(made)
