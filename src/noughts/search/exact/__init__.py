"""Exact values: searches to the end, and lists of all positions."""
