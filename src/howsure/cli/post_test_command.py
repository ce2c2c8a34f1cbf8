"""``howsure post-test``: what a test means for one patient or sample."""

from __future__ import annotations

from typing import Annotated

from howsure.cli.flat import flat
from howsure.cli.inputs import Ends, InputOptions, PriorOption, Sampling
from howsure.cli.options import option
from howsure.cli.output import FileForm
from howsure.cli.share_options import shares_of
from howsure.cli.terminal import remark
from howsure.posterior.posterior import infer

__all__ = ["post_test_command"]


@flat
def post_test_command(
    *,
    pre_test: Annotated[str, option("pre-test")],
    result: Annotated[list[str] | None, option("result")] = None,
    prior: PriorOption = None,
    ends: Ends,
    source: InputOptions,
    sampling: Sampling,
    form: FileForm,
) -> None:
    """One patient or sample: how probable each class is after the test has spoken."""
    form.spare(*(source.file or ()))
    read = source.read()
    before = shares_of(pre_test, read.confusion, "--pre-test")
    known = infer(read.confusion, prior)
    made = known.post_test(before.of, result or None, **vars(ends), **vars(sampling))
    remark(*read.notes, *before.notes)
    form.show(made)
