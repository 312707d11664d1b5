"""Playing in the rooms of a server: the HTTP client, the states of a room, and a table that follows them."""
