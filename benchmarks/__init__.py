"""Speeds, measured side by side by the commands that a user has."""
