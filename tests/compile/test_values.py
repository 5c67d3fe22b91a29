"""Expressions and statements give, rewritten and compiled, what they give in plain Python; or they are refused."""

import linecache
import re
import textwrap
from typing import Any

import pytest

from outplay.compile import ENABLED, twin
from outplay.compile.errors import explained
from outplay.compile.lane import Again, Interpreted
from outplay.compile.program import Program, Twin
from outplay.compile.twins import is_interpreted
from outplay.game import GameError, adopt

TEMPLATE = """
import math
import numpy as np
from typing import NamedTuple
from outplay.words import bits, popcount, put, shr, wrap
{top}

def f(a, b):
{body}

class Game(NamedTuple):
    a: int = 0
    marks: tuple[int, ...] = (4, 5, 6)
    SIZE = 3
    LIST = [7, [8, 9]]
    def player(self):
        return 0
    def actions(self):
        return [7, 8, 9] if self.a == 0 else [x for x in range(self.a)]
    def count(self):
        return 30
    def generated(self):
        yield 7
        yield 8
    def result(self, action):
        return self
    def terminal(self):
        return True
    def utility(self):
        return 0
    def evaluate(self):
        f(self.a, self.a)
        return 0
"""
ARGUMENTS = ((0, 0), (1, 0), (0, 1), (5, 3), (-5, 3), (5, -3), (-7, -2), (7, 2), (3, 3), (1 << 60, 5))
count = 0


def written(body: str, top: str = "") -> dict[str, Any]:
    """The names of a module whose function f has this body, as a notebook would have them."""
    global count
    count += 1
    body = textwrap.indent(textwrap.dedent(body).strip("\n"), "    ")
    text = TEMPLATE.format(top=textwrap.dedent(top), body=body)
    file = f"<values {count}>"
    linecache.cache[file] = (len(text), None, text.splitlines(True), file)
    names: dict[str, Any] = {"__name__": f"values{count}"}
    exec(compile(text, file, "exec"), names)
    return names


def compiled(names: dict[str, Any], *arguments: int) -> Any:
    """What f gives as rules call it; the name of the error if it ends with one."""
    made = twin(adopt(names["Game"]))
    try:
        return vars(made.module)["_outplay_f"](*arguments)
    except (ArithmeticError, AssertionError, LookupError, ValueError, StopIteration) as error:
        return type(error).__name__


def plain(names: dict[str, Any], *arguments: int) -> Any:
    try:
        return names["f"](*arguments)
    except Exception as error:
        return type(error).__name__


def refusal(names: dict[str, Any]) -> str:
    """Why f has no place in the lean form, whatever becomes of the class then."""
    game = names["Game"]
    with pytest.raises((GameError, Again)) as caught:
        made = Twin(Program(adopt(game)))
        with explained(made, made.state(game())):
            vars(made.module)["_outplay_f"](1, 2)
    return str(caught.value)


