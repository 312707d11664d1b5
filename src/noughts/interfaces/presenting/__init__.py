"""Texts, names, hints, reviews and settings that all interfaces share."""
