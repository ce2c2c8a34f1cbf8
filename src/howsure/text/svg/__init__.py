"""Small pictures as SVG text, from plain numbers; no matplotlib, no script, no style sheet.

Lines and text take the colour of the text around them (``currentColor``), so a picture fits light and dark pages.
"""

from howsure import _public

__all__, __getattr__, __dir__ = _public.offered(__name__)
