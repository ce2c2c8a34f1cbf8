"""The data: labelled counts, predictions of the same cases, and what their names and cells may be."""
