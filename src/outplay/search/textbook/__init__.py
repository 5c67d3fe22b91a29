"""The searches as on the slides: the pseudocode in plain Python, and its compiled twin beside it."""
