"""English draughts: counts, rules on the board, notation, and agreement with two independent programs."""

import json
import random
from collections.abc import Iterator
from pathlib import Path

import pytest

from outplay.game import Weights, adopt, parse_action
from outplay.games.checkers import Checkers
from outplay.search.perft import perft, plain_perft
from outplay.variants import variant

adopt(Checkers)

PERFT = (7, 49, 302, 1469, 7361, 36768, 179740, 845931, 3963680)
NINE_TO_TAKE = "B:W6,7,8,14,15,16,22,23,24:BK1"
RING_TO_TAKE = "B:W7,8,15,16,32:BK3"
BALLOTS = Path(__file__).parents[3] / "shared/data/checkers/ballots/3move_english.json"


def moves(position: str) -> list[str]:
    state = Checkers.parse(position)
    return sorted(state.action_text(action) for action in state.actions())


def play(state: Checkers, text: str) -> Checkers:
    return state.result(parse_action(state, text))


def random_games(count: int, seed: int) -> Iterator[Checkers]:
    """Every position of random games."""
    source = random.Random(seed)
    for _ in range(count):
        state = Checkers()
        yield state
        while not state.terminal():
            state = state.result(source.choice(list(state.actions())))
            yield state


@pytest.mark.parametrize("depth", range(1, 8))
def test_perft_interpreted(depth: int) -> None:
    assert plain_perft(Checkers(), depth) == PERFT[depth - 1]


@pytest.mark.parametrize("depth", (8, 9))
def test_perft_compiled(depth: int) -> None:
    assert perft(Checkers(), depth) == PERFT[depth - 1]


# --- rules ----------------------------------------------------------------------------------------------


def test_black_begins_with_seven_steps() -> None:
    assert Checkers().player() == 0
    assert moves(str(Checkers())) == ["10-14", "10-15", "11-15", "11-16", "12-16", "9-13", "9-14"]


def test_men_step_forward_and_kings_both_ways() -> None:
    assert moves("B:W32:B14") == ["14-17", "14-18"]
    assert moves("W:W14:B25") == ["14-10", "14-9"]
    assert moves("B:W32:BK14") == ["14-10", "14-17", "14-18", "14-9"]
    assert moves("B:W32:B13,12") == ["12-16", "13-17"]  # at the edges


def test_jumps_are_compulsory_but_any_may_be_chosen() -> None:
    assert moves("B:W18,17:B14,1") == ["14x21", "14x23"]
    assert moves("B:W18,26:B14,22,1") == ["14x23x30", "22x31"]


def test_men_do_not_jump_backward() -> None:
    assert moves("B:W10,32:B14") == ["14-17", "14-18"]
    assert moves("B:W10,32:BK14") == ["14x7"]


def test_a_jump_goes_to_its_end() -> None:
    assert moves("B:W18,26,32:B14") == ["14x23x30"]
    state = play(Checkers.parse("B:W18,26,32:B14"), "14x23x30")
    assert str(state) == "W:W32:BK30"


def test_a_longer_jump_is_not_compulsory() -> None:
    assert moves("B:W17,18,26,32:B14") == ["14x21", "14x23x30"]


def test_crowning_ends_the_move() -> None:
    # The new king on 30 could jump 25, but not in the same move.
    assert moves("B:W26,25,32:B23") == ["23x30"]
    assert moves("B:W26,25,32:BK23") == ["23x30x21"]


def test_a_king_may_come_back_to_where_it_began() -> None:
    ring = Checkers.parse(RING_TO_TAKE)
    assert moves(str(ring)) == ["3x10x19x12x3", "3x12x19x10x3"]
    after = {str(ring.result(action)) for action in ring.actions()}
    assert after == {"W:W32:BK3"}  # two actions, one result


def test_the_longest_jump_takes_nine() -> None:
    """Nine men to take, and nine ways to do it: six take all of them, and three reach 28 sooner."""
    state = Checkers.parse(NINE_TO_TAKE)
    assert sorted(text.count("x") for text in moves(str(state))) == [3, 5, 5, 9, 9, 9, 9, 9, 9]
    longest = [action for action in state.actions() if state.action_text(action).count("x") == 9]
    assert {str(state.result(action)) for action in longest} == {"W:W:BK28"}
    assert max(longest) < 1 << 61


def test_a_man_is_not_jumped_twice() -> None:
    assert moves("B:W6,32:BK1") == ["1x10"]


