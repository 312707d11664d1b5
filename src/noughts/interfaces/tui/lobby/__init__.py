"""The first screen: choosing a game and its settings."""
