"""The Python that rules may use: every line of docs/python.md, interpreted and compiled alike."""

import importlib.util
import os
import random
import subprocess
import sys
import textwrap
import warnings
from pathlib import Path
from typing import Any

import pytest

import outplay
from outplay.check import Examiner, check
from outplay.compile import is_interpreted, twin
from outplay.compile.lane import Interpreted
from outplay.compile.program import Twin
from outplay.compile.runtime import broadword_nth
from outplay.game import GameError, adopt
from outplay.words import nth, popcount, wrap

SOURCE = Path(outplay.__file__).parent.parent

TEMPLATE = """
import enum
import math
from functools import cache
from typing import NamedTuple

import numpy as np

import beside
from beside import double, GIVEN
from outplay.words import bits, bswap, lsb, msb, nth, popcount, put, shr, wrap
{top}

class Game(NamedTuple):
    {constants}
    pile: int = 7
    mover: int = 0
    marks: tuple[int, ...] = (0, 1, 2, 3)
    board: int = 0x80000000000000A1

    def player(self):
        return self.mover

    def actions(self):
        {actions}

    def result(self, take):
        {result}

    def terminal(self):
        {terminal}

    def utility(self):
        return 1 if self.mover else -1

    def evaluate(self):
        {evaluate}

    {methods}
"""
BESIDE = "GIVEN = 2\nTABLE = tuple(range(3, 40))\ndef double(x):\n    return GIVEN * x\n"
DEFAULTS = {
    "top": "",
    "constants": "STEP = 1",
    "actions": "yield 1\nyield 2",
    "result": "return Game(self.pile - take, 1 - self.mover, self.marks, self.board)",
    "terminal": "return self.pile <= 0",
    "evaluate": "return self.pile",
    "methods": "",
}

