"""Playing from books: depth, weights and chance; the extended book; the same options in UCI and for players."""

from pathlib import Path
from typing import Any

import chess.pgn
import pytest

from outplay.arena.entrants import entrant
from outplay.book.book import Book, Played, Wanted, build, to_polyglot
from outplay.book.choice import Reader, steered
from outplay.game import WIN
from outplay.gamefile import read_games
from outplay.games import load
from outplay.limits import Analysis, Limits
from outplay.players import player
from outplay.record import begin
from outplay.ui.uci.options import PICKS, Options

DATA = Path(__file__).parents[3] / "shared" / "data" / "chess" / "pgn" / "Capablanca.pgn"
START = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq -"
AFTER = "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq -"


@pytest.fixture
def book(tmp_path: Path) -> Path:
    """Six of ten games with e4, and lost ones with a3."""
    moves = {"e4": Played(6, 5), "d4": Played(3, 1.5), "Nf3": Played(1, 0.5), "a3": Played(2, 0)}
    Book("chess", {START: moves, AFTER: {"e5": Played(4, 2)}}).save(tmp_path / "a.book")
    return tmp_path / "a.book"


def moves_of(reader: Reader, ply: int = 0) -> set[str]:
    state = load("chess").start
    found = [reader.move(state, ply, roll / 100) for roll in range(1, 100)]
    return {state.action_text(action) for action in found if action is not None}


def test_depth_and_picks(book: Path) -> None:
    assert moves_of(Reader(str(book))) == {"e4", "d4", "Nf3"}  # what only lost is never played
    assert moves_of(Reader(str(book), pick="best")) == {"e4"}
    state = load("chess").start
    for pick, share in (("weights", 10 / 14), ("random", 1 / 3)):
        reader = Reader(str(book), pick=pick)
        found = [reader.move(state, 0, (roll + 0.5) / 1000) for roll in range(1000)]
        assert abs(found.count(state.parse_action("e4")) / 1000 - share) < 0.002
    assert moves_of(Reader(str(book), plies=2), 1) and not moves_of(Reader(str(book), plies=2), 2)


def test_players_have_the_options(book: Path, tmp_path: Path) -> None:
    record = begin(load("chess"))
    found = player(f"book:{book},pick=best,plies=1")(record, Limits(depth=1))
    assert record.state.action_text(found.action) == "e4" and found.nodes == 0
    later = record.play(found.action)
    assert player(f"book:{book},pick=best")(later, Limits(depth=1)).nodes == 0
    beyond = player(f"book:{book},plies=1,search=engine:hash=1")(later, Limits(depth=2))
    assert beyond.nodes > 0
    to_polyglot(build(read_games(pgn(tmp_path))), tmp_path / "a.bin")
    for wrong, told in (
        (f"book:{book},pick=worst", "pick of a book must be weights, best, random"),
        (f"book:{book},plies=-1", "plies of a book must be a number"),
        (f"book:{book},colour=red", "is not an option of a book"),
        (f"book:{book},search=random", "must be one, not 'random'"),
        (f"book:{book},extended={tmp_path / 'a.bin'}", "has no game counts"),
        ("book:", "as book:FILE"),
    ):
        with pytest.raises(ValueError, match=told) as error:
            player(wrong)
        assert len(str(error.value).splitlines()) == 1


def pgn(folder: Path) -> str:
    (folder / "one.pgn").write_text('[Result "1-0"]\n\n1. e4 e5 1-0\n')
    return str(folder / "one.pgn")


