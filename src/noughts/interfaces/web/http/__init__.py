"""HTTP itself: connections, limits, bodies, and how requests are refused and counted."""
