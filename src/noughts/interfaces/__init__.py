"""The interfaces: command line, console, full screen, server and engine."""
