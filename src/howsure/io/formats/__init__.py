"""The layouts of files: one a module."""
