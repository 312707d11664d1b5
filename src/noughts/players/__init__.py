"""Whoever chooses a move."""
