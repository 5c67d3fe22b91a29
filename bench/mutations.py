"""Files of data, mutated: a reader answers with what it has read, or with one line that says what is wrong.

`python -m bench.mutations --count 1000000 --processes 14 --seconds 500 --json FILE` reads as many as it can in that
time, in parts, each with a seed of its own: `--first` says from which seed another run goes on.

Counted are internal errors (whatever is no ValueError or OSError of one line), programs that ran, and hangs. What is
mutated are files that our own writers wrote, and games as others write them, by bytes, lines and words.
"""

import argparse
import contextlib
import json
import multiprocessing
import os
import random
import re
import signal
import sys
import tempfile
import time
import traceback
from collections import Counter
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple

from bench.measure import Row, Size

SECONDS = 20.0  # for one file, which take a thousandth of one as a rule
PART = 5000  # files that are mutated from one seed
FAULTS = ("internal errors", "programs run", "hangs")
MEMORY = "/dev/shm" if Path("/dev/shm").is_dir() else None  # where a file costs no disk
PGN = """[Event "Test"]
[White "Ann"]
[Black "Ben"]
[Result "1-0"]

1. e4 e5 {open} 2. Qh5?! $2 (2. Nf3 Nc6 (2... d6)) 2... Ke7 3. Qxe5# 1-0
"""
FISCHER = """[Variant "Chess960"]
[FEN "4k3/8/8/8/8/8/8/R3K3 w Q - 0 1"]

1. O-O-O Ke7 *
"""
SGF = "(;GM[1]FF[4]SZ[5]KM[0.5]PB[Ann]PW[Ben]AB[aa]PL[W];W[cc]C[why \\] not];B[bb];W[](;B[dd])(;B[ee]))"
EPD = (
    '2rr3k/pp3pp1/1nnqbN1p/3pN3/2pP4/2P3Q1/PPB4P/R4RK1 w - - bm Qg6; id "WAC.001";',
    '4k3/8/8/8/8/8/8/R3K3 w Q - 3 17 am Kd2 Kf2; c0 "a; b";',
)
RECORDS = (
    "game: connect4\nfirst: human\nresult: 1\n\n4 4 {the centre} 3 3 5 5 2\n",
    "game: hexapawn:width=4,height=4\n\na2 {x\\}y}\n",
    '# two\ngame: tictactoe\nstart: XO./.X./... o\nby: "a \\u00e9"\n\nc3\n\ngame: pig\n\nroll 3 hold\n',
    "game: tree\nstart: [[3,12,8],[2,4,6],[14,5,2]]\n\na1\n",
)
WEIGHTS = ('{\n  "a": 1,\n  "b": [1, -2.5, 3e3]\n}\n',)
POSITIONS = (
    '{"position": "XO./.X./... o", "result": 1}\n{"position": "XO./.X./... o", "score": 35}\n',
    'XO./.X./... o c9 "1-0";\nXO./.X./... o [0.5]\n',
)
OPENINGS = (
    "4 4 3\n445\n# no\n......./......./......./......./...O.../..XXO.. x\n",
    "game: connect4\n\n4 4 {why} 3\n",
)
WORDS = (
    "game:", "start:", "result:", "../evil.py", "/tmp/evil.py:Evil", "evil.py:Evil:n=3", "__import__('os')", "0", "-1",
    "9" * 30, "1e999", "NaN", "-Infinity", "null", "{}", "[]", "[" * 2000, "(" * 500, "{", "}", '"', "\\", "\x1b[2J",
    "\u202e", "[FEN \"", "[Variant \"Atomic\"]", "O-O-O", "e8=Q+", "--", "Z0", "1/2-1/2", "*", ";", "%", "$99999999999",
    ";SZ[19]", ";SZ[1000000]", ";B[zz]", ";KM[nan]", "AB[aa:ee]", "tree", "chess", "go:size=19", "hexapawn:width=0",
    "hexapawn:width=99999999", "size=3", "chance[1/0: 3]", "\x00", "\ud800", "\r", "\t", "é" * 50,
)  # fmt: skip


class Kind(NamedTuple):
    """Files of one kind: some good ones, and what reads them."""

    name: str
    seeds: tuple[bytes, ...]
    read: Callable[[bytes], Any]
    weight: int = 1  # how often it is taken


