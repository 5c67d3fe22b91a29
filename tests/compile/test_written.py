"""What random classes in natural Python found: each is compiled, and the code that it becomes means the same."""

import importlib
import textwrap
import warnings
from pathlib import Path

import pytest

from bench import machine
from outplay.compile import twin
from outplay.compile.natural.twin import NaturalTwin
from outplay.game import adopt

GAME = """\
import bisect
import heapq
import itertools
import math
import operator
from collections import Counter, defaultdict, deque
from enum import Enum
from functools import cache, partial, reduce
from typing import NamedTuple

TABLE = (3, -1, 4, 1, -5, 9, 2, 6)
RAGGED = ((1, 2), (), (0, 3, 4), (2,))
NAMES = ["abc", "b", "", "cad"]


def added(first, *others, twice=1):
    for other in others:
        first += other
    return first * twice


def checked(n):
    if n < 0:
        raise ValueError("negative")
    return n % 20


class Game(NamedTuple):
    left: int = 4
    board: tuple = (2, 0, 1, 3, 0, 1)
    word: str = "abca"
    points = True

    def player(self):
        return self.left % 2

    def actions(self):
        return [0, 1, 5]

    def result(self, a):
        return Game(self.left - 1, self.board[1:] + (a,), self.word[1:] + "abcd"[a % 4])

    def terminal(self):
        return self.left == 0

    def utility(self):
        return self.left

    def evaluate(self):
"""
FOUND = {
    "math of what a loop has yet to make": """
        n = 0
        for x in self.board:
            n = (n + math.floor(sorted(self.board)[n % 3] / 3)) % 9
        return n
    """,
    "a chain of rows": """
        rows = [self.board[i : i + 2] for i in range(3)]
        return sum(itertools.chain(*RAGGED)) + sum(itertools.chain((9,), *rows, self.board)) * 100
    """,
    "a heap of pairs": """
        heap = []
        for i, v in enumerate(tuple(reversed(TABLE[:4]))[:6]):
            heapq.heappush(heap, (v, i))
        return heap[0][1]
    """,
    "functions called like ours": """
        def checked_floor(x):
            return 77.0
        def native_popcount(x):
            return 5
        n = self.left > 2
        try:
            n = checked(n)
        except ValueError:
            n = -7
        return n + math.floor(self.left / 3) + int(checked_floor(2.0)) + native_popcount(self.left)
    """,
    "what rounds inside try": """
        try:
            found = self.board.index(round(self.left / 4)) + int(math.sqrt(self.left - 2))
            return found + self.board.index(math.isqrt(self.left - 1)) + math.comb(self.board[1], 2)
        except ValueError:
            return 50
    """,
    "a lambda's comprehension with a name of the loop before it": """
        for v in self.board[self.left + 2 :]:
            if v > 0:
                return v
        return sorted(self.board, key=lambda x: (next((i for i, v in enumerate(TABLE) if v == x), -1), x))[0]
    """,
    "any number of arguments": """
        row, found = RAGGED[self.left % 4], [v for v in self.board if v > 1]
        return added(1, *row) + 10 * added(2, 3, *found, 4, twice=2) + 100 * added(*self.board) + added(5)
    """,
    "a running best that is compared once more": """
        def longest(items, least):
            best = None
            for item in items:
                if best is None or item > best:
                    best = item
            return least if best is None else max(best, least)
        found = []
        for x in self.board:
            if x > self.left:
                found.append(x)
        heap = list(self.board)
        heapq.heappush(heap, longest(found, self.left))
        return heap[0]
    """,
    "None replaced by a number": """
        at = None if self.left > 2 else self.left
        heap = list(self.board)
        heapq.heappush(heap, -1 if at is None else at)
        heapq.heappush(heap, at if at is not None else 7)
        return heap[0] + len(heap) * 10 + sum(heap)
    """,
}


@pytest.mark.parametrize("what", FOUND)
def test_what_random_classes_found(what: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    name = f"written_{abs(hash(what))}"
    code = textwrap.indent(textwrap.dedent(FOUND[what]).strip("\n"), 8 * " ")
    (tmp_path / f"{name}.py").write_text(GAME + code, encoding="utf-8")
    monkeypatch.syspath_prepend(tmp_path)
    game = importlib.import_module(name).Game
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        made = twin(adopt(game))
    assert isinstance(made, NaturalTwin), getattr(made, "reasons", "")
    assert machine.difference(game, made.program, games=3) == ""
