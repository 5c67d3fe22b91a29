"""Every kind of file of data that Outplay reads: some good ones, and what reads them; for `mutations.py`.

A file with a checksum hides its reader from blind mutations: all would be refused by the checksum. So these kinds are
mutated without it, and `make` gives them a right one afterwards, as somebody who means harm would.
"""

import contextlib
import gzip
import hashlib
import io
import json
import struct
import zipfile
from collections.abc import Callable, Iterator
from functools import partial
from importlib.util import find_spec
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

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
MAT = """ ; [Player 1 "Ann"]
 5 point match

 Game 1
 Ann : 0                        Ben : 0
  1)                             31: 8/5 6/5
  2)  Doubles => 2                Takes
  3) 64: 24/14                   52: 13/11 13/8
  4) 33: 25/22 8/5 6/3 6/3         Doubles => 4
  5)  Drops                       Wins 2 points

 Game 2
 Ann : 0                        Ben : 2
  1) 21: 13/11 6/5
"""
IDS = (
    "4HPwATDgc/ABMA:cIkKAAAAAAAA", "XGID=-b----E-C---eE---c-e----B-:0:0:1:31:2:1:0:5:10",
    "XGID=-b----E-C---eE---c-e----B-:1:1:1:00:0:0:3:0:10", "4HPwATDgc/ABMA",
)  # fmt: skip
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
KNOWN = ("44 3\n4455 -1\n......./......./......./......./...O.../..XXO.. x\n\n12345 0\n",)
GAMES = "game: tictactoe\nresult: 1\n\na1 a2 b1 b2 c1\n\ngame: tictactoe\nresult: -1\n\na1 a2 b1 b2 c3 c2\n"


NO_DIGITS = bytes(set(range(256)) - set(b"0123456789abcdef"))


class Kind(NamedTuple):
    """Files of one kind: some good ones, and what reads them."""

    name: str
    seeds: tuple[bytes, ...]
    read: Callable[[bytes], Any]
    weight: int = 1  # how often it is taken
    make: Callable[[bytes], bytes] = bytes  # a file, from what was mutated


def all_kinds(folder: Path) -> Iterator[Kind]:
    """Every kind of file; `folder` is theirs."""
    from outplay.game import GameError

    assert issubclass(GameError, ValueError)
    for kinds in (games, plain, matches, tables, books, nets, runs, checkpoints):
        yield from kinds(folder)


# --- texts ----------------------------------------------------------------------------------------------


def games(folder: Path) -> Iterator[Kind]:
    """Games and positions, as we and others write them."""
    from outplay.gamefile import from_mat, from_pgn, from_sgf, sgf_games, to_sgf
    from outplay.games import load
    from outplay.games.chess.pgn import read_epd
    from outplay.learn.zero.examples import examples_of
    from outplay.record import read_all
    from outplay.search.mcts.view import view_of

    start = load("tictactoe").position()
    view = view_of(start)
    backgammon = load("backgammon").cls
    theirs = to_sgf(next(iter(from_mat(MAT))))
    yield Kind("PGN", _bytes(PGN, FISCHER), _text(lambda text: list(from_pgn(text))), 3)
    yield Kind("SGF", _bytes(SGF), _text(from_sgf), 3)
    yield Kind("SGF of backgammon", _bytes(theirs), _text(lambda text: list(sgf_games(text))))
    yield Kind(".mat", _bytes(MAT), _text(lambda text: list(from_mat(text))), 2)
    yield Kind("GNUbg ID, XGID", _bytes(*IDS), _text(backgammon.parse), 3)
    yield Kind("EPD", _bytes(*EPD), _text(read_epd), 4)
    yield Kind("record", _bytes(*RECORDS), _text(read_all), 5)
    learned = _text(lambda text: examples_of(start, view, read_all(text), 0.5))
    yield Kind("games of learn policy", _bytes(GAMES), learned)


def plain(folder: Path) -> Iterator[Kind]:
    """Weights, positions and names."""
    from outplay.book.names import read_names
    from outplay.games import TicTacToe, load
    from outplay.learn.positions import read
    from outplay.learn.zero.errors import read_known
    from outplay.nnue import NNUE
    from outplay.weights import Weights

    connect4 = load("connect4")
    net = bytes(2 * (2 * 64 + 2 * 64 + 1))  # of 2 features, 64 units and 1 bucket
    names = "eco\tname\tpgn\nC20\tKing's Pawn\t1. e4 e5\nA00\tGrob\t1. g4\n"
    yield Kind("weights", _bytes(*WEIGHTS), _file(folder / "weights.json", Weights.load), 4)
    yield Kind("positions", _bytes(*POSITIONS), _file(folder / "positions", partial(read, TicTacToe)), 4)
    known = partial(read_known, connect4.cls)
    yield Kind("positions of learn errors", _bytes(*KNOWN), _file(folder / "known.txt", known))
    yield Kind("NNUE", (net,), _file(folder / "net.bin", lambda path: NNUE.load(path, 2, 64, 1)))
    yield Kind("names of openings", _bytes(names), _file(folder / "names.tsv", read_names))


