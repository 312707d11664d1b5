"""Where games are kept: a database, its tables and their migrations."""
