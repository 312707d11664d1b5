"""The screen of a game: playing, looking back and trying other moves."""
