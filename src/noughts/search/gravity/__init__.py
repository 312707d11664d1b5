"""Exact values of k in a row where marks fall, in any number of dimensions, on bit masks."""
