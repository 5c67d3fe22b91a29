"""Traces: the events of a search, and the tree that they describe."""
