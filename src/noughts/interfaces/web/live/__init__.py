"""Live rooms: their states, event streams, the presence of players, and computers that play."""
