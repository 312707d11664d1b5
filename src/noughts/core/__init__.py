"""Space: cells, not games."""
