"""Shapes: how tools arrange judgments and rankings in JSON, Parquet and tables; one file and one registry row each."""
