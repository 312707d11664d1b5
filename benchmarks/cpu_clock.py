"""Run ``noughts`` with the processor time of its process as its clock.

    CHECKOUT/.venv/bin/python -P benchmarks/cpu_clock.py engine

Then a limit in seconds is one of processor time, which the load of the machine does not shorten. Waiting for
input takes no processor time, so the modules that wait keep the real clock.
"""

import queue  # noqa: F401
import threading  # noqa: F401
import time

if __name__ == "__main__":
    time.monotonic = time.process_time
    from noughts.__main__ import main

    main()
