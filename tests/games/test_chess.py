"""Chess: its rules against published counts and python-chess, its ends, and what it tells a search."""

import itertools
import random
from pathlib import Path

import chess
import pytest

from outplay.games import Chess
from outplay.games.chess import attacks
from outplay.record import Record
from outplay.search.perft import divide, perft, plain_perft
from outplay.words import popcount, wrap

DATA = Path(__file__).parents[3] / "shared" / "data" / "chess" / "perft"
KIWIPETE = "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1"
# The positions of chessprogramming.org's page on perft, and some that are about one rule each.
COUNTS = [
    (str(Chess()), (20, 400, 8902, 197281)),
    (KIWIPETE, (48, 2039, 97862)),
    ("8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1", (14, 191, 2812, 43238)),
    ("r3k2r/Pppp1ppp/1b3nbN/nP6/BBP1P3/q4N2/Pp1P2PP/R2Q1RK1 w kq - 0 1", (6, 264, 9467)),
    ("rnbq1k1r/pp1Pbppp/2p5/8/2B5/8/PPP1NnPP/RNBQK2R w KQ - 1 8", (44, 1486, 62379)),
    ("bqnb1rkr/pp3ppp/3ppn2/2p5/5P2/P2P4/NPP1P1PP/BQ1BNRKR w HFhf - 2 9", (21, 528, 12189)),
    ("8/8/8/8/k2Pp2Q/8/8/3K4 b - d3 0 1", (6, 136)),  # taking en passant would uncover the queen
]


@pytest.mark.parametrize(("fen", "counts"), COUNTS)
def test_published_counts(fen: str, counts: tuple[int, ...]) -> None:
    state = Chess.parse(fen)
    assert tuple(perft(state, depth) for depth in range(1, len(counts) + 1)) == counts


@pytest.mark.lanes
@pytest.mark.parametrize(("fen", "counts"), COUNTS)
def test_plain_and_compiled_count_alike(fen: str, counts: tuple[int, ...]) -> None:
    state = Chess.parse(fen)
    assert plain_perft(state, 2) == perft(state, 2) == counts[1]


def lines(name: str) -> list[str]:
    return (DATA / name).read_text().splitlines() if DATA.is_dir() else []


@pytest.mark.parametrize("name", ["ethereal_standard.epd", "ethereal_fischer_first480.epd"])
def test_suites_of_counts(name: str) -> None:
    if not DATA.is_dir():
        pytest.skip("the suites are not there")
    for line in lines(name):
        fen, *depths = (part.strip() for part in line.split(";"))
        state = Chess.parse(fen)
        for depth, count in (map(int, part[1:].split()) for part in depths):
            if count <= 20_000:
                assert perft(state, depth) == count, (fen, depth)


def test_divide_counts_through_a_draw() -> None:
    state = Chess.parse("4k3/8/8/8/8/8/4P3/4K3 w - - 100 80")
    assert state.drawn()
    assert state.terminal()
    assert sum(divide(state, 2).values()) == perft(state, 2) == plain_perft(state, 2) == 30


# --- against python-chess -------------------------------------------------------------------------------


def compare(board: chess.Board, state: Chess) -> dict[str, int]:
    """All that both know about a position; returns the legal moves."""
    assert str(state) == board.fen()
    assert Chess.parse(board.shredder_fen()) == state
    moves = {state.uci(action): action for action in state.actions()}
    legal = list(board.legal_moves)
    assert moves.keys() == {move.uci() for move in legal}
    assert len(moves) == len(legal) == state.count()
    for move in legal:
        assert state.forces(moves[move.uci()]) == board.gives_check(move)
    assert state.has_moves() == bool(legal)
    assert state.forced() == board.is_check()
    assert state.dead() == board.is_insufficient_material()
    over = not legal or state.dead() or board.halfmove_clock >= 100
    assert state.terminal() == over
    assert state.drawn() == (over and bool(legal))
    if over:
        assert state.utility() == (0 if not board.is_checkmate() else -1 if board.turn else 1)
    noisy = {state.uci(action) for action in state.noisy()}
    unquiet = [m for m in legal if board.is_capture(m) and not m.promotion or m.promotion == chess.QUEEN]
    assert noisy == {move.uci() for move in unquiet}
    return moves


