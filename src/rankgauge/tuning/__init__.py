"""`tune`: settings chosen by their values, and the cross-validated value of choosing them."""