CASES: dict[str, dict[str, str]] = {
    "`yield x`, with or without `if`": {
        "actions": """
            if self.pile > 1: yield 2
            if self.pile % 2: yield (self.pile & 3) + 4
            yield 1""",
    },
    "`return [...]`, a list, tuple, range or comprehension of actions": {
        "actions": """
            if self.pile > 5: return [x for x in range(1, 5) if x != 3]
            if self.pile > 4: return range(1, 3)
            if self.pile > 3: return [1, 2] if self.mover else (2, 1)
            return list(range(1, 2))""",
    },
    "a list built with `append` and returned": {
        "actions": """
            found = []
            for take in range(1, 4):
                if take <= self.pile: found.append(take)
            return found""",
    },
    "`yield from` a sequence or a generator, also a recursive one": {
        "top": "def down(n):\n    if n > 0:\n        yield n\n        yield from down(n - 1)\n",
        "actions": "yield from down(min(self.pile, 3))\nyield from (4, 5)\nyield from (x + 5 for x in range(1, 4) if x != 2)",
    },
    "generator methods, and loops over them": {
        "methods": """
            def small(self):
                for take in range(1, 4):
                    if take <= self.pile: yield take""",
        "actions": "for take in self.small():\n    yield take + 1\n    if take == 3: break\nyield 1",
        "terminal": "return self.pile <= 0 or not any(True for take in self.small())",
    },
    "a rule that calls `self.actions()`": {
        "actions": "for take in (1, 2, 3):\n    if take <= self.pile: yield take",
        "terminal": "return next(self.actions(), 0) == 0",
        "evaluate": "return len(list(self.actions())) + sum(a * a for a in self.actions())",
    },
    "methods that call methods": {
        "methods": "def left(self, take):\n    return max(self.pile - take, 0)",
        "result": "return Game(self.left(take), 1 - self.mover, self.marks, self.board)",
    },
    "calls of another state's methods": {"evaluate": "child = self.result(1)\nreturn child.pile * (1 if child.terminal() else 2)"},
    "`@staticmethod` and `@property`": {
        "methods": """
            @staticmethod
            def half(x): return x // 2
            @property
            def rest(self): return self.half(self.pile) + Game.half(9)""",
        "evaluate": "return self.rest",
    },
    "class constants by `self.X` and by `Game.X`, also tables": {
        "constants": "STEP = 1\n    VALUES = (5, 4, 3, 2, 1, 0, 9, 8, 7, 6, 5, 4)",
        "evaluate": "return self.STEP + Game.STEP + self.VALUES[self.pile % 12] + len(Game.VALUES)",
    },
    "functions and constants of this file and of other modules": {
        "top": "LIMIT = 3\ndef clip(x):\n    return x if x < LIMIT else double(x)\n",
        "evaluate": "return clip(self.pile) + GIVEN + beside.double(2) + beside.TABLE[self.mover]",
    },
    "recursive functions": {
        "top": "def fib(n):\n    if n < 2:\n        return n\n    return fib(n - 1) + fib(n - 2)\n"
        "def steps(n, done):\n    if n <= 0:\n        return done\n    return 1 + steps(n - 1, n > 3)\n",
        "evaluate": "return fib(self.pile % 10) + steps(self.pile, 0)",
    },
    "functions under `@cache`, default arguments, keywords": {
        "top": "@cache\ndef plus(x, y=10, z=100):\n    return x + y * z\n",
        "evaluate": "return plus(self.pile) + plus(1, z=2)",
    },
    "`any`, `all`, `sum`, `min`, `max` over generator expressions": {
        "evaluate": """
            a = any(m > self.pile for m in self.marks)
            b = all(m >= 0 for m in self.marks if m != 2)
            c = sum(m * n for m in self.marks for n in range(m))
            d = max((m - self.pile for m in self.marks), default=3)
            return (a + 2 * b) * 1000 + c * 10 + d + min(abs(m - 2) for m in self.marks) + sum((m for m in self.marks), 50)""",
    },
    "generator expressions inside generator expressions": {
        "evaluate": "return sum(1 for m in self.marks if any(n * m == self.pile for n in range(9)))",
    },
    "`any`, `all`, `sum`, `min`, `max`, `len` of a tuple": {
        "evaluate": "t = self.marks\nreturn any(t) + 2 * all(t) + sum(t) + min(t) + max(t) + len(t)",
    },
    "`for` over ranges, tuples, tables, `enumerate`, `zip`, `reversed`": {
        "top": "TABLE = (3, 1, 4, 1, 5, 9, 2, 6, 5, 3)\n",
        "evaluate": """
            n = 0
            for i, m in enumerate(self.marks): n += i * m
            for a, b in zip(self.marks, TABLE): n += a * b
            for m in reversed(self.marks): n = 2 * n + m
            for i in reversed(range(2, 5)): n = 3 * n + i
            for t in TABLE: n += t
            for x in [4, 7]: n += x
            return n""",
    },
    "`while`, `break`, `continue`, `else` of a loop": {
        "evaluate": """
            n = 0
            while n < 100:
                n += 3
                if n == self.pile: break
                if n % 2: continue
                n += 1
            else:
                n = -n
            return n""",
    },
    "`if`/`elif`/`else`, `and`/`or`/`not`, conditional expressions, chained comparisons": {
        "evaluate": """
            if 2 < self.pile <= 5: n = 1
            elif self.pile and not self.mover: n = 2
            else: n = self.mover or 7
            return n if n in (1, 2) else -n""",
    },
    "`match` on ints": {
        "evaluate": """
            match self.pile:
                case 1 | 2: return 10
                case 3: return 20
                case _: return 30""",
    },
    "several targets, unpacking, augmented assignment": {
        "evaluate": "a, b = self.pile, self.mover\nc = d = a\na <<= 2\np, q, r, s = self.marks\nreturn a + b - c * d + p + 2 * q + 3 * r + 4 * s",
    },
    "tuples: `t[i]`, `t[-1]`, slices, `put(t, i, v)`, comparison, `in`": {
        "result": "return Game(self.pile - take, 1 - self.mover, put(self.marks, self.pile % 4, take), self.board)",
        "evaluate": """
            t = self.marks
            n = t[self.pile % 4] + 10 * t[-1] + 100 * t[-1 - self.pile % 4] + sum(t[1:3])
            return n + (1000 if t == (0, 1, 2, 3) else 0) + (2 in t)""",
    },
    "tables of tables: `T[i][j]`, rows of one length": {
        "top": "T = tuple(tuple(i * j for j in range(5)) for i in range(7))\n",
        "evaluate": "return T[self.pile % 7][3] + sum(x for x in T[2])",
    },
    "NumPy arrays as tables": {
        "top": "A = np.arange(24).reshape(4, 6)\nB = np.array([1.5, 2.5] * 6)\n",
        "evaluate": "return int(A[self.mover][2] + A[1, self.pile % 6] + B[3])",
    },
    "a state built by keywords and defaults, by `type(self)`, by `_replace`": {
        "result": """
            if take == 1: return self._replace(pile=self.pile - 1, mover=1 - self.mover)
            if self.pile > 5: return type(self)(self.pile - take, mover=1 - self.mover)
            return Game(mover=1 - self.mover, pile=self.pile - take)._replace(board=self.board + 1)""",
    },
    "bools used as ints": {
        "result": "return Game(self.pile - take, self.mover == 0, self.marks, self.board)",
        "actions": "yield True\nyield 2 + (self.pile > 3)",
    },
    "`popcount`, `lsb`, `msb`, `nth`, `shr`, `bswap`, `wrap` on words with bit 63": {
        "evaluate": """
            b = self.board
            last = nth(b, popcount(b) - 1) + 5 * nth(b, popcount(b) // 2) if b else 0
            b = b | 1
            return popcount(b) + lsb(b) + 3 * msb(b) + shr(b, 60) + (bswap(b) >> 56) + wrap(1 << 63) // (1 << 60) + last""",
    },
    "`for square in bits(word)`": {
        "actions": "for square in bits(self.board):\n    if square < 8: yield square + 1",
        "evaluate": "return sum(square for square in bits(self.board))",
    },
    "`int.bit_count`, `int.bit_length`": {"evaluate": "return (-5 * self.pile).bit_count() + 100 * (3 * self.pile).bit_length()"},
    "literals and constants with bit 63": {
        "top": "ALL = 0xFFFFFFFFFFFFFFFF\nTOP = 1 << 63\n",
        "result": "return Game(self.pile - take, 1 - self.mover, self.marks, self.board ^ ALL ^ 0x8000000000000001)",
        "evaluate": "return popcount(self.board & TOP) + popcount(ALL)",
    },
    "`//`, `%`, `divmod`, `abs`, `pow`, `round`, `int(x)`, `**` of ints": {
        "evaluate": "q, r = divmod(-self.pile, 3)\nreturn q * 7 + r + -self.pile // 2 + -self.pile % 5 + abs(q) + 2 ** 3 + int(7.9) + pow(3, 2)",
    },
    "`math` functions and floats in intermediate values": {"evaluate": "return int(math.sqrt(abs(self.pile) * 10.0) + math.floor(2.5))"},
    "`IntEnum` members, and loops over them": {
        "top": "class Piece(enum.IntEnum):\n    PAWN = 1\n    KING = 6\n",
        "evaluate": "return Piece.KING * self.pile + sum(piece * piece for piece in Piece) + max(Piece)",
    },
    "type hints, docstrings, comments, `assert`, `pass`": {
        "evaluate": '''
            """The value."""
            n: int = self.pile  # a remark
            assert n == self.pile, "never"
            pass
            return n''',
    },
    "locals with any name that does not begin with `_outplay_`": {
        "actions": "out = at = end = base = n_ = 1\nyield out\nyield at + end",
    },
    "lists created and used inside a rule": {
        "evaluate": "found = [m * 2 for m in self.marks if m]\nfound.append(self.pile)\nreturn sum(found) + len(found) + max(found)",
    },
}  # fmt: skip


