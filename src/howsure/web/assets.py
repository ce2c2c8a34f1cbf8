"""The files of the page: a fixed table, read from the package when the server starts; no path comes from a client."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from dataclasses import dataclass
from importlib.resources import files
from importlib.resources.abc import Traversable

__all__ = ["Asset", "table"]

MEDIA = {
    ".html": "text/html; charset=utf-8",
    ".css": "text/css; charset=utf-8",
    ".js": "text/javascript; charset=utf-8",
    ".json": "application/json",
    ".svg": "image/svg+xml",
    ".png": "image/png",
    ".ico": "image/vnd.microsoft.icon",
    ".txt": "text/plain; charset=utf-8",
}


@dataclass(frozen=True)
class Asset:
    """A file with its media type and the tag that says whether a browser's copy is the same."""

    body: bytes
    media: str
    tag: str


def table() -> dict[str, Asset]:
    """All files by their path below ``/assets/``; empty where the package has none."""
    root = files("howsure.web").joinpath("assets")
    return dict(_walked(root, "")) if root.is_dir() else {}


def _walked(folder: Traversable, prefix: str) -> Iterator[tuple[str, Asset]]:
    for entry in sorted(folder.iterdir(), key=lambda entry: entry.name):
        if entry.is_dir():
            yield from _walked(entry, f"{prefix}{entry.name}/")
            continue
        media = MEDIA.get(f".{entry.name.rpartition('.')[2]}")
        if media is not None:
            body = entry.read_bytes()
            yield prefix + entry.name, Asset(body, media, f'"{hashlib.sha256(body).hexdigest()[:20]}"')
