"""trec_eval in this project's engine: the same arguments, names and output, so that scripts need not change."""