SAME = """
return ~(a > 0)
---
if a: x: int = 3
else: x: int = 4
int = b
return x + int
---
x = a > 0
x = ~x
return x + ~True
---
return -(a > 0) + (b > 0) * 3 - (a > b)
---
return ((a > 0) << 3) + ((a > 0) & 7) + ((a > 0) ^ 7) + (4, 5)[a > 0]
---
return max(a > 0, 2) + min(a > 0, b) + abs(a > 0) + (a > 0) ** 2
---
return ((a > 0) == (b > 0)) + 2 * ((a > 0) == 1) + 4 * ((a > 0) < (b > 0)) + sum((a > 0, b > 0))
---
return next((x for x in range(9) if x > a % 11), None) is None
---
return len(Game().actions()) + 10 * len(list(Game().generated())) + 100 * len([x for x in range(b)])
---
return len(Game(b % 4).actions()) == 0
---
return not Game(b % 4).actions()
---
if Game(b % 4).actions(): return 1
return 0
---
return Game().actions()[0] + Game().actions()[-1] + (a in Game().actions())
---
return sum(Game().actions()) + min(Game().actions()) + max(Game().generated()) + any(Game().actions())
---
return sorted(Game().actions(), reverse=True)[0] + sorted(x for x in (3, 1, a))[0] + list(Game().actions())[1]
---
return (a in (b > 0, 3, -5)) + 2 * (a not in [b, a > 3]) + 4 * (1 in (a > 0, 7)) + 8 * (a in (0.5, b, True))
---
return sum((a, b), start=4) + sum((x for x in (a, b)), start=5) + max((x for x in range(b)), default=-4)
---
return max((a, b), default=3)
---
n = 0
for i, x in enumerate(Game().actions(), start=2): n += i * x
for x in reversed([x for x in range(4)]): n = 10 * n + x
return n
---
x = 50
y = sum(x for x in range(3)) + len([x for x in range(4)]) + any(x > 1 for x in range(3))
return x + y
---
x = 3
return sum(x + y for x in range(x) for y in range(x)) + [[x for x in range(x)] for x in range(x)][2][1] + x
---
return sum(size for size in range(3)) + size
---
while True:
    x = 3
    if x > a % 4: break
    a += 1
return x
---
for i in range(Game.SIZE): x = i
for y in (1, 2): pass
for z in Game.LIST2: pass
return x + y + z + i
---
if a > 0: x = 1
elif a < 0: x = 2
else: raise ValueError
return x
---
match a:
    case 0: return 1
    case x if x > 3: return x
    case 1 | 2: return 5
    case y: return y - b
return 2
---
match a:
    case 1: x = 2
    case _: x = 3
return x
---
for i in range(b):
    if i == a: x = 2; break
else: x = 3
return x
---
for i in range(b):
    if i > 1: continue
    x = i
    a += x
return a
---
while a > 0:
    x = a
    a = x // 3
if b > 0: assert False
else: y = 2
return y
---
range = 3
n = 0
for x in Game().generated(): n += x
return n + range
---
sum = 3
return len(list(x for x in Game().generated())) + sum
---
return 0xFFFFFFFFFFFFFFFF >> 60
---
return popcount(a & 0xFFFFFFFFFFFFFFFF) + wrap(a ^ 0xFFFFFFFFFFFFFFFF) + (a & 0xFFFFFFFFFFFFFFFF & 255 > 5)
---
return (a & 0xFFFFFFFFFFFFFFF0 == 0) + 2 * (b & top != 0)
---
return (a % 9) ** (b % 4) + pow(a % 5, 2) + 2.0 ** b
---
return Game().count() + Game().marks.count(5) + Game().marks.count(a) + [a, b].count(3)
---
return float(a > 0) + float(b) + float(2.5)
---
t = Game().marks
return t.count(a) + t.index(5)
---
return Game(everything).a + Game()._replace(a=everything).a + wrap(everything) + popcount(pair[a % 2]) + len(pair)
---
return (pair[a % 2] & 255) + (1 if a & top else 2) + wrap(a ^ pair[1]) + (3 if a & 1 and b & everything else 4)
---
return int(1000 * math.sqrt(a)) + int(1000 * math.log(b))
---
return int(10 * math.exp(a % 900)) if a < 5 else math.exp(a + 900)
---
return int(10 * math.log2(a)) + int(10 * math.log10(b))
---
return math.pow(a, b) + math.hypot(a, b) + math.fabs(a)
---
return int(100 * math.acos(a)) + math.floor(b / 2) + math.ceil(b / 2) + math.trunc(b / 2) + round(b / 2)
---
return (a / 2) ** b + (a % 7) ** 2 + (b + 0.5) ** 2
---
return round(a) + math.floor(b) + int(a > b) + math.gcd(a, b) + round(2.5) + round(3.5)
---
return ((1 << 64) - 1 >> 60) + (1 << 63 >> 3) + (-(1 << 63) >> 60) + top // 3
---
return a ** -1 + pow(b, -3) + (a + 0.5) ** -2
---
return math.fmod(a, b) + math.fmod(-a / 7, 0.3) + math.fmod(b, math.inf)
---
return math.fmod((b + 1) * math.inf, 2)
---
return -8 % (Game.SIZE % -3)
---
if Game.SIZE > 3: return a // (Game.SIZE - 3)
return a + 1 // 0 if a > 5 else b / (Game.SIZE - 3.0) if a == 1 else 3
---
return sum(x for x in (a > 1, b, True)) + [x for x in (b, a > 1)][1] + (a > 1, b, 5)[a % 3]
---
for x in (a > 1, b): a += x % 100
for i, x in enumerate([b > 2, 7]): a += i * x
for x, y in zip((a > 1, 5), mixed): a += (x * y) % 100
return a + put((a > 1, b), 1, 7)[b % 2] + max((b > 1, 2)) + mixed[a % 3]
---
a, b = b > 2, a
return ~a + b
---
n = 0
for x in (): n += x
for x in nothing: n += x
return n + len([x for x in ()]) + (a in ()) + sum(x for x in nothing) + max(nothing, default=3)
---
return len([x for x in range(b) if False]) + sum([x for x in range(b) if Game.SIZE > 4 and a])
---
return len(list(x for x in range(b) if Game.SIZE > 4)) + len(sorted(x for x in Game().generated() if None))
---
return len(list(1 // x for x in range(b)))
---
return max(Piece) + 2 * min(Piece) + len(Piece) + sorted(Piece)[0] + max(Piece.PAWN, a, b) + min((Piece.PAWN, Piece.KING))
---
n = 0
for x in Piece: n = 3 * n + x
for i, x in enumerate(reversed_): n += i * x
for x in reversed(Piece): n = 2 * n + x
return n + sum(x * a % 100 for x in Piece if x != b) + any(x == a for x in Piece) + Piece.KING.value
---
x, y = two()
t = two()
return popcount(same(a ^ everything)) + (x > a) + (t[0] > b) + wrap(t[1]) + (same(everything) & 7) + (same(y) != 0)
---
t = two()
return small(t) + small((b, everything)) + small((a, wrap(everything)))
---
return any(x & everything for x in (a, b)) + (wrap(sum(x for x in pair)) ^ wrap(next(x for x in pair)))
---
t = ([a, b], [b, 3])
for x in t: x.append(4)
n = 0
for i in range(100): n += max([i, b]) + min([j for j in range(3)])
return t[1][2] + n
---
return grid[a % 2][a > 0] + grid[b > a][-1] + grid[b < 3][True] + grid[0][b == 3]
"""


