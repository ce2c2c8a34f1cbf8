"""Options of every interval: how much is inside, and of which kind."""

from __future__ import annotations

from typing import Annotated, Literal

from howsure.cli.options import option

__all__ = ["CertaintyOption", "KindOption", "LevelOption"]

LevelOption = Annotated[float, option("level")]
CertaintyOption = Annotated[float, option("level", "certainty")]
KindOption = Annotated[Literal["hdi", "central"], option("kind")]
