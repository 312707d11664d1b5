"""The line console: plain lines for a pipe, a screen reader or a terminal of any size."""
