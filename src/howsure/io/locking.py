"""A lock on an open file that goes with its process, however that ends."""

from __future__ import annotations

__all__ = ["have_locks", "locked"]


def have_locks() -> bool:
    """Whether this system has such locks; Windows has others."""
    try:
        import fcntl  # noqa: F401  # asked for, not used
    except ImportError:
        return False
    return True


def locked(handle: int, *, wait: bool) -> bool:
    """Lock an open file for its holder alone; False where another has it and none waits, or where nothing can lock.

    The lock ends when the handle is closed.

    Parameters
    ----------
    handle : int
        Of an open file.
    wait : bool
        Whether to wait for whoever has it.
    """
    try:
        import fcntl
    except ImportError:
        return False
    try:
        fcntl.flock(handle, fcntl.LOCK_EX if wait else fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        return False
    return True
