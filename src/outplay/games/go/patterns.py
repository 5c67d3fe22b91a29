"""The good 3x3 patterns, learned from UCT's games against itself (`bench/go_patterns.py`)."""

from outplay.games.go.shapes import table

# One of the images of each, as shapes.py numbers them.
LEARNED = """
205 245 502 50a 522 52a a05 c01 c03 c13 c21 c23 c53 c63 c81 c83 cf3 d02 d12 d32 d52 d82 de2 f27 1802 1826 1842
1924 19e2 1a41 2649 2e11 2f39 310c 3205 3304 334c 37c8 3906 3986 3a44 3bad 3ec0 3f47 5da0 a740 a747
"""

GOOD = table(int(number, 16) for number in LEARNED.split())
