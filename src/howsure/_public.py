"""The names of the package, listed once in ``__init__.pyi``, each loaded when it is first used.

A report needs a fifth of the package, and importing the rest costs as much time as computing it. The list is a stub so
that type checkers and editors read the same lines that this module reads.
"""

from __future__ import annotations

import ast
import sys
from importlib import import_module
from pathlib import Path
from types import ModuleType
from typing import Any

__all__ = ["offer"]


def offer(package: str) -> list[str]:
    """Give a package the names that its stub imports, and return them sorted.

    Parameters
    ----------
    package : str
        Name of a package that is being imported, with an ``__init__.pyi`` of ``from a.b import c as c`` lines.
    """
    module = sys.modules[package]
    homes = _homes(package, Path(str(module.__file__)).with_suffix(".pyi").read_text(encoding="utf-8"))

    class Package(ModuleType):
        """A module whose public names load late, and which none of its submodules takes a name from."""

        def __getattr__(self, name: str) -> Any:
            if name not in homes:
                raise AttributeError(f"module {package!r} has no attribute {name!r}")
            home = homes[name]
            value = import_module(f"{package}.{name}") if home == package else getattr(import_module(home), name)
            super().__setattr__(name, value)
            return value

        def __setattr__(self, name: str, value: Any) -> None:
            # importing howsure.rank sets the attribute `rank` to the module, where the function is meant
            if not (name in homes and isinstance(value, ModuleType) and name in getattr(value, "__all__", ())):
                super().__setattr__(name, value)

        def __dir__(self) -> list[str]:
            return sorted({*super().__dir__(), *homes})

    module.__class__ = Package
    return sorted(homes)


def _homes(package: str, stub: str) -> dict[str, str]:
    """The module that each name of the stub comes from; a submodule comes from itself."""
    homes: dict[str, str] = {}
    for line in ast.parse(stub).body:
        if isinstance(line, ast.ImportFrom) and line.module:
            homes |= {name.name: line.module for name in line.names}
    return homes
