"""What all screens are made of: styles, spans of text, keys, pages, lists to pick from."""
