"""noughts as an engine: lines of a manager in, lines out."""
