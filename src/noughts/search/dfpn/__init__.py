"""Proof-number search for wins of one side, with sequences of threats at the leaves."""
