"""Games that were played, as data and as files: records and SGF."""
