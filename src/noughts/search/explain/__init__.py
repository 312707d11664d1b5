"""What can be said of a position without deep search: what happens at once, why moves are good or bad."""
