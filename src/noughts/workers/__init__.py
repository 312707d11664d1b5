"""Thinking in other processes, so that whoever asks goes on."""
