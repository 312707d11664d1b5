"""Tests of the choice of public games to watch."""
