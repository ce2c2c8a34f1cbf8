"""Laws of few true labels and many verdicts of a judge."""
