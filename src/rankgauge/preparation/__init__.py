"""Preparation: from what users did to grades, and to training and test data."""
