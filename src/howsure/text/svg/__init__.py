"""Small pictures as SVG text, from plain numbers; no matplotlib, no script, no style sheet.

Lines and text take the colour of the text around them (``currentColor``), so a picture fits light and dark pages.
"""

from howsure.text.svg.canvas import BLUE, ORANGE
from howsure.text.svg.curve_pictures import Marks, bands, density, difference, rising, sizes, spot, threshold_band
from howsure.text.svg.field_pictures import fields, grid, people
from howsure.text.svg.row_pictures import IntervalRow, RidgeRow, forest, ridge, three_parts

__all__ = [
    "BLUE",
    "ORANGE",
    "IntervalRow",
    "Marks",
    "RidgeRow",
    "bands",
    "density",
    "difference",
    "fields",
    "forest",
    "grid",
    "people",
    "ridge",
    "rising",
    "sizes",
    "spot",
    "three_parts",
    "threshold_band",
]