def cases(text: str) -> list[str]:
    return [part.strip("\n") for part in text.split("---")]


SAME_TOP = """
import enum
size = 100
top = 1 << 63
everything = (1 << 64) - 1
pair = (top, 1)
mixed = (True, 3, False)
nothing = ()
grid = ((2, 3), (5, 7))
class Piece(enum.IntEnum):
    PAWN = 3
    KING = -5
reversed_ = list(reversed(Piece))
def same(x): return x
def two(): return 1, everything
def small(t):
    x, y = t
    return (x > 5) + (t[0] > 3) + popcount(y)
"""


@pytest.mark.parametrize("body", cases(SAME))
def test_compiled_and_plain_are_the_same(body: str) -> None:
    names = written(body, SAME_TOP)
    names["Game"].LIST2 = [1, 2]
    assert [compiled(names, *ab) for ab in ARGUMENTS] == [plain(names, *ab) for ab in ARGUMENTS]


def test_loop_variables_of_yielded_comprehensions_are_their_own() -> None:
    names = written("return 0")
    text = "x = 50\nyield from (x for x in range(3))\nyield x\nyield from [x + 1 for x in (x,)]"
    names = written("return sum(g(a))", f"def g(a):\n{textwrap.indent(text, '    ')}\n")
    assert compiled(names, 1, 1) == plain(names, 1, 1) == 104


