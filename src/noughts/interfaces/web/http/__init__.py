"""The HTTP layer: connections, limits, request bodies, errors and metrics."""
