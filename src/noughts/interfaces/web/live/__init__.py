"""What goes on in rooms while people look on: states, streams, presence, and computers that play."""