class Hang(BaseException):
    """A reader took too long."""


def run(size: Size, count: int | None = None) -> Iterator[Row]:
    """For `python -m bench mutations`."""
    found = examine(count or size.pick(1_000_000, 20_000, 200), 1, os.cpu_count() or 1)
    for fault in FAULTS:
        examples = faults(found, fault)
        number = sum(found[key] for key in examples)
        done = f"{found['read']:,} read, {found['refused']:,} refused"
        yield Row("mutated files", "", done, "", number, fault, 0, True, "\n".join(examples[:20]))


def examine(
    count: int, first: int, processes: int, seconds: float = float("inf"), report: Any = None
) -> Counter[str]:
    """So many files in parts, from seed `first` on; what came of them. `report` hears of it after each part."""
    begin, found = time.monotonic(), Counter[str]()
    part = min(PART, -(-count // processes))
    shares = [
        (min(part, count - start), first + number) for number, start in enumerate(range(0, count, part))
    ]
    with multiprocessing.get_context("spawn").Pool(processes, maxtasksperchild=10) as pool:
        for tally in pool.imap_unordered(_mutate, shares):
            found += tally
            found["parts"] += 1
            if report is not None:
                report(found, time.monotonic() - begin)
            if time.monotonic() - begin > seconds:
                break
    return found


def faults(found: Counter[str], fault: str) -> list[str]:
    return sorted(key for key in found if key.startswith(f"{fault}: "))


def _mutate(share: tuple[int, int]) -> Counter[str]:
    return mutate(*share)


def mutate(count: int, seed: int) -> Counter[str]:
    """Read so many mutated files, and count what came of it."""
    rng, tally = random.Random(seed), Counter[str]()
    with tempfile.TemporaryDirectory(dir=MEMORY) as folder, watched(tally):
        kinds = list(all_kinds(Path(folder)))
        for kind in kinds:  # whatever is imported late is imported now
            for good in kind.seeds:
                kind.read(good)
        tally.clear()
        chosen = [kind for kind in kinds for _ in range(kind.weight)]
        for _ in range(count):
            kind = rng.choice(chosen)
            content = rng.choice(kind.seeds)
            for _ in range(rng.choice((1, 1, 1, 2, 3, 8))):
                content = rng.choice(MUTATIONS)(rng, content, kind.seeds)
            attempt(kind, content, tally)
    return tally


def attempt(kind: Kind, content: bytes, tally: Counter[str]) -> None:
    """Have one file read."""
    with contextlib.suppress(AttributeError):
        signal.setitimer(signal.ITIMER_REAL, SECONDS)
    try:
        kind.read(content)
        tally["read"] += 1
    except (ValueError, OSError) as error:
        told = str(error)
        clear = told and "\n" not in told and not isinstance(error, UnicodeError)
        tally["refused" if clear else f"internal errors: {kind.name}: {told!r} for {content[:80]!r}"] += 1
    except Hang:
        tally[f"hangs: {kind.name}: {content[:200]!r}"] += 1
    except BaseException as error:
        place = traceback.extract_tb(error.__traceback__)[-1]
        where = f"{Path(place.filename).name}, line {place.lineno}"
        tally[f"internal errors: {kind.name}: {type(error).__name__} in {where}: {error}"[:200]] += 1
    finally:
        with contextlib.suppress(AttributeError):
            signal.setitimer(signal.ITIMER_REAL, 0)


@contextlib.contextmanager
def watched(tally: Counter[str]) -> Iterator[None]:
    """While hangs are interrupted, and programs that run are counted."""

    def interrupt(*_: Any) -> None:
        raise Hang

    ours = (str(Path(__file__).parent.parent), sys.prefix, sys.base_prefix, "<frozen")
    active = [True]

    def heard(event: str, arguments: tuple[Any, ...]) -> None:
        if not active[0]:
            return
        if event in ("subprocess.Popen", "os.system", "os.exec", "pickle.find_class"):
            tally[f"programs run: {event} {arguments!r}"[:200]] += 1
        named_tuple = event == "exec" and sys._getframe(1).f_code.co_name == "namedtuple"  # of a game's size
        if event == "exec" and not named_tuple and not str(arguments[0].co_filename).startswith(ours):
            tally[f"programs run: {arguments[0]!r}"[:200]] += 1

    sys.addaudithook(heard)
    before = signal.signal(signal.SIGALRM, interrupt) if hasattr(signal, "SIGALRM") else None
    try:
        yield
    finally:
        active[0] = False
        if before is not None:
            signal.signal(signal.SIGALRM, before)


# --- what is mutated ------------------------------------------------------------------------------------


def all_kinds(folder: Path) -> Iterator[Kind]:
    """Every kind of file of data that Outplay reads."""
    from outplay.arena import Conditions, Match, TimeControl
    from outplay.arena.openings import read_openings
    from outplay.game import GameError
    from outplay.gamefile import from_pgn, from_sgf
    from outplay.games import TicTacToe, load
    from outplay.games.chess.pgn import read_epd
    from outplay.learn.positions import read
    from outplay.nnue import NNUE
    from outplay.record import read_all
    from outplay.search.engine.table import Table
    from outplay.weights import Weights

    assert issubclass(GameError, ValueError)
    connect4, results = load("connect4"), folder / "results.jsonl"

    def first(record: Any, limits: Any) -> int:
        return next(iter(record.state.actions()))

    def match() -> Match:
        return Match(
            "tictactoe", [first, first], Conditions(games=2, control=TimeControl(depth=1)), out=results
        )

    def openings(path: Path) -> None:
        found = read_openings(connect4, str(path))
        for number in range(len(found)):
            found.opening(number)

    match().run()
    table, net = folder / "table.npz", folder / "net.bin"
    Table(0.001).save(table, "chess")
    net.write_bytes(bytes(2 * (2 * 64 + 2 * 64 + 1)))  # of 2 features, 64 units and 1 bucket
    yield Kind("PGN", _bytes(PGN, FISCHER), _text(lambda text: list(from_pgn(text))), 2)
    yield Kind("SGF", _bytes(SGF), _text(from_sgf), 2)
    yield Kind("EPD", _bytes(*EPD), _text(read_epd), 2)
    yield Kind("record", _bytes(*RECORDS), _text(read_all), 4)
    yield Kind("results", (results.read_bytes(),), _file(results, lambda path: match()), 2)
    yield Kind("weights", _bytes(*WEIGHTS), _file(folder / "weights.json", Weights.load), 2)
    yield Kind("positions", _bytes(*POSITIONS), _file(folder / "positions", partial(read, TicTacToe)), 2)
    yield Kind("openings", _bytes(*OPENINGS), _file(folder / "openings.txt", openings), 2)
    yield Kind("table", (table.read_bytes(),), _file(table, lambda path: Table(0.001).load(path, "chess")))
    yield Kind("net", (net.read_bytes(),), _file(net, lambda path: NNUE.load(path, 2, 64, 1)))
    ballots = (json.dumps({"all": {"a": "4435"}, "b": 3}),)
    yield Kind("JSON openings", _bytes(*ballots), _file(folder / "openings.json", openings))
    yield from knowledge(folder)


def knowledge(folder: Path) -> Iterator[Kind]:
    """Endgame tables, of states and of a family; books of both forms; names of openings."""
    from outplay.book.book import build, to_polyglot
    from outplay.book.choice import Reader
    from outplay.book.names import read_names
    from outplay.gamefile import from_pgn
    from outplay.games import load
    from outplay.tables.build import build_states
    from outplay.tables.families import build_families
    from outplay.tables.shelf import Shelf

    for name, family in (("hexapawn", ""), ("kalah:pits=2", "4")):
        start, made = load(name).start, folder / family / "tables"
        cls, tables = type(start), folder / family / "mutated"
        tables.mkdir(parents=True)
        built = list(build_families(cls, family, made))[-1] if family else build_states(start, made)
        assert built.table.path is not None
        asked = cls.families(family)[family] if family else start

        def probe(path: Path, cls: type = cls, asked: Any = asked) -> None:
            shelf = Shelf.open(path.parent, cls)
            shelf.moves(asked), shelf.after(asked)

        yield Kind(
            f"table of {name}", (built.table.path.read_bytes(),), _file(tables / built.table.path.name, probe)
        )
    book, chess = build(from_pgn(PGN)), load("chess").start
    ours, theirs = folder / "games.book", folder / "games.bin"
    book.save(ours)
    to_polyglot(book, theirs)
    for file in (ours, theirs):

        def ask(path: Path) -> None:
            reader = Reader(str(path)).checked()
            reader.move(chess, 0, 0.5), reader._replace(file="", extended=str(path)).bonuses(chess)

        yield Kind(f"book {file.suffix}", (file.read_bytes(),), _file(file, ask), 2)
    names = ("eco\tname\tpgn\nC20\tKing's Pawn\t1. e4 e5\nA00\tGrob\t1. g4\n",)
    yield Kind("names of openings", _bytes(*names), _file(folder / "names.tsv", read_names))


def _bytes(*texts: str) -> tuple[bytes, ...]:
    return tuple(text.encode() for text in texts)


def _text(read: Callable[[str], Any]) -> Callable[[bytes], Any]:
    return lambda content: read(content.decode(errors="replace"))


def _file(path: Path, read: Callable[[Path], Any]) -> Callable[[bytes], Any]:
    def read_file(content: bytes) -> Any:
        path.write_bytes(content)
        return read(path)

    return read_file


# --- mutations ------------------------------------------------------------------------------------------


def _flip(rng: random.Random, content: bytes, _: tuple[bytes, ...]) -> bytes:
    if not content:
        return b"?"
    at = rng.randrange(len(content))
    return content[:at] + bytes([content[at] ^ 1 << rng.randrange(8)]) + content[at + 1 :]


def _cut(rng: random.Random, content: bytes, _: tuple[bytes, ...]) -> bytes:
    first = rng.randint(0, len(content))
    return content[:first] + content[first + rng.choice((1, 2, 10, 1000)) :]


def _insert(rng: random.Random, content: bytes, _: tuple[bytes, ...]) -> bytes:
    at = rng.randint(0, len(content))
    return content[:at] + rng.choice(WORDS).encode(errors="surrogatepass") + content[at:]


def _line(rng: random.Random, content: bytes, seeds: tuple[bytes, ...]) -> bytes:
    """A line removed, doubled, or taken from another file."""
    lines, others = content.splitlines(True), rng.choice(seeds).splitlines(True)
    at = rng.randint(0, len(lines))
    return b"".join(
        [*lines[:at], *rng.choices([b"", *lines, *others], k=1), *lines[at + rng.randint(0, 1) :]]
    )


def _word(rng: random.Random, content: bytes, seeds: tuple[bytes, ...]) -> bytes:
    """A word replaced by another one."""
    parts = re.split(rb"([\s\[\]:,;=]+)", content)
    others = re.split(rb"[\s\[\]:,;=]+", rng.choice(seeds))
    new = rng.choice([*others, *(word.encode(errors="surrogatepass") for word in WORDS)])
    parts[rng.randrange(len(parts))] = new
    return b"".join(parts)


MUTATIONS = (_flip, _cut, _insert, _line, _word)


def main() -> int:
    parser = argparse.ArgumentParser(
        prog="python -m bench.mutations", description="Mutated files of data to every reader."
    )
    parser.add_argument("--count", type=int, default=20_000, help="files (20000)")
    parser.add_argument("--first", type=int, default=1, help=f"the first seed, of {PART} files each (1)")
    parser.add_argument("--processes", type=int, default=os.cpu_count() or 1)
    parser.add_argument("--seconds", type=float, default=float("inf"), help="stop after so many")
    parser.add_argument("--json", metavar="FILE", help="write what came of it there, after each part")
    options = parser.parse_args()

    def report(found: Counter[str], seconds: float) -> None:
        known = {name: found[name] for name in ("read", "refused", "parts")} | {
            fault: {key: found[key] for key in faults(found, fault)} for fault in FAULTS
        }
        told = {name: value if isinstance(value, int) else len(value) for name, value in known.items()}
        print(json.dumps({"seconds": round(seconds, 1)} | told), flush=True)
        if options.json:
            Path(options.json).write_text(json.dumps(known, indent=1) + "\n", encoding="utf-8")

    found = examine(options.count, options.first, options.processes, options.seconds, report)
    return 1 if any(faults(found, fault) for fault in FAULTS) else 0


if __name__ == "__main__":
    sys.exit(main())
