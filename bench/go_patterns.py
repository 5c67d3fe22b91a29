"""How Go's 3x3 patterns were learned: `python -m bench.go_patterns FILE [--seconds N] [--nodes N] [--seed N]`.

UCT plays against itself, without patterns if there are none yet. For each point round the last move its pattern is
counted, and how often UCT played there. A pattern is good if it was played much more often than points there are on
the average, by a margin that chance does not explain. With --seconds 0 the positions in the file are only counted.
"""

import argparse
import math
import random
import time
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from outplay.games import Go
from outplay.games.go.shapes import canonical, outside, surroundings
from outplay.games.go.text import members
from outplay.limits import Limits
from outplay.search.mcts.settings import Settings
from outplay.search.mcts.uct import UCT

OPENING = (2, 9)  # plies at random
EVEN = 0.85  # values beyond are not learned from: who has won or lost plays anything
TIMES = 1.8  # as often as the average
DEVIATIONS = 2.0
OUTSIDE = outside(Go.SIZE)


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m bench.go_patterns")
    parser.add_argument("file", type=Path, help="positions with UCT's move; new ones are added")
    parser.add_argument("--seconds", type=float, default=600)
    parser.add_argument("--nodes", type=int, default=1500)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    if options.seconds:
        play(options.file, options.seconds, options.nodes, options.seed)
    seen, chosen, positions = count(options.file)
    mean = chosen.total() / seen.total()
    good = sorted(pattern for pattern in seen if is_good(seen[pattern], chosen[pattern], mean))
    covered = sum(chosen[pattern] for pattern in good)
    print(f"# {positions} positions, {len(seen)} patterns, mean {mean:.4f}; good: {len(good)}, which are")
    there = sum(seen[pattern] for pattern in good) / seen.total()
    print(f"# {there:.1%} of the points and {covered / chosen.total():.1%} of the moves")
    print(" ".join(f"{pattern:x}" for pattern in good))


def is_good(seen: int, chosen: int, mean: float) -> bool:
    """Whether a pattern is chosen far more often than the mean, beyond what chance does."""
    rate = chosen / seen
    error = math.sqrt((chosen + 1) * max(1 - rate, 0.01)) / seen
    return rate - DEVIATIONS * error > mean and rate > TIMES * mean


def count(file: Path) -> tuple[Counter[int], Counter[int], int]:
    """Patterns round the last move: how often there were, how often played; and the number of positions."""
    seen: Counter[int] = Counter()
    chosen: Counter[int] = Counter()
    positions = 0
    known: dict[int, int] = {}
    for state, action in read(file):
        positions += 1
        for point in round_the_last(state):
            pattern = surroundings(state.own, state.opp, OUTSIDE[point], point, state.SIZE)
            pattern = (
                known.setdefault(pattern, 0) or known.update({pattern: canonical(pattern)}) or known[pattern]
            )
            seen[pattern] += 1
            chosen[pattern] += point == action
    return seen, chosen, positions


def round_the_last(state: Any) -> Iterator[int]:
    """The empty points round the last move."""
    if not 0 <= state.last < state.POINTS:
        return
    empty = members(state.empty())
    row, column = divmod(state.last, state.SIZE)
    for point in range(state.POINTS):
        near = max(abs(point // state.SIZE - row), abs(point % state.SIZE - column)) == 1
        if near and empty >> point & 1 and point != state.ko:
            yield point


def read(file: Path) -> Iterator[tuple[Any, int]]:
    for line in file.read_text().splitlines():
        text, action, _ = line.split(";")
        yield Go.parse(text), int(action)


def play(file: Path, seconds: float, nodes: int, seed: int) -> None:
    """Games of UCT against itself."""
    dice = random.Random(seed)
    search = UCT(Settings(memory=64))
    end = time.monotonic() + seconds
    with file.open("a") as out:
        while time.monotonic() < end:
            out.writelines(one_game(search, nodes, dice))


def one_game(search: UCT, nodes: int, dice: random.Random) -> list[str]:
    state: Any = Go()
    for _ in range(dice.randrange(*OPENING)):
        state = state.result(dice.choice(list(state.actions())[:-1]))
    lines = []
    while not state.terminal():
        search.forget()
        search.seed = dice.getrandbits(40)
        found = search.search(state, Limits(nodes=nodes))
        assert found.action is not None and found.value is not None
        if abs(found.value) < EVEN:
            lines.append(f"{state};{found.action};{found.value:.3f}\n")
        state = state.result(found.action)
    return lines


if __name__ == "__main__":
    main()
