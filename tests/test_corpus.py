"""Classes as people write them: each runs, each is compiled that ought to be, and plain and compiled agree.

`python -m bench.corpus` prints what does not, by reason.
"""

import re
from pathlib import Path

import pytest

import outplay
from bench.corpus import (
    HARD,
    NOT_YET,
    all_names,
    game_class,
    judged_apart,
    lane_of,
    minimax,
    plain_class,
    runs_plainly,
    simulated,
)

PAGE = Path(__file__).parents[1] / "docs" / "python.md"
NAMES = all_names()
FILES = sorted({name.split(":")[0] for name in NAMES})
LATER = NOT_YET.read_text(encoding="utf-8").split()
SOLVED = {  # whole games, with the values that books give
    "tictactoe:FlatTuple": 0,
    "tictactoe:OnString": 0,
    "boards:Hexapawn": -1,
    "nim:Chomp": 1,
    "nim:Wythoff": 1,
    "nim:Kayles": 1,
}
LINES = {  # of docs/python.md, each with classes that say so
    "tuples of up to 512 small ints": "connect:Cells42 territory:Othello6 other_shapes:Wide",
    "tuples of tuples: rows, grids, pairs": "tictactoe:Rows connect:NestedGrid territory:Othello4 other_styles:Nested3",
    "boards as strings, and rows of strings": "tictactoe:OnString connect:RowsOfStrings territory:OthelloString",
    "tuples that grow and shrink": "connect:Columns tuples:Nested other_shapes:Growing",
    "`int | None`, `Optional`, bools, enums": "control:OptionalInt nim:Fibonacci control:Booleans tictactoe:WithEnum",
    "frozen dataclasses, and NamedTuples inside a state": "classes:DataRows classes:Points tictactoe:Frozen",
    "mixins, properties, class methods and static methods": "classes:Mixed classes:Properties classes:StaticClass",
    "classes whose `__init__` sets all fields, also to lists": "objects:ListBoard objects:Grid objects:Walk",
    "objects that a rule copies, and changes until it returns them": "idioms:Sowing idioms:Race",
    "slices with variables, `+`, `*`, `in`, `count`, `index`, comparison of tuples": (
        "tuples:Rotate tuples:Repeat tuples:Index tuples:Compare"
    ),
    "`b = list(t); b[i] = v; tuple(b)`, and rows the same way": "boards:Breakthrough territory:Domineering",
    "`tuple(... for ...)`, `[... for ...]`, `*` unpacking": "tuples:Generated tuples:Unpack tuples:Starred",
    "lists: `append`, `pop`, `insert`, `extend`, `remove`, `sort`, `reverse`, `del`, slices": (
        "lists:Appending lists:Inserting lists:Removing lists:Extending lists:Deleting lists:Sorting lists:SliceAssign"
    ),
    "dicts and sets as constants and as locals, comprehensions of them, `get`, `items`": (
        "dicts:Market dicts:LocalDict dicts:DictComprehension dicts:SetConstants dicts:SetAlgebra"
    ),
    "sets, and dicts made of them, where no order matters": "idioms:Ten idioms:Pairs idioms:Rings",
    "`defaultdict`, `Counter`, `deque`": "connect:Tally tictactoe:Counted connect:Bridge",
    "ragged tables, and tables of strings": "tuples:Adjacent territory:SmallMorris strings:Split",
    "strings by index and slice, `join`, `replace`, `split`, `count`, `find`, `upper`": (
        "strings:Joined strings:Replace strings:Partition strings:Upper strings:Translate"
    ),
    "lambdas, functions inside functions, `nonlocal`": (
        "functions:Lambdas functions:Closures other_styles:Ladder notebook:Bidding"
    ),
    "recursive functions, also mutually recursive ones": "functions:Recursive functions:Mutual functions:PingPong",
    "methods as values, `partial`, `itemgetter`, dicts of functions": (
        "functions:BestByKey other_styles:Partial functions:ItemGetter dicts:Dispatch"
    ),
    "constant objects of your classes, and of `SimpleNamespace`": "idioms:Halving idioms:Configured",
    "`key=`, `default=`, `map`, `filter`, `reduce`, `zip(*rows)`, `enumerate`, `reversed`": (
        "tuples:MinMaxOf functions:MapFilter functions:Reducing tuples:Transposed"
    ),
    "`itertools`: `product`, `combinations`, `chain`, `accumulate`": (
        "functions:Products functions:Combos tuples:Chained functions:Accumulated"
    ),
    "`count`, `cycle`, `zip_longest`, `groupby`, `bisect`, `heapq`": (
        "functions:Islices other_games:Nonogram connect:Runs lists:Bisected lists:HeapGame"
    ),
    '`math`, floats in intermediate values, `float("inf")`': "functions:MathGame functions:Infinity",
    "`functools.cache` and `lru_cache`": "functions:SpragueGrundy tictactoe:Cached",
    "`match` on tuples with guards, `:=`, `while`/`else`, `for`/`else`": (
        "control:MatchTuples control:Walrus control:WhileElse control:ForElse"
    ),
    "`try`, `except`, `else`, `finally`, `raise`": "control:TryIndex control:Finally control:Raises notebook:PegJump",
    "`None` as the start of a running best": "functions:Infinity control:OptionalWinner",
    "`not self.actions()`, `len(self.actions())`, `move in self.actions()`": "control:AskActions",
    "helpers from other files, default arguments, keywords, `*` arguments": (
        "functions:FromModule functions:Defaults tuples:Starred"
    ),
    "chance, one player, three and more": "chance:Pig puzzles:Hanoi puzzles:ThreeCoins",
    "ints, including negative and large ones": "other_shapes:NegativeActions",
    "tuples: (row, column), pairs of squares": "tictactoe:Rows boards:FoxAndHounds other_shapes:TupleOfFour",
    'strings: "left", "a1"': "nim:Coins strings:Squares boards:HexapawnText",
    "members of an enum": "classes:EnumMoves nim:CoinRow other_shapes:Robot",
    "`None` for a pass": "control:PassMove territory:Othello4",
}