RECURSIVE = """
from typing import NamedTuple

def down(n, done):
    if n > 0:
        yield n
        yield from down(n - 1, 0)

def steps(n, done):
    if n <= 0:
        return done
    return 1 + steps(n - 1, 0)

class Game(NamedTuple):
    pile: int = 6
    mover: int = 0
    def player(self):
        return self.mover
    def actions(self):
        yield from down(min(steps(self.pile, 0), 3), 0)
    def result(self, take):
        return Game(self.pile - take, 1 - self.mover)
    def utility(self):
        return 1 if self.mover else -1
"""


def write_game(folder: Path, parts: dict[str, str]) -> Any:
    """A game class from the template, loaded as a module of its own."""
    (folder / "beside.py").write_text(BESIDE)
    values = {}
    for key, default in DEFAULTS.items():
        text = textwrap.dedent(parts.get(key, default)).strip("\n")
        indent = {"top": "", "constants": "", "methods": "    "}.get(key, "        ")
        values[key] = textwrap.indent(text, indent).lstrip() if key != "top" else text
    file = folder / "game.py"
    file.write_text(TEMPLATE.format(**values))
    spec = importlib.util.spec_from_file_location(f"case_{abs(hash(file))}", file)
    assert spec and spec.loader
    module = importlib.util.module_from_spec(spec)
    sys.path.insert(0, str(folder))
    sys.modules.pop("beside", None)
    sys.modules[spec.name] = module
    try:
        spec.loader.exec_module(module)
    finally:
        sys.path.remove(str(folder))
    return module.Game


