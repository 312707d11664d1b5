"""Rules: not who plays."""
