"""Proofs: searches with exact results, and `solve`, which picks a suitable one."""
