"""Side information: what metrics need in addition to judgments and rankings."""
