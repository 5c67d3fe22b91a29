"""Go: captures, ko, superko and suicide, legal positions counted, scores, text; GNU Go and OpenSpiel beside ours."""

import itertools
import random
import shutil
import subprocess
from typing import Any

import pytest

from outplay.game import GameError, identity, parse_action
from outplay.games import Go, load
from outplay.games.go import points
from outplay.games.go.text import members, read_point, rows
from outplay.record import Record, begin, read, write
from outplay.search import playouts
from outplay.variants import variant

SMALL: Any = variant(Go, SIZE=5, KOMI=0, HALF=0)
GNUGO = shutil.which("gnugo") or shutil.which("gnugo", path="/usr/games")


def sized(size: int, **parameters: int) -> Any:
    return variant(Go, SIZE=size, **parameters)


def play(state: Any, moves: str) -> Any:
    for text in moves.split():
        state = state.result(parse_action(state, text))
    return state


def texts(state: Any) -> set[str]:
    return {state.action_text(action) for action in state.actions()}


# --- captures --------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("position", "move", "after"),
    [
        ("...../...../...../X..../O.... X", "B1", "...../...../...../X..../.X..."),  # a stone in the corner
        ("...../...../.O.../OXO../..... O", "B1", "...../...../.O.../O.O../.O..."),  # in the middle
        (
            "...../...../OO.../XX.../..O.. O",
            "C2",
            "...../...../OO.../XXO../..O..",
        ),  # two, with liberties left
        ("...../...../OO.../XXO../.O... O", "A1", "...../...../OO.../..O../OO..."),  # two in the corner
        (".X.X./X.X.X/.X.X./X.X.X/.X.X. O", "pass", ".X.X./X.X.X/.X.X./X.X.X/.X.X."),
        ("XXXXX/XXXXX/XXXXX/XXXXX/.XXXX O", "A1", "...../...../...../...../O...."),  # nearly the whole board
        (".OX../OX.../X..../...../..... X", "A5", "X.X../.X.../X..../...../....."),  # two groups at once
    ],
)
def test_captures(position: str, move: str, after: str) -> None:
    state = SMALL.parse(position)
    assert str(play(state, move)).split()[0] == after


def test_a_stone_that_takes_needs_no_liberty_of_its_own() -> None:
    state = SMALL.parse("...../...../XX.../OOX../.OX.. X")
    assert "A1" in texts(state)
    assert rows(play(state, "A1"))[3:] == ("..X..", "X.X..")


def test_suicide_is_forbidden_unless_it_is_allowed() -> None:
    one, three = "...../...../...../X..../.X... O", "...../...../.X.../XOX../XO.X. O"
    assert "A1" not in texts(SMALL.parse(one))
    assert "C1" not in texts(SMALL.parse(three))
    lenient = variant(SMALL, SUICIDE=1)
    assert "A1" not in texts(lenient.parse(one))  # one stone: the board would be as before
    after = play(lenient.parse(three), "C1")
    assert rows(after)[2:] == (".X...", "X.X..", "X..X.")
    assert after.ko == -1


# --- ko and superko --------------------------------------------------------------------------------------

KO = "...../...../.XO../X.XO./.XO.. O"


def test_a_stone_may_not_be_retaken_at_once() -> None:
    taken = play(SMALL.parse(KO), "B2")
    assert rows(taken)[3] == "XO.O."
    assert taken.ko == read_point("C2", 5)
    assert "C2" not in texts(taken)
    later = play(taken, "E5 E1")
    assert "C2" in texts(later)
    assert rows(play(later, "C2"))[3] == "X.XO."


@pytest.mark.parametrize(
    ("position", "move"),
    [
        ("...../...../XX.../OOX../.XX.. X", "A1"),  # two stones are taken
        ("...../...../.XO../X.XO./.OXO. O", "B2"),  # the stone that takes one is joined to another
        ("...../...../..O../X.XO./.XO.. O", "B2"),  # it has a second liberty
    ],
)
def test_other_captures_are_no_ko(position: str, move: str) -> None:
    assert play(SMALL.parse(position), move).ko == -1


def test_a_ko_on_the_upper_edge() -> None:
    taken = play(SMALL.parse("X.XO./.XO../...../...../..... O"), "B5")
    assert rows(taken)[0] == "XO.O."
    assert taken.action_text(taken.ko) == "C5"


SUPERKO = [
    ("go:size=2", "A1 B1 A2 B2 A1 A2", "A1"),  # White takes two, then one; Black would take three
    ("go:size=3", "B1 A2 C2 B2 A1 C1", "B1"),  # Black sends two, White takes them, Black would take one
]


@pytest.mark.parametrize(("spec", "moves", "forbidden"), SUPERKO)
def test_no_board_comes_back(spec: str, moves: str, forbidden: str) -> None:
    record = begin(load(spec), "", moves)
    action = parse_action(record.state, forbidden)
    assert action in record.state.actions()  # a state knows of the simple ko only
    assert record.forbids(action)
    assert action not in record.legal()
    with pytest.raises(ValueError, match=f"move 7: {forbidden} repeats a position"):
        record.play(action)
    with pytest.raises(ValueError, match="repeats a position"):
        begin(load(spec), "", f"{moves} {forbidden}")
    with pytest.raises(ValueError, match="repeats a position"):
        Record(record.game, record.start, (*record.actions, action)).state  # noqa: B018


