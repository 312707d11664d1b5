"""Strong moves on boards of k in a row that no search exhausts."""
