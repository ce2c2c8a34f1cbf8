"""One classifier, or many at a glance: the report, its companions, and what its metrics mean."""
