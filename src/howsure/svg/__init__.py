"""Small pictures as SVG text, from plain numbers; no matplotlib, no script, no style sheet.

Lines and text take the colour of the text around them (``currentColor``), so a picture fits light and dark pages.
"""

from howsure.svg.band import bands
from howsure.svg.canvas import BLUE, ORANGE
from howsure.svg.curve import density
from howsure.svg.rows import Row, forest
from howsure.svg.shades import grid
from howsure.svg.sizes import sizes

__all__ = ["BLUE", "ORANGE", "Row", "bands", "density", "forest", "grid", "sizes"]
