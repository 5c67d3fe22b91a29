"""The good 3x3 patterns, learned from UCT's self-play (`bench/go_patterns.py`)."""

from outplay.games.go.shapes import table

# One of the images of each, as shapes.py numbers them.
LEARNED = """
205 20d 224 225 235 26d 2a5 30c 502 50a 522 52a 542 54a 5a2 a01 a05 a15 a31 aa4 ab1 ad1 b84 c01 c03 c13 c21 c23
c41 c43 c53 c83 d02 d12 d22 d32 d82 da2 de2 e11 e31 f27 1801 1802 1803 1821 1826 1842 1902 1906 1940 1964 1982
19a2 1a01 1a05 1a24 1a41 1a45 1a65 1aa5 1d42 245b 248b 2502 250a 255a 2619 26d8 2f39 3108 310a 310c 3144 318c
3204 3205 320c 3285 338c 35c2 37c7 37c8 3986 39ad 3a05 3a44 3b2d 3bad 3c02 3c43 3deb 3f47 5da0 758a 7faf a740
a747 a74f af39
"""

GOOD = table(int(number, 16) for number in LEARNED.split())
