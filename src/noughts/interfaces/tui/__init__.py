"""The full screen in the terminal, with Textual, which is imported only when it is shown."""
