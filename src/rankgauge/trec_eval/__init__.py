"""A trec_eval clone on the metrics of this library: same arguments, measure names and output."""
