"""One number for each answer, on record: ``python -m tests.golden.numbers`` (`make golden`) writes.

A sign, an index or an argument that goes wrong anywhere below moves a number of some answer, and with it the one number
that stands for the answer in ``numbers/calls.txt`` (`tests/house/calls.py`, also with another value of each parameter),
``numbers/parts.txt`` (`tests/golden/parts.py`), ``numbers/plots.txt`` (`tests/plots`), ``numbers/requests.txt`` (what
the page asks, `tests/web/sample_questions.py`) or ``numbers/commands.txt`` (what golden files print in a few digits).
Words do not move it: they are in the golden files.
What a difference of these files means is which calls and parameters have other numbers.

What the same calls print, in every form, has a number of its numbers and a digest of its words in
``numbers/prints.txt``; so has the sentence of each refusal, and the page's answers. There another word is another
digest.
"""

from __future__ import annotations

import json
import math
import re
import sys
import tempfile
import warnings
from collections.abc import Iterable, Iterator, Mapping
from contextlib import chdir
from functools import cache
from itertools import zip_longest
from pathlib import Path
from typing import Any
from zlib import crc32

from tests.house.leaves import leaves

__all__ = ["alike", "number_of", "of_page", "print_of", "prints", "recorded", "rewrite", "rewrite_numbers"]

HERE = Path(__file__).parent / "numbers"
#: The number of an answer without any.
NOTHING = "0"
#: Numbers of a picture.
NUMBERS = re.compile(r"-?\d+(?:\.\d+)?")
PRINTED = re.compile(r"-?\d+(?:\.\d+)?(?:e[-+]?\d+)?")
#: Where something lies on this machine, or in its memory.
PLACES = re.compile(r"/[\w./-]+|0x\w+")
#: What says nothing of its own.
PLAIN = (object.__str__, object.__repr__)


def number_of(answer: Mapping[str, Any] | str) -> str:
    """One number that any number of an answer moves, in whatever order they stand; of a refusal the word."""
    if isinstance(answer, str):
        return answer
    total = 0.0
    for place, value in answer.items():
        weight = 1 + crc32(place.encode()) / 2**32
        total += weight * sum(map(_moved, _values(value)))
    return f"{total:.10g}"


def _values(value: object) -> Iterable[object]:
    return NUMBERS.findall(value) if isinstance(value, str) and value.startswith("<svg") else (value,)


def _moved(value: object) -> float:
    if isinstance(value, str | bytes):
        data = value.encode() if isinstance(value, str) else value
        # a sentence, or where a file lies
        return 0.0 if b" " in data or data.startswith(b"/") else crc32(data) / 2**32
    if not isinstance(value, int | float):
        return 0.0
    return 0.3 if value != value else math.asinh(max(-1e99, min(value, 1e99)))


def print_of(text: str) -> str:
    """A number that any number of a text moves, and a digest of its words."""
    text = PLACES.sub("", text)
    found = PRINTED.findall(text)
    total = sum((1 + crc32(b"%d" % at) / 2**32) * math.asinh(float(it)) for at, it in enumerate(found))
    words = PRINTED.sub("0", text)
    return f"{total:.10g} words-{crc32(words.encode()):08x}"


def prints(answer: Any, *, page: bool = True) -> str:
    """All that an answer prints as: text, name, notebook, and its files, with a page or without."""
    from howsure.answers.sheet import Record
    from howsure.publish.saving import text_of

    texts = [each(answer) for each in (type(answer).__str__, type(answer).__repr__) if each not in PLAIN]
    if hasattr(answer, "_repr_html_") and not isinstance(answer, type):
        texts.append(answer._repr_html_())
    if isinstance(answer, Record):
        texts += [text_of(answer, ending) for ending in (".md", ".csv", ".tex", *[".html"] * page)]
    return "\n".join(texts)


def alike(one: str, other: str) -> bool:
    """Whether two of these are the same but for last digits."""
    pairs = [*zip_longest(one.split(), other.split(), fillvalue="")]
    return all(a == b or _close(a, b) for a, b in pairs)


def _close(one: str, other: str) -> bool:
    try:
        return math.isclose(float(one), float(other), rel_tol=1e-8, abs_tol=1e-8)
    except ValueError:
        return False


@cache
def recorded(name: str) -> dict[str, str]:
    """What is on record: a call, or a call and a parameter, to its number."""
    return dict(line.rsplit(" | ", 1) for line in (HERE / f"{name}.txt").read_text("utf-8").splitlines())


def of_page(answer: Mapping[str, Any]) -> str:
    """The number of what the page's server answers, but for the code that it offers, and a digest of its words."""
    shown = {key: value for key, value in answer.items() if key != "code"}
    return f"{number_of(leaves(shown))} {print_of(json.dumps(shown)).split()[1]}"


def answers() -> Iterator[tuple[str, dict[str, str]]]:
    """Names of files, and the numbers in them, but for those of commands."""
    from tests.golden.parts import PARTS
    from tests.house.calls import calls
    from tests.house.test_no_argument_is_dead import others, printed, usual
    from tests.plots.test_plots import DRAWN, parts_of
    from tests.web.sample_questions import QUESTIONS

    from howsure.web import handle

    made: dict[str, Any] = {name: usual(name) for name in calls()}
    made |= {f"{name} | {slot}": answer for name in calls() for slot, answer in others(name).items()}
    yield "calls", {name: number_of(answer) for name, answer in sorted(made.items())}
    yield "prints", {at: it for name in sorted(calls()) for at, it in printed(name).items()}
    yield "parts", {name: number_of(leaves(part())) for name, part in PARTS.items()}
    yield "plots", {name: number_of(parts_of(draw(None))) for name, draw in DRAWN.items()}
    yield "requests", {name: of_page(handle(request)) for name, request in QUESTIONS.items()}


def rewrite(name: str, now: Mapping[str, str]) -> str:
    """Write a file; how many numbers are other ones. Last digits that differ between machines stay as they were."""
    HERE.mkdir(exist_ok=True)
    before = recorded(name) if (HERE / f"{name}.txt").exists() else {}
    kept = {it: before[it] if it in before and alike(value, before[it]) else value for it, value in now.items()}
    (HERE / f"{name}.txt").write_text("".join(f"{it} | {value}\n" for it, value in kept.items()), encoding="utf-8")
    return f"{name}: {sum(before.get(it) != value for it, value in kept.items())} of {len(kept)} numbers are others"


def rewrite_numbers() -> list[str]:
    """Write all of these files, from a folder of its own: some calls write files."""
    with tempfile.TemporaryDirectory() as folder, chdir(folder), warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return [rewrite(name, now) for name, now in answers()]


if __name__ == "__main__":
    sys.stdout.write("\n".join(rewrite_numbers()) + "\n")
