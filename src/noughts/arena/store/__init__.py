"""The storage of games: a database, its tables and their migrations."""
