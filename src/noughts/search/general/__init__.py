"""Alpha-beta search for any game of two sides, by play and undo alone: proofs of values, and estimates."""
