"""Make faults that nobody has seen, at random statements, or those of the list, and see which the fast tests catch.

    python -m tests.mutants.random_faults --reached build/reached.npz --record [TESTS ...]
    python -m tests.mutants.random_faults --reached build/reached.npz --seed 7 [--only 7.12] [--table]
    python -m tests.mutants.random_faults --reached build/reached.npz --listed [--seed 7 --number 100]

The first line runs the fast tests once and writes which of them reach each statement of the source, and what each
costs; tests that are named are added to a file that is there. The second makes one fault after the other, in a fork of
a process that has collected the tests, and runs the tests that reach it, the cheapest first, until one fails. The third
tries faults of the list, or so many at random. Each room has faults in proportion to its lines; a seed and a source
give the same set.
"""

from __future__ import annotations

import argparse
import ast
import bisect
import builtins
import contextlib
import functools
import gc
import importlib
import itertools
import os
import random
import resource
import signal
import sys
import time
import types
from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import pytest
from numpy.typing import NDArray
from tests.house.budget import weigh
from tests.mutants.faults import SOURCE, Fault, faults, places
from tests.mutants.table import LISTED, RANDOM, noted

#: CPU seconds after which a test that still runs hangs by the fault.
END = 240

SIGNS: dict[type[ast.operator], type[ast.operator]] = {
    ast.Add: ast.Sub,
    ast.Sub: ast.Add,
    ast.Mult: ast.Div,
    ast.Div: ast.Mult,
}
BOUNDARIES: dict[type[ast.cmpop], type[ast.cmpop]] = {
    ast.Lt: ast.LtE,
    ast.LtE: ast.Lt,
    ast.Gt: ast.GtE,
    ast.GtE: ast.Gt,
}
WORDS = (ast.JoinedStr, ast.List, ast.Tuple, ast.ListComp, ast.Dict)
#: Keywords that change no answer: a check of what is so already, a copy, where a warning points.
NO_ANSWER = {"strict", "copy", "exist_ok", "parents", "stacklevel", "assume_unique", "maxsize", "check_finite"}


class Site(NamedTuple):
    """Where a fault can be made, of which kind, and how: the tree is changed in place."""

    kind: str
    change: Callable[[], None]


class Seeded(NamedTuple):
    """A fault in the statement with this number of its file: one of those that `sites` has for it, or another line."""

    file: str
    statement: int
    site: int = 0
    listed: Fault | None = None

    @property
    def place(self) -> str:
        """What tests that reach it are kept under."""
        return f"{self.file}:{self.statement}"

    def changed(self) -> ast.Module:
        """The file with the fault."""
        if self.listed is None:
            tree = _tree(self.file)
            sites(statements(tree)[self.statement])[self.site].change()
            return tree
        lines = (SOURCE / self.file).read_text(encoding="utf-8").splitlines(keepends=True)
        (at,) = places(self.listed)
        lines[at] = lines[at].replace(self.listed.before, self.listed.after)
        return ast.parse("".join(lines))

    def shown(self) -> str:
        """For a reader: its place and kind, and the statement before and after."""
        if self.listed is not None:
            return f"{self.file} | {self.listed.breaks}"
        statement = statements(_tree(self.file))[self.statement]
        kind = sites(statement)[self.site].kind
        after = statements(self.changed())[self.statement]
        return f"{self.file}:{statement.lineno} ({kind}) {_head(statement)} -> {_head(after)}"


def listed_faults() -> list[Seeded]:
    """Faults of the list whose line is inside a function; no fork has the others."""
    found = []
    for fault in faults():
        if fault.equivalent or len(places(fault)) != 1:  # test_faults.py names those that are not there
            continue
        line = places(fault)[0] + 1
        around = [
            (at, each)
            for at, each in enumerate(statements(_tree(fault.file)))
            if each.lineno <= line <= (each.end_lineno or line)
        ]
        if around:
            at, innermost = max(around, key=lambda it: it[1].lineno)
            if not isinstance(innermost, ast.FunctionDef) or innermost.lineno <= line < innermost.body[0].lineno:
                found.append(Seeded(fault.file, at, listed=fault))
    return found


def statements(tree: ast.Module) -> list[ast.stmt]:
    """Statements inside functions, and functions for their defaults, in the order of the file; raised ones aside."""
    seen: list[ast.stmt] = []

    def visit(node: ast.AST, inside: bool) -> None:
        for child in ast.iter_child_nodes(node):
            function = isinstance(child, ast.FunctionDef)
            if function or (inside and isinstance(child, ast.stmt)):
                seen.append(child)  # type: ignore[arg-type]
            visit(child, inside or function)

    visit(tree, False)
    return seen


