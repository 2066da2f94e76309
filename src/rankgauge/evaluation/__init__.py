"""Evaluation of rankings: scores, curves over the cutoff, and diagnoses of files."""