def matches(folder: Path) -> Iterator[Kind]:
    """Results, openings and other journals."""
    from outplay.arena import Conditions, Match, TimeControl
    from outplay.arena.openings import read_openings
    from outplay.games import load
    from outplay.storage import Journal

    connect4, results, positions = load("connect4"), folder / "results.jsonl", folder / "positions.part"

    def first(record: Any, limits: Any) -> int:
        return next(iter(record.state.actions()))

    def match() -> Match:
        return Match("tictactoe", [first, first], Conditions(2, TimeControl(depth=1)), out=results)

    def openings(path: Path) -> None:
        found = read_openings(connect4, str(path))
        for number in range(len(found)):
            found.opening(number)

    def journal() -> Journal:
        return Journal(positions, {"format": "outplay positions 1", "seed": 1}, "a file of positions")

    match().run()
    with journal().open():
        journal().append(["XO./.X./... o c9"])
    yield Kind("results", (results.read_bytes(),), _file(results, lambda path: match()), 2)
    yield Kind("journal", (positions.read_bytes(),), _file(positions, lambda path: journal()), 2)
    yield Kind("openings", _bytes(*OPENINGS), _file(folder / "openings.txt", openings), 2)
    zipped = _file(folder / "openings.txt.gz", openings)
    yield Kind("openings, gzip", _bytes(*OPENINGS), zipped, 1, partial(gzip.compress, compresslevel=1))
    ballots = json.dumps({"all": {"a": "4435"}, "b": 3})
    yield Kind("JSON openings", _bytes(ballots), _file(folder / "openings.json", openings))


# --- tables and books -----------------------------------------------------------------------------------


def tables(folder: Path) -> Iterator[Kind]:
    """Endgame tables of states and of a family, bear-off tables, the engine's hash table."""
    from outplay.games import load
    from outplay.search.engine.table import Table
    from outplay.tables.bearoff.onesided import OneSided
    from outplay.tables.bearoff.twosided import TwoSided
    from outplay.tables.build import build_states
    from outplay.tables.families import build_families
    from outplay.tables.shelf import Shelf

    for name, family in (("hexapawn", ""), ("kalah:pits=2", "4")):
        start, made = load(name).start, folder / family / "tables"
        cls, mutated = type(start), folder / family / "mutated"
        mutated.mkdir(parents=True)
        built = list(build_families(cls, family, made))[-1] if family else build_states(start, made)
        assert built.table.path is not None
        asked = cls.families(family)[family] if family else start

        def probe(path: Path, cls: type = cls, asked: Any = asked) -> None:
            shelf = Shelf.open(path.parent, cls)
            shelf.moves(asked), shelf.after(asked)

        good, read = built.table.path.read_bytes(), _file(mutated / built.table.path.name, probe)
        yield Kind(f"table of {name}", (good,), read)
        yield Kind(f"table of {name}, sealed", (bare_table(good),), read, 1, sealed_table)
    hashed, one, two = folder / "hash.npz", folder / "one.npz", folder / "two.npz"
    Table(0.001).save(hashed, "chess")
    OneSided.build(2, 2).save(one)
    TwoSided.build(2, 2).save(two)
    yield from archive("hash table", hashed, lambda path: Table(0.001).load(path, "chess"))
    yield from archive("bear-off table", one, OneSided.load)
    yield from archive("two-sided bear-off table", two, TwoSided.load)


def bare_table(content: bytes) -> bytes:
    """Header and data of a table's file, a line between them."""
    from outplay.tables.file import ALIGNED, CHECKSUM, MAGIC

    begin = len(MAGIC) + 4
    length = struct.unpack("<I", content[len(MAGIC) : begin])[0]
    end = begin + length + 2 * CHECKSUM
    return content[begin : begin + length] + b"\n" + content[end + -end % ALIGNED :]


def sealed_table(bare: bytes) -> bytes:
    from outplay.tables.file import ALIGNED, CHECKSUM, MAGIC

    said, _, body = bare.partition(b"\n")
    digests = b"".join(hashlib.blake2b(part, digest_size=CHECKSUM).digest() for part in (said, body))
    head = MAGIC + struct.pack("<I", len(said)) + said + digests
    return head + bytes(-len(head) % ALIGNED) + body


