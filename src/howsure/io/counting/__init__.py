"""From whatever people have to counts: arrays, data frames, files, databases.

=============================  ==================================================================================
lists, NumPy arrays            counted here, in one pass (`arrays`)
data frames, relations         counted by their own engine, through narwhals (`frames`, extra ``[frames]``)
files and folders              counted by DuckDB, out of core (`sources`, extra ``[files]``)
=============================  ==================================================================================

Each path ends in `settling`, where the one rule of `howsure.data.labels` turns values into labels.
"""

from howsure.io.counting.count import count
from howsure.io.counting.result import Counts, SetAside

__all__ = ["Counts", "SetAside", "count"]
