"""The protocols of external programs as text: parsing and formatting, without clocks or processes."""