def own(statement: ast.stmt) -> Iterator[tuple[ast.AST, bool]]:
    """Expressions of a statement itself, not of those in its body; and whether each is an index.

    Not what cannot change an answer: annotations, how often a search goes on, keywords such as `strict=`.
    """
    waiting: list[tuple[ast.AST, bool]] = [(statement, False)]
    while waiting:
        node, index = waiting.pop()
        if isinstance(node, ast.keyword) and node.arg in NO_ANSWER:
            continue
        yield node, index
        for name, value in ast.iter_fields(node):
            for child in value if isinstance(value, list) else [value]:
                if not isinstance(child, ast.AST) or isinstance(child, (ast.stmt, ast.JoinedStr, ast.arguments)):
                    continue
                if name in {"annotation", "returns", "decorator_list", "handlers", "type_params"}:
                    continue
                if name == "iter" and isinstance(node.target, ast.Name) and node.target.id == "_":
                    continue
                waiting.append((child, (index and not isinstance(node, ast.Call)) or name == "slice"))


def sites(statement: ast.stmt) -> list[Site]:
    """All faults that can be made in a statement."""
    if isinstance(statement, ast.FunctionDef):
        return [*_defaults(statement)]
    if isinstance(statement, (ast.Raise, ast.Assert, ast.ClassDef)):
        return []
    return [site for node, index in own(statement) for site in _of_node(node, index)]


def _defaults(function: ast.FunctionDef) -> Iterator[Site]:
    for node in [*function.args.defaults, *function.args.kw_defaults]:
        if isinstance(node, ast.Constant) and isinstance(node.value, (bool, int, float)):
            yield Site("default", functools.partial(setattr, node, "value", other(node.value)))


def other(value: float) -> float:
    """Another value than this constant."""
    return not value if isinstance(value, bool) else value + 1 if isinstance(value, int) else value / 2 or 1.0


def _of_node(node: ast.AST, index: bool) -> Iterator[Site]:
    change = functools.partial
    if isinstance(node, ast.BinOp | ast.AugAssign) and type(node.op) in SIGNS:
        sides = [node.left, node.right] if isinstance(node, ast.BinOp) else [node.value]
        if not any(isinstance(side, WORDS) or _is_text(side) for side in sides):
            yield Site("sign", change(setattr, node, "op", SIGNS[type(node.op)]()))
    if isinstance(node, ast.Compare) and len(node.ops) == 1 and type(node.ops[0]) in BOUNDARIES:
        yield Site("boundary", change(setattr, node, "ops", [BOUNDARIES[type(node.ops[0])]()]))
    if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.USub) and isinstance(node.operand, ast.Constant):
        yield Site("index" if index else "sign", change(setattr, node, "op", ast.UAdd()))
    if isinstance(node, ast.Constant) and type(node.value) is int:
        yield Site("index" if index else "off by one", change(setattr, node, "value", node.value + 1))
    if isinstance(node, ast.Constant) and type(node.value) is bool:
        yield Site("argument", change(setattr, node, "value", not node.value))
    if isinstance(node, ast.Call):
        for keyword in node.keywords:
            if keyword.arg and keyword.arg not in NO_ANSWER and not isinstance(keyword.value, ast.Constant):
                yield Site("argument dropped", change(node.keywords.remove, keyword))
        test = isinstance(node.func, ast.Name) and node.func.id in {"isinstance", "getattr", "hasattr"}
        named = all(isinstance(one, ast.Name | ast.Attribute) for one in node.args[:2])
        if not test and named and _unlike(node.args):
            yield Site("wrong column", change(_swap, node.args))
    if isinstance(node, ast.Return | ast.Assign) and isinstance(node.value, ast.Tuple) and _unlike(node.value.elts):
        yield Site("wrong column", change(_swap, node.value.elts))
    if isinstance(node, ast.Assign) and isinstance(node.value, ast.Tuple) and "key" in ast.unparse(node.targets[0]):
        yield Site("key of a cache", change(node.value.elts.pop))


def _is_text(node: ast.AST) -> bool:
    return isinstance(node, ast.Constant) and isinstance(node.value, str)


def _unlike(elements: list[ast.expr]) -> bool:
    return len(elements) > 1 and ast.dump(elements[0]) != ast.dump(elements[1])


