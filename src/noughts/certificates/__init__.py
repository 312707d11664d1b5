"""Certificates: proofs of the value of a game, in files that another program can check.

docs/certificates.md describes the format.
"""
