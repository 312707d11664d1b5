"""External programs: each in its own process, with a protocol of text lines, and with limits."""
