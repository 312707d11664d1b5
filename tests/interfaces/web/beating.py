"""Run ``noughts`` with signs of life that workers write twice a second.

Worker processes import this module too, so they use the same interval.
"""

from noughts.arena.rooms import expiry
from noughts.interfaces.cli.main import main

expiry.HEARTBEAT_MS = 500

if __name__ == "__main__":
    main()
