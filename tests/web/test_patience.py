"""A client that does not say what it asks is hung up on; one that does is not, however long the answer takes."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable, Coroutine
from contextlib import asynccontextmanager
from typing import Any

import pytest

pytest.importorskip("uvicorn", reason="uvicorn is not installed")

import uvicorn
from uvicorn.server import ServerState

from howsure.web.server import OPTIONS
from howsure.web.slow_clients import PatientProtocol

REQUEST = b"GET / HTTP/1.1\r\nHost: localhost\r\n\r\n"

Wire = tuple[asyncio.StreamReader, asyncio.StreamWriter]


class Hasty(PatientProtocol):
    """With no patience to speak of, so that the tests are quick."""

    seconds = 0.05


async def slow(scope: Any, receive: Any, send: Any) -> None:
    """An answer that takes longer than that."""
    await asyncio.sleep(4 * Hasty.seconds)
    await send({"type": "http.response.start", "status": 200, "headers": [(b"content-length", b"2")]})
    await send({"type": "http.response.body", "body": b"ok"})


@asynccontextmanager
async def connected() -> AsyncIterator[Wire]:
    config = uvicorn.Config(slow, http=Hasty, log_level="critical", lifespan="off")
    config.load()
    state = ServerState()
    server = await asyncio.get_running_loop().create_server(
        lambda: Hasty(config=config, server_state=state, app_state={}), "127.0.0.1", 0
    )
    reader, writer = await asyncio.open_connection(*server.sockets[0].getsockname())
    try:
        yield reader, writer
    finally:
        writer.close()
        server.close()


def run(test: Callable[[Wire], Coroutine[Any, Any, None]]) -> None:
    async def inside() -> None:
        async with asyncio.timeout(20), connected() as wire:
            await test(wire)

    asyncio.run(inside())


async def trickle(wire: Wire) -> None:
    """Bytes of a head that never ends, until nobody takes them any more; a server that did would run into the limit."""
    reader, writer = wire
    while not reader.at_eof():
        writer.write(b"x")
        try:
            await asyncio.wait_for(reader.read(1), 0.01)
        except TimeoutError:
            continue
        except ConnectionError:
            return


def test_who_says_nothing_is_hung_up_on() -> None:
    async def silent(wire: Wire) -> None:
        assert await wire[0].read() == b""

    run(silent)


def test_who_trickles_a_head_is_hung_up_on() -> None:
    async def slowly(wire: Wire) -> None:
        wire[1].write(REQUEST[:-2] + b"X-Slow: ")
        await trickle(wire)

    run(slowly)


def test_an_answer_may_take_longer_and_the_next_head_has_its_own_time() -> None:
    async def twice(wire: Wire) -> None:
        reader, writer = wire
        for _ in range(2):
            writer.write(REQUEST)
            assert (await reader.readuntil(b"ok")).startswith(b"HTTP/1.1 200")
        writer.write(REQUEST[:-2] + b"X-Slow: ")
        await trickle(wire)

    run(twice)


def test_the_server_is_patient_that_way() -> None:
    assert OPTIONS["http"] is PatientProtocol
