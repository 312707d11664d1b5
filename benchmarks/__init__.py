"""Benchmarks, measured side by side with the commands that users have."""
