"""The first screen: which game, and how it is set up."""
