"""From files to columns: formats, compression, column names, and what was found on the way."""
