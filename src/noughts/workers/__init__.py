"""Workers: computations in other processes and threads, so that the caller is not blocked."""
