"""What each column of what was read was taken for, for whoever answers: a line of text, or data."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass

from howsure.errors import excerpt, listing

#: The role of a column that no answer depends on.
UNUSED = "not used"
#: Columns that a sentence names.
MOST_NAMED = 12


@dataclass(frozen=True)
class ColumnsTaken:
    """The roles of the columns of one table, notes on them, and whether the answer itself says the notes, or both."""

    source: str
    roles: Mapping[str, str]
    notes: tuple[str, ...] = ()
    answered: bool = False
    shown: bool = False

    @property
    def lines(self) -> list[str]:
        """What the answer does not say."""
        return [*([] if self.shown else [columns_sentence(self.roles)]), *([] if self.answered else self.notes)]


_taken: ContextVar[list[ColumnsTaken] | None] = ContextVar("columns_taken", default=None)


@contextmanager
def columns_taken() -> Iterator[list[ColumnsTaken]]:
    """Gather what readers say inside."""
    found: list[ColumnsTaken] = []
    token = _taken.set(found)
    try:
        yield found
    finally:
        _taken.reset(token)


def columns_data() -> list[dict[str, object]]:
    """What was said until now as plain data, ready for JSON; which table it is where there are several."""
    found = taken_so_far()
    data: list[dict[str, object]] = [{"roles": dict(it.roles), "notes": list(it.notes)} for it in found]
    if len(found) == 1:
        return data
    return [{"source": it.source, **each} for it, each in zip(found, data, strict=True)]


def taken_so_far() -> list[ColumnsTaken]:
    """What was said until now."""
    return list(_taken.get() or ())


def note_columns(
    source: str, roles: Mapping[str, str], notes: Sequence[str] = (), *, answered: bool = False, shown: bool = False
) -> None:
    """Say what the columns of a table were taken for, if anybody listens; see `ColumnsTaken`."""
    found, made = _taken.get(), ColumnsTaken(source, dict(roles), tuple(notes), answered, shown)
    if found is not None and made not in found:
        found.append(made)


def columns_sentence(roles: Mapping[str, str]) -> str:
    """The roles in a line.

    Examples
    --------
    >>> columns_sentence({"y_true": "truth", "y_pred": "prediction", "text": UNUSED, "site": UNUSED})
    "Columns: 'y_true' truth, 'y_pred' prediction; 'text', 'site' not used."
    """
    used = [f"{excerpt(name, 40)} {role}" for name, role in roles.items() if role != UNUSED]
    more = f" and {len(used) - MOST_NAMED} more" if len(used) > MOST_NAMED else ""
    others = [excerpt(name, 40) if name else "one without a name" for name, role in roles.items() if role == UNUSED]
    rest = f"; {listing(others, MOST_NAMED)} {UNUSED}" if others else ""
    return f"Columns: {', '.join(used[:MOST_NAMED])}{more}{rest}."
