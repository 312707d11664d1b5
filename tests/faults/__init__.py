"""Proof by faults: what was acknowledged stays, whatever happens to the server, its database or its disk.

``docs/faults.md`` tells what is proved and by which commands; the tests here run a short form of each.
"""
