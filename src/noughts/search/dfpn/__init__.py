"""Wins of one side, proved by proof numbers, with sequences of threats where they end."""
