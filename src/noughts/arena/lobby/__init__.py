"""The lobby: open offers, challenges, and the pairing of waiting players."""
