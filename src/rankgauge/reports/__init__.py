"""The report: one page to open, forward or attach, with the steps to every number."""
