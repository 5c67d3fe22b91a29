"""Opening books: Polyglot's byte for byte, counts as python-chess makes them, and our own form for any game."""

from collections import Counter
from collections.abc import Callable
from pathlib import Path

import chess.pgn
import chess.polyglot
import pytest

from outplay.book import polyglot
from outplay.book.book import CHECK, Book, Played, Wanted, _checksum, build, load, to_polyglot
from outplay.book.lookup import weights
from outplay.book.names import opening_of, read_names
from outplay.gamefile import read_games
from outplay.games import load as game
from outplay.limits import Limits
from outplay.players import player
from outplay.record import begin, write

DATA = Path(__file__).parents[3] / "shared" / "data" / "chess"
PGN = """[Result "1-0"]

1. e4 e5 2. Nf3 Nc6 3. Bb5 a6 1-0

[Result "1/2-1/2"]

1. e4 e5 2. Nf3 Nf6 1/2-1/2

[Result "0-1"]

1. d4 d5 0-1

[Result "1-0"]

1. Nf3 e5 2. e4 Nc6 1-0

[Result "*"]

1. a3 *
"""


@pytest.fixture
def games(tmp_path: Path) -> str:
    file = tmp_path / "games.pgn"
    file.write_text(PGN)
    return str(file)


def data(name: str) -> Path:
    if not (DATA / name).exists():
        pytest.skip(f"no data here: ../shared/data/chess/{name}")
    return DATA / name


def test_a_polyglot_book_is_written_again_byte_for_byte(tmp_path: Path) -> None:
    original = data("polyglot/performance.bin")
    polyglot.write(tmp_path / "again.bin", polyglot.read(original))
    assert (tmp_path / "again.bin").read_bytes() == original.read_bytes()


def test_moves_and_keys_are_those_of_python_chess() -> None:
    for fen in (
        chess.STARTING_FEN,
        "r3k2r/pPppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBP1P/R3K2R w KQkq - 0 1",
        "r3k2r/8/8/8/8/8/8/R3K2R b KQkq - 0 1",
    ):
        state, board = game("chess").position(fen), chess.Board(fen)
        assert polyglot.key_of(state) == chess.polyglot.zobrist_hash(board)
        ours = {polyglot.move_of(state, action) for action in state.actions()}
        theirs = set()
        for move in board.legal_moves:
            stop = move.to_square
            if board.is_castling(move):
                stop = chess.square(7 if stop > move.from_square else 0, chess.square_rank(stop))
            theirs.add(stop | move.from_square << 6 | ((move.promotion or 1) - 1) << 12)
        assert ours == theirs


def test_a_book_from_pgn_equals_an_independent_count(games: str, tmp_path: Path) -> None:
    made = build(read_games(games))
    counted: Counter[tuple[str, str]] = Counter()
    with open(games, encoding="utf-8") as file:
        while played := chess.pgn.read_game(file):
            board = played.board()
            for move in played.mainline_moves() if played.headers["Result"] != "*" else ():
                counted[" ".join(board.fen(en_passant="legal").split()[:4]), board.san(move)] += 1
                board.push(move)
    ours = {(place, text): p.games for place, moves in made.positions.items() for text, p in moves.items()}
    assert ours == counted
    start = made.positions["rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq -"]
    assert start == {"e4": Played(2, 1.5), "d4": Played(1, 0.0), "Nf3": Played(1, 1.0)}
    assert to_polyglot(made, tmp_path / "book.bin") > 5
    with chess.polyglot.open_reader(tmp_path / "book.bin") as reader:
        theirs = {entry.move.uci(): entry.weight for entry in reader.find_all(chess.Board())}
    assert theirs == {"e2e4": 3, "g1f3": 2}  # a win weighs 2, a draw 1; what only lost is left out


def test_thresholds(games: str) -> None:
    start = game("chess").start
    often = build(read_games(games), Wanted(plies=1, games=2))
    assert [start.action_text(action) for action in often.moves(start)] == ["e4"] and len(
        often.positions
    ) == 1
    good = build(read_games(games), Wanted(plies=1, score=0.8))
    assert [start.action_text(action) for action in good.moves(start)] == ["Nf3"]
    with pytest.raises(ValueError, match="score from 0 to 1"):
        build([], Wanted(score=2))


