"""From whatever people have to counts: arrays, data frames, files, databases.

=============================  ==================================================================================
lists, arrays, pandas          each column numbered once and the numbers counted here (`engines`)
data frames, relations         grouped by their own engine, through narwhals (`grouping`, extra ``[frames]``)
files and folders              grouped by DuckDB, out of core (`duck`, extra ``[files]``)
=============================  ==================================================================================

Each way is one of `engines` and ends in `tally`, where the one rule of `howsure.data.labels` turns values into
labels.
"""
