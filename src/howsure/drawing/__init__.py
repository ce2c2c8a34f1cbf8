"""Small pictures as SVG text, from plain numbers; no matplotlib, no script, no style sheet.

Lines and text take the colour of the text around them (``currentColor``), so a picture fits light and dark pages.
"""

from howsure.drawing.band import bands
from howsure.drawing.density import density
from howsure.drawing.forest import Row, forest
from howsure.drawing.grid import grid

__all__ = ["Row", "bands", "density", "forest", "grid"]