REFUSED = {
    "return (a > 0) is True": "write == instead of `is`",
    "return a is b": "write == instead of `is`",
    "return len(Game().generated())": "write len(list(...))",
    "return len(x for x in range(3))": "write len(list(...))",
    "return not Game().generated()": "or write list(...)",
    "return 7 in Game().generated()": "or write list(...)",
    "return Game().generated()[0]": "or write list(...)",
    "return next(Game().actions())": "index it",
    "return max((x for x in (a, b)), 3)": "write a loop",
    "return max((a, b), key=abs)": "write a loop",
    "return sorted([a, b], key=abs)[0]": "write a loop",
    "return tuple(Game().actions())[0]": "use put",
    "return math.comb(5, 2)": "write it as a function of yours",
    "return int(np.uint8(200) + np.uint8(100))": "rules use ints",
    "return 1 << 64": "more than 64 bits",
    "if a > 99: return 10 ** 10 ** 10\nreturn 0": "more than 64 bits",
    "return a + (1 << -1)": "has no value",
    "return max(a)": "max() of one int; give it several numbers, or a tuple",
    "for x in (1, 2.5): a += x\nreturn a": "make all its items ints, or all floats",
    "return Piece(a)": "name a member of Piece, or loop over Piece",
    "return a in Piece": "name a member of Piece, or loop over Piece",
    "if a: x = 1\nreturn x": "x may be unset here; give it a value before the `if`",
    "for x in range(b): pass\nreturn x": "x may be unset",
    "while a > 0:\n    x = a\n    a -= 1\nreturn x": "x may be unset",
    "while True:\n    if a: break\n    x = 1\n    a += 1\nreturn x": "x may be unset",
    "match a:\n    case 1: x = 1\n    case 2: x = 2\nreturn x": "x may be unset",
    "x += a\nreturn x": "x may be unset",
    "x: int\nreturn x": "x may be unset",
    "return sum(x for y in (a,) for x in (x,))": "x may be unset",
    "return (a & 0xFFFFFFFFFFFFFFFF) > 5": "write wrap(...)",
    "return a < 1 << 63": "write wrap(...)",
    "return a == everything": "write wrap(...)",
    "return (a ^ everything) >> 60": "write wrap(...)",
    "return max(a, 1 << 63)": "write wrap(...)",
    "x = everything\nreturn x > 5": "write wrap(...)",
    "x = a & everything\ny = x\nreturn y > 5": "write wrap(...)",
    "a ^= everything\nreturn a >> 2": "write wrap(...)",
    "x, y = pair\nreturn x // 2": "write wrap(...)",
    "return pair[a % 2] > 5": "write wrap(...)",
    "for x in pair:\n    if x > a: return 1\nreturn 0": "write wrap(...)",
    "return sum(1 for i, x in enumerate(pair) if x > a)": "write wrap(...)",
    "return sum(yielded(a))": "write wrap(...)",
    "return sum((everything, 1))": "write wrap(...)",
    "return max(pair)": "write wrap(...)",
    "return (a or everything) > 2": "write wrap(...)",
    "return (a if b else everything) > 2": "write wrap(...)",
    "return Game().marks[everything]": "write wrap(...)",
    "return a in pair": "write wrap(...)",
    "return above(everything)": "above, ",
    "return above(x=a & everything)": "above, ",
    "return deeper(3, everything)": "deeper, ",
    "return sum(shifted(everything))": "shifted, ",
    "return usual()": "usual, ",
    "return same(same(everything)) > 5": "write wrap(...)",
    "x, y = two()\nreturn y > 5": "write wrap(...)",
    "x = two()\nreturn x[a % 2] > 5": "write wrap(...)",
    "return two()[1] > 5": "write wrap(...)",
    "return second(two())": "second, ",
    "return second((a, a & everything))": "second, ",
    "return indexed((everything, b), a)": "indexed, ",
    "return second((b, a)) + second(pair) + second((1, everything))": "second, ",
    "return next(x for x in pair) > 5": "write wrap(...)",
    "return sum(x for x in pair) > 5": "write wrap(...)",
    "return max((x for x in (a, b)), default=everything)": "write wrap(...)",
    "return put((a, b), 0, everything)[0] > 5": "write wrap(...)",
    "x = [a, b]\nx[0] = everything\nreturn x[0] > 5": "write wrap(...)",
    "x = everything\nreturn +x > 5": "write wrap(...)",
    "return int(bytes8[a]) * 2": "write .astype(int) or .tolist()",
    "return int(singles[a])": "write .astype(int) or .tolist()",
    "return truths[a] + truths[b]": "write .astype(int) or .tolist()",
    "return round(a / 3, 2)": "write round(x * 100) / 100",
    "return math.log(a, 2)": "write math.log(x) / math.log(base)",
    "for i in range(a / 2): b += i\nreturn b": "index with an int",
    "return put(Game().marks, 1, 2.5)[0]": "compute with ints",
    "return twice(a)": "write a function with `def`",
}  # fmt: skip


