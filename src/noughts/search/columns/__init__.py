"""Exact values of k in a row on flat boards where marks fall: columns as bits of one number."""