def books(folder: Path) -> Iterator[Kind]:
    """Books of both forms, and how a learned one goes on."""
    from outplay.book import book as ours
    from outplay.book import learn
    from outplay.book.choice import Reader
    from outplay.game import adopt_state
    from outplay.gamefile import from_pgn
    from outplay.games import load

    built, chess = ours.build(from_pgn(PGN)), load("chess").start
    for file in (folder / "games.book", folder / "games.bin"):
        built.save(file) if file.suffix == ".book" else ours.to_polyglot(built, file)

        def ask(path: Path) -> None:
            reader = Reader(str(path)).checked()
            reader.move(chess, 0, 0.5), reader._replace(file="", extended=str(path)).bonuses(chess)

        yield Kind(f"book {file.suffix}", (file.read_bytes(),), _file(file, ask))
        if file.suffix == ".book":
            body = file.read_bytes().rpartition(b"\n" + ours.CHECK.encode())[0]
            yield Kind("book, sealed", (body,), _file(file, ask), 1, sealed_book)
    start, kept = adopt_state(load("hexapawn").start), folder / "hexapawn.learning"

    def learner() -> Any:
        return learn.Learner("hexapawn", start, lambda state, actions: (actions[0], 0))

    grown = learner()
    for _ in range(4):
        grown.expand()
    grown.save(kept)
    body = kept.read_bytes().partition(b"\n")[2].removesuffix(b"\n")
    yield Kind("book that is learned", (body,), _file(kept, lambda path: learner().recall(path)), 1, _learned)


def sealed_book(body: bytes) -> bytes:
    from outplay.book import book

    text = body.decode(errors="replace").replace("\r", " ")
    return f"{text}\n{book.CHECK} {book._checksum(text + chr(10))}\n".encode()


def _learned(body: bytes) -> bytes:
    from outplay.book import learn

    text = body.decode(errors="replace").replace("\r", " ")
    return f"{learn.FIRST} {learn._checksum(text)}\n{text}\n".encode()


# --- nets and runs --------------------------------------------------------------------------------------


def nets(folder: Path) -> Iterator[Kind]:
    """Nets of all sorts."""
    from outplay.games import load
    from outplay.search.mcts.netfile import load_net, save_net
    from outplay.search.mcts.network import NETS, Network
    from outplay.search.valuenet.net import ValueNet

    start, hexapawn = load("tictactoe").start, load("hexapawn").start
    value, policy, common = folder / "value.npz", folder / "policy.npz", folder / "policy.onnx"
    ValueNet.new("tictactoe", start, 2, 1).save(value)
    save_net(policy, load_net(NETS / "hexapawn.npz"))

    def ask(path: Path) -> None:
        network = Network(str(path))
        network.refuse(hexapawn)
        network.judge([hexapawn])

    yield from archive("value net", value, lambda path: ValueNet.load(path).refuse(start))
    yield from archive("net.npz", policy, ask)
    if find_spec("onnx") and find_spec("onnxruntime"):
        from outplay.learn.zero.onnx import save_onnx

        save_onnx(common, load_net(policy))
        yield Kind("net.onnx", (common.read_bytes(),), _file(common, ask))


def runs(folder: Path) -> Iterator[Kind]:
    """Runs of `learn td`, `learn zero` and `learn policy`: their logs, and what they go on from."""
    from outplay.games import load
    from outplay.learn.folder import CHECKPOINT, LOG, Folder
    from outplay.learn.td import loop as td
    from outplay.learn.td.settings import Settings
    from outplay.ui.td import show_run

    path = folder / "td"
    settings = Settings("tictactoe", games=40, hidden=2, trial=2, points=4)
    with _quiet():
        td.train(settings, path, lambda line: None, lambda line: None)
    run = td.Run(settings, Folder(path, settings), load("tictactoe").position())
    log = (path / LOG).read_bytes()
    yield from archive("checkpoint of learn td", path / CHECKPOINT, lambda path: run.resume())
    shown = path.with_name("td-shown")
    shown.mkdir()
    yield Kind("log of learn td", (log,), _file(shown / LOG, lambda path: _shown(show_run, shown)))
    yield Kind("log that goes on", (log,), _file(shown / LOG, lambda path: Folder(shown, settings)))
    yield from zero_runs(folder)


def zero_runs(folder: Path) -> Iterator[Kind]:
    from outplay.games import load
    from outplay.learn.folder import CHECKPOINT, LOG, Folder
    from outplay.learn.zero import loop
    from outplay.learn.zero.games import Games
    from outplay.learn.zero.settings import settings_for
    from outplay.learn.zero.symmetry import symmetries_of
    from outplay.search.mcts.view import view_of
    from outplay.ui.zero import show_run

    path, start = folder / "zero", load("tictactoe").position()
    given = {"games": 2, "simulations": (2,), "batch": 2, "channels": 2, "blocks": 1, "considered": 2}
    settings, view = settings_for("tictactoe", start, 1, **given), view_of(start)
    make = loop.torch_learner() if find_spec("torch") else Still
    mind = make(view, settings, symmetries_of(start, view), 0.0)
    table = Games(start, view, settings, mind.evaluate)
    run = loop.Run(settings, Folder(path, settings), mind, table)
    for _ in range(2):
        table.move(2)
    with run.folder.open():
        run.folder.note(run.line())
        run.save()
    yield from archive("checkpoint of learn zero", path / CHECKPOINT, lambda path: run.resume())
    log, shown = (path / LOG).read_bytes(), folder / "zero-shown"
    shown.mkdir()
    yield Kind("log of learn zero", (log,), _file(shown / LOG, lambda path: _shown(show_run, shown)))


