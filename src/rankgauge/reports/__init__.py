"""The report: one page to open, mail or attach, with every number's steps inside."""
