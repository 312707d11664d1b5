"""``python -m noughts`` is ``noughts``."""

from noughts.interfaces.cli import main

if __name__ == "__main__":
    main()
