"""Small pictures as SVG text, from plain numbers; no matplotlib, no script, no style sheet.

Lines and text take the colour of the text around them (``currentColor``), so a picture fits light and dark pages.
"""

from howsure.text.svg.band import bands
from howsure.text.svg.canvas import BLUE, ORANGE
from howsure.text.svg.cases_curve import sizes
from howsure.text.svg.density_curve import density
from howsure.text.svg.difference_curve import difference
from howsure.text.svg.interval_rows import IntervalRow, forest
from howsure.text.svg.probability_fields import fields
from howsure.text.svg.rising_curve import rising, spot
from howsure.text.svg.shades import grid
from howsure.text.svg.three_parts import three_parts
from howsure.text.svg.threshold_band import threshold_band

__all__ = [
    "BLUE",
    "ORANGE",
    "IntervalRow",
    "bands",
    "density",
    "difference",
    "fields",
    "forest",
    "grid",
    "rising",
    "sizes",
    "spot",
    "three_parts",
    "threshold_band",
]
