"""Write the golden files again, the console blocks of the documents, and the numbers of calls and plots.

    python -m tests.golden [PART ...] [--times]

PART is part of a call's name (report/text); with one, the documents and the numbers stay as they are. --times says the
CPU seconds of each call.
"""

from __future__ import annotations

import sys
import tempfile
import time
from pathlib import Path

from tests.golden.consoles import documents, rewrite
from tests.golden.corpus import ANSWERS, ROOT, agree, answer, called, calls, furnish
from tests.golden.numbers import NOTHING, recorded, rewrite_numbers
from tests.golden.numbers import rewrite as rewrite_file

#: CPU seconds from which on a call belongs to the tier `full`.
DEAR = 0.2


def main(words: list[str]) -> None:
    """Write what has changed, and say its name."""
    parts = [word for word in words if not word.startswith("-")]
    corpus = list(calls())
    spent, numbers = 0.0, dict(recorded("commands")) if parts else dict[str, str]()
    with tempfile.TemporaryDirectory() as name:
        folder = furnish(Path(name))
        called("howsure report examples/cocaine.csv", folder)  # loads what all calls need
        for call in corpus:
            title = f"{call.command}/{call.name}"
            if parts and not any(part in title for part in parts):
                continue
            start = time.process_time()
            text, numbers[title] = answer(call, folder)
            seconds = time.process_time() - start
            spent += seconds
            if "--times" in words:
                print(f"{seconds:7.3f} {'full' if call.full else '    '} {title}")
            elif (seconds > DEAR) is not call.full and seconds > 2 * DEAR:
                print(f"{title} takes {seconds:.1f} CPU s: name it in `full` of calls.toml")
            before = call.path.read_text(encoding="utf-8") if call.path.exists() else ""
            if not agree(before, text):
                call.path.parent.mkdir(exist_ok=True, parents=True)
                call.path.write_text(text, encoding="utf-8")
                print(f"written: {call.path.relative_to(ROOT)}")
    print(f"{len(corpus)} calls, {spent:.0f} CPU s")
    print(rewrite_file("commands", {it: value for it, value in numbers.items() if value != NOTHING}))
    if parts:
        return
    for path in ANSWERS.rglob("*.txt"):
        if path not in {call.path for call in corpus}:
            path.unlink()
            print(f"removed: {path.relative_to(ROOT)}")
    for document in documents():
        if rewrite(document):
            print(f"written: {document.relative_to(ROOT)}")
    for said in rewrite_numbers():
        print(said)


main(sys.argv[1:])
