"""The names of the package, listed once in ``__init__.pyi``, each loaded when it is first used.

A report needs a fifth of the package, and importing the rest costs as much time as computing it. The list is a stub so
that type checkers and editors read the same lines that this module reads.
"""

from __future__ import annotations

import ast
import sys
from collections.abc import Callable
from importlib import import_module
from pathlib import Path
from typing import Any

__all__ = ["offered"]


def offered(package: str) -> tuple[list[str], Callable[[str], Any], Callable[[], list[str]]]:
    """The names that a package's stub imports, sorted, and the two functions of PEP 562 that load and list them.

    Parameters
    ----------
    package : str
        Name of a package that is being imported, with an ``__init__.pyi`` of ``from a.b import c as c`` lines.
    """
    module = sys.modules[package]
    stub = Path(str(module.__file__)).with_suffix(".pyi").read_text(encoding="utf-8")
    lines = [line for line in ast.parse(stub).body if isinstance(line, ast.ImportFrom)]
    homes = {name.name: str(line.module) for line in lines for name in line.names}

    def load(name: str) -> Any:
        if name not in homes:
            raise AttributeError(f"module {package!r} has no attribute {name!r}")
        home = homes[name]
        # a submodule comes from itself
        value = import_module(f"{package}.{name}") if home == package else getattr(import_module(home), name)
        setattr(module, name, value)
        return value

    def listed() -> list[str]:
        return sorted({*vars(module), *homes})

    return sorted(homes), load, listed