def test_an_extended_book_decides_between_moves_that_are_about_equal(book: Path) -> None:
    state = load("chess").start
    bonuses = Reader(extended=str(book)).bonuses(state)
    named = {state.action_text(action): bonus for action, bonus in bonuses.items()}
    assert sorted(named, key=lambda text: -named[text]) == ["e4", "d4", "Nf3", "a3"]
    assert named["e4"] == pytest.approx(6 / 11 * (0.25 * 0.5 + 0.5 * (5 / 6 - 7 / 12)))

    def answer(*scores: tuple[str, int]) -> Analysis:
        lines = [
            Analysis(state.parse_action(text), score, 5, (state.parse_action(text),), 9, 0.0, score=score)
            for text, score in scores
        ]
        return lines[0]._replace(others=tuple(lines[1:]))

    def chosen(*scores: tuple[str, int]) -> Any:
        return state.action_text(steered(answer(*scores), state, bonuses).action)

    assert chosen(("h3", 30), ("e4", 25)) == "e4"
    assert chosen(("h3", 60), ("e4", 25)) == "h3"  # a clear advantage
    assert chosen(("h3", WIN - 5), ("e4", WIN - 7)) == "h3"  # a mate needs no statistics


def test_a_player_is_steered(book: Path) -> None:
    record = begin(load("chess"))
    found = player(f"book:,extended={book},search=engine:hash=1")(record, Limits(depth=3))
    assert found.nodes > 0 and found.action in record.legal() and len(found.others) == 3


def test_books_play_matches(book: Path) -> None:
    found = entrant(f"book:{book},plies=4,depth=3,search=engine:hash=2,threads=1")
    assert found.spec == f"book:{book},plies=4,search=engine:hash=2,threads=1"
    assert entrant(f"book:{book}").spec == f"book:{book}"
    assert entrant("engine:hash=2,nodes=50").spec == "engine:hash=2"


def test_options_of_uci() -> None:
    from outplay.book import choice

    assert choice.PICKS == PICKS
    options = Options()
    assert str(options.known["bookpick"]) == (
        "option name BookPick type combo default weights var weights var best var random"
    )
    options.set(["name", "BookPick", "value", "best"])
    assert options["BookPick"] == "best"
    with pytest.raises(ValueError, match="BookPick must be weights, best, random, not 'worst'"):
        options.set(["name", "BookPick", "value", "worst"])


def test_a_book_of_a_masters_games_equals_an_independent_count() -> None:
    """Two hundred games of Capablanca: how often each move was played, and what its mover scored."""
    if not DATA.exists():
        pytest.skip("no games here: ../shared/data/chess/pgn/Capablanca.pgn")
    games, plies = 200, 12
    records = []
    for record in read_games(str(DATA)):
        records.append(record)
        if len(records) == games:
            break
    made = build(records, Wanted(plies=plies))
    counted: dict[tuple[str, str], list[float]] = {}
    with DATA.open(encoding="utf-8", errors="replace") as file:
        for _ in range(games):
            played = chess.pgn.read_game(file)
            assert played is not None
            points = {"1-0": 1.0, "0-1": 0.0, "1/2-1/2": 0.5}.get(played.headers["Result"])
            board = played.board()
            for _, move in zip(
                range(plies), played.mainline_moves() if points is not None else (), strict=False
            ):
                key = " ".join(board.fen(en_passant="legal").split()[:4]), board.san(move)
                mine = points if board.turn else 1 - points
                counted.setdefault(key, []).append(mine)
                board.push(move)
    ours = {(at, text): tuple(p) for at, moves in made.positions.items() for text, p in moves.items()}
    assert ours == {key: (len(found), sum(found)) for key, found in counted.items()}
    assert len(ours) > 500


def test_a_book_of_another_game_is_refused(book: Path, outplay: Any) -> None:
    wrong = f"{book} is a book of chess, not of tictactoe"
    start = begin(load("tictactoe"))
    for spec in (f"book:{book}", f"book:,extended={book}"):
        with pytest.raises(ValueError, match=wrong):
            player(spec).prepare(start.state)
        with pytest.raises(ValueError, match=wrong):
            player(spec)(start, Limits(depth=1))
    told = outplay("book", "show", "tictactoe", "--book", str(book))
    assert (told.status, told.err) == (2, f"outplay: {wrong}\n")
    told = outplay("match", "tictactoe", f"book:{book}", "random", "--games", "2")
    assert told.status == 2 and wrong in told.err
