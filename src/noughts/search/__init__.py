"""How good a position is. No I/O."""
