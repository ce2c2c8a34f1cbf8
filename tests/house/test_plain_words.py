"""What users read is in the field's words: print-outs, help, refusals, documents and docstrings of public names."""

from __future__ import annotations

import inspect
import re
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path

import pytest
from tests.house.test_public_names import MODULES

ROOT = Path(__file__).parents[2]

#: What to avoid, and the word in its place.
WORDS = {
    r"\bdrawn\b(?! (in|to|as|from|with|by|at|where|below|above)\b)": "simulated",
    r"\blaws?\b(?![.=/_]|\\?_)": "method, distribution",
    r"\bshifts?\b": "prior effect",
    r"\bnil\b": "equivalent, negligible",
    r"\bunasked\b": "by default",
    r"(?<!-)\bbeside\b(?!-)": "next to, compared with",
    r"\bsays? so\b": "(nothing)",
    r"\d %": "95%",
    r"\bwhole numbers?\b": "counts, integers",
    r"\balarmed\b": "tested positive",
    r"\bat the least\b": "at least",
    r"\bunlike the (rest|others)\b": "stands out from",
    r"\b(was|were) called so\b": "was predicted",
    r"\bcases elsewhere\b": "another population",
    r"\bthese (groups|items) again\b": "new cases of the same groups, new runs of the same items",
    r"\bis no \w+ that is known\b": "unrecognized",
}  # fmt: skip

#: Documents next to those of docs/ that readers of the project read.
OF_THE_TOP = ("README.md", "CONTRIBUTING.md", "CHANGELOG.md")

#: Old keys, names in code, and what somebody typed.
QUOTED = re.compile(r'"\w+":|`[^`]*`|\]\([^)]*\)|^\$ .*|^(?:>>>|\.\.\.) .*|sentence: .*|percentage .*', re.M)


def texts() -> Iterator[tuple[str, str]]:
    """Everything that users read, by where it stands."""
    pages = [*(ROOT / "docs").glob("*.md"), ROOT / "README.md", ROOT / "src" / "howsure" / "data" / "refusals.toml"]
    for path in (*sorted(pages), *sorted((ROOT / "tests" / "golden" / "answers").rglob("*.txt"))):
        yield str(path.relative_to(ROOT)), path.read_text(encoding="utf-8")


def docstrings() -> Iterator[tuple[str, str]]:
    """The summaries of public names: the line that an editor shows."""
    for module in sorted(MODULES):
        it = import_module(module)
        for name in getattr(it, "__all__", ()):
            yield f"{module}.{name}", (inspect.getdoc(getattr(it, name)) or "").partition("\n\n")[0]


def foreign(text: str) -> list[str]:
    """The words of the list that stand in a text, each with what is around it."""
    bare = QUOTED.sub("", text)
    return [
        f"...{bare[max(0, hit.start() - 30) : hit.end() + 20]!r}: {better}"
        for word, better in WORDS.items()
        for hit in re.finditer(word, bare)
    ]


def test_the_list_finds_its_words() -> None:
    assert len(foreign("the 95\N{SPACE}% interval says so; `law` and [this](beside.md) are names")) == 2


def test_the_documents_are_short() -> None:
    """Words are what has a letter or a digit, code, tables and print-outs included."""
    pages = [*(ROOT / "docs").glob("*.md")]
    texts = [path.read_text(encoding="utf-8") for path in (*pages, *(ROOT / name for name in OF_THE_TOP))]
    words = sum(bool(re.search(r"\w", word)) for text in texts for word in text.split())
    long = sum(len(line) > 200 for text in texts for line in text.split("\n"))
    assert (len(pages) <= 25, words <= 60_000, long <= 60) == (True, True, True), (len(pages), words, long)


@pytest.mark.full
def test_what_users_read_is_in_plain_words() -> None:
    assert [(where, found) for where, text in texts() if (found := foreign(text))] == []


@pytest.mark.full
def test_public_names_are_described_in_plain_words() -> None:
    plain = ((where, text) for where, text in docstrings() if not where.startswith("howsure.laws"))
    assert [(where, found) for where, text in plain if (found := foreign(text))] == []
