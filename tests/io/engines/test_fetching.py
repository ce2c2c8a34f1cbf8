"""A query ends with what is done beside it: nothing runs on when somebody gives up."""

from __future__ import annotations

from collections.abc import Iterator
from threading import Event, Thread

import pytest
from tests.patience import PATIENCE

from howsure.io.counting import duck
from howsure.io.counting.duck import connected, fetched

duckdb = pytest.importorskip("duckdb")

#: Takes hours.
ENDLESS = "SELECT count(*) AS n FROM range(1000000000000) a WHERE a.range % 7 = 3"


def test_a_result_in_columns_with_and_without_company() -> None:
    seen: list[float] = []
    with duckdb.connect() as db:
        for beside, progress in (((), None), (iter(()), None), (iter([None] * 3), seen.append), ((), seen.append)):
            assert fetched(db, "SELECT 42 AS n", beside, progress)["n"].tolist() == [42]
    assert seen[-1] == 1.0
    assert all(0 <= share <= 1 for share in seen)


@pytest.mark.sweep(1, full=2)
@pytest.mark.parametrize("error", [KeyboardInterrupt, BrokenPipeError])
def test_a_listener_that_gives_up_ends_the_query(error: type[BaseException]) -> None:
    def tell(_: float) -> None:
        raise error

    with duckdb.connect() as db:
        with pytest.raises(error):
            fetched(db, ENDLESS, (), tell)
        assert db.execute("SELECT 1").fetchall() == [(1,)]


def test_the_share_that_is_done_is_told() -> None:
    seen: list[float] = []

    def tell(share: float) -> None:
        seen.append(share)
        if 0 < share < 1 or len(seen) > PATIENCE / duck.PAUSE:
            raise KeyboardInterrupt

    with connected(None) as db, pytest.raises(KeyboardInterrupt):
        fetched(db, ENDLESS.replace("000000000000", "00000000000"), (), tell)
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


def test_an_interruption_before_the_thread_begins_leaves_no_query_behind(monkeypatch: pytest.MonkeyPatch) -> None:
    may_begin, began = Event(), Event()

    class Late(Thread):
        """Interrupted in its start, as the main thread is, and begun only when everybody has given up."""

        def start(self) -> None:
            super().start()
            raise KeyboardInterrupt

        def is_alive(self) -> bool:
            return began.is_set() and super().is_alive()

        def run(self) -> None:
            assert may_begin.wait(PATIENCE)
            began.set()
            super().run()

    late: list[Late] = []
    monkeypatch.setattr(duck, "Thread", lambda **told: late.append(Late(**told)) or late[0])
    with duckdb.connect() as db:
        with pytest.raises(KeyboardInterrupt):
            fetched(db, ENDLESS)
        may_begin.set()
        assert began.wait(PATIENCE)
        late[0].join(PATIENCE)
        left_behind = late[0].is_alive()
        while late[0].is_alive():
            db.interrupt()
            late[0].join(0.1)
        assert not left_behind, "the query of somebody who gave up runs on"
        assert db.execute("SELECT 1").fetchall() == [(1,)]
