"""Many games between many players: what they show, and how surely."""
