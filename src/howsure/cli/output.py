"""In which form an answer is printed or written."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Annotated, Any, Protocol

import typer

from howsure.cli.options import option
from howsure.cli.progress_line import watched
from howsure.cli.terminal import fitted, remark
from howsure.errors import InvalidArgument
from howsure.text.columns_taken import columns_data, taken_so_far
from howsure.text.text_table import brief

if TYPE_CHECKING:
    from howsure.answers.sheet import Record

__all__ = ["FileForm", "Form", "JsonOption", "MarkdownOption", "to_be_written"]

JsonOption = Annotated[bool, option("json")]
MarkdownOption = Annotated[bool, option("markdown")]
ExplainOption = Annotated[bool, option("explain")]
CsvOption = Annotated[bool, option("csv")]
OutOption = Annotated[str | None, option("out")]


class Showable(Protocol):
    """An answer, as far as it is printed."""

    def to_dict(self) -> dict[str, Any]: ...
    def to_markdown(self) -> str: ...


@dataclass(frozen=True)
class Form:
    """Text, JSON or Markdown."""

    as_json: JsonOption = False
    as_markdown: MarkdownOption = False
    explain: ExplainOption = False

    def __post_init__(self) -> None:
        if len(self.chosen) > 1:
            raise InvalidArgument(f"{' and '.join(self.chosen)} exclude each other; choose one")

    @property
    def chosen(self) -> list[str]:
        """The forms that were asked for, as options."""
        return [f"--{name}" for name in ("json", "markdown", "csv") if getattr(self, f"as_{name}", False)]

    def show(self, made: Any, plain: Callable[[], None] | None = None) -> None:
        """Print an answer; ``plain`` prints it where no form was asked for."""
        if plain is not None and not self.chosen:
            with brief(not self.explain):
                plain()
            return
        with watched("answering"), brief(not self.explain):  # some answers are found when they are shown
            text = self._text(made) if self.chosen else fitted(made, sys.stdout)
        typer.echo(text, nl=not text.endswith("\n"))
        self._remark()

    def _remark(self) -> None:
        """Say how columns were read, where the answer does not."""
        if not self.as_json:
            remark(*(line for taken in taken_so_far() for line in taken.lines))

    def _text(self, made: Showable) -> str:
        if self.as_json:
            columns = columns_data()
            data = {**made.to_dict(), **({"columns": columns} if columns else {})}
            return json.dumps(data, allow_nan=False, ensure_ascii=True, indent=1)
        return made.to_markdown()


@dataclass(frozen=True)
class FileForm(Form):
    """The same, or CSV, or a file."""

    as_csv: CsvOption = False
    out: OutOption = None

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.out is not None and self.chosen:
            raise InvalidArgument(
                "--out chooses the format by the ending of FILE; leave --json, --markdown and --csv out"
            )

    def spare(self, *files: str | None) -> None:
        """Refuse, before anything is read, a file that cannot be written or is one of those that are read."""
        if self.out is None:
            return
        from howsure.publish.saving import ending_of

        to_be_written(self.out, files)
        ending_of(self.out)

    def _text(self, made: Record) -> str:  # type: ignore[override]  # what has rows
        return made.to_csv() if self.as_csv else super()._text(made)

    def show(self, made: Record, plain: Callable[[], None] | None = None) -> None:
        """Write an answer where --out says, or print it."""
        if self.out is None:
            super().show(made, plain)
            return
        from howsure.publish import save

        with watched("writing"):
            save(made, self.out)
        self._remark()


def to_be_written(out: str, inputs: Iterable[str | None], option: str = "--out") -> None:
    """Refuse a file that cannot be written, or that is one of those that are read."""
    from howsure.io.replacing import spare, target_of

    target_of(out)
    spare(out, inputs, option)
