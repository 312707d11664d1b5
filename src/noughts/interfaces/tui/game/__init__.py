"""The screen on which a game is played, looked back at and tried out."""
