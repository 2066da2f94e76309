"""Mutation tests: Cosmic Ray changes one operator or number of the library at a time, and a test has to fail; see ``make mutants``."""
