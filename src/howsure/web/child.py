"""A process that computes answers, one at a time, and can be ended: a thread cannot.

It reads requests from its standard input and writes answers to its standard output, each after eight bytes that say how
long it is, and ends with its input. Run as ``python -m howsure.web.child``.
"""

from __future__ import annotations

import json
import os
import select
import subprocess
import sys
from contextlib import suppress
from dataclasses import asdict
from threading import Timer
from typing import Any, BinaryIO

from howsure.web.http_error import Refusal
from howsure.web.limits import Limits

__all__ = ["Child", "too_long"]

_ANSWER, _REFUSAL, _DEFECT = b"A", b"R", b"D"

#: One core each, and no window for a console.
ALONE = {"OMP_NUM_THREADS": "1", "OPENBLAS_NUM_THREADS": "1", "MKL_NUM_THREADS": "1"}


class Child:
    """A process of one thread that answers, from the thread's side.

    Parameters
    ----------
    limits : Limits
        Of requests; an answer that takes longer than its ``seconds`` is given up, and the process with it.
    """

    def __init__(self, limits: Limits) -> None:
        self.limits = limits
        self._closed = self._greeted = False
        self._process: subprocess.Popen[bytes] = self._started()

    @property
    def alive(self) -> bool:
        """Whether the process runs."""
        return self._process.poll() is None

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
        late = False

        def give_up() -> None:
            nonlocal late
            late = True
            self._process.kill()

        if not self._greeted:  # loading the library is nobody's time
            self._greeted = not self._closed and _read(self._process.stdout) is not None
        timer = Timer(self.limits.seconds, give_up)
        timer.daemon = True
        timer.start()
        try:
            _write(self._process.stdin, json.dumps([verb, request]).encode())
            reply = _read(self._process.stdout)
        except (OSError, ValueError):  # it ended before it had read all, or its pipes are closed
            reply = None
        finally:
            timer.cancel()
        if reply is None:
            self._again()
            if late:
                raise too_long(self.limits)
            raise Refusal(503, "Ended", "the process that computed the answer was ended; ask for less", wait=5)
        kind, body = reply[:1], reply[1:]
        if kind == _REFUSAL:
            raise Refusal(**json.loads(body))
        if kind == _DEFECT:
            raise RuntimeError(body.decode("ascii"))
        return body

    def close(self) -> None:
        """End the process, whatever it does, for good."""
        self._closed = True
        self._end()

    def _end(self) -> None:
        self._process.kill()
        for pipe in (self._process.stdin, self._process.stdout):
            if pipe is not None:
                with suppress(OSError):
                    pipe.close()
        self._process.wait()

    def _again(self) -> None:
        self._end()
        if not self._closed:
            self._greeted, self._process = False, self._started()

    def _started(self) -> subprocess.Popen[bytes]:
        return subprocess.Popen(
            [sys.executable, "-m", "howsure.web.child", json.dumps(asdict(self.limits))],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            env={**os.environ, **ALONE},
            creationflags=getattr(subprocess, "CREATE_NO_WINDOW", 0),
        )


def too_long(limits: Limits) -> Refusal:
    """What is said when the time is up."""
    return Refusal(
        503,
        "TooLong",
        f"the answer takes more than {limits.seconds:g} s; ask for fewer draws, metrics or classes, or use the command "
        "line, which takes its time",
        wait=5,
    )


def _write(pipe: BinaryIO | Any, message: bytes) -> None:
    pipe.write(len(message).to_bytes(8, "big") + message)
    pipe.flush()


def _read(pipe: BinaryIO | Any) -> bytes | None:
    """A message; None where the other side has ended, also in its midst."""
    size = pipe.read(8)
    if len(size) < 8:
        return None
    length = int.from_bytes(size, "big")
    message = pipe.read(length)
    return message if len(message) == length else None


def _reply(verb: str, request: Any, limits: Limits) -> bytes:
    from howsure.web.answering import answer_to

    try:
        return _ANSWER + answer_to(verb, request, limits)
    except Refusal as refusal:
        return _REFUSAL + json.dumps(vars(refusal)).encode()
    except Exception as defect:
        return _DEFECT + type(defect).__name__.encode("ascii", "replace")


def _asked(pipe: BinaryIO) -> bool:
    """Whether somebody asks already, or nobody can know."""
    try:
        return bool(select.select([pipe], [], [], 0)[0])
    except (OSError, ValueError):
        return False


def main() -> None:
    """Answer until the input ends."""
    limits = Limits(**json.loads(sys.argv[1]))
    asked, answered = sys.stdin.buffer, sys.stdout.buffer
    sys.stdout = sys.stderr  # what anybody prints is no part of an answer
    from howsure.web.answering import WARM, answer_to

    _write(answered, b"ready")
    for request in WARM:
        if _asked(asked):
            break
        with suppress(Refusal):  # a server of smaller limits
            answer_to(str(request["verb"]), {k: v for k, v in request.items() if k != "verb"}, limits)
    while (message := _read(asked)) is not None:
        verb, request = json.loads(message)
        _write(answered, _reply(verb, request, limits))


if __name__ == "__main__":
    with suppress(KeyboardInterrupt, BrokenPipeError):
        main()
