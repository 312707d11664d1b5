"""Exact values: searches to the end of the game, and retrograde analysis of all positions."""
