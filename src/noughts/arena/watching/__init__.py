"""Watching: the public games that are being played, and the choice of those on show."""