def test_any_game_has_books_and_players_play_them(tmp_path: Path) -> None:
    record = begin(game("tictactoe"), moves="b2 a1 c3 b1")._replace(result=1)
    saved = tmp_path / "one.game"
    saved.write_text(write(record))
    made = build(read_games(str(saved)))
    file = tmp_path / "tictactoe.book"
    made.save(file)
    assert load(file) == made == Book("tictactoe", made.positions) and len(made.positions) == 4
    found = player(f"book:{file}")(begin(game("tictactoe")), Limits(depth=1))
    assert record.start.action_text(found.action) == "b2" and found.nodes == 0
    assert weights(file, record.state) == {}


def test_openings_have_names(tmp_path: Path) -> None:
    names = tmp_path / "names.tsv"
    names.write_text("eco\tname\tpgn\nC40\tKing's Knight Opening\t1. e4 e5 2. Nf3\nA00\tFirst\t1. a3\n")
    known = read_names(names)
    record = begin(game("chess"), moves="Nf3 e5 e4 Nc6")  # by transposition, and one move further
    assert str(opening_of(record, known)) == "C40 King's Knight Opening"
    assert opening_of(begin(game("chess"), moves="h4"), known) is None
    names.write_text("C40\tbroken\t1. e5\n")
    with pytest.raises(ValueError, match="line 1 is not an opening"):
        read_names(names)


def test_all_names_of_the_list_can_be_read() -> None:
    names = read_names(data("openings/a.tsv"))
    assert len(names) > 500


def sealed(text: str) -> bytes:
    """A book whose checksum is right."""
    body = text.rpartition(CHECK)[0]
    return f"{body}{CHECK} {_checksum(body)}\n".encode()


def test_damaged_books_are_told_in_one_line(games: str, tmp_path: Path) -> None:
    build(read_games(games)).save(tmp_path / "a.book")
    text = (tmp_path / "a.book").read_text()
    to_polyglot(build(read_games(games)), tmp_path / "a.bin")
    whole = (tmp_path / "a.bin").read_bytes()
    for name, content, told in (
        ("b.book", text[:-40].encode(), "damaged or cut short"),
        ("c.book", text.replace("e4 2", "e4 3").encode(), "damaged or cut short"),
        ("f.book", sealed(text.replace("e4 2", f"e4 {'9' * 400}")), "is not a position with moves"),
        ("d.book", b"[Event]", "is not an Outplay book"),
        ("e.book", b"\xff\xfe\x00", "is not a text file"),
        ("b.bin", whole[:-3], "is not a Polyglot book, or is cut short"),
        ("c.bin", b"", "is not a Polyglot book, or is cut short"),
        ("d.bin", whole[16:] + whole[:16], "not sorted by key"),
    ):
        (tmp_path / name).write_bytes(content)
        with pytest.raises(ValueError, match=told) as error:
            player(f"book:{tmp_path / name}")
        assert len(str(error.value).splitlines()) == 1


def test_the_commands(outplay: Callable, games: str, tmp_path: Path) -> None:
    book = tmp_path / "my.book"
    assert "moves in" in outplay("book", "build", games, "--out", book).out
    shown = outplay("book", "show", "chess", "--book", book)
    assert shown.out.splitlines()[0] == "e4   2 games, 75 %"
    assert "entries" not in outplay("book", "build", games, "--out", tmp_path / "my.bin").err
    assert "weight 3" in outplay("book", "show", "chess", "--book", tmp_path / "my.bin").out
    far = outplay("book", "show", "chess", "--moves", "h4", "--book", book)
    assert far.out == "this position is not in the book\n"
    assert outplay("book", "build", games, "--out", book, "--score", "7").status == 2
    assert "say which book to show (--book)" in outplay("book", "show", "chess").told
    (tmp_path / "own.txt").write_text("game: own.py:Own\nresult: 0\n\n1 2\n")
    foreign = outplay("book", "build", tmp_path / "own.txt", "--out", book)
    assert "--game own.py:Own" in foreign.told
