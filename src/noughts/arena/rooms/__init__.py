"""Online play: rooms, in which people at one table meet, and the one authority over them."""
