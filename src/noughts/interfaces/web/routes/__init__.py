"""The routes: what is asked for and answered."""
