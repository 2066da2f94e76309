"""Tables in DuckDB, Spark and SQL warehouses."""
