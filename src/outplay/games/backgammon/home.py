"""The index of a side's home position in bear-off tables (`outplay.tables.bearoff`).

With c1, c2 ... checkers on the points 1, 2 ... it is C(c1, 1) + C(c1 + c2 + 1, 2) + C(c1 + c2 + c3 + 2, 3) + ...
"""

from outplay.games.backgammon.side import Side, number


def place(a: Side) -> int:
    """The index of a side with all its checkers home."""
    sum_so_far = found = 0
    for point in (1, 2, 3, 4, 5, 6):
        sum_so_far += number(a, point)
        found += choose(sum_so_far + point - 1, point)
    return found


def choose(n: int, k: int) -> int:
    """The binomial coefficient: the number of ways to choose k of n."""
    ways = 1
    for i in range(k):
        ways = ways * (n - i) // (i + 1)
    return ways
