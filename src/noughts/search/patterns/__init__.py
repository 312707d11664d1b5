"""Strong moves on flat boards of 4 to 6 in a row, by patterns of the lines through each cell."""
