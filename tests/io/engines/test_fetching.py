"""A query ends with what is done beside it: nothing runs on when somebody gives up."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from howsure.io.engines.duck import connected
from howsure.io.engines.fetching import fetched

duckdb = pytest.importorskip("duckdb")

#: Takes hours.
ENDLESS = "SELECT count(*) AS n FROM range(1000000000000) a WHERE a.range % 7 = 3"


def test_a_result_in_columns_with_and_without_company() -> None:
    seen: list[float] = []
    with duckdb.connect() as db:
        for beside, progress in ((None, None), (iter(()), None), (iter([None] * 3), seen.append), (None, seen.append)):
            assert fetched(db, "SELECT 42 AS n", beside, progress)["n"].tolist() == [42]
    assert seen[-1] == 1.0
    assert all(0 <= share <= 1 for share in seen)


@pytest.mark.parametrize("error", [KeyboardInterrupt, BrokenPipeError])
def test_a_listener_that_gives_up_ends_the_query(error: type[BaseException]) -> None:
    def tell(_: float) -> None:
        raise error

    with duckdb.connect() as db:
        with pytest.raises(error):
            fetched(db, ENDLESS, None, tell)
        assert db.execute("SELECT 1").fetchall() == [(1,)]


def test_the_share_that_is_done_is_told() -> None:
    seen: list[float] = []

    def tell(share: float) -> None:
        seen.append(share)
        if 0 < share < 1 or len(seen) > 300:
            raise KeyboardInterrupt

    with connected(None) as db, pytest.raises(KeyboardInterrupt):
        fetched(db, ENDLESS.replace("000000000000", "00000000000"), None, tell)
    assert 0 < seen[-1] < 1


def test_what_is_found_beside_a_query_ends_it() -> None:
    def look() -> Iterator[None]:
        yield
        raise ValueError("damaged")

    with duckdb.connect() as db:
        with pytest.raises(ValueError, match="damaged"):
            fetched(db, ENDLESS, look(), None)
        assert db.execute("SELECT 1").fetchall() == [(1,)]


def test_a_query_that_fails_ends_the_look_beside_it() -> None:
    looks = iter(lambda: None, "never")
    with duckdb.connect() as db, pytest.raises(duckdb.Error, match="nothing_of_this_name"):
        fetched(db, "SELECT * FROM nothing_of_this_name", looks, None)
