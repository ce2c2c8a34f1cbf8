"""What a user can type: names and parameters of the public modules, commands and their options.

Run: python -m tests.release.public_names   (writes public_names.txt; look at its difference)
"""

from __future__ import annotations

import importlib
import inspect
import re
from pathlib import Path

import howsure

LIST = Path(__file__).with_name("public_names.txt")
COMMANDS = Path(__file__).parents[2] / "docs" / "commands.md"
MODULES = re.findall(r"^``(howsure[.\w]*)``  ", howsure.__doc__ or "", re.MULTILINE)


def parameters(value: object) -> list[str]:
    """The parameters of a call, variable ones starred; of what has no signature nothing."""
    if not callable(value):
        return []
    try:
        found = inspect.signature(value).parameters.values()
    except (TypeError, ValueError):
        return []
    stars = {inspect.Parameter.VAR_POSITIONAL: "*", inspect.Parameter.VAR_KEYWORD: "**"}
    return [stars.get(one.kind, "") + one.name for one in found]


def names_of(module: str) -> list[str]:
    """Each name of a module, its methods, and one line for each of their parameters."""
    lines = []
    made = importlib.import_module(module)
    for name in sorted(getattr(made, "__all__", [])):
        value = getattr(made, name)
        if inspect.isclass(value) and issubclass(value, BaseException):
            lines.append(f"{module}.{name}")
            continue
        calls = {f"{module}.{name}": value}
        if inspect.isclass(value):
            ours = [kind for kind in value.__mro__ if kind.__module__.startswith("howsure")]  # others' methods vary
            public = sorted({each for kind in ours for each in vars(kind) if not each.startswith("_")})
            calls |= {f"{module}.{name}.{each}": inspect.getattr_static(value, each) for each in public}
        for path, call in calls.items():
            call = call.__func__ if isinstance(call, classmethod | staticmethod) else call
            lines += [path, *(f"{path}({parameter})" for parameter in parameters(call))]
    return lines


def options() -> list[str]:
    """Each command and each of its options, as docs/commands.md lists them; another test holds that to the program."""
    lines = []
    for part in re.split(r"^## ", COMMANDS.read_text(encoding="utf-8"), flags=re.MULTILINE)[1:]:
        command = part.partition("\n")[0].strip()
        rows = re.findall(r"^\| `(.*?)` \|", part, re.MULTILINE)
        lines += [command, *(f"{command} {option}" for row in rows for option in re.findall(r"--?[a-z][a-z-]*", row))]
    return lines


def offered() -> list[str]:
    """All of it, sorted."""
    return sorted({line for module in MODULES for line in names_of(module)} | set(options()))


if __name__ == "__main__":
    LIST.write_text("\n".join(offered()) + "\n", encoding="utf-8", newline="\n")