@pytest.mark.parametrize("seed", range(4))
def test_random_games(seed: int) -> None:
    rng = random.Random(seed)
    positions = 0
    while positions < 500:
        board = chess.Board.from_chess960_pos(rng.randrange(960)) if seed % 2 else chess.Board()
        state = Chess.parse(board.fen())
        seen: dict[int, object] = {}
        while positions < 500:
            positions += 1
            moves = compare(board, state)
            assert seen.setdefault(state.key(), board._transposition_key()) == board._transposition_key()
            if not moves or state.dead() or board.halfmove_clock > 110:
                break
            for text in rng.sample(sorted(moves), min(3, len(moves))):
                move = chess.Move.from_uci(text)
                if not board.has_legal_en_passant():  # python-chess counts its loss too
                    assert state.irreversible(moves[text]) == board.is_irreversible(move)
            text = rng.choice(sorted(moves))
            board.push_uci(text)
            state = state.result(moves[text])


@pytest.mark.parametrize(
    "fen",
    [
        "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
        "r2rr1k1/8/8/8/8/8/8/R2RR1K1 w - - 0 1",
    ],
)
def test_no_two_positions_share_a_key(fen: str) -> None:
    """All that two plies lead to: pieces who move along the first and last rank are the hardest to tell apart."""
    states = [Chess.parse(fen)]
    for _ in range(2):
        states += [state.result(action) for state in states for action in state.actions()]
    positions = {(*state[:8], state.ply & 1) for state in states}
    assert len({state.key() for state in states}) == len(positions)


def test_no_two_men_share_a_key() -> None:
    """Wherever two pieces of either side stand, the key tells: changes of a few bits must not cancel each other."""
    places = [(side, kind, square) for side in range(2) for kind in range(6) for square in range(64)]
    keys: set[int] = set()
    pairs = [(a, b) for a, b in itertools.combinations(places, 2) if a[2] != b[2]]
    for pair in pairs:
        words = [0] * 8
        for side, kind, square in pair:
            for word in (side, *((2,), (3,), (4,), (5,), (4, 5), (6,))[kind]):
                words[word] = wrap(words[word] | 1 << square)
        keys.add(Chess(*words).key())
    assert len(keys) == len(pairs)


def test_most_moves() -> None:
    state = Chess.parse("R6R/3Q4/1Q4Q1/4Q3/2Q4Q/Q4Q2/pp1Q4/kBNN1KB1 w - - 0 1")
    assert len(list(state.actions())) == state.count() == perft(state, 1) == 218


@pytest.mark.parametrize("square", [0, 7, 27, 36, 56, 63])
def test_one_slider_and_a_set_see_the_same(square: int) -> None:
    rng = random.Random(square)
    for _ in range(50):
        occupied = rng.getrandbits(64) & rng.getrandbits(64) | 1 << square
        one = 1 << square
        straight, diagonal = attacks.rook(square, occupied), attacks.bishop(square, occupied)
        assert attacks.by_sliders(0, one, ~occupied) == straight & attacks.ALL
        assert attacks.by_sliders(one, 0, ~occupied) == diagonal & attacks.ALL
        assert attacks.slides(one, one, ~occupied, -1) == popcount(straight) + popcount(diagonal)


# --- the end --------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("fen", "utility"),
    [
        ("rnb1kbnr/pppp1ppp/8/4p3/6Pq/5P2/PPPPP2P/RNBQKBNR w KQkq - 1 3", -1),  # fool's mate
        ("7k/5Q2/6K1/8/8/8/8/8 b - - 0 1", 0),  # stalemate
        ("7k/6Q1/6K1/8/8/8/8/8 b - - 100 90", 1),  # mate on the hundredth ply
        ("8/8/4k3/8/8/3NK3/8/8 w - - 0 1", 0),  # a knight alone
        ("8/8/4k3/8/2b5/3BK3/8/8 w - - 0 1", 0),  # bishops on squares of one colour
        ("4k3/8/8/8/8/8/4P3/4K3 w - - 100 80", 0),
    ],
)
def test_ends(fen: str, utility: int) -> None:
    state = Chess.parse(fen)
    assert state.terminal()
    assert state.utility() == utility


