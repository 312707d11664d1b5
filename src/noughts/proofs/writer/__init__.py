"""Certificates: the strategies that searches find, written as docs/certificates.md describes."""
