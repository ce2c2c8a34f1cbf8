"""The summary of a job on a build server: Markdown appended to the file that GITHUB_STEP_SUMMARY names."""

from __future__ import annotations

import os
from pathlib import Path

__all__ = ["LARGEST", "append_summary"]

#: Bytes of all summaries of one step; above this the server shows none.
LARGEST = 1024 * 1024

CUT = "\n\n(cut: the summary of one step holds 1024 KiB)\n"


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