class Still:
    """Stands for a net where there is no torch."""

    updates = 0

    def __init__(self, *_: Any) -> None:
        self.table = np.zeros(4)

    def evaluate(self, views: Any, priors: Any, values: Any) -> None:
        priors[:], values[:] = 1, 0

    def state(self) -> dict[str, np.ndarray]:
        return {"table": self.table, "updates": np.array(self.updates)}

    def load(self, state: dict[str, np.ndarray]) -> None:
        self.table, self.updates = state["table"], int(state["updates"])


def checkpoints(folder: Path) -> Iterator[Kind]:
    """What tuning and retrograde analysis go on from."""
    from outplay.games import load
    from outplay.learn.tune import Checkpoint
    from outplay.storage import CHECKSUM, sealed
    from outplay.tables.reachable import Exploration

    tuning, arrays, start = folder / "tune.part", folder / "states.part", load("hexapawn").start
    Checkpoint(tuning, "settings").save(3, np.arange(4.0), [(np.ones(4), np.ones(4))])  # type: ignore[arg-type]
    read = _file(tuning, lambda path: Checkpoint(path, "settings").load(4))
    yield Kind("checkpoint of learn tune", (tuning.read_bytes()[CHECKSUM:],), read, 2, sealed)
    half = Exploration(start, arrays)
    half.keep()
    early = arrays.read_bytes()[:-CHECKSUM]
    half.run()
    half.keep()
    seeds = early, arrays.read_bytes()[:-CHECKSUM]
    explored = _file(arrays, lambda path: Exploration(start, path).run())
    yield Kind("checkpoint of table build", seeds, explored, 1, sealed_arrays)


def sealed_arrays(body: bytes) -> bytes:
    from outplay.storage import CHECKSUM

    return body + hashlib.blake2b(body, digest_size=CHECKSUM).digest()


# --- files of NumPy -------------------------------------------------------------------------------------


def archive(name: str, path: Path, read: Callable[[Path], Any]) -> Iterator[Kind]:
    """An .npz file as it is, and as a text that is packed again after it was mutated, with right checksums."""
    good = path.read_bytes()
    yield Kind(name, (good,), _file(path, read))
    yield Kind(f"{name}, packed", (unpacked(good),), _file(path, read), 1, packed)


def unpacked(content: bytes) -> bytes:
    """A line for each array: its name, its header and its bytes in hexadecimal, with tabs between them."""
    lines = []
    with zipfile.ZipFile(io.BytesIO(content)) as file:
        for name in file.namelist():
            array = file.read(name)
            length = struct.unpack("<H", array[8:10])[0]
            header, body = array[10 : 10 + length].strip(), array[10 + length :]
            lines.append(b"\t".join((name.encode(), header, body.hex().encode())))
    return b"\n".join(lines)


def packed(text: bytes) -> bytes:
    """The file of such lines, whatever they say."""
    made = io.BytesIO()
    with zipfile.ZipFile(made, "w") as file:
        for line in text.split(b"\n"):
            name, header, body = (line.split(b"\t") + [b"", b""])[:3]
            header = header[:60_000] + b"\n"
            digits = body.translate(None, NO_DIGITS)
            content = bytes.fromhex(digits[: len(digits) // 2 * 2].decode())
            entry = zipfile.ZipInfo(name.decode(errors="replace").replace("\x00", "")[:1000] or "x")
            file.writestr(entry, b"\x93NUMPY\x01\x00" + struct.pack("<H", len(header)) + header + content)
    return made.getvalue()


def _bytes(*texts: str) -> tuple[bytes, ...]:
    return tuple(text.encode() for text in texts)


def _text(read: Callable[[str], Any]) -> Callable[[bytes], Any]:
    return lambda content: read(content.decode(errors="replace"))


def _file(path: Path, read: Callable[[Path], Any]) -> Callable[[bytes], Any]:
    def read_file(content: bytes) -> Any:
        path.write_bytes(content)
        return read(path)

    return read_file


def _shown(show: Callable[[Path], None], path: Path) -> None:
    with contextlib.redirect_stdout(io.StringIO()):
        show(path)


def _quiet() -> contextlib.redirect_stderr[Any]:
    return contextlib.redirect_stderr(io.StringIO())
