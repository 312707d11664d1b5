"""Online play: rooms with tables for people, and the single source of truth about them."""
