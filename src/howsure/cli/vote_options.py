"""Options of battles between models, and the file that holds them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Annotated, Any, Literal

from howsure.cli.options import option
from howsure.cli.progress_line import watched
from howsure.errors import InvalidArgument, listing

if TYPE_CHECKING:
    from howsure.knowledge.votes import Votes

__all__ = ["VoteOptions"]


@dataclass(frozen=True)
class VoteOptions:
    """How to read battles (model_a,model_b,winner)."""

    both_bad: Annotated[Literal["tie", "exclude"], option("both-bad")] = "tie"
    winner: Annotated[str | None, option("winner")] = None
    voter: Annotated[str | None, option("voter")] = None
    control: Annotated[list[str] | None, option("control")] = None

    def asked(self, files: Sequence[str]) -> bool:
        """Whether the file holds battles: an option says so, or its header."""
        if self.both_bad != "tie" or self.winner is not None or self.voter is not None or self.control:
            return True
        from howsure.io.vote_files import is_votes

        return len(files) == 1 and is_votes(files[0])

    @property
    def _how(self) -> dict[str, Any]:
        from howsure.io.vote_files import VoteColumns

        columns = VoteColumns(winner=self.winner, voter=self.voter)
        return {"columns": columns, "both_bad": self.both_bad, "control": self.control or ()}

    def read(self, files: Sequence[str], others: dict[str, object], *records: object) -> Votes:
        """The battles of one file; options that say nothing about them are refused."""
        from howsure.io.vote_files import read_votes

        self.refuse(files, others, *records)
        return watched("reading")(read_votes)(files[0], **self._how)

    def read_by(
        self, files: Sequence[str], by: Sequence[str], others: dict[str, object], *records: object
    ) -> dict[str, Votes | str]:
        """The battles of each value of a column."""
        from howsure.io.vote_files import votes_by

        self.refuse(files, others, *records)
        if len(by) != 1:
            raise InvalidArgument("battles are ranked by one column (--by category)")
        return watched("reading")(votes_by)(files[0], by[0], **self._how)

    def refuse(self, files: Sequence[str], others: dict[str, object], *records: object) -> None:
        """Refuse what has no meaning for battles."""
        if len(files) != 1:
            raise InvalidArgument(f"battles are one file, got {len(files)}")
        named = {f"--{name.replace('_', '-')}": value for record in records for name, value in vars(record).items()}
        odd = [name for name, value in {**others, **named}.items()
               if value not in (None, False, (), []) and (name, value) != ("--missing", "error")]  # fmt: skip
        if odd:
            raise InvalidArgument(f"leave {listing(odd)} out: of battles there is nothing to say about that")
