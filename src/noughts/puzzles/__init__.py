"""Positions with one right move: those that are shipped, and how an attempt at one is judged."""
