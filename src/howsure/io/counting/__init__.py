"""From whatever people have to counts: arrays, data frames, files, databases.

=============================  ==================================================================================
lists, NumPy arrays            counted here, in one pass (`numpy_arrays`)
data frames, relations         counted by their own engine, through narwhals (`data_frames_engine`, extra ``[frames]``)
files and folders              counted by DuckDB, out of core (`duck`, extra ``[files]``)
=============================  ==================================================================================

Each path ends in `tally_to_counts`, where the one rule of `howsure.data.labels` turns values into labels.
"""

from howsure.io.counting.count import count
from howsure.io.counting.result import Counts, SetAside

__all__ = ["Counts", "SetAside", "count"]