def test_who_cannot_move_loses() -> None:
    blocked = Checkers.parse("W:W5:B1")  # 5 cannot pass 1, nor jump it
    assert not list(blocked.actions()) and blocked.terminal()
    assert blocked.utility() == 1
    assert Checkers.parse("B:W5:B").utility() == -1


def test_quiet_plies_draw() -> None:
    state = Checkers.parse("B:WK32:BK1:H79")
    assert not state.terminal()
    state = play(state, "1-5")
    assert state.quiet == 80 and state.terminal() and state.utility() == 0
    assert not list(state.actions())


def test_a_man_or_a_capture_ends_the_quiet() -> None:
    assert play(Checkers.parse("B:WK32:BK1,12:H70"), "12-16").quiet == 0
    assert play(Checkers.parse("B:W6,32:BK1:H70"), "1x10").quiet == 0
    assert play(Checkers.parse("B:WK32:BK1,12:H70"), "1-5").quiet == 71


def test_a_last_move_that_blocks_wins_before_the_draw() -> None:
    state = play(Checkers.parse("B:W5:BK2:H79"), "2-6")
    assert state.terminal() and state.utility() == 0  # White could still move
    state = play(Checkers.parse("B:W5:BK6:H79"), "6-1")
    assert state.terminal() and state.utility() == 1


def test_the_draw_is_a_parameter() -> None:
    short = variant(Checkers, QUIET=2)
    state = short.parse("B:WK32:BK1")
    for text in ("1-5", "32-27"):
        assert not state.terminal()
        state = state.result(parse_action(state, text))
    assert state.terminal() and state.utility() == 0


def test_evaluate() -> None:
    weights = Weights(
        men=100, kings=150, rows=(10, 0, 0, 0, 3, 3, 6), centre=0, central_kings=0, mobility=0, turn=0
    )
    for text, value in (
        (str(Checkers()), 0),
        ("B:W22:B9,10", 100),
        ("W:W22:B9,10", 100),
        ("W:WK22:B10", -50),
        ("W:W22:B1", 10),  # the back row
        ("W:W22:B17", 3),  # beyond the middle
        ("W:W22:B25", 6),  # about to be crowned
    ):
        assert Checkers.parse(text).evaluate(weights) == value
    nothing = weights.with_flat([0] * len(weights))
    assert Checkers.parse("W:W21:B10,K18").evaluate(nothing.replace(centre=1)) == 1
    assert Checkers.parse("W:W21:B10,K18").evaluate(nothing.replace(central_kings=1)) == 1
    assert Checkers.parse("W:W21:B10,K18").evaluate(nothing.replace(mobility=1)) == 2 + 4 - 1
    assert Checkers.parse("W:W21:B10,K18").evaluate(nothing.replace(turn=1)) == -1


def test_evaluation_is_fair() -> None:
    """The board turned round, with colours and mover exchanged, is worth the opposite."""
    for text, turned in (
        ("B:W22,30,K14:B9,10", "W:W23,24:B3,11,K19"),
        ("W:W21:B10,K18", "B:W23,K15:B12"),
    ):
        assert Checkers.parse(text).evaluate() == -Checkers.parse(turned).evaluate()


# --- text -----------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "text",
    (
        "B:W18,24,27,28,K10:B12,16,20,K22",
        "W:W18,24,27,28,K10:B12,16,20,K22:H7",
        "B:W21,22,23,24,25,26,27,28,29,30,31,32:B1,2,3,4,5,6,7,8,9,10,11,12",
        "W:W:BK14,K16",
    ),
)
def test_text_is_kept(text: str) -> None:
    assert str(Checkers.parse(text)) == text


def test_other_forms_are_read() -> None:
    assert Checkers.parse("B:W21-32:B1-12.") == Checkers()
    assert Checkers.parse(" B:B1-12:W21-32 ") == Checkers()
    assert Checkers.parse("B:WK29-32:B1") == Checkers.parse("B:WK29,K30,K31,K32:B1")


@pytest.mark.parametrize(
    ("text", "complaint"),
    (
        ("", "not a checkers position"),
        ("B:W18", "not a checkers position"),
        ("B:W18:W19", "not a checkers position"),
        ("B:W18:B33", "'33' is not a piece"),
        ("B:W18:B0", "'0' is not a piece"),
        ("B:W18:Bx", "'x' is not a piece"),
        ("B:W18:B5-1", "'5-1' is not a piece"),
        ("B:W18:B5,5", "square 5 is given twice"),
        ("B:W18:B18", "both on 18"),
        ("B:W1:B5", "a king"),
        ("B:W5:B32", "a king"),
        ("B:W1-13:B32", "a king"),
        ("B:W9-21:BK32", "at most 12"),
        ("B:W18:B5:H81", "80 quiet plies"),
    ),
)
def test_bad_text_is_refused(text: str, complaint: str) -> None:
    with pytest.raises(ValueError, match=complaint) as caught:
        Checkers.parse(text)
    assert "\n" not in str(caught.value)


