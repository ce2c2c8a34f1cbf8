"""How to add an extra to this copy of howsure: by where it was installed from, never by a name on a registry.

A name that is on no registry fails today, and fetches a stranger's package tomorrow.
"""

from __future__ import annotations

import json
import os
import re
import shutil
import sys
from importlib.metadata import Distribution, PackageNotFoundError, distribution
from importlib.util import find_spec
from pathlib import Path
from urllib.parse import urlsplit
from urllib.request import url2pathname

#: The shell of Windows has quotes of one kind.
QUOTE = '"' if os.name == "nt" else "'"

#: A requirement of an extra, as the metadata of an installed package have it.
OF_EXTRA = re.compile(r"""^(?P<requirement>[^;]+?)\s*;.*\bextra\s*==\s*['"](?P<extra>[^'"]+)['"]""")


def install_hint(extra: str) -> str:
    """The command that adds an extra, to be typed where it is read.

    It names what this copy was installed from: a folder, a file, a repository. Where that is unknown or gone, it names
    the packages of the extra.
    """
    try:
        installed = distribution("howsure")
    except PackageNotFoundError:  # run from its folder
        return f"{_pip(None)} install -e {_quoted(_here(Path(__file__).parents[3]) + f'[{extra}]')}"
    origin = json.loads(installed.read_text("direct_url.json") or "{}")
    source = _source(origin, extra)
    if source is None:
        return " ".join([_pip(installed), "install", *map(_quoted, packages_of(installed.requires or [], extra))])
    edited = "-e " if origin.get("dir_info", {}).get("editable") else ""
    return f"{_pip(installed)} install {edited}{_quoted(source)}"


def packages_of(requirements: list[str], extra: str) -> list[str]:
    """What an extra requires, with the requirements of the extras in it."""
    packages: list[str] = []
    for match in filter(None, map(OF_EXTRA.match, requirements)):
        if match["extra"] == extra:
            within = re.fullmatch(r"howsure\[([^]]+)\]", match["requirement"])
            packages += (
                [package for each in within[1].split(",") for package in packages_of(requirements, each.strip())]
                if within
                else [match["requirement"].replace(" ", "")]
            )
    return list(dict.fromkeys(packages))


def _source(origin: dict[str, dict[str, str] | str], extra: str) -> str | None:
    """What pip is given for this copy with an extra; none where it is unknown, or gone."""
    url = str(origin.get("url", ""))
    if not url:
        return None
    if urlsplit(url).scheme == "file":
        path = Path(url2pathname(urlsplit(url).path))
        return f"{_here(path)}[{extra}]" if path.exists() else None
    version = origin.get("vcs_info")
    if isinstance(version, dict):
        url = f"{version['vcs']}+{url}@{version['commit_id']}"
    return f"howsure[{extra}] @ {url}"


def _here(path: Path) -> str:
    """A folder as it is named from where one stands."""
    return "." if path == Path.cwd() else str(path)


def _quoted(text: str) -> str:
    return f"{QUOTE}{text}{QUOTE}"


def _pip(installed: Distribution | None) -> str:
    """The pip of this environment, which need not be the one that is found by its name."""
    if find_spec("pip") is None and installed and (installed.read_text("INSTALLER") or "").strip() == "uv":
        return "uv pip"
    found = shutil.which("pip")
    if found and Path(found).parent == Path(sys.executable).parent:
        return "pip"
    return f"{_quoted(sys.executable) if ' ' in sys.executable else sys.executable} -m pip"
