"""Can one side stop all lines of the other? Draws proved by pairings, potentials and search."""
