"""Pictures of a game: as text and as SVG. Knows boards, labels and highlights, nothing of search."""