def _swap(elements: list[ast.expr]) -> None:
    elements[:2] = elements[1::-1]


def random_faults(seed: int, number: int, further: int = 0) -> list[Seeded]:
    """Faults at statements that are spread over the rooms by their lines of code, from a random start.

    Further ones, each anywhere, stand for those that turn out to change no answer.
    """
    possible_places: list[tuple[str, int, int]] = []
    rooms: Counter[str] = Counter()
    lines: Counter[str] = Counter()
    for path in sorted(SOURCE.rglob("*.py")):
        file = path.relative_to(SOURCE)
        lines[file.parts[0]] += weigh(path.read_text(encoding="utf-8"))[0]
        for at, statement in enumerate(statements(_tree(str(file)))):
            if possible := len(sites(statement)):
                possible_places.append((str(file), at, possible))
                rooms[file.parts[0]] += 1
    weights = [lines[room] / rooms[room] for file, _, _ in possible_places for room in [file.partition("/")[0]]]
    ends = list(itertools.accumulate(weights))
    draw = random.Random(seed)
    start = draw.random()
    chosen = [possible_places[bisect.bisect(ends, (start + k) * ends[-1] / number)] for k in range(number)]
    found = [Seeded(file, at, draw.randrange(possible)) for file, at, possible in chosen]
    for _ in range(further):
        file, at, possible = possible_places[bisect.bisect(ends, draw.random() * ends[-1])]
        found.append(Seeded(file, at, draw.randrange(possible)))
    return found


def _tree(file: str) -> ast.Module:
    return ast.parse((SOURCE / file).read_text(encoding="utf-8"))


def _head(statement: ast.stmt) -> str:
    text = ast.unparse(statement).splitlines()
    whole = hasattr(statement, "body")
    return next((line for line in text if not line.startswith("@")), "") if whole else " ".join(text)


def replace(trees: dict[str, ast.Module]) -> None:
    """Give all functions of files the code of another tree of each, and forget what is cached."""
    new: dict[tuple[str, str, int], types.CodeType] = {}
    defaults: dict[tuple[str, str], ast.arguments] = {}
    for file, tree in trees.items():
        path = str(SOURCE / file)
        waiting = [compile(ast.fix_missing_locations(tree), path, "exec")]
        while waiting:
            code = waiting.pop()
            new[path, code.co_qualname, code.co_firstlineno] = code
            waiting += [each for each in code.co_consts if isinstance(each, types.CodeType)]
        defaults |= {(path, node.name): node.args for node in ast.walk(tree) if isinstance(node, ast.FunctionDef)}
    gc.unfreeze()
    for thing in gc.get_objects():
        if isinstance(thing, types.FunctionType):
            old = thing.__code__
            code = new.get((old.co_filename, old.co_qualname, old.co_firstlineno), old)
            if len(code.co_freevars) == len(old.co_freevars):
                thing.__code__ = code
            if (arguments := defaults.get((old.co_filename, thing.__name__))) is not None:
                _redefault(thing, arguments)
        elif isinstance(thing, functools._lru_cache_wrapper):
            thing.cache_clear()


def _redefault(function: types.FunctionType, arguments: ast.arguments) -> None:
    """Numbers among the defaults as the tree has them."""
    names = [each.arg for each in [*arguments.posonlyargs, *arguments.args]]
    if names != list(function.__code__.co_varnames[: len(names)]):
        return
    if function.__defaults__ and len(function.__defaults__) == len(arguments.defaults):
        pairs = zip(function.__defaults__, arguments.defaults, strict=True)
        function.__defaults__ = tuple(_literal(node, now) for now, node in pairs)
    for name, node in zip(arguments.kwonlyargs, arguments.kw_defaults, strict=True):
        if function.__kwdefaults__ and name.arg in function.__kwdefaults__ and node is not None:
            function.__kwdefaults__[name.arg] = _literal(node, function.__kwdefaults__[name.arg])


def _literal(node: ast.AST, now: object) -> object:
    number = isinstance(node, ast.Constant) and isinstance(node.value, (bool, int, float))
    return node.value if number and isinstance(node, ast.Constant) else now


