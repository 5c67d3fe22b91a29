"""AIMA's side of `python_peers`, run in an environment of its own: each line read is a search to do."""

import sys
from time import process_time
from typing import Any

from aima3.games import ConnectFour, alphabeta_cutoff_search


class Counted(ConnectFour):
    results = 0

    def result(self, state: Any, move: Any) -> Any:
        Counted.results += 1
        return super().result(state, move)


def main(depth: int) -> None:
    counted, game = Counted(), ConnectFour()
    alphabeta_cutoff_search(counted.initial, counted, d=depth)
    nodes = Counted.results + 1  # and the root
    for _ in sys.stdin:
        began = process_time()
        alphabeta_cutoff_search(game.initial, game, d=depth)
        print(nodes / (process_time() - began), flush=True)


if __name__ == "__main__":
    main(int(sys.argv[1]))
