"""Tournaments: many games between many players, with standings and their confidence intervals."""
