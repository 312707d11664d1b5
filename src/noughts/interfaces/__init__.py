"""The outside world."""