@pytest.mark.parametrize("line", CASES)
def test_interpreted_and_compiled_agree(line: str, tmp_path: Path) -> None:
    game = write_game(tmp_path, CASES[line])
    Examiner(game()).breadth_first(game())


def test_the_page_lists_exactly_these_lines() -> None:
    page = (Path(__file__).parents[2] / "docs" / "python.md").read_text()
    listed = [
        row[2:].strip()
        for row in page.split("## The lean form")[1].split("##")[0].splitlines()
        if row.startswith("- ")
    ]
    assert listed == list(CASES)


NATURAL = {  # compiled by way of words in memory
    "lambda": "f = lambda x: x\nreturn f(1)",
    "try": "try:\n    return 6 // self.pile\nexcept ZeroDivisionError:\n    return 2",
    "nonlocal": "n = 1\ndef more():\n    nonlocal n\n    n += 1\n    return n\nreturn more() + more()",
    "nested function": "def f(x): return x\nreturn f(1)",
    "text": "return len('abc')",
    "f-string": "return len(f'{self.pile}')",
    "walrus": "if (n := self.pile) > 3: return n\nreturn 1",
    "dict": "return {1: 2}[1]",
    "set": "return len({1, 2})",
    "star arguments": "return max(*self.marks)",
    "tuple of a generator": "return tuple(m for m in self.marks)[0]",
    "a generator as a value": "g = self.actions()\nreturn 1",
    "a ragged table": "return RAGGED[1][0]",
    "a dict of the module": "return WORTH[1]",
    "a name like ours": "_outplay_x = 1\nreturn _outplay_x",
}
INTERPRETED = {  # with what is to be changed
    "an exception as a value": (
        "try:\n    return 6 // self.pile\nexcept ZeroDivisionError as error:\n    return len(str(error))",
        "remove `as`",
    ),
    "with": ("with LOCK:\n    return 1", "move it out of the rule"),
    "global": ("global seen\nseen = 1\nreturn 1", "field of the state"),
    "import": ("import math\nreturn 1", "top of the file"),
    "changing a module's list": ("MEMORY[0] = 1\nreturn 1", "field of the state"),
    "too large a number": ("big = 1180591620717411303424\nreturn big % 7", "below 2 ** 63"),
}
BROKEN = {  # no Python runs it
    "random": ("return random.randrange(3)", "not depend on chance"),
    "assigning to a field": ("self.pile = 3\nreturn 1", "can't set attribute"),
    "an unknown name": ("return unknown_thing + 1", "unknown_thing"),
    "an unknown field": ("return self.piles", "piles"),
}
TOP = (
    "import random\nimport threading\nLOCK = threading.Lock()\nMEMORY = [0] * 20\n"
    "RAGGED = ((1,), (2, 3))\nWORTH = {1: 5}\n"
)


@pytest.mark.parametrize("what", NATURAL)
def test_natural_python_is_compiled(what: str, tmp_path: Path) -> None:
    game = adopt(write_game(tmp_path, {"top": TOP, "evaluate": NATURAL[what]}))
    assert not is_interpreted(game)
    Examiner(game()).test(game())


