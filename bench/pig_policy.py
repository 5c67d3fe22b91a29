"""Pig's optimal policy by value iteration: the chance of the player who begins, against Neller & Presser (2004).

The chance to win with i points against j and k in the turn is the better of rolling, one sixth of the mean over the
die, and holding. Scores never fall, so the states of one pair of scores, (i, j) and (j, i), are iterated until they
settle before those of smaller sums.
"""

from collections.abc import Iterator

import numba
import numpy as np

from bench.measure import Row, Size

PUBLISHED = 0.5306  # for 100 points
CLOSE = 1e-12


def run(size: Size) -> Iterator[Row]:
    goal = size.pick(100, 100, 20)
    chance = float(chances(goal)[0, 0, 0])
    off = abs(chance - PUBLISHED) if goal == 100 else 0.0
    note = f"the player who begins wins {chance:.4f} of games to {goal}"
    yield Row(
        "pig by value iteration",
        "Neller & Presser",
        f"{chance:.6f}",
        "0.5306",
        off,
        "off",
        0.00005,
        True,
        note,
    )


def chances(goal: int) -> np.ndarray:
    """The chance to win for each own score, opponent's score and turn total, all below the goal."""
    table = np.zeros((goal, goal, goal))
    _iterate(table, goal)
    return table


@numba.njit
def _chance(table, goal, i, j, k):  # type: ignore[no-untyped-def]
    """The better of rolling and holding."""
    roll = 1.0 - table[j, i, 0]
    for die in range(2, 7):
        roll += 1.0 if i + k + die >= goal else table[i, j, k + die]
    return max(roll / 6.0, 1.0 - table[j, i + k, 0] if k > 0 else 0.0)


@numba.njit
def _iterate(table, goal):  # type: ignore[no-untyped-def]
    for total in range(2 * goal - 2, -1, -1):
        for i in range(max(0, total - goal + 1), total // 2 + 1):
            j = total - i
            change = 1.0
            while change > CLOSE:
                change = 0.0
                for mine, yours in ((i, j), (j, i)):
                    for k in range(goal - mine - 1, -1, -1):
                        better = _chance(table, goal, mine, yours, k)
                        change = max(change, abs(better - table[mine, yours, k]))
                        table[mine, yours, k] = better