# Whole games and idioms of every file, compiled and compared with plain Python; the rest: python -m bench.corpus
CHOSEN = """
    answers:Lights course:Reversi4 seminar:Grid3 textbook:Fig52
    boards:Breakthrough boards:HexapawnText chance:Pig classes:DataRows connect:Cells42 connect:Tally
    control:MatchTuples control:OptionalWinner dicts:LocalDict dicts:SetAlgebra functions:Closures functions:Combos
    lists:Removing lists:Sorting nim:Coins notebook:Hex3 objects:Grid other_games:Teeko
    other_shapes:TupleOfFour other_styles:Nested3 puzzles:ThreeCoins strings:Replace territory:Othello4
    idioms:Halving idioms:Pairs idioms:Rings idioms:Sowing idioms:Race
    club:LinesOfAction club:Tapatan evening:Checkers evening:Halma exam:Coins lecture:Minefield lecture:Minimaxed
    projects:Tug sets:TicTacToe sets:Pairs
    tictactoe:OnString tictactoe:WithEnum tuples:Transposed workshop:DotsAndBoxes workshop:MiniCheckers
"""
SAMPLE = CHOSEN.split()
FLOOR = 0.95  # of the classes outside the file of hard ones


def test_there_are_many() -> None:
    assert len(NAMES) >= 200
    assert len(set(NAMES)) == len(NAMES)
    assert sum(name.startswith(f"{HARD}:") for name in NAMES) <= len(NAMES) / 20
    assert set(LATER) <= set(NAMES)
    assert {name.split(":")[0] for name in SAMPLE} | {HARD} == set(FILES)


def test_the_page_lists_what_the_classes_show() -> None:
    section = PAGE.read_text("utf-8").split("## What compiles\n")[1].split("\n## ")[0]
    assert re.findall(r"^- (.*)$", section, re.MULTILINE) == list(LINES)
    shown = {name for names in LINES.values() for name in names.split()}
    assert shown <= {name for name in NAMES if not name.startswith(f"{HARD}:")} - set(LATER)


@pytest.mark.parametrize("file", FILES)
def test_plain(file: str) -> None:
    for name in in_file(file):
        assert runs_plainly(plain_class(name), games=3) == "", name


@pytest.mark.parametrize("file", FILES)
def test_lane(file: str) -> None:
    """What the front end says of every class, and that the code it writes means the same; without machine code."""
    for verdict in map(lane_of, in_file(file)):
        if file == HARD:
            assert verdict.lane in ("compiled", "interpreted"), verdict
        else:
            assert verdict.lane == ("interpreted" if verdict.name in LATER else "compiled"), verdict
        assert simulated(verdict.name) == "", verdict.name


def test_nearly_all_are_compiled() -> None:
    wanted = [name for name in NAMES if not name.startswith(f"{HARD}:")]
    assert 1 - len(LATER) / len(wanted) >= FLOOR


def test_compiled_and_plain_agree() -> None:
    """In a process that does not optimise, which is quicker."""
    for verdict in judged_apart(SAMPLE):
        assert (verdict.lane, verdict.difference) == ("compiled", ""), verdict


@pytest.mark.parametrize("name", SOLVED)
def test_solved_plainly(name: str) -> None:
    assert minimax(plain_class(name)()) == SOLVED[name]


@pytest.mark.parametrize("name", ["tictactoe:OnString", "boards:Hexapawn"])
def test_solved(name: str) -> None:
    found = outplay.solve(game_class(name)(), "alphabeta")  # the engine: test_lanes.py
    assert (found.value, found.proven) == (SOLVED[name], True)


def in_file(file: str) -> list[str]:
    return [name for name in NAMES if name.startswith(f"{file}:")]
