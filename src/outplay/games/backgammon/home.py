"""The number of the checkers of a side in its home, as bear-off tables count them (`outplay.tables.bearoff`).

With c1, c2 ... checkers on the points 1, 2 ... it is C(c1, 1) + C(c1 + c2 + 1, 2) + C(c1 + c2 + c3 + 2, 3) + ...
"""

from outplay.games.backgammon.side import Side, number


def place(a: Side) -> int:
    """The number of a side that has all its checkers home."""
    sum_so_far = found = 0
    for point in (1, 2, 3, 4, 5, 6):
        sum_so_far += number(a, point)
        found += choose(sum_so_far + point - 1, point)
    return found


def choose(n: int, k: int) -> int:
    """How many ways there are to choose k of n."""
    ways = 1
    for i in range(k):
        ways = ways * (n - i) // (i + 1)
    return ways
