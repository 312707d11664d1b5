"""Certificates are written: the strategies that searches find, as docs/certificates.md describes them."""
