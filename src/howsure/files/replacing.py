"""Writing a file whole or not at all."""

from __future__ import annotations

import os
import tempfile
from pathlib import Path

from howsure.errors import InvalidFile

__all__ = ["replace_text"]


def replace_text(path: str | os.PathLike[str], text: str) -> None:
    """Write a text so that a reader sees the old file or the new one: write beside it, flush to disk, rename.

    Raises
    ------
    InvalidFile
        The folder is not there or cannot be written.
    """
    target = Path(os.path.realpath(path))  # a link stays a link
    beside = None
    try:
        mode = target.stat().st_mode & 0o777 if target.exists() else 0o666 & ~_umask()
        handle, beside = tempfile.mkstemp(dir=target.parent, prefix=f".{target.name}.")
        with os.fdopen(handle, "w", encoding="utf-8", newline="\n") as file:
            file.write(text)
            file.flush()
            os.fsync(file.fileno())
        Path(beside).chmod(mode)
        Path(beside).replace(target)
    except OSError as error:
        if beside is not None:
            Path(beside).unlink(missing_ok=True)
        raise InvalidFile(str(path), f"it cannot be written ({error.strerror})") from None


def _umask() -> int:
    """Read the mask of new files; there is no way but to set it."""
    mask = os.umask(0o077)
    os.umask(mask)
    return mask
