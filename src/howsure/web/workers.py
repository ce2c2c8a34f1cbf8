"""Computing beside the event loop: one computation a core, a short queue, a time-out, and answers worth keeping."""

from __future__ import annotations

import asyncio
import os
from collections import OrderedDict
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor

from howsure.web.http_error import Refusal

__all__ = ["Kept", "Workers", "cores"]


def cores(workers: int = 1) -> int:
    """Cores of this process among so many of its like."""
    if hasattr(os, "sched_getaffinity"):
        return max(1, len(os.sched_getaffinity(0)) // workers)
    return max(1, (os.cpu_count() or 1) // workers)


class Workers:
    """Threads that compute.

    Parameters
    ----------
    threads : int
        Computations at once.
    queue : int
        Requests that wait; one more is refused.
    seconds : float
        After which a request is answered with advice. A computation that has begun cannot be stopped: it counts as
        busy until it ends, which the budgets of `howsure.web.limits` make soon.
    """

    def __init__(self, threads: int, queue: int, seconds: float) -> None:
        self.threads, self.queue, self.seconds = threads, queue, seconds
        self._pool = ThreadPoolExecutor(threads, thread_name_prefix="howsure")
        self._pending = 0

    async def run(self, task: Callable[[], bytes]) -> bytes:
        """The result of a task, or a `Refusal`: 429 if too many wait, 503 if it takes too long."""
        if self._pending >= self.threads + self.queue:
            raise Refusal(429, "Busy", "too many questions wait for an answer; try again in a moment", wait=2)
        future = self.submit(task)
        try:
            async with asyncio.timeout(self.seconds):
                return await asyncio.shield(asyncio.wrap_future(future))
        except TimeoutError:
            future.cancel()  # if it has not begun
            raise Refusal(
                503,
                "TooLong",
                f"the answer takes more than {self.seconds:g} s; ask for fewer draws, metrics or classes, or use the "
                "command line, which takes its time",
                wait=5,
            ) from None

    def submit(self, task: Callable[[], bytes]) -> Future[bytes]:
        """Begin a task when a thread is free."""
        loop = asyncio.get_running_loop()
        self._pending += 1
        future = self._pool.submit(task)
        future.add_done_callback(lambda _: _call(loop, self._done))
        return future

    def _done(self) -> None:
        self._pending -= 1

    def close(self) -> None:
        """Let go of the threads; what has begun ends by itself."""
        self._pool.shutdown(wait=False, cancel_futures=True)


def _call(loop: asyncio.AbstractEventLoop, function: Callable[[], None]) -> None:
    if not loop.is_closed():
        loop.call_soon_threadsafe(function)


class Kept:
    """The latest answers by their request, together no larger than so many bytes.

    Examples
    --------
    >>> kept = Kept(10)
    >>> kept.put("a", b"123456"); kept.put("b", b"1234567")
    >>> kept.get("a"), kept.get("b")
    (None, b'1234567')
    """

    def __init__(self, most: int) -> None:
        self.most, self.size = most, 0
        self._answers: OrderedDict[str, bytes] = OrderedDict()

    def get(self, key: str) -> bytes | None:
        """An answer, which is now the latest used; None if it is not kept."""
        if key in self._answers:
            self._answers.move_to_end(key)
        return self._answers.get(key)

    def put(self, key: str, answer: bytes) -> None:
        """Keep an answer, and let go of those that were not used for longest."""
        if len(answer) + len(key) > self.most:
            return
        if key in self._answers:
            self.size -= len(self._answers.pop(key)) + len(key)
        self._answers[key] = answer
        self.size += len(answer) + len(key)
        while self.size > self.most:
            old, dropped = self._answers.popitem(last=False)
            self.size -= len(dropped) + len(old)
