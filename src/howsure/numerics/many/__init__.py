"""Many laws at once: arrays of tables in, arrays of answers out."""
