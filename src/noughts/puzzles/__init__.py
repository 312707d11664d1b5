"""Puzzles: positions with one right move, and attempts to solve them."""
