"""The sections of docs/validity.md, one file each: a table of what happens where the truth is known."""
