"""The pages, and the files they are made of."""
