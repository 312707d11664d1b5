"""The writing of proofs that can be checked independently."""
