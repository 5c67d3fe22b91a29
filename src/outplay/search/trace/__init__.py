"""What a search did: its events, and the tree that they describe."""
