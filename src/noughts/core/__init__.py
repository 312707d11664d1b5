"""Space: boards, lines and symmetries, without games."""
