"""Preparation of interaction data: grades from behaviour, hold-out splits, leakage checks."""
