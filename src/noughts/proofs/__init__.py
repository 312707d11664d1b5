"""Proofs that others can check, and searches that are divided among processes."""
