"""Faulty classes as people write them: a game on a board of nine cells, each with one mistake in it.

`# here` marks the line that is to blame. What is said about a class names the method and that line.
"""

import textwrap

TEMPLATE = """\
import enum, functools, itertools, math, random, sys, time
from collections import Counter, deque
from dataclasses import dataclass, replace
from typing import NamedTuple

LINES = ((0, 1, 2), (3, 4, 5), (6, 7, 8), (0, 3, 6), (1, 4, 7), (2, 5, 8), (0, 4, 8), (2, 4, 6))
PRICE = {"pawn": 1, "knight": 3}
NEAR = {0: (1, 3), 1: (0, 2, 4), 2: (1, 5)}
SEEN = []

class Mark(enum.Enum):
    CROSS = 1
    NOUGHT = 2

def worth(name, times=1):
    return PRICE[name] * times

def deeper(n):
    return PRICE["rook"] if n == 0 else deeper(n - 1)

class Game(NamedTuple):
    board: tuple = (0,) * 9
    turn: int = 0
    word: str = "abc"
    rows: tuple = ((0, 0), (0, 0))
    last: int | None = None
"""
METHODS = {
    "player": "def player(self):\n    return self.turn",
    "actions": "def actions(self):\n    return [i for i in range(9) if self.board[i] == 0]",
    "result": (
        "def result(self, a):\n"
        "    b = list(self.board)\n"
        "    b[a] = self.turn + 1\n"
        "    return self._replace(board=tuple(b), turn=1 - self.turn)"
    ),
    "terminal": "def terminal(self):\n    return self.won() or 0 not in self.board",
    "utility": "def utility(self):\n    return 0 if not self.won() else 1 if self.turn else -1",
    "won": "def won(self):\n    return any(0 != self.board[i] == self.board[j] == self.board[k] for i, j, k in LINES)",
}
HERE = "# here"


def said(expression: str) -> str:
    """A line of `evaluate` that fails: every search and every check asks it."""
    return f"def evaluate(self):\n    x = {expression}  {HERE}\n    return 0 if x is None else 1"


def body(name: str, *lines: str, takes: str = "") -> str:
    head = f"def {name}(self{', ' + takes if takes else ''}):"
    return "\n".join([head, *(f"    {line}" for line in lines)])


def result(*lines: str) -> str:
    return body("result", *lines, takes="a")