def test_texts_along_random_games() -> None:
    for state in random_games(20, seed=1):
        assert Checkers.parse(str(state)) == state
        texts = [state.action_text(action) for action in state.actions()]
        assert len(set(texts)) == len(texts)
        assert [parse_action(state, text) for text in texts] == list(state.actions())
        assert state.terminal() == (not texts)


def test_board() -> None:
    board = Checkers.parse("W:W32,K18:B1,K12:H3").board()
    assert board.rows == (
        " b      ",
        "        ",
        "       B",
        "        ",
        "   W    ",
        "        ",
        "        ",
        "      w ",
    )
    assert board.ranks == ("1", "5", "9", "13", "17", "21", "25", "29")
    assert board.owners == ("bB", "wW") and board.checkered
    assert board.note == "White to move, 3 quiet plies"
    assert Checkers.parse("W:W:B1").board().note == "Black wins"


# --- agreement with others ------------------------------------------------------------------------------


def test_opening_ballots() -> None:
    """The 156 three-move openings lead to the positions that are printed with them."""
    if not BALLOTS.is_file():
        pytest.skip(f"no {BALLOTS.name}: the shared reference data is not here")
    ballots = json.loads(BALLOTS.read_text())["all"]
    for name, position in ballots.items():
        state = Checkers()
        for move in name.split()[1:]:
            first, last = (int(square) for square in move.split("-"))
            texts = {action: state.action_text(action).replace("x", "-") for action in state.actions()}
            (action,) = (a for a, text in texts.items() if text == f"{first}-{last}")
            state = state.result(action)
        assert state == Checkers.parse(position)


def placed_at_random(count: int, seed: int) -> Iterator[Checkers]:
    """Positions with many kings, where jumps are long."""
    source = random.Random(seed)
    for _ in range(count):
        squares = source.sample(range(5, 29), 2 * source.randint(1, 10))
        pieces = [f"{source.choice(('', 'K', 'K'))}{square}" for square in squares]
        white, black = pieces[::2], pieces[1::2][: source.randint(1, 4)]
        yield Checkers.parse(f"{source.choice('BW')}:W{','.join(white)}:B{','.join(black)}")


def test_same_moves_as_pydraughts() -> None:
    draughts = pytest.importorskip("draughts")
    long_jumps = (Checkers.parse(text) for text in (NINE_TO_TAKE, RING_TO_TAKE))
    for state in (*random_games(40, seed=2), *placed_at_random(400, seed=3), *long_jumps):
        board = draughts.Board(variant="english", fen=str(state).partition(":H")[0])
        theirs = ["x".join(map(str, move.steps_move)) for move in board.legal_moves()]
        ours = [state.action_text(action).replace("-", "x") for action in state.actions()]
        assert sorted(ours) == sorted(theirs) or state.quiet == Checkers.QUIET, str(state)


def test_same_games_as_open_spiel() -> None:
    """OpenSpiel makes each jump a move of its own, and draws sooner; it sets its first player below."""
    pyspiel = pytest.importorskip("pyspiel")
    game = pyspiel.load_game("checkers")
    names = {}
    for number in range(1, 33):
        row, column = divmod(number - 1, 4)
        names[f"{'hgfedcba'[2 * column + 1 - row % 2]}{row + 1}"] = number

    def lines(state):
        """The squares touched by each whole move, with the state after it."""
        for action in state.legal_actions():
            text = state.action_to_string(action)
            start, end = names[text[:2]], names[text[2:]]
            after = state.child(action)
            if after.is_terminal() or after.current_player() != state.current_player():
                yield [start, end], after
            else:
                for path, last in lines(after):
                    yield [start, *path], last

    source = random.Random(3)
    for _ in range(300):
        theirs, ours = game.new_initial_state(), Checkers()
        while not theirs.is_terminal():
            assert theirs.current_player() == ours.player()
            after = {"x".join(map(str, path)): state for path, state in lines(theirs)}
            actions = {ours.action_text(action).replace("-", "x"): action for action in ours.actions()}
            assert sorted(after) == sorted(actions)
            text = source.choice(sorted(actions))
            theirs, ours = after[text], ours.result(actions[text])
        if theirs.returns() != [0, 0]:
            assert ours.terminal() and ours.utility() == theirs.returns()[0]
