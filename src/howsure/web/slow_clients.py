"""HTTP/1.1 of uvicorn with one more limit: who has connected says in time what it asks."""

from __future__ import annotations

import asyncio
from typing import Any

from uvicorn.protocols.http.h11_impl import H11Protocol

__all__ = ["PatientProtocol"]


class PatientProtocol(H11Protocol):
    """Hangs up where the head of a request does not come in time, however busily it trickles.

    uvicorn itself waits for it without end, and 256 such clients would keep all others out. The body has a limit of
    its own (`howsure.web.request_body`), and so has the pause between two requests.

    Attributes
    ----------
    seconds : float
        From the connection, or the first byte of a further request, to the end of its head.
    """

    seconds = 10.0

    def __init__(self, *args: Any, **options: Any) -> None:
        super().__init__(*args, **options)
        self._deadline: asyncio.TimerHandle | None = None

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]  # as uvicorn has it
        """Begin to wait for the first request."""
        super().connection_made(transport)
        self._wait()

    def data_received(self, data: bytes) -> None:
        """Wait on, unless the head of a request is complete."""
        super().data_received(data)
        if self.cycle is not None and not self.cycle.response_complete:
            self._wait_no_more()
        elif self._deadline is None:
            self._wait()

    def connection_lost(self, exc: Exception | None) -> None:
        """Wait for nothing."""
        self._wait_no_more()
        super().connection_lost(exc)

    def _wait(self) -> None:
        self._deadline = self.loop.call_later(self.seconds, self._hang_up)

    def _wait_no_more(self) -> None:
        if self._deadline is not None:
            self._deadline.cancel()
            self._deadline = None

    def _hang_up(self) -> None:
        if not self.transport.is_closing():
            self.transport.close()
