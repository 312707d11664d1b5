"""Runs games and remembers them."""