def test_a_pass_brings_nothing_back() -> None:
    record = begin(load("go:size=2"), "", "A1 pass")
    assert record.state.PASS in record.legal()
    assert record.play(record.state.PASS).result == 4 - 8  # Black has all four points; half a point counts up


def test_the_identity_is_the_board_alone() -> None:
    first, second = play(SMALL(), "A1 B1 C1"), play(SMALL(), "C1 B1 A1")
    assert identity(first) == identity(second) == identity(play(first, "pass"))
    assert identity(first) != identity(play(SMALL(), "A1 C1 B1"))
    assert first.key() == second.key() != play(first, "pass").key()


# --- counting --------------------------------------------------------------------------------------------


def test_legal_positions_of_2x2() -> None:
    """By the rules: whatever can be reached (Tromp & Farnebäck: 57)."""
    start = sized(2)()
    seen, waiting = {identity(start)}, [start]
    while waiting:
        state = waiting.pop()
        for mover in (state, state.result(state.PASS)):
            for action in mover.actions():
                after = mover.result(action)._replace(passes=0, ko=-1, ply=0)
                if identity(after) not in seen:
                    seen.add(identity(after))
                    waiting.append(after)
    assert len(seen) == 57


def test_legal_positions_of_3x3() -> None:
    """By looking at every way to put stones down (12675)."""
    cls = sized(3)
    found = 0
    for stones in itertools.product(".XO", repeat=9):
        text = "".join(stones)
        try:
            cls.parse(f"{text[:3]}/{text[3:6]}/{text[6:]} X")
            found += 1
        except ValueError as error:
            assert "without a liberty" in str(error)
    assert found == 12675


# --- the end and the score -------------------------------------------------------------------------------


def test_two_passes_end_the_game() -> None:
    assert not play(SMALL(), "pass").terminal()
    assert play(SMALL(), "pass pass").terminal()
    assert not play(SMALL(), "pass A1 pass").terminal()
    assert play(SMALL(), "A1 pass pass").utility() == 25


def test_a_game_ends_after_so_many_plies() -> None:
    cls = variant(SMALL, LIMIT=1)
    assert cls.parse("...../...../...../...../..... O - - 25").terminal()
    assert not cls.parse("...../...../...../...../..... X - - 24").terminal()


@pytest.mark.parametrize(
    ("position", "area"),
    [
        ("...../...../...../...../..... X", 0),  # nobody's
        ("...../...../..X../...../..... O", 25),
        ("..XO./..XO./..XO./..XO./..XO. X", 5),
        ("..X.O/..X.O/..X.O/..X.O/..X.O X", 10),  # the file between them is nobody's
        (".XOO./XXO.O/XXOOO/XXXX./XXXX. O", 14 - 9),
        ("OOOOO/OXXXO/OX.XO/OXXXO/OOOO. X", 9 - 16),  # nothing is dead unless it is taken
    ],
)
def test_area(position: str, area: int) -> None:
    assert SMALL.parse(position).area() == area
    swapped = position.translate(str.maketrans("XO", "OX"))
    assert SMALL.parse(swapped).area() == -area


@pytest.mark.parametrize(
    ("komi", "half", "utility"),
    [(0, 0, 5), (4, 0, 1), (4, 1, 1), (5, 0, 0), (5, 1, -1), (6, 0, -1), (6, 1, -2)],
)
def test_komi(komi: int, half: int, utility: int) -> None:
    cls = variant(SMALL, KOMI=komi, HALF=half)
    assert cls.parse("..XO./..XO./..XO./..XO./..XO. X").utility() == utility


# --- sets of points --------------------------------------------------------------------------------------


@pytest.mark.parametrize("count", [1, 2, 6])
def test_sets_of_points(count: int) -> None:
    dice = random.Random(count)
    for _ in range(50):
        first, second = (set(dice.sample(range(64 * count), dice.randrange(1, 64 * count))) for _ in range(2))
        a, b = (
            tuple(points.wrap(sum(1 << p for p in s) >> 64 * i) for i in range(count))
            for s in (first, second)
        )

        def back(words: tuple[int, ...]) -> set[int]:
            return {point for point in range(64 * count) if members(words) >> point & 1}

        assert back(points.both(a, b)) == first & second
        assert back(points.either(a, b)) == first | second
        assert back(points.without(a, b)) == first - second
        assert points.meet(a, b) == bool(first & second)
        assert points.within(a, b) == (first <= second)
        assert points.size(a) == len(first)
        assert points.first(a) == min(first)
        n = dice.randrange(len(first))
        assert points.nth(a, n) == sorted(first)[n]
        point = dice.randrange(64 * count)
        assert back(points.add(a, point)) == first | {point}
        assert back(points.remove(a, point)) == first - {point}


