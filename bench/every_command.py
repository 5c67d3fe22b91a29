"""Every command with every kind of class: whether it answers in the user's notation, or refuses in one clear line.

The games are those of `tests/classkinds.py`. Where one game is written in several ways, every answer must be the same.
"""

import contextlib
import io
import re
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from bench.measure import Row, Size

FILE = Path(__file__).parents[1] / "tests" / "classkinds.py"
TAKES = {"1": "1", "2": "2", "3": "3"}


class Kind(NamedTuple):
    """A class of the file: a game that begins with some moves, and its writing of each action of the first writing."""

    cls: str
    words: dict[str, str]
    moves: tuple[str, ...]  # of the first writing
    other: str  # a move in place of the last one
    like: str = ""  # the first writing of the same game

    @property
    def spec(self) -> str:
        return f"{FILE}:{self.cls}"

    def line(self, count: int = 2) -> str:
        return " ".join(f'"{self.words[move]}"' for move in self.moves[:count])

    def translated(self, text: str) -> str:
        """A text in the words of the first writing."""
        for theirs, ours in self.words.items():
            text = re.sub(rf"(?<!\w){re.escape(ours)}(?!\w)", theirs, text)
        return text.replace(self.cls, self.like or self.cls)


NIM, DICE = ("1", "2", "3", "3"), ("2", "1", "0", "0")
ALONE, THREE = ("1", "2", "2", "2", "2"), ("1", "2", "1", "1", "1")
KINDS = {
    kind.cls: kind
    for kind in (
        Kind("Packed", TAKES, NIM, "1"),
        Kind("Natural", {"1": "ONE", "2": "TWO", "3": "THREE"}, NIM, "1", "Packed"),
        Kind("Interpreted", {"1": "take1", "2": "take2", "3": "take3"}, NIM, "1", "Packed"),
        Kind("Floats", {n: f"({n},'sticks')" for n in TAKES}, NIM, "1", "Packed"),
        Kind("PackedDice", {n: n for n in "0123"}, DICE, "0"),
        Kind("Dice", {"0": "stop", "2": "roll", "1": "one", "3": "three"}, DICE, "0", "PackedDice"),
        Kind("PackedAlone", {"1": "1", "2": "2"}, ALONE, "1"),
        Kind("Alone", {"1": "walk", "2": "jump"}, ALONE, "1", "PackedAlone"),
        Kind("PackedThree", {"1": "1", "2": "2"}, THREE, "2"),
        Kind("Three", {"1": "one", "2": "two"}, THREE, "2", "PackedThree"),
        Kind("Hidden", {"0": "jack", "1": "king", "2": "bet", "3": "call"}, ("0", "1", "2", "3"), "2"),
    )
}
SEARCHES = (
    "minimax", "alphabeta", "alphabeta-hard", "engine", "expectiminimax", "expectimax", "maxn", "uct:threads=1",
    "puct:simulations=20", "td", "rollout",
)  # fmt: skip
OURS = re.compile(
    r"Traceback|\b(?:Attribute|Type|Key|Name|Index|Assertion|Unbound\w+|NotImplemented|Recursion)Error"
)


class Answer(NamedTuple):
    command: list[str]
    status: int
    out: str
    err: str

    @property
    def told(self) -> list[str]:
        """The lines of standard error that are no news of the compiler."""
        known = ("compiling ", "compiled ")
        return [
            line
            for line in self.err.splitlines()
            if not line.startswith(known) and " runs interpreted, perhaps" not in line
        ]

    def fault(self) -> str:
        """What is wrong with the answer by itself; empty if nothing."""
        if OURS.search(self.out + self.err):
            return "an internal error"
        if re.search(r"\w+\(state=", self.out + self.err):
            return "shows the standard form"
        if self.status not in (0, 1, 2):
            return f"exit status {self.status}"
        if self.status and len(self.told) > 1:
            return "refused in several lines"
        if self.status and not (self.told or self.out):
            return "failed without a word"
        return ""


