"""Saving the intact part of a damaged file to a new one."""
