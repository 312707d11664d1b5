"""The full screen in the terminal, with Textual; nothing of it is imported before it is shown."""