def commands(kind: Kind, folder: Path) -> Iterator[tuple[str, list[str], str]]:
    """A name, the words and the standard input of each command; files lie in the folder."""
    spec, line, rec = kind.spec, kind.line(), str(folder / "game.txt")
    first = f"{kind.words[kind.moves[0]]}"
    yield "games", ["games", spec], ""
    yield (
        "play",
        ["play", spec, "--search", "uct:threads=1", "--nodes", "20", "--side", "both"],
        (
            "".join(f"{kind.words[move]}\n" for move in kind.moves[:2])
            + f"hint\nundo\nmoves\nboard\nsave {rec}\nquit\n"
        ),
    )
    yield "play on", ["play", spec, rec, "--side", "first"], "quit\n"
    yield "play none", ["play", spec, "--side", "none", "--nodes", "30", "--seed", "3"], ""
    whole = str(folder / "whole.txt")
    Path(whole).write_text(f"game: {spec}\n\n{kind.line(len(kind.moves))}\n")
    yield "replay", ["replay", whole, "--boards"], ""
    yield "replay named", ["replay", spec, whole], ""
    for search in SEARCHES:
        yield (
            f"best {search}",
            ["best", spec, "--moves", line, "--search", search, "--nodes", "300", "--json"],
            "",
        )
    for options in (["--depth", "3"], ["--multipv", "2", "--depth", "3"], ["--player", "random"], []):
        yield f"best {' '.join(options)}", ["best", spec, "--time", "1", *options] if not options else [
            "best", spec, *options], ""  # fmt: skip
    yield (
        "best --rote",
        ["best", spec, "--search", "engine", "--depth", "3", "--rote", str(folder / "rote")],
        "",
    )
    yield "best, a saved game", ["best", spec, whole, "--depth", "3"], ""
    yield "why", ["why", spec, first, "--depth", "4", "--json"], ""
    yield "why, as text", ["why", spec, kind.words[kind.other], "--depth", "4"], ""
    yield "analyse", ["analyse", spec, whole, "--depth", "3", "--records", str(folder / "judged.txt")], ""
    yield (
        "analyse --json",
        ["analyse", spec, whole, "--depth", "3", "--svg", str(folder / "game.svg"), "--json"],
        "",
    )
    for solver in (
        "",
        "mtdf",
        "dfpn",
        "conspiracy",
        "alphabeta",
        "minimax",
        "engine",
        "uct",
        "expectiminimax",
        "maxn",
    ):
        yield (
            f"solve {solver}",
            ["solve", spec, *(["--solver", solver] if solver else []), "--time", "20", "--json"],
            "",
        )
    yield "explain", ["explain", spec, "--json"], ""
    yield "explain --net", ["explain", spec, "--net", "own"], ""
    for search in SEARCHES:
        deep = ["--iterations", "3"] if search.startswith("uct") else ["--depth", "2"]
        yield f"trace {search}", ["trace", spec, "--moves", line, "--search", search, *deep], ""
    yield "trace --json", ["trace", spec, "--depth", "2", "--json"], ""
    yield "trace --svg", ["trace", spec, "--depth", "2", "--svg", str(folder / "tree.svg")], ""
    yield "ablate", ["ablate", spec, "--depth", "3", "--json"], ""
    yield "perft", ["perft", spec, "4", "--divide", "--json"], ""
    yield "perft, as text", ["perft", spec, "3", "--divide", "--moves", line], ""
    yield "playouts", ["playouts", spec, "--games", "50", "--json"], ""
    yield "playouts --hints", ["playouts", spec, "--games", "20", "--hints"], ""
    match = ["match", spec, "uct:threads=1", "random", "--games", "2", "--nodes", "20", "--plies", "1"]
    results, played = str(folder / "match.json"), str(folder / "games.txt")
    yield "match", [*match, "--out", results, "--records", played], ""
    yield "match, resumed", [*match, "--out", results, "--records", played, "--json"], ""
    yield "match --pgn", [*match, "--pgn", str(folder / "match.pgn")], ""
    yield (
        "match of itself",
        ["match", spec, "minimax", "alphabeta", "--games", "2", "--depth", "2", "--plies", "0"],
        "",
    )
    yield "check", ["check", spec, "--games", "10"], ""
    yield "grade", ["grade", f"{spec}.result"], ""
    yield "uci", ["uci"], f"position game {spec}\nquit\n"
    yield "gtp", ["gtp", spec], "quit\n"
    yield "learn td", ["learn", "td", spec, "--games", "20", "--points", "1", "--trial", "2", "--hidden", "2", "--out",
                       str(folder / "td")], ""  # fmt: skip
    yield "learn zero", ["learn", "zero", spec, "--minutes", "0.01", "--out", str(folder / "zero")], ""
    yield "learn positions", ["learn", "positions", spec, "--games", "2", "--nodes", "50", "--out",
                              str(folder / "positions.jsonl")], ""  # fmt: skip
    yield "learn tune", ["learn", "tune", spec, "--positions", str(folder / "positions.jsonl")], ""
    tables = ["--tables", str(folder / "tables")]
    yield "table build", ["table", "build", spec, *tables], ""
    yield "table verify", ["table", "verify", spec, *tables], ""
    yield "table stats", ["table", "stats", spec, *tables], ""
    yield "table longest", ["table", "longest", spec, *tables], ""
    yield "table probe", ["table", "probe", spec, "--moves", line, *tables], ""
    yield "table, searched", ["best", spec, "--search", f"engine:tables={folder / 'tables'}", "--json"], ""
    yield "table build FAMILY", ["table", "build", spec, "KQK", *tables], ""
    book = str(folder / "nim.book")
    yield "book build", ["book", "build", whole, "--out", book], ""
    yield "book build --game", ["book", "build", whole, "--game", spec, "--out", book], ""
    yield "book show", ["book", "show", spec, "--book", book], ""
    learned = str(folder / "learned.book")
    yield "book learn", ["book", "learn", spec, "--out", learned, "--positions", "4", "--nodes", "50"], ""
    yield "book show, learned", ["book", "show", spec, "--book", learned], ""
    yield "play by the book", ["best", spec, "--player", f"book:{book}"], ""


def answer(words: list[str], given: str) -> Answer:
    """Call the command line in this process."""
    from outplay.cli import main

    out, err, before = io.StringIO(), io.StringIO(), sys.stdin
    sys.stdin = io.StringIO(given)
    try:
        with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
            status = main(words)
    finally:
        sys.stdin = before
    return Answer(words, status, out.getvalue(), err.getvalue())


def run(size: Size) -> Iterator[Row]:
    for kind in size.pick([*KINDS.values()], [*KINDS.values()], [KINDS["Natural"]]):
        with tempfile.TemporaryDirectory() as folder:
            asked = commands(kind, Path(folder))
            work = [each for each in asked if size is not Size.SMOKE or each[0] == "perft"]
            answers = [(name, answer(words, given)) for name, words, given in work]
        wrong = [f"{name}: {found.fault()}" for name, found in answers if found.fault()]
        refused = sum(found.status != 0 for _, found in answers)
        peer = f"{len(answers)} commands, {refused} of them refused in one line"
        yield Row(
            kind.cls, peer, figure=len(wrong), unit=" faults", bound=0, at_most=True, note="; ".join(wrong)
        )
