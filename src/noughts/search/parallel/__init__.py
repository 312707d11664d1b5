"""Parallel search: a long question is divided among workers, which answer positions below it."""
