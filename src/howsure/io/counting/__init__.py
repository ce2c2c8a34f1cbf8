"""From whatever people have to counts: arrays, data frames, files, databases.

=============================  ==================================================================================
lists, arrays, pandas          each column numbered once and the numbers counted here (`engines.codes`)
data frames, relations         grouped by their own engine, through narwhals (`engines.frames`, extra ``[frames]``)
files and folders              grouped by DuckDB, out of core (`engines.duck`, extra ``[files]``)
=============================  ==================================================================================

Each way is one of `engines.tallying` and ends in `tally_to_counts`, where the one rule of `howsure.data.labels` turns
values into labels.
"""

from howsure.io.counting.count import count
from howsure.io.counting.result import Counts, SetAside

__all__ = ["Counts", "SetAside", "count"]