REFUSED_TOP = """
import enum
class Piece(enum.IntEnum):
    PAWN = 1
twice = lambda x: 2 * x
everything = (1 << 64) - 1
pair = (1 << 63, 1)
bytes8, singles = np.arange(20, dtype=np.int8), np.arange(20, dtype=np.float32)
truths = np.array([True, False] * 10)
def yielded(a): yield everything
def above(x): return x > 5
def same(x): return x
def deeper(n, x): return deeper(n - 1, x) if n > 0 else x > 5
def usual(x=everything): return x > 5
def two(): return 1, everything
def shifted(x): yield x >> 3
def second(t):
    x, y = t
    return y > 5
def indexed(t, i): return t[i % 2] > 5
"""


@pytest.mark.parametrize("body", REFUSED)
def test_the_rest_is_refused_in_one_line(body: str) -> None:
    message = refusal(written(body, REFUSED_TOP))
    assert REFUSED[body] in message
    assert "line " in message
    assert "\n" not in message
    assert "_outplay_" not in message


UNSUPPORTED_TOP = """
import copy, ctypes, functools, itertools, numba, operator
from numpy.lib.stride_tricks import as_strided
library = ctypes.CDLL(None)
T = np.arange(20)
def g(x):
    if x > 1: return 3
def h(x, y, z=3): return x + y + z
"""
UNSUPPORTED = r"""
match (a, b):
    case (0, 1): return 1
return 2
---
match a:
    case [1, 2]: return 1
return 2
---
return g(a) + 1
---
return Game().marks[a:b][0]
---
return (Game().marks[:a] + (1,) + Game().marks[a + 1:])[0]
---
return tuple([a, b])[0]
---
x = []
return len(x)
---
return sum(x * y for x, y in itertools.combinations((a, b, 3), 2))
---
for x, y in itertools.product((a, b), (1, 2)): a += x
return a
---
return (Game().marks * 2)[0]
---
return pow(a, b, 7)
---
return a in (1, 2.5, (3, 4))
---
return (1, 2.5)[a]
---
return sum([x for x in reversed(range(a))])
---
return sum([x for x in reversed(Game().marks)])
---
return "a" + "b"
---
return len(str(a))
---
return f"{a}"
---
return {1: 2}[a]
---
return {1, 2}
---
return a.foo
---
return a.foo()
---
return Game().marks.foo()
---
return Game().foo
---
if a: x = 1
else: x = (1, 2)
return x
---
if a: return 1
return (1, 2)
---
return a[0]
---
return a(1)
---
for x in a: b += x
return b
---
x, y = a
return x
---
x, y, z = Game().marks, 1
return x
---
x, y = Game().marks
return x
---
return Game().marks + 1
---
return Game().marks < a
---
return -Game().marks
---
x = [a, b]
x.sort(key=abs)
return x[0]
---
x = [a]
x.append((1, 2))
return x[0]
---
return list(map(abs, Game().marks))[0]
---
return sum(filter(None, Game().marks))
---
return max(Game().marks, 3)
---
return min([])
---
return g(a, b)
---
return g()
---
return h(*Game().marks)
---
return Game.marks
---
return int("3")
---
return isinstance(a, int)
---
return type(a)
---
return print(a)
---
return math
---
return np.sum(Game().marks)
---
return np.dot(Game().marks, Game().marks)
---
return as_strided(T, (3,))[0]
---
return numba.carray(a, 3)[0]
---
if a > 9: return ctypes.c_int64.from_address(a).value
return 0
---
return library.abs(a)
---
return a @ b
---
return ...
---
return 1j * a
---
a, *b = Game().marks
return a
---
return Game().marks[1.5]
---
return Game().marks[a / 2]
---
return T[a][b]
---
return T["x"]
---
return max(x for x in a)
---
while x := a: a -= x
return 0
---
return (lambda x: x)(a)
---
try: return 1 // a
except ZeroDivisionError: return 0
---
del a
return b
---
return not_there(a)
---
return a.bit_count(3)
---
return a.to_bytes(8, "big")[0]
---
return range(a)[b]
---
return a << 1.5
---
return 2.5 & a
---
return popcount(1.5)
---
return put(a, 1, 2)
---
return wrap(2.5)
---
return Game(2.5).a
---
return sum(Game().marks, (1,))
---
return divmod(a, b)[0] + divmod(Game(), 1)
---
return complex(a)
---
return [a] == [b]
---
return Game() == 3
---
return Game() + Game()
---
return Game()[a]
---
return a and Game().marks
---
raise "x"
---
assert a, f"{a}"
return copy.copy(a)
---
return next(iter(Game().marks))
---
return iter(Game().marks)
---
return any(Game())
---
return float("inf")
---
return hash(a)
---
return id(a)
---
return getattr(Game(), "a")
---
return functools.reduce(max, Game().marks)
---
return math.sqrt(Game().marks)
---
return math.prod(Game().marks)
"""
LEAKS = re.compile(
    r"\bnumba\b(?!\.carray)|UniTuple|\bu?int\d|float\d|reflected|Literal|imprecise|bytecode|opcode|_outplay_|Signature|undefined"
    r"|iv=|0x|\$|nopython|Untyped|Traceback|boolean|overload|state_|ol_|Function\(|/\w|\.py\b",
    re.IGNORECASE,
)


