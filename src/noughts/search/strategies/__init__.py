"""Strategies that a person can follow without a computer: pairs of cells."""
