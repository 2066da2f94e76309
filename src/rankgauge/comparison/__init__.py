"""Comparison of systems: leaderboards, differences and their significance."""