@pytest.mark.parametrize("body", cases(UNSUPPORTED))
def test_what_cannot_be_compiled_is_told_in_words_of_python(body: str) -> None:
    """One line: the function, the line of the file, what is wrong, and what to write instead."""
    message = refusal(written(body, UNSUPPORTED_TOP))
    told = re.fullmatch(r"(?:Game, )?[fgh], <values \d+> line \d+: ([^\n]+); [^\n;]+(; [^\n;]+)?", message)
    assert told, message
    assert not LEAKS.search(message.replace("docs/python.md", "")), message


def test_a_local_that_hides_a_function_is_told() -> None:
    message = refusal(written("for int in range(3): pass\nreturn int(a)"))
    assert message.endswith("int is called as a function; call a function, or rename the local that hides it")


# --- what code depends on ---------------------------------------------------------------------------------

CHANGES = {
    "an alias": ("g = math.floor", "return g(a + 0.5)", lambda names: names.update(g=names["math"].ceil)),
    "a short list": ("T = [1, 2]", "return T[a % 2]", lambda names: names["T"].__setitem__(0, 9)),
    "a nested list": (
        "T = [[1, 2], [3, 4]]", "return T[a % 2][0]", lambda names: names["T"][0].__setitem__(0, 9)),
    "a list in a tuple": (
        "T = ([1, 2], [3, 4])", "return T[a % 2][0]", lambda names: names["T"][0].__setitem__(0, 9)),
    "an array in a list": (
        "T = [np.arange(9), np.arange(9)]", "return int(T[a % 2][1])",
        lambda names: names["T"][0].__setitem__(1, 9)),
    "an array": ("T = np.arange(20)", "return int(T[1])", lambda names: names["T"].__setitem__(1, 9)),
    "a long list": ("T = list(range(20))", "return T[1]", lambda names: names["T"].__setitem__(1, 9)),
    "a default": ("def g(x, y=3): return x + y", "return g(a)", lambda names: setattr(names["g"], "__defaults__", (9,))),
    "the code of a function": (
        "def g(x): return x + 1\ndef h(x): return x + 2", "return g(a)",
        lambda names: setattr(names["g"], "__code__", names["h"].__code__)),
    "a closure": (
        "def make():\n    T = [1, 2]\n    def g(x): return T[x % 2]\n    return g, T\ng, T = make()", "return g(a)",
        lambda names: names["T"].__setitem__(0, 9)),
    "a class's list": ("", "return Game.LIST2[a % 2]", lambda names: names["Game"].LIST2.__setitem__(0, 9)),
}  # fmt: skip