LIKE_OURS = """
from outplay.words import popcount
def total(x): return x * 3
def value(x): return x - 1
def v_1(x): return x + 4
def native_popcount(x): return x + 100
"""


def test_functions_called_like_ours(tmp_path: Path) -> None:
    evaluate = (
        "return max(total(v) + v_1(value(v)) for v in self.marks) + native_popcount(self.pile) + popcount(7)"
    )
    game = adopt(write_game(tmp_path, {"top": LIKE_OURS, "evaluate": evaluate}))
    Examiner(game()).test(game())
    assert type(twin(game)) is Twin  # as it stands, not by way of words in memory


@pytest.mark.parametrize("what", INTERPRETED)
def test_the_rest_runs_interpreted_and_says_which_line(what: str, tmp_path: Path) -> None:
    code, cure = INTERPRETED[what]
    game = adopt(write_game(tmp_path, {"top": TOP, "evaluate": code}))
    with pytest.warns(Interpreted, match="Game runs interpreted, perhaps"):
        (reason,) = twin(game).reasons
    assert cure in str(reason)
    line = (tmp_path / "game.py").read_text().splitlines()[reason.line - 1].strip()
    assert any(line in part or part.strip() in line for part in code.splitlines())
    Examiner(game()).test(game())


@pytest.mark.parametrize("what", BROKEN)
def test_what_no_python_runs_is_told(what: str, tmp_path: Path) -> None:
    code, said = BROKEN[what]
    game = write_game(tmp_path, {"top": TOP, "evaluate": code})
    try:
        fault = check(game).fault
    except GameError as error:
        fault = str(error)
    assert said in fault
    assert "\n" not in fault


@pytest.mark.parametrize(
    "top",
    [
        "def even(n):\n    return n <= 0 or odd(n - 1)\ndef odd(n):\n    return n > 0 and even(n - 1)\n",
        "def even(n):\n    return n == 0 or not any(even(m) for m in range(n - 1, n))\n",
    ],
)
def test_functions_that_call_each_other(top: str, tmp_path: Path) -> None:
    game = write_game(tmp_path, {"top": top, "evaluate": "return 1 if even(abs(self.pile)) else 2"})
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", Interpreted)
        Examiner(adopt(game)()).test(game())


def test_recursion_comes_back_from_the_cache(tmp_path: Path) -> None:
    """A recursive function with two builds would crash in the second process."""
    (tmp_path / "game.py").write_text(RECURSIVE)
    script = (
        'from outplay.search import solve\nfrom game import Game\nprint(solve(Game(), "alphabeta").nodes)'
    )
    env = {
        **os.environ,
        "OUTPLAY_CACHE": str(tmp_path / "cache"),
        "PYTHONPATH": f"{SOURCE}{os.pathsep}{tmp_path}",
    }
    runs = [
        subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, env=env)
        for _ in range(2)
    ]
    assert [run.stderr for run in runs] == ["", ""]
    assert runs[0].stdout == runs[1].stdout != ""


def test_twin_is_kept_while_nothing_changes(tmp_path: Path) -> None:
    game = write_game(tmp_path, {})
    assert twin(game) is twin(game)


def test_compiled_ints_wrap(tmp_path: Path) -> None:
    """LLVM must not reason that a sum never passes 64 bits."""
    game = write_game(
        tmp_path,
        {
            "top": "TOP = -(1 << 63)\n",
            "constants": "STEP = 1\n    LOW = -(1 << 63)",
            "result": "return Game(self.pile - take, 1 - self.mover, self.marks, self.board + (1 << 63) + TOP - self.LOW)",
            "evaluate": "return popcount(self.board & self.LOW)",
        },
    )
    Examiner(game()).breadth_first(game()._replace(board=-1))


def test_the_nth_bit_is_found_with_and_without_the_instruction() -> None:
    dice = random.Random(1)
    for _ in range(2000):
        word = wrap(dice.getrandbits(64) & dice.getrandbits(64) | 1 << dice.randrange(64))
        n = dice.randrange(popcount(word))
        assert broadword_nth(word, n) == nth(word, n)