# What fails inside an expression. `later` is more than 0 on an empty board only.
EXPRESSIONS = {
    "an index beyond a tuple": "self.board[9]",
    "an index beyond a tuple from its end": "self.board[-10]",
    "an index beyond a row": "self.rows[0][2]",
    "an index beyond the rows": "self.rows[2][0]",
    "an index beyond a list": "[1, 2, 3][self.board.count(0)]",
    "an index beyond a string": "self.word[3]",
    "an index beyond an empty list": "[i for i in range(9) if self.board[i] == 7][0]",
    "an index that is a float": "self.board[9 / 3]",
    "an index that is a string": "self.board['1']",
    "an index that is None": "self.board[self.last]",
    "an index that is a tuple": "self.rows[0, 1]",
    "a slice by floats": "self.board[:9 / 3]",
    "a key that is not there": "PRICE['queen']",
    "a key that is not there later": "NEAR[self.board.count(0)]",
    "a key that is not in a local dict": "{v: i for i, v in enumerate(self.board)}[5]",
    "a key of another type": "NEAR['0']",
    "a list as a key": "{[1, 2]: 3}",
    "a list in a set": "{[1], [2]}",
    "remove what is not there": "list(self.board).remove(4)",
    "index of what is not there": "self.board.index(4)",
    "index of a letter that is not there": "self.word.index('z')",
    "pop of an empty list": "[].pop()",
    "pop beyond a list": "list(self.board).pop(9)",
    "pop of an empty deque": "deque().popleft()",
    "pop of an empty set": "set().pop()",
    "remove of a set": "{1, 2}.remove(3)",
    "max of nothing": "max([v for v in self.board if v > 5])",
    "min of an empty generator": "min(v for v in self.board if v > 5)",
    "next of nothing": "next(i for i, v in enumerate(self.board) if v > 5)",
    "reduce of nothing": "functools.reduce(lambda a, b: a + b, [])",
    "max of None and ints": "max(self.last, 3)",
    "sorted of None and ints": "sorted([3, self.last, 1])",
    "sorted by a key that is None": "sorted(self.board + (1,), key=lambda v: v or None)",
    "sum of strings": "sum(['a', 'b'])",
    "sum of lists": "sum([[1], [2]])",
    "join of ints": "''.join(self.board)",
    "int of a letter": "int(self.word[0])",
    "ord of two letters": "ord(self.word[:2])",
    "chr of a negative number": "chr(self.turn - 5)",
    "None plus an int": "self.last + 1",
    "an int of None": "int(self.last)",
    "an item of None": "self.last[0]",
    "the length of None": "len(self.last)",
    "the length of an int": "len(self.turn)",
    "a loop over an int": "[x for x in self.turn]",
    "a loop over None": "[x for x in self.last]",
    "in of an int": "3 in self.turn",
    "a string plus an int": "self.word + self.turn",
    "an int plus a string": "self.turn + self.word",
    "a tuple plus a list": "self.board + [1]",
    "a tuple plus an int": "self.board + 1",
    "a list plus a tuple": "[1] + self.board",
    "a string minus a string": "self.word - 'a'",
    "None is less than an int": "self.last < 3",
    "a string is less than an int": "self.word < 3",
    "a tuple is less than an int": "self.board < 3",
    "an int that is called": "self.turn()",
    "a tuple that is called": "self.board(3)",
    "a method without brackets": "self.won + 1",
    "a field that is not there": "self.boad[0]",
    "a method that is not there": "self.has_won()",
    "a name that is not there": "bord[0]",
    "a name of a library that is not there": "math.squareroot(2)",
    "a method of tuples that is not there": "self.board.append(1)",
    "a method of strings that is not there": "self.word.contains('a')",
    "a method of lists that is not there": "list(self.board).add(1)",
    "a division by zero": "9 // self.turn if self.turn == 0 else 1 // 0",
    "a remainder by zero": "9 % (self.turn - self.turn)",
    "a true division by zero": "9 / (self.turn - self.turn)",
    "a root of a negative number": "math.sqrt(-1 - self.turn)",
    "a logarithm of zero": "math.log(self.turn * 0)",
    "a negative shift": "1 << (self.turn - 2)",
    "a helper with too few arguments": "worth()",
    "a helper with too many arguments": "worth('pawn', 2, 3)",
    "a helper with a wrong keyword": "worth('pawn', count=2)",
    "a field that the class has not": "Game(bord=self.board)",
    "too many fields": "Game(self.board, 0, 'a', (), None, 7)",
    "replace of a field that is not there": "self._replace(bord=self.board)",
    "an enum's value that is not there": "Mark(self.turn + 7)",
    "an enum's member that is not there": "Mark.CIRCLE",
    "an enum's name that is not there": "Mark['CIRCLE']",
    "an enum plus an int": "Mark.CROSS + 1",
    "an enum that is compared by size": "Mark.CROSS < Mark.NOUGHT",
    "range of a float": "list(range(9 / 3))",
    "range of None": "list(range(self.last))",
    "unpacking an int": "(lambda pair: pair[0])(*self.turn)",
    "combinations of an int": "list(itertools.combinations(9, 2))",
    "zip of an int": "list(zip(self.board, 3))",
    "enumerate of None": "list(enumerate(self.last))",
    "a lambda that fails": "(lambda i: self.board[i])(12)",
    "a lambda as key that fails": "max(range(9), key=lambda i: self.board[i + 1])",
    "map of a function that fails": "list(map(lambda w: PRICE[w], ['pawn', 'king']))",
    "filter of a function that fails": "list(filter(lambda i: self.board[i + 3], range(9)))",
    "a comprehension that fails": "[self.board[i + 1] for i in range(9)]",
    "a nested comprehension that fails": "[[self.rows[r][c] for c in range(3)] for r in range(2)]",
    "a generator that fails": "sum(self.board[3 * r + c] for r in range(4) for c in range(3))",
    "a dict comprehension that fails": "{i: NEAR[i] for i in range(4)}",
    "an f-string that fails": "f'{self.turn:s}'",
    "a string times a string": "self.word * self.word",
    "a minus before a string": "-self.word",
    "a tuple of a number": "tuple(self.turn)",
    "a list of a number": "list(self.turn)",
    "a set of a number": "set(self.turn)",
    "a dict of numbers": "dict([1, 2])",
    "too much to unpack in a call": "worth(*self.board)",
}
# What fails in a statement: method, lines.
STATEMENTS: dict[str, str] = {
    "unpacking too many": body("evaluate", "a, b = self.board[:3]  # here", "return a + b"),
    "unpacking too few": body("evaluate", "a, b, c = self.rows  # here", "return 0"),
    "unpacking a string": body("evaluate", "a, b = self.word  # here", "return 0"),
    "a loop that unpacks wrongly": body("evaluate", "n = 0", "for a, b in LINES:  # here", "    n += 1", "return n"),
    "enumerate without an index": body("evaluate", "n = 0", "for v in enumerate(self.board):", "    n += v  # here", "return n"),
    "a local that is not set": body("evaluate", "if self.turn == 5:", "    x = 1", "return x  # here"),
    "a local that is set in a loop that never runs": body("evaluate", "for i in range(0):", "    x = i", "return x  # here"),
    "a field that is assigned": result("self.turn = 1 - self.turn  # here", "return self"),
    "a field that is counted up": result("self.turn += 1  # here", "return self"),
    "an item of a tuple that is assigned": result("self.board[a] = 1  # here", "return self"),
    "an item of a row that is assigned": result("rows = list(self.rows)", "rows[0][0] = 1  # here", "return self._replace(rows=tuple(rows))"),
    "a letter that is assigned": result("w = self.word", "w[0] = 'x'  # here", "return self._replace(word=w)"),
    "an item of a tuple that is deleted": result("del self.board[a]  # here", "return self"),
    "an item beyond a list that is assigned": result("b = list(self.board)", "b[a + 9] = 1  # here", "return self._replace(board=tuple(b))"),
    "an assert that fails": result("assert a < 5, 'no such cell'  # here", "return self._replace(turn=1 - self.turn)"),
    "a ValueError": body("utility", "raise ValueError('not over')  # here"),
    "an error of its own": body("evaluate", "raise NotImplementedError  # here"),
    "a helper that fails": body("evaluate", "return worth('king')"),
    "an error in a property": "@property\ndef best(self):\n    return max(())  # here\ndef evaluate(self):\n    return self.best",
    "an error in a static method": "@staticmethod\ndef half(n):\n    return n // 0  # here\ndef evaluate(self):\n    return self.half(3)",
    "an error in a class method": "@classmethod\ndef empty(cls):\n    return cls(bord=())  # here\ndef evaluate(self):\n    return len(self.empty())",
    "a method without self": "def half(n):  # here\n    return n // 2\ndef evaluate(self):\n    return self.half(3)  # here",
    "an error in a function inside": body("evaluate", "def half(n):", "    return n // self.turn  # here", "return half(3) if self.turn == 0 else half(1) // 0  # here"),
    "an error in a generator": "def cells(self):\n    for i in range(10):\n        yield self.board[i]  # here\ndef evaluate(self):\n    return sum(self.cells())",
    "recursion without end": "def down(self, n):\n    return self.down(n + 1)  # here\ndef evaluate(self):\n    return self.down(0)",
    "recursion in a circle": "def ping(self, n):\n    return self.pong(n + 1)  # here\ndef pong(self, n):\n    return self.ping(n + 1)  # here\ndef evaluate(self):\n    return self.ping(0)",
    "a dict that changes while it is read": body("evaluate", "d = {1: 2, 3: 4}", "for k in d:  # here", "    d[k + 10] = 1", "return len(d)"),
    "a set that changes while it is read": body("evaluate", "s = {1, 2}", "for k in s:  # here", "    s.add(k + 10)", "return len(s)"),
    "a case that is forgotten": result("match a:", "    case 0 | 1 | 2 | 3:", "        return self._replace(turn=1 - self.turn)").replace("(self, a):", "(self, a):  # here"),
    # what the contract wants
    "result forgets to return": result("self._replace(turn=1 - self.turn)").replace("):", "):  # here", 1),
    "result returns a tuple": result("b = list(self.board)", "b[a] = 1", "return tuple(b)  # here"),
    "result returns a list": result("b = list(self.board)", "b[a] = 1", "return b  # here"),
    "result returns a pair": result("return self, 1  # here"),
    "result returns nothing on a path": result("if a < 4:", "    return self._replace(turn=1 - self.turn)").replace("):", "):  # here", 1),
    "actions forgets to return": body("actions", "[i for i in range(9) if self.board[i] == 0]").replace("):", "):  # here", 1),
    "actions returns a number": body("actions", "return self.board.count(0)  # here"),
    "actions has the same twice": body("actions", "return [0, 1, 1]  # here"),
    "actions are lists": body("actions", "return [[0, 1], [1, 2]]  # here"),
    "actions are sets": body("actions", "return [{0, 1}, {1, 2}]  # here"),
    "actions are dicts": body("actions", "return [{'cell': 0}]  # here"),
    "actions are none too early": body("actions", "return []  # here"),
    "player is one too high": body("player", "return self.turn + 1  # here"),
    "player is a name": body("player", "return 'XO'[self.turn]  # here"),
    "player forgets to return": body("player", "self.turn").replace("):", "):  # here", 1),
    "utility is a pair": body("utility", "return (1, -1)  # here"),
    "utility is a name": body("utility", "return 'X'  # here"),
    "utility forgets the draw": body("utility", "if self.won():", "    return 1 if self.turn else -1").replace("):", "):  # here", 1),
    "evaluate is a tuple": body("evaluate", "return (1, 2)  # here"),
    "evaluate forgets to return": body("evaluate", "self.board.count(1) - self.board.count(2)").replace("):", "):  # here", 1),
    "evaluate is a string": body("evaluate", "return 'good'  # here"),
    "evaluate is not a number": body("evaluate", "return math.nan  # here"),
    "a game that never ends": result("return self._replace(turn=1 - self.turn)  # here"),
    "chance in a rule": result("return self._replace(turn=random.randrange(2), board=(1,) * 9)  # here"),
    "actions that are shuffled": body("actions", "moves = [i for i in range(9) if self.board[i] == 0]", "random.shuffle(moves)  # here", "return moves"),
    "the clock": body("evaluate", "return int(time.time() * 1e6) % 100  # here"),
    "a list of the module that grows": body("evaluate", "SEEN.append(1)  # here", "return len(SEEN)"),
    "a class constant that changes": body("evaluate", "Game.calls = getattr(Game, 'calls', 0) + 1  # here", "return Game.calls"),
    "a default argument that remembers": body("evaluate", "return self.remember()") + "\ndef remember(self, past=[]):\n    past.append(1)  # here\n    return len(past)",
    "input in a rule": body("evaluate", "return int(input())  # here"),
    "the end of the program": body("evaluate", "sys.exit(1)  # here"),
    "a player that takes an argument": body("player", "return self.turn", takes="state").replace("):", "):  # here", 1),
    "actions that take an argument": body("actions", "return [0]", takes="player").replace("):", "):  # here", 1),
    "a result without an action": body("result", "return self").replace("):", "):  # here", 1),
    "async": "async " + body("actions", "return [0]").replace("):", "):  # here", 1),
}  # fmt: skip
STATEMENTS["a helper that fails deep down"] = body("evaluate", "return deeper(5)")
HELPERS = {  # the line to blame stands in the template, or in a method that stays
    **dict.fromkeys(("actions are lists", "actions are sets", "actions are dicts"), "b[a] = self.turn + 1"),
    "a helper that fails": "PRICE[name] * times",
    "a helper that fails deep down": "deeper(n - 1)",
}

FAULTY: list[str] = [*EXPRESSIONS, *STATEMENTS]


def faulty_source(kind: str) -> str:
    """The file of a faulty class."""
    text = said(EXPRESSIONS[kind]) if kind in EXPRESSIONS else STATEMENTS[kind]
    replaced = {name for name in METHODS if f"def {name}(" in text}
    kept = [method for name, method in METHODS.items() if name not in replaced]
    file = TEMPLATE + "".join("\n" + textwrap.indent(method, "    ") + "\n" for method in [*kept, text])
    if kind in HELPERS:
        file = file.replace(HELPERS[kind], f"{HELPERS[kind]}  {HERE}", 1)
    return file


def to_blame(kind: str) -> list[int]:
    """The lines that may be named, counted from 1."""
    return [number for number, line in enumerate(faulty_source(kind).splitlines(), 1) if HERE in line]
