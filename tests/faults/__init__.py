"""Proof by faults: acknowledged changes survive any fault of the server, its database or its disk.

``docs/faults.md`` describes the proofs and their commands. The tests here run a short form of each.
"""
