"""The search for any game of two sides, by playing and undoing alone: to prove values, or to estimate."""
