"""In which form an answer is printed or written, and where else it goes."""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

import typer

from howsure.cli.options import Options
from howsure.cli.progress import watched
from howsure.cli.terminal import fitted, remark
from howsure.errors import InvalidArgument
from howsure.text.columns_taken import columns_data, taken_so_far
from howsure.text.text_table import brief

#: Bytes of all summaries of one step; above this the server shows none.
LARGEST = 1024 * 1024

CUT = "\n\n(cut: the summary of one step holds 1024 KiB)\n"


def refuse_two_forms(ask: Options) -> None:
    """Refuse, before anything is read, two forms, or a file that cannot be written or that is read."""
    chosen = ask.used("json markdown csv")
    if len(chosen) > 1:
        raise InvalidArgument(f"{' and '.join(chosen)} exclude each other; choose one")
    if ask.out is None:
        return
    if chosen:
        raise InvalidArgument("--out chooses the format by the ending of FILE; leave --json, --markdown and --csv out")
    from howsure.publish.saving import ending_of

    single = [it for it in (ask.file, ask.candidate, ask.baseline, ask.pilot) if isinstance(it, str)]
    to_be_written(ask.out, [*ask.files, *single])
    ending_of(ask.out)


def to_be_written(out: str, inputs: Iterable[str | None], option: str = "--out") -> None:
    """Refuse a file that cannot be written, or that is one of those that are read."""
    from howsure.io.replacing import spare, target_of

    target_of(out)
    spare(out, inputs, option)


def show(ask: Options, answer: Any, *notes: str, plain: Callable[[], None] | None = None) -> None:
    """Write an answer where --out says, or print it; ``plain`` prints it where no form was chosen."""
    remark(*notes)
    if ask.out is not None:
        from howsure.publish import save

        watched("writing")(save)(answer, ask.out)
    elif plain is not None and not ask.used("json markdown csv"):
        with brief(not ask.explain):
            plain()
        return
    else:
        with watched("answering"), brief(not ask.explain):  # some answers are found when they are shown
            text = _text(ask, answer)
        typer.echo(text, nl=not text.endswith("\n"))
    if not ask.json:  # the answer says itself how columns were read
        remark(*dict.fromkeys(line for taken in taken_so_far() for line in taken.lines))


def _text(ask: Options, answer: Any) -> str:
    if ask.json:
        columns = columns_data()
        return _as_json({**answer.to_dict(), **({"columns": columns} if columns else {})})
    if ask.csv:
        return str(answer.to_csv())
    return str(answer.to_markdown()) if ask.markdown else fitted(answer, sys.stdout)


def print_json(data: Any) -> None:
    """Print with every number in full."""
    typer.echo(_as_json(data))


def _as_json(data: Any) -> str:
    return json.dumps(data, allow_nan=False, ensure_ascii=True, indent=1)


def append_summary(markdown: str) -> str | None:
    """Append to the summary, cut where the step's summary would grow too large; a sentence if it cannot be written."""
    path = os.environ.get("GITHUB_STEP_SUMMARY")
    if not path:
        return None
    try:
        held = Path(path).stat().st_size if Path(path).exists() else 0
        room = LARGEST - held
        text = markdown.encode("utf-8", "replace")
        if len(text) + 1 > room:
            keep = room - len(CUT.encode())
            if keep <= 0:
                return "the step summary is full, so nothing was added to it"
            # whole lines, so that no character and no cell is cut in two
            text = text[:keep].rpartition(b"\n")[0] + CUT.encode()
        # the one file that is not replaced: it is the server's, and other steps of the job append to it as well
        with Path(path).open("ab", buffering=0) as file:
            whole = text if text.endswith(b"\n") else text + b"\n"
            if file.write(whole) < len(whole):
                os.truncate(path, held)
                return "the step summary cannot be written (the disk is full), so nothing was added to it"
    except OSError as error:
        return f"the step summary cannot be written ({error.strerror})"
    return None
