"""Back from published, rounded figures to counts.

========================  ===================================================================================
`published`               a figure as it was printed, and what it may have been rounded from
`search`                  every table of whole numbers within the limits that the figures set
`found`                   the tables that fit, and what they say about a metric
`narrowing`               how much figures leave open, and which further ones would narrow it most
`ranges`                  the report over all of them
`question`                the verb `reconstruct`
========================  ===================================================================================
"""

from howsure.reconstruction.ranges import Published, Ranges
from howsure.reconstruction.reconstruction import Reconstruction, reconstruct

__all__ = ["Published", "Ranges", "Reconstruction", "reconstruct"]
