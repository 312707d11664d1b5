"""Games: rules and positions, without players."""
