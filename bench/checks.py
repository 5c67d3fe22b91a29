"""What the checks of indices cost: the build that is shipped beside one without them, in processes of their own."""

import os
import subprocess
import sys
from collections.abc import Iterator

from bench.measure import Row, Size, in_turns, ratio_row, speed_of

FLOOR = 0.95
SMALL = "alpha-beta, Connect Four"
WORK = {  # what is counted in a second
    "perft, chess": "lines",
    SMALL: "nodes",
    "UCT, Othello": "simulations",
}


def run(size: Size) -> Iterator[Row]:
    turns, seconds = size.pick((15, 1.0), (3, 0.2), (1, 0.01))
    for work in size.pick([*WORK], [*WORK], [SMALL]):
        checked, unchecked = Build(work, "1"), Build(work, "0")
        try:
            found = in_turns(
                lambda: checked.speed(seconds),  # noqa: B023  (called before the next turn of the loop)
                lambda: unchecked.speed(seconds),  # noqa: B023
                turns,
            )
        finally:
            checked.close()
            unchecked.close()
        yield ratio_row(work, "without checks", f"{WORK[work]}/s", found, FLOOR)


class Build:
    """A process that does some work, with checks or without, whenever it is told to."""

    def __init__(self, work: str, checks: str) -> None:
        self.process = subprocess.Popen(
            [sys.executable, "-m", "bench.checks", work],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
            env={**os.environ, "OUTPLAY_CHECKS": checks},
        )

    def speed(self, seconds: float) -> float:
        """Work for so long; units a second."""
        assert self.process.stdin is not None and self.process.stdout is not None
        self.process.stdin.write(f"{seconds}\n")
        self.process.stdin.flush()
        return float(self.process.stdout.readline())

    def close(self) -> None:
        self.process.communicate()


def serve(work: str) -> None:
    """The other side: for each line with a number of seconds, a line with the speed."""
    for line in sys.stdin:
        print(speed_of(lambda: once(work), float(line)), flush=True)


def once(work: str) -> int:
    """Some of the work; how many units it was."""
    from outplay.games import Chess, ConnectFour, Othello
    from outplay.search import best, perft

    if work == "perft, chess":
        return perft(Chess(), 4)
    if work == SMALL:
        return best(ConnectFour(), "alphabeta", depth=9).nodes
    return best(Othello(), "uct", nodes=500).nodes


if __name__ == "__main__":
    serve(sys.argv[1])
