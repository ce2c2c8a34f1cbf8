"""Computing beside the event loop: one computation a core, a short queue, and time limits.

A process that computes can be ended, a thread cannot.
"""

from __future__ import annotations

import asyncio
import os
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from multiprocessing import get_context
from typing import TYPE_CHECKING, Any

from howsure.web.answering import WARM, answer_to
from howsure.web.limits import Limits, Refusal

if TYPE_CHECKING:
    from multiprocessing.connection import Connection

#: One core each.
ALONE = {"OMP_NUM_THREADS": "1", "OPENBLAS_NUM_THREADS": "1", "MKL_NUM_THREADS": "1"}

#: Nothing of the server is in a process that it begins.
SPAWNED = get_context("spawn")


class Child:
    """A process of one thread that answers, from the thread's side.

    Parameters
    ----------
    limits : Limits
        Of requests; an answer that takes longer than its ``seconds`` is given up, and the process with it.
    """

    def __init__(self, limits: Limits) -> None:
        self.limits, self._closed, self._greeted = limits, False, False
        self._start()

    @property
    def alive(self) -> bool:
        """Whether the process runs."""
        return self._process.is_alive()

    def ask(self, verb: str, request: Any) -> bytes:
        """The answer.

        Raises
        ------
        Refusal
            What the process refuses; 503 if it takes too long or ends, in which case another one is started.
        RuntimeError
            A defect, by its name.
        """
        if not self.alive:  # killed from outside, for its memory, while nobody asked
            self._again()
        try:
            if not self._greeted:  # loading the library is nobody's time
                self._greeted = self._pipe.recv()
            self._pipe.send((verb, request))
            in_time = self._pipe.poll(self.limits.seconds)
            answer: bytes | Exception = self._pipe.recv() if in_time else _too_long(self.limits)
        except (EOFError, OSError):
            self._again()
            words = "the process that computed the answer was ended; ask for less"
            raise Refusal(503, "Ended", words, wait=5) from None
        if not in_time:
            self._again()
        if isinstance(answer, Exception):
            raise answer
        return answer

    def close(self) -> None:
        """End the process, whatever it does, for good."""
        self._closed = True
        self._again()

    def _again(self) -> None:
        self._process.kill()
        self._process.join()
        self._pipe.close()
        if not self._closed:
            self._start()

    def _start(self) -> None:
        os.environ.update(ALONE)  # what is loaded here is loaded already
        self._pipe, theirs = SPAWNED.Pipe()
        self._process = SPAWNED.Process(target=_compute, args=(theirs, self.limits), daemon=True)
        self._process.start()
        theirs.close()
        self._greeted = False


class Here:
    """The same in this process, where a computation ends by itself."""

    alive = True

    def __init__(self, limits: Limits) -> None:
        self.limits = limits

    def ask(self, verb: str, request: Any) -> bytes:
        """The answer."""
        return answer_to(verb, request, self.limits)

    def close(self) -> None:
        """Nothing is to be ended."""


def _too_long(limits: Limits) -> Refusal:
    """What is said when the time is up."""
    words = (
        f"the answer takes more than {limits.seconds:g} s; ask for fewer draws, metrics or classes, or use the command "
        "line, which takes its time"
    )
    return Refusal(503, "TooLong", words, wait=5)


def _compute(pipe: Connection[Any, Any], limits: Limits) -> None:
    """In a process of its own: say that it is there, and answer until the other end is closed."""
    with suppress(KeyboardInterrupt, EOFError, OSError):
        pipe.send(True)
        for request in WARM:
            if pipe.poll():
                break
            with suppress(Refusal):  # a server of smaller limits
                answer_to(request["verb"], {k: v for k, v in request.items() if k != "verb"}, limits)
        while True:
            verb, request = pipe.recv()
            pipe.send(_reply(verb, request, limits))


def _reply(verb: str, request: Any, limits: Limits) -> bytes | Exception:
    """An answer, a refusal, or the name of a defect."""
    try:
        return answer_to(verb, request, limits)
    except Refusal as refusal:
        return refusal
    except Exception as defect:
        return RuntimeError(type(defect).__name__)


def cores(workers: int = 1) -> int:
    """Cores of this process among so many of its like."""
    if hasattr(os, "sched_getaffinity"):
        return max(1, len(os.sched_getaffinity(0)) // workers)
    return max(1, (os.cpu_count() or 1) // workers)


class Workers:
    """Threads that compute, or that each wait for a process of their own that computes.

    Parameters
    ----------
    limits : Limits
        Its ``seconds`` are how long an answer may take, and how long a request waits for its turn; of its ``queue`` so
        many wait, and one more is refused.
    threads : int
        Computations at once.
    apart : bool
        In processes of their own, which are ended when the time is up. A computation in a thread cannot be stopped: it
        counts as busy until it ends, which the budgets of `howsure.web.limits` make soon.
    """

    def __init__(self, limits: Limits, threads: int, *, apart: bool = False) -> None:
        self.limits, self.threads, self.apart = limits, threads, apart
        self._pool = ThreadPoolExecutor(threads, thread_name_prefix="howsure")
        # the last that answered comes first: it knows the posterior that the next step of a slider is about
        self._free: asyncio.LifoQueue[Child | Here] = asyncio.LifoQueue()
        self._all: list[Child | Here] = []
        self._in_hand = 0

    def start(self) -> None:
        """Begin what takes a while, before anybody asks."""
        self._begin()
        for request in () if self.apart else WARM:
            self._pool.submit(answer_to, request["verb"], {k: request[k] for k in request if k != "verb"}, self.limits)

    def _begin(self) -> None:
        while len(self._all) < self.threads:
            self._all.append((Child if self.apart else Here)(self.limits))
            self._free.put_nowait(self._all[-1])

    @property
    def health(self) -> dict[str, int]:
        """How many compute at once, how many of their processes run, and how many requests are in hand."""
        running = sum(each.alive for each in self._all) if self.apart else self.threads
        return {"workers": self.threads, "running": running, "in_hand": self._in_hand}

    async def run(self, verb: str, request: Any) -> bytes:
        """The answer, or a `Refusal`: 429 if too many wait, 503 if it waits or takes too long."""
        if self._in_hand >= self.threads + self.limits.queue:
            raise Refusal(429, "Busy", "too many questions wait for an answer; try again in a moment", wait=2)
        self._begin()
        self._in_hand += 1
        try:
            async with asyncio.timeout(self.limits.seconds):
                worker = await self._free.get()
        except BaseException as error:
            self._in_hand -= 1
            if not isinstance(error, TimeoutError):
                raise
            words = "other questions took all the time there was; try again in a moment"
            raise Refusal(503, "Busy", words, wait=5) from None

        def done(_: asyncio.Future[bytes]) -> None:
            self._in_hand -= 1
            self._free.put_nowait(worker)

        answer = asyncio.get_running_loop().run_in_executor(self._pool, worker.ask, verb, request)
        answer.add_done_callback(done)
        try:
            # a process is ended when its time is up
            return await asyncio.wait_for(asyncio.shield(answer), None if self.apart else self.limits.seconds)
        except TimeoutError:
            raise _too_long(self.limits) from None

    def close(self) -> None:
        """Let go of the threads, and end the processes; what has begun in a thread ends by itself."""
        self._pool.shutdown(wait=False, cancel_futures=True)
        for each in self._all:
            each.close()
