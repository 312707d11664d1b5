"""Parts that all screens share: styles, spans of text, keys, pages and lists to pick from."""
