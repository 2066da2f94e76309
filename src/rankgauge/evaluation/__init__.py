"""Scores: what an evaluation gives back."""