@pytest.mark.parametrize("what", CHANGES)
def test_what_changes_in_a_process_is_noticed(what: str) -> None:
    top, body, change = CHANGES[what]
    names = written(body, top)
    names["Game"].LIST2 = [1, 2]
    before = compiled(names, 0, 0)
    assert before == plain(names, 0, 0)
    change(names)
    assert compiled(names, 0, 0) == plain(names, 0, 0) != before


def test_two_modules_may_call_different_functions_alike() -> None:
    other = written("return 0", "from math import ceil as g\ndef up(x): return g(x)\n")
    names = written("return g(a + 0.5) * 100 + up(a + 0.5)", "from math import floor as g\n")
    names["up"] = other["up"]
    assert compiled(names, 3, 0) == plain(names, 3, 0) == 304


def test_the_digest_follows_the_function_that_is_called() -> None:
    floor, ceil = (
        twin(adopt(written("return g(a + 0.5)", f"from math import {name} as g\n")["Game"])).digest
        for name in ("floor", "ceil")
    )
    assert floor != ceil


def test_a_file_that_was_edited_after_the_import_is_not_compiled() -> None:
    names = written("return 5")
    file = names["f"].__code__.co_filename
    lines = [line.replace("return 5", "return 6") for line in linecache.cache[file][2]]
    linecache.cache[file] = (0, None, lines, file)
    with pytest.warns(Interpreted, match="changed after it was imported"):
        assert is_interpreted(adopt(names["Game"]))


@pytest.mark.skipif(not ENABLED, reason="interpreted, it is the float that Python gives")
def test_an_int_to_a_negative_power_is_an_error() -> None:
    names = written("return a ** b")
    assert compiled(names, 5, 3) == 125
    assert compiled(names, 5, -3) == "ValueError"


NO_NUMBER = {
    "return int(a * 1e300)": "OverflowError",
    "return int(a * math.inf)": "OverflowError",
    "return int(a * math.nan)": "ValueError",
    "return round(a * 1e30)": "OverflowError",
    "return math.floor(a * -1e300)": "OverflowError",
    "return math.ceil(a * 1e19)": "OverflowError",
    "return (0.5 - a) ** 0.5": "ValueError",
    "return (a - 1.0) ** -b": "ZeroDivisionError",
    "return (a * 1e200) ** 2": "OverflowError",
    "return math.exp(a * 1000)": "OverflowError",
    "return math.sqrt(-a)": "ValueError",
    "return math.log(a - 1)": "ValueError",
    "return math.log2(a - 1)": "ValueError",
    "return math.hypot(a * 1e308, 1.7e308)": "OverflowError",
    "return math.fmod(a, 0)": "ValueError",
}


@pytest.mark.skipif(not ENABLED, reason="interpreted, it is what Python gives: a long int, a complex number")
@pytest.mark.parametrize("body", NO_NUMBER)
def test_what_is_no_float_or_has_more_than_64_bits_is_an_error(body: str) -> None:
    assert compiled(written(body), 1, 2) == NO_NUMBER[body]
