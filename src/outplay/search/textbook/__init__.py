"""The searches as on the slides: the pseudocode in plain Python, each with its compiled twin."""
