"""Searches for the value of a position and its best moves. Nothing here reads or writes files."""
