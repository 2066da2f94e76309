"""Writing for people: documents as data, two languages, four formats."""
