"""Options of items with scores, and the file that holds them."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Annotated, Any, Literal

from howsure.cli.column_options import ItemOption, ScoreOption
from howsure.cli.options import option
from howsure.cli.progress_line import watched
from howsure.cli.repeats_command import RangeOption, scores_of
from howsure.errors import InvalidArgument, listing

if TYPE_CHECKING:
    from howsure.knowledge.items import Items

__all__ = ["ItemOptions"]

FarOption = Annotated[Literal["range"] | None, option("far")]
BetterOption = Annotated[Literal["higher", "lower"], option("better")]


@dataclass(frozen=True)
class ItemOptions:
    """How to read items with scores, where they are more than right and wrong."""

    score: ScoreOption = None
    item: ItemOption = None
    range: RangeOption = None
    far: FarOption = None
    better: BetterOption = "higher"

    def asked(self, files: Sequence[str], metrics: Sequence[str] = ()) -> bool:
        """Whether the files hold items with scores: an option or a metric says so, or the file."""
        if any((self.score, self.item, self.range, self.far)) or self.better != "higher":
            return True
        if not files:
            return False
        if any(_OF_ITEMS.fullmatch(name.strip()) for name in metrics):
            return True
        from howsure.io.items import looks_like_items

        return looks_like_items(files[0])

    def read(
        self, files: Sequence[str], missing: str, *, group: str | None = None, run: str | None = None,
        groups: str | None = None,
    ) -> Items:  # fmt: skip
        """The items of one file, or of one for each system."""
        from howsure.io.items import ItemsAsk, items_in

        gaps: dict[str, Any] = {"error": "error", "exclude": "exclude", "wrong": "worst"}
        if missing not in gaps:
            raise InvalidArgument(
                f"--missing {missing} is not for scores: error, exclude, or wrong (the worse end of --range)"
            )
        ask = ItemsAsk(self.score, self.item, run, group, scores_of(self.range, "range"), gaps[missing], self.better)
        read = watched("reading")(items_in)(files, ask)
        about: dict[str, Any] = {} if groups is None else {"about": groups}
        return read.but(far=self.far is not None, **about)

    @staticmethod
    def refuse(others: dict[str, object], *records: object) -> None:
        """Refuse options that say nothing about scores of items, also those of whole records of options."""
        named = {f"--{name.replace('_', '-')}": value for record in records for name, value in vars(record).items()}
        left = {**others, **{name: value for name, value in named.items() if name not in ("--file", "--missing")}}
        odd = [_CALLED.get(name, name) for name, value in left.items() if value not in (None, False, (), [])]
        if odd:
            raise InvalidArgument(f"leave {listing(odd)} out: of items with scores there is nothing to say about that")


#: Options that have another name than their field.
_CALLED = {"--case": "--id"}

#: Metrics that only items have.
_OF_ITEMS = re.compile(r"mean|median|quantile\(.*\)|p\d\d?|wer|cer|ratio|bleu|map|map50|map75|exact_match|\w+@samples")
