"""Judges: how far model judgments agree with labels of people, and metrics corrected by few labels."""
