"""Plots for papers: each takes a result, and gives matplotlib axes (``f(x, *, ax=None) -> Axes``).

Colours are told apart by everybody and fit light and dark figures; labels are direct; text stays text in SVG and PDF
when saved inside ``with theme():``.
"""

from howsure import _public
from howsure.errors import MissingExtra

try:
    import matplotlib as _matplotlib
except ModuleNotFoundError as absent:
    if absent.name != "matplotlib":
        raise
    raise MissingExtra("howsure.plots", "plot") from None

__all__, __getattr__, __dir__ = _public.offered(__name__)

del _matplotlib
