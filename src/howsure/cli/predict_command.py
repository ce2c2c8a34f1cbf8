"""``howsure predict``: what a new test of the same classifier would show."""

from __future__ import annotations

from typing import Annotated

from howsure.cli.column_options import UnitOptions
from howsure.cli.flat import flat
from howsure.cli.inputs import (
    DrawsOption,
    Ends,
    InputOptions,
    OtherPrevalence,
    PriorOption,
    SeedOption,
    SharesOption,
)
from howsure.cli.item_options import ItemOptions
from howsure.cli.options import option
from howsure.cli.output import FileForm
from howsure.cli.share_options import by_class
from howsure.cli.terminal import remark
from howsure.errors import InvalidArgument, excerpt
from howsure.io.vote_files import is_votes, read_votes
from howsure.laws.draw_settings import SEED
from howsure.posterior.posterior import infer
from howsure.questions.predict import predict

__all__ = ["predict_command"]


@flat
def predict_command(
    *,
    n: Annotated[str | None, option("n", "predict")] = None,
    prior: PriorOption = None,
    shares: SharesOption = None,
    metric: Annotated[str | None, option("metric", "predict")] = None,
    units: UnitOptions,
    items: ItemOptions,
    where: OtherPrevalence,
    ends: Ends,
    source: InputOptions,
    draws: DrawsOption = None,
    seed: SeedOption = SEED,
    form: FileForm,
) -> None:
    """What a new test of the same classifier would show, or of items with scores (item,score), or of battles."""
    form.spare(*(source.file or ()))
    if len(source.file or ()) == 1 and is_votes((source.file or [""])[0]):
        votes = read_votes((source.file or [""])[0])
        many = None if n is None else _new_cases(n, ())
        form.show(predict(votes, many, metric, ask=votes.ask(ends.level, ends.kind, draws, seed)))
        return
    if metric is not None or units.named or items.asked(source.file or ()):
        items.refuse({"--prior": prior, "--shares": shares, "--folds": units.folds}, source, where)
        scored = items.read(source.file or (), source.missing, group=units.group, run=units.repeat)
        many = None if n is None else _new_cases(n, ())
        form.show(predict(scored, many, metric, ask=scored.ask(ends.level, ends.kind, draws, seed)))
        return
    read = where.read(source)
    known = where.of(infer(read.confusion, prior, shares=shares))
    made = known.predict(_new_cases(n, known.labels), **vars(ends), draws=draws, seed=seed)
    remark(*read.notes, *where.notes(read.confusion))
    form.show(made)


def _new_cases(text: str | None, labels: tuple[str, ...]) -> int | dict[str, int] | None:
    if text is None:
        return None
    if labels and ("," in text or "=" in text):
        sizes = by_class(text, labels, "--n", "numbers of cases", 50)
        if all(many.is_integer() for many in sizes.values()):
            return {label: int(many) for label, many in sizes.items()}
    elif text.strip().isascii() and text.strip().isdigit() and len(text) < 12:
        return int(text)
    raise InvalidArgument(f"--n is an integer number of cases, or one for each class, not {excerpt(text)}")
