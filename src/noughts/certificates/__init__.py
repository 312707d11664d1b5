"""Proofs of what a game is worth, in files that another program can check: docs/certificates.md."""
