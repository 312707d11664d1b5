"""Facts about a position without deep search: immediate effects of moves, and why moves are good or bad."""
