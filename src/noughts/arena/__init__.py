"""Playing and storing games: matches, tables, rooms, tournaments and the database."""
