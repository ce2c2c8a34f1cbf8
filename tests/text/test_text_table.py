"""Tables as text."""

from __future__ import annotations

from howsure.text.text_table import Table, breadth


def test_wide_letters_do_not_shift_the_columns() -> None:
    table = Table(("name", "n"), (("日本チーム", "7"), ("ab", "10"))).text().splitlines()
    assert len({breadth(line) for line in table}) == 1
