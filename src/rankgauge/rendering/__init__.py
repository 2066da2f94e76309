"""Output for people: documents as data, in two languages and four formats, and the SVG and HTML they need."""
