"""Pictures of games: text boards, SVG, charts, plots and search trees."""
