"""Thousands of games of k in a row at once, in arrays."""
