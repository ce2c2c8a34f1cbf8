"""A request body, taken in: from this page only, of the right type, in time, and counted while it comes."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Iterable, Iterator, Mapping
from contextlib import contextmanager

from howsure.web.http_error import Refusal

__all__ = ["Intake", "media_of", "refuse_strangers"]

#: Bytes of bodies that may be on their way at once.
IN_FLIGHT = 64 * 2**20


def refuse_strangers(headers: Mapping[str, str]) -> None:
    """Refuse what another site's page sends: its browser says where it comes from."""
    site = headers.get("sec-fetch-site")
    origin = headers.get("origin")
    foreign = site is not None and site not in ("same-origin", "none")
    if origin is not None and origin.partition("://")[2] != headers.get("host"):
        foreign = True
    if foreign:
        raise Refusal(403, "CrossOrigin", "only the page of this server may ask it; a page of another site asked")


def media_of(headers: Mapping[str, str], known: Iterable[str]) -> str:
    """Media type of a body, one of those known."""
    given, _, parameters = headers.get("content-type", "").partition(";")
    media, charset = given.strip().lower(), parameters.replace('"', "").replace(" ", "").lower()
    expected = ", ".join(known)
    if media not in known:
        raise Refusal(415, "UnknownMediaType", f"a body of this route is {expected}; the Content-Type says otherwise")
    if charset not in ("", "charset=utf-8", "charset=utf8"):
        raise Refusal(415, "UnknownMediaType", "a body is UTF-8; the Content-Type says otherwise")
    if headers.get("content-encoding", "identity").lower() != "identity":
        raise Refusal(415, "UnknownEncoding", "a body is sent as it is, not compressed; leave Content-Encoding out")
    return media


class Intake:
    """Reads bodies, and knows how much is on its way."""

    def __init__(self, patience: float) -> None:
        self.patience = patience
        self._in_flight = 0

    async def read(self, stream: AsyncIterator[bytes], most: int) -> bytes:
        """The whole body, or a `Refusal`: too large (413), too slow (408), too many at once (429)."""
        with self._counted() as taken:
            try:
                async with asyncio.timeout(self.patience):
                    return await self._read(stream, most, taken)
            except TimeoutError:
                raise Refusal(408, "TooSlow", f"the body did not arrive within {self.patience:g} s") from None

    async def _read(self, stream: AsyncIterator[bytes], most: int, taken: list[int]) -> bytes:
        parts: list[bytes] = []
        async for part in stream:
            taken[0] += len(part)
            self._in_flight += len(part)
            if taken[0] > most:
                raise Refusal(
                    413,
                    "TooLarge",
                    f"a body of this route has at most {most // 1024:,} KiB; the command line reads more",
                )
            if self._in_flight > IN_FLIGHT:
                raise Refusal(429, "Busy", "too many bodies are on their way; try again in a moment", wait=2)
            parts.append(part)
        return b"".join(parts)

    @contextmanager
    def _counted(self) -> Iterator[list[int]]:
        taken = [0]
        try:
            yield taken
        finally:
            self._in_flight -= taken[0]
