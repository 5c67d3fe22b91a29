"""Proofs: searches whose answer is certain, and `solve`, which picks one that fits."""
