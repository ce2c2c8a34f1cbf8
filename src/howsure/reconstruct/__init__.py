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

from howsure.reconstruct.found import Reconstruction
from howsure.reconstruct.published import Published
from howsure.reconstruct.question import reconstruct
from howsure.reconstruct.ranges import Ranges

__all__ = ["Published", "Ranges", "Reconstruction", "reconstruct"]
