"""A client that does not say what it asks is hung up on; one that does is not, however long the answer takes."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable, Coroutine
from contextlib import asynccontextmanager
from typing import Any

import pytest

pytest.importorskip("uvicorn", reason="uvicorn is not installed")

import uvicorn
from tests.web.client import at_the_clock, clock
from uvicorn.server import ServerState

from howsure.web.server import OPTIONS, PatientProtocol

REQUEST = b"GET / HTTP/1.1\r\nHost: localhost\r\n\r\n"

Wire = tuple[asyncio.StreamReader, asyncio.StreamWriter]


async def slow(scope: Any, receive: Any, send: Any) -> None:
    """An answer that takes longer than a head may."""
    await clock().passes(4 * PatientProtocol.seconds)
    await send({"type": "http.response.start", "status": 200, "headers": [(b"content-length", b"2")]})
    await send({"type": "http.response.body", "body": b"ok"})


@asynccontextmanager
async def connected() -> AsyncIterator[Wire]:
    config = uvicorn.Config(slow, http=PatientProtocol, log_level="critical", lifespan="off")
    config.load()
    state = ServerState()
    server = await asyncio.get_running_loop().create_server(
        lambda: PatientProtocol(config=config, server_state=state, app_state={}), "127.0.0.1", 0
    )
    reader, writer = await asyncio.open_connection(*server.sockets[0].getsockname())
    try:
        yield reader, writer
    finally:
        writer.close()
        server.close()


def run(test: Callable[[Wire], Coroutine[Any, Any, None]]) -> None:
    async def inside() -> None:
        async with connected() as wire:
            await test(wire)

    at_the_clock(inside())


async def hung_up(wire: Wire, sent: bytes) -> None:
    """A second after the other, in each of which a little is sent, until nobody takes it any more."""
    reader, writer = wire
    for _ in range(1000):
        if reader.at_eof() or reader.exception() is not None:
            return
        writer.write(sent)
        await clock().passes(1)
    pytest.fail("the server waits on")


def test_who_says_nothing_is_hung_up_on() -> None:
    async def silent(wire: Wire) -> None:
        await hung_up(wire, b"")

    run(silent)


def test_who_trickles_a_head_is_hung_up_on() -> None:
    async def slowly(wire: Wire) -> None:
        wire[1].write(REQUEST[:-2] + b"X-Slow: ")
        await hung_up(wire, b"x")

    run(slowly)


def test_an_answer_may_take_longer_and_the_next_head_has_its_own_time() -> None:
    async def twice(wire: Wire) -> None:
        reader, writer = wire
        for _ in range(2):
            writer.write(REQUEST)
            assert (await reader.readuntil(b"ok")).startswith(b"HTTP/1.1 200")
        writer.write(REQUEST[:-2] + b"X-Slow: ")
        await hung_up(wire, b"x")

    run(twice)


def test_the_server_is_patient_that_way() -> None:
    assert OPTIONS["http"] is PatientProtocol
