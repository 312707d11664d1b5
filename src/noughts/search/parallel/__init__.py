"""A long question is divided among workers: positions below it are asked by others, the answers kept here."""
