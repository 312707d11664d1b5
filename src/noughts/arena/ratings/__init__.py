"""Ratings of people by Glicko-2, for each game and speed, counted from stored games."""
