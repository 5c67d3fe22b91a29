"""Learning: weights from positions and games."""