@pytest.mark.parametrize("fen", ["8/8/4k3/8/8/2NNK3/8/8 w - - 0 1", "8/8/3bk3/8/8/3BK3/8/8 w - - 0 1"])
def test_not_dead(fen: str) -> None:
    assert not Chess.parse(fen).terminal()


def test_third_time() -> None:
    record = Record("chess", Chess())
    for text in ["Nf3", "Nf6", "Ng1", "Ng8", "Nf3", "Nf6", "Ng1"]:
        record = record.play(record.state.parse_action(text))
        assert not record.is_over
    record = record.play(record.state.parse_action("Ng8"))
    assert record.is_over
    assert record.result == 0
    assert record.play(record.state.parse_action("e4")).result is None  # nobody claimed it


# --- what it tells a search -----------------------------------------------------------------------------


def test_skip() -> None:
    assert Chess().skip().player() == 1
    assert Chess().skip().own == Chess().own
    for fen in ("4k3/8/8/8/8/8/4P3/4K3 w - - 0 1", "4k3/8/8/8/7q/8/4N3/4K3 w - - 0 1"):
        state = Chess.parse(fen)  # pawns alone; in check
        assert state.skip() == state


def worth(board: chess.Board, square: int) -> int:
    kinds = (0, 100, 300, 325, 500, 900, 0)
    return kinds[board.piece_type_at(square) or 0]


def exchanged(board: chess.Board, square: int, side: bool) -> int:
    """The oracle: what the side wins by taking on the square, least valuable piece first, or not at all."""
    takers = board.attackers(side, square)
    if not takers:
        return 0
    start = min(takers, key=lambda s: (worth(board, s) or 10_000, s))
    if board.piece_type_at(start) == chess.KING and board.attackers(not side, square):
        return 0
    won = worth(board, square)
    after = board.copy(stack=False)
    after.set_piece_at(square, after.remove_piece_at(start))
    return max(0, won - exchanged(after, square, not side))


def exchange(board: chess.Board, move: chess.Move) -> int:
    if board.is_castling(move):
        return 0
    after = board.copy(stack=False)
    won = worth(board, move.to_square)
    if board.is_en_passant(move):
        won = 100
        after.remove_piece_at(move.to_square + (-8 if board.turn else 8))
    piece = after.remove_piece_at(move.from_square)
    after.set_piece_at(move.to_square, chess.Piece(move.promotion, board.turn) if move.promotion else piece)
    if move.promotion:
        won += worth(after, move.to_square) - 100
    return won - exchanged(after, move.to_square, not board.turn)


@pytest.mark.parametrize(
    ("fen", "text", "value"),
    [
        ("1k1r4/1pp4p/p7/4p3/8/P5P1/1PP4P/2K1R3 w - - 0 1", "Rxe5", 100),
        ("1k1r3q/1ppn3p/p4b2/4p3/8/P2N2P1/1PP1R1BP/2K1Q3 w - - 0 1", "Nxe5", -200),
        ("4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 1", "exd6", 100),
        ("3r3k/2P5/8/8/8/8/8/4K3 w - - 0 1", "cxd8=Q+", 1300),
        ("3r3k/3r4/8/3p4/8/8/3R4/3R3K w - - 0 1", "Rxd5", -400),  # rooks behind rooks
    ],
)
def test_exchange_of_well_known_positions(fen: str, text: str, value: int) -> None:
    state = Chess.parse(fen)
    assert state.exchange(state.parse_action(text)) == value


@pytest.mark.parametrize("seed", range(3))
def test_exchange_against_the_definition(seed: int) -> None:
    rng = random.Random(seed)
    board = chess.Board(KIWIPETE if seed else chess.STARTING_FEN)
    tested = 0
    while tested < 400 and not board.is_game_over():
        state = Chess.parse(board.fen())
        for action in state.actions():
            move = chess.Move.from_uci(state.uci(action))
            if board.is_capture(move) or rng.random() < 0.1:
                tested += 1
                expected = exchange(board, move)
                assert state.exchange(action) == expected, (board.fen(), move)
                order = state.order(action)
                if board.is_capture(move) and not move.promotion:
                    assert order == expected if expected < 0 else order > 0
                elif not move.promotion:
                    assert order == 0
        board.push(rng.choice(list(board.legal_moves)))