# --- text ------------------------------------------------------------------------------------------------


def test_coordinates_leave_out_the_i() -> None:
    big = sized(19)()
    assert big.action_text(0) == "A1"
    assert big.action_text(8) == "J1"
    assert big.action_text(360) == "T19"
    assert big.action_text(361) == "pass"
    for action in (0, 8, 180, 360, 361):
        assert parse_action(big, big.action_text(action).lower()) == action
    with pytest.raises(ValueError, match="'I5' is not a legal move"):
        parse_action(big, "I5")


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        ("", "write 5 rows of 5 points"),
        ("...../..... X", "write 5 rows of 5 points"),
        ("...../...../...../...../....Y X", "each X, O or ."),
        ("...../...../...../...../.....", "X or O to move"),
        ("...../...../...../...../..... Z", "X or O to move"),
        ("...../...../...../...../..... X - - 1", "the number must be even"),
        ("...../...../...../...../..... X - - x", "the number must be even"),
        ("...../...../...../...../..... X Z9 - 0", "not a point of the board: A1 to E5"),
        ("...../...../...../X..../OX... X", "without a liberty"),
        ("...../...../...../...../X.... X A1", "on the ko point"),
        ("...../...../...../...../..... X - - 0 0", "after the board write"),
    ],
)
def test_bad_positions(text: str, complaint: str) -> None:
    with pytest.raises(ValueError, match=complaint) as error:
        SMALL.parse(text)
    assert "\n" not in str(error.value)


@pytest.mark.parametrize(
    ("parameters", "complaint"),
    [
        ({"SIZE": 1}, "SIZE must be 2 to 19"),
        ({"SIZE": 20}, "SIZE must be 2 to 19"),
        ({"HALF": 2}, "HALF and SUICIDE"),
        ({"LIMIT": 0}, "LIMIT must be"),
    ],
)
def test_parameters_that_make_no_sense(parameters: dict[str, int], complaint: str) -> None:
    with pytest.raises(GameError, match=complaint):
        variant(Go, **parameters)


def test_a_record_is_written_and_read() -> None:
    record = begin(load("go:size=5"), "", "C3 B2 pass C2")
    assert read(write(record)) == record


# --- random play -----------------------------------------------------------------------------------------


def test_each_action_is_drawn_as_often() -> None:
    state = SMALL.parse("XX.XX/XXXXX/.X.XX/XXXXX/OO.OO O")  # few actions are left
    actions = list(state.actions())
    dice = random.Random(1)
    drawn = [state.sample(dice.getrandbits(64) - (1 << 63)) for _ in range(400 * len(actions))]
    assert set(drawn) == set(actions)
    assert all(320 < drawn.count(action) < 480 for action in actions)


def test_random_games_end() -> None:
    found = playouts(Go(), 200, seed=1)
    assert found.games == 200
    assert len(found.lengths) <= 3 * 81 + 1


# --- other programs --------------------------------------------------------------------------------------


@pytest.mark.skipif(GNUGO is None, reason="gnugo is not installed")
@pytest.mark.parametrize("size", [5, 9])
def test_gnu_go_agrees_on_what_is_legal_and_taken(size: int) -> None:
    state = sized(size)()
    dice = random.Random(size)
    commands, wanted = [f"boardsize {size}", "clear_board"], [[], []]
    while not state.terminal():
        own, opp = ("black", "white") if state.player() == 0 else ("white", "black")
        legal = [state.action_text(action) for action in state.actions() if action != state.PASS]
        commands += [f"all_legal {own}", f"list_stones {own}", f"list_stones {opp}"]
        wanted += [sorted(legal), stones(state, state.own), stones(state, state.opp)]
        action = dice.choice(list(state.actions())[:-1] or [state.PASS])
        commands.append(f"play {own} {state.action_text(action)}")
        wanted.append([])
        state = state.result(action)
    told = subprocess.run(
        [str(GNUGO), "--mode", "gtp"],
        input="\n".join(commands) + "\n",
        capture_output=True,
        text=True,
        check=True,
    )
    answers = [answer.strip() for answer in told.stdout.strip().split("\n\n")]
    assert [sorted(answer.lstrip("=").split()) for answer in answers] == wanted
    assert len(answers) > 100


def stones(state: Any, of: tuple[int, ...]) -> list[str]:
    return sorted(state.action_text(point) for point in range(state.POINTS) if members(of) >> point & 1)


def test_open_spiel_agrees_on_rules_and_winner() -> None:
    pyspiel = pytest.importorskip("pyspiel")
    cls = variant(Go, LIMIT=2)
    dice = random.Random(3)
    for _ in range(3):
        state, other = cls(), pyspiel.load_game("go(board_size=9,komi=7.5)").new_initial_state()
        while not other.is_terminal():
            assert list(state.actions()) == other.legal_actions()
            action = dice.choice(other.legal_actions())
            state = state.result(action)
            other.apply_action(action)
        if state.terminal():
            assert (state.utility() > 0) == (other.returns()[0] > 0)