class Reached:
    """Which tests reach which statement, and what each test costs: rows of tests, columns of all statements."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.columns: dict[str, int] = {}
        self.rows: dict[str, tuple[float, NDArray[np.uint8]]] = {}
        if path.exists():
            kept = np.load(path)
            self.columns = {place: at for at, place in enumerate(kept["places"].tolist())}
            self.rows = dict(
                zip(kept["tests"].tolist(), zip(kept["costs"].tolist(), kept["bits"], strict=True), strict=True)
            )

    def of(self, place: str) -> list[str]:
        """Tests that reach a statement, the cheapest first."""
        at = self.columns[place]
        found = {test for test, (_, bits) in self.rows.items() if bits[at // 8] >> (7 - at % 8) & 1}
        # another test of the same case may have found its answer kept
        cases = {(test.partition("::")[0], test.partition("[")[2]) for test in found if "[" in test}
        found |= {test for test in self.rows if (test.partition("::")[0], test.partition("[")[2]) in cases}
        return sorted(found, key=lambda test: self.rows[test][0])

    def watch(self) -> bytearray:
        """Let every statement of the source say that it is reached."""
        trees, places = dict[str, ast.Module](), list[str]()
        for path in sorted(SOURCE.rglob("*.py")):
            if path.stem != "__main__":
                file = str(path.relative_to(SOURCE))
                with contextlib.suppress(ImportError):  # an extra that is not here
                    importlib.import_module(module_of(file))
                    trees[file] = _tree(file)
                    places += watched(trees[file], file, len(places))
        columns = {place: at for at, place in enumerate(places)}
        if columns != self.columns:  # of another source
            self.columns, self.rows = columns, {}
        hits = bytearray(len(places))
        setattr(builtins, "_hits", hits)  # noqa: B010
        replace(trees)
        return hits

    def pytest_runtestloop(self, session: pytest.Session) -> bool:
        """Run all tests once that are not in the file."""
        hits = self.watch()
        new = [item for item in session.items if item.nodeid not in self.rows]
        for item, following in itertools.pairwise([*new, None]):
            hits[:] = bytes(len(hits))
            before = time.process_time()
            item.config.hook.pytest_runtest_protocol(item=item, nextitem=following)
            self.rows[item.nodeid] = time.process_time() - before, np.packbits(np.frombuffer(hits, np.uint8))
        self.path.parent.mkdir(exist_ok=True)
        whole = self.path.with_suffix(".part.npz")
        np.savez_compressed(
            whole,
            places=[*self.columns],
            tests=[*self.rows],
            costs=[cost for cost, _ in self.rows.values()],
            bits=np.array([bits for _, bits in self.rows.values()]),
        )
        whole.replace(self.path)
        return True


def watched(tree: ast.Module, file: str, first: int) -> list[str]:
    """Statements of a file, each of which now says that it is reached, from this number on."""
    numbers = {id(statement): first + at for at, statement in enumerate(statements(tree))}

    def says(statement: ast.stmt) -> ast.stmt:
        said = ast.parse(f"_hits[{numbers[id(statement)]}] = 1").body[0]
        for node in ast.walk(said):
            ast.copy_location(node, statement)
        return said

    for node in [*ast.walk(tree)]:
        for name, body in ast.iter_fields(node):
            if name in {"body", "orelse", "finalbody"} and isinstance(body, list):
                body[:] = [
                    each
                    for one in body
                    for each in (
                        [says(one), one]
                        if id(one) in numbers and not isinstance(one, ast.FunctionDef) and not _is_words(one)
                        else [one]
                    )
                ]
        if isinstance(node, ast.FunctionDef):
            node.body.insert(int(_is_words(node.body[0])), says(node))
    return [f"{file}:{number - first}" for number in numbers.values()]


def _is_words(statement: ast.stmt) -> bool:
    return isinstance(statement, ast.Expr) and isinstance(statement.value, ast.Constant)


def module_of(file: str) -> str:
    """The module in a file of the source."""
    return ".".join(["howsure", *Path(file).with_suffix("").parts]).removesuffix(".__init__")


class Tried:
    """Each fault in a fork of its own."""

    def __init__(self, path: Path, faults: dict[str, Seeded], *, table: bool, patience: float) -> None:
        self.faults, self.table, self.patience = faults, table, patience
        self.reached = Reached(path)
        self.failed = ""
        self.tier = "fast"
        self.said: list[str] = []

    def pytest_runtest_logreport(self, report: Any) -> None:
        """Remember the first that fails."""
        if report.failed and not self.failed:
            self.failed = report.nodeid

    def pytest_runtestloop(self, session: pytest.Session) -> bool:
        """Try each fault with the tests that reach it."""
        by_name = {item.nodeid: item for item in session.items}
        for file in {fault.file for fault in self.faults.values()}:
            importlib.import_module(module_of(file))
        for name, fault in self.faults.items():
            names = [test for test in self.reached.of(fault.place) if test in by_name]
            names.sort(key=lambda test: by_name[test].get_closest_marker("full") is not None)
            if fault.listed is not None:
                names.sort(key=lambda test: not test.startswith(fault.listed.tests))  # type: ignore[union-attr]
            reader, writer = os.pipe()
            if (child := os.fork()) == 0:
                try:
                    said = self.outcome(fault, [by_name[test] for test in names])
                except Exception as error:  # a fork never goes on as a second run of all tests
                    said = f"NOT TESTED: {error!r}"
                os.write(writer, said.encode()[:2000])
                os._exit(0)
            os.close(writer)
            with os.fdopen(reader) as pipe:
                outcome = pipe.read() or "fast: a test runs on"
            os.waitpid(child, 0)
            self.said.append(outcome)
            title = f"{name} {fault.shown()}".lstrip()
            session.config.get_terminal_writer().line(f"\n{title}\n    {outcome}", flush=True)
            if self.table and not outcome.startswith("NOT"):
                noted(RANDOM if fault.listed is None else LISTED, {title: outcome.partition(" (")[0]})
        return True

    def outcome(self, fault: Seeded, items: list[pytest.Item]) -> str:
        """What the tests say of one fault."""
        resource.setrlimit(resource.RLIMIT_CPU, (END, END))
        signal.alarm(2 * END)
        replace({fault.file: fault.changed()})
        start, tried = time.process_time(), 0
        for item, following in itertools.pairwise([*items, None]):
            self.tier = "full" if item.get_closest_marker("full") else "fast"
            item.config.hook.pytest_runtest_protocol(item=item, nextitem=following)
            tried += 1
            if self.failed or time.process_time() - start > self.patience:
                break
        spent = f"{tried} of {len(items)} tests, {time.process_time() - start:.1f} s"
        return f"{self.tier}: {self.failed} ({spent})" if self.failed else f"survived ({spent})"

    def pytest_terminal_summary(self, terminalreporter: Any) -> None:
        """How many are caught."""
        caught = [sum(said.startswith(tier) for said in self.said) for tier in ("fast", "full")]
        terminalreporter.line(f"of {len(self.said)} faults the fast tests catch {caught[0]}, the full ones {caught[1]}")


def main() -> int:
    """Record, or try."""
    asked = argparse.ArgumentParser(prog="python -m tests.mutants.random_faults")
    asked.add_argument("tests", nargs="*", help="the tests that are recorded; all if left out")
    asked.add_argument("--seed", type=int, nargs="+", default=[], help="the set of faults")
    asked.add_argument("--listed", action="store_true", help="of the faults of tests/mutants/faults")
    asked.add_argument("--number", type=int, default=40, help="faults of a set")
    asked.add_argument("--further", type=int, default=0, help="more of a set, for those that change no answer")
    asked.add_argument("--reached", type=Path, required=True, help="where it stands which test reaches which statement")
    asked.add_argument("--record", action="store_true", help="find that out")
    asked.add_argument("--tier", choices=["fast", "full"], default="fast", help="the dearest tests")
    asked.add_argument("--only", nargs="+", help="numbers of faults, such as 7.12")
    asked.add_argument("--patience", type=float, default=90, help="CPU seconds of tests that a fault is tried with")
    asked.add_argument("--table", action="store_true", help="write what is found into tests/mutants/caught.toml")
    options = asked.parse_args()
    made = {
        f"{seed}.{at}": fault
        for seed in options.seed
        for at, fault in enumerate(random_faults(seed, options.number, options.further))
    }
    if options.listed:
        listed = listed_faults()
        samples = [random.Random(seed).sample(listed, options.number) for seed in options.seed]
        made = {" " * at: fault for at, fault in enumerate(itertools.chain(*samples) if samples else listed)}
    chosen = {name: fault for name, fault in made.items() if not options.only or name in options.only}
    plugin = (
        Reached(options.reached)
        if options.record
        else Tried(options.reached, chosen, table=options.table, patience=options.patience)
    )
    command = ["-q", "--no-header", "-p", "no:cacheprovider", "-p", "no:xdist", "-o", "addopts=--import-mode=importlib"]
    command += ["--tier", options.tier]
    return int(pytest.main([*command, *options.tests], plugins=[plugin]))


if __name__ == "__main__":
    sys.exit(main())
