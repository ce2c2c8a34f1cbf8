"""The command line: parse, call, show; no statistics.

Exit status: 0 for an answer, 2 for bad usage or bad input, with one readable line on standard error. A gate has two
more: 1 for a fail, 3 for inconclusive.
"""

from __future__ import annotations

import errno
import os
import re
import sys
from shutil import get_terminal_size
from typing import TextIO

from howsure.errors import HowsureError, InvalidArgument, MissingExtra

__all__ = ["main"]

BAD_INPUT = 2
INTERRUPTED = 130
DEFECT = 70

#: What a stream says that takes no more.
FULL = (errno.ENOSPC, errno.EDQUOT, errno.EFBIG, errno.EIO)


def main(arguments: list[str] | None = None) -> int:
    """Run the command line and give its exit status; never a traceback (HOWSURE_DEBUG=1 shows it)."""
    from howsure.cli.progress import noted
    from howsure.progress import noticing
    from howsure.text.columns_taken import columns_taken

    try:
        with noted(), columns_taken(), noticing(_noticed):
            return _run(arguments)
    except HowsureError as error:
        from howsure.cli.terminal import as_options

        return _complain(as_options(str(error)), BAD_INPUT)
    except KeyboardInterrupt:
        return _complain("interrupted", INTERRUPTED)
    except BrokenPipeError:
        # the reader has gone (head, less): stop quietly
        _leave(sys.stdout)
        return 0
    except OSError as error:
        if error.filename is not None or error.errno not in FULL:
            return _defect(error)
        # files are written elsewhere, and say their names
        _leave(sys.stdout)
        return _complain(f"standard output cannot be written ({error.strerror}); the answer is not complete", BAD_INPUT)
    except MemoryError:
        return _complain("the answer does not fit in memory; ask for fewer metrics or fewer draws", BAD_INPUT)
    except Exception as error:  # the last line of defence: a person gets a sentence, a developer a switch
        usage = getattr(error, "format_message", None)
        if usage is not None:
            sentence = " ".join(usage().split()).replace("Value error, ", "")
            told = getattr(getattr(error, "ctx", None), "command_path", "howsure")
            return _complain(f"{sentence.removesuffix('.')}{_instead(sentence, told)} (see {told} --help)", BAD_INPUT)
        return _defect(error)


def _noticed(work: str) -> None:
    """Say on a terminal, and nowhere else, what takes so long."""
    if sys.stderr.isatty():
        sys.stderr.write(f"{work} ...\n")


def _instead(sentence: str, command: str) -> str:
    """What to say in place of what was refused, where it is known."""
    if "Missing option '--candidate'" in sentence:
        return "; howsure gate --candidate NEW.csv --baseline OLD.csv"
    if "'--kind'" in sentence and any(word in sentence for word in ("equal", "quantile", "percentile")):
        return "; equal tails are --kind central"
    # a plan has its metric first, and others have none to ask for
    option = re.match(r"No such option: --([\w-]+)", sentence)
    if option and command.endswith((" report", " compare")):
        from howsure.metrics import REGISTRY

        if option[1].lower().replace("-", "_") in REGISTRY:
            return (
                f"; --metric {option[1]} asks for that metric; a published table is --tp, --fn, --fp and --tn, and "
                f"where only figures were printed, howsure reconstruct --n CASES --{option[1]} VALUE"
            )
    return ""


def _defect(error: Exception) -> int:
    if os.environ.get("HOWSURE_DEBUG"):
        raise error
    return _complain(f"a defect of howsure, {type(error).__name__}: {error}. HOWSURE_DEBUG=1 shows where.", DEFECT)


def _leave(stream: TextIO) -> None:
    """Send what is left in a stream nowhere, so that the interpreter's last flush does not fail as well."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), stream.fileno())


def _run(arguments: list[str] | None) -> int:
    try:
        from howsure.cli.program import app
    except ModuleNotFoundError as absent:
        if absent.name not in ("typer", "rich"):
            raise
        raise MissingExtra("The command line", "cli") from None
    if sys.stdout is None:
        raise InvalidArgument("standard output is closed; redirect it (> FILE)")
    given = sys.argv[1:] if arguments is None else arguments
    status = app(given or ["--help"], standalone_mode=False, prog_name="howsure")
    if status == INTERRUPTED:  # typer keeps the interruption to itself
        raise KeyboardInterrupt
    sys.stdout.flush()
    return status if isinstance(status, int) else 0


def _complain(message: str, status: int) -> int:
    line = "".join(c if c.isprintable() else " " for c in message)
    shown = f"howsure: {line}"
    if sys.stderr.isatty():
        from howsure.text.text_table import wrapped

        shown = wrapped(shown, get_terminal_size().columns)
    try:
        print(shown, file=sys.stderr)  # noqa: T201  # the one place that writes to standard error
    except OSError:  # full as well, and nobody is left to be told but by the status
        _leave(sys.stderr)
    return status
