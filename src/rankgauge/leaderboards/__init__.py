"""Leaderboards: systems over many data sets, aggregates, rank sets and how robust they are."""
