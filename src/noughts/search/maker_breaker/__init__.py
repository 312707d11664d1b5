"""Draws proved by stopping all lines of one side: pairings, potentials and search."""
