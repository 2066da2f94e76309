"""Comparison: whether a difference between systems is real, how large it is, and where it comes from."""
