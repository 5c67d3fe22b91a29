"""Records: played, written, read back the same, and refused where they cannot be replayed."""

import random
from functools import partial
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from outplay.game import legal, parse
from outplay.gamefile import open_game
from outplay.games import ConnectFour, TicTacToe, load, named
from outplay.record import Record, begin, read, read_all, write

GAMES = ("tictactoe", "connect4", "hexapawn:width=4,height=4", "othello", "checkers", "kalah", "pig")


def random_record(game: str, seed: int, plies: int) -> Record:
    rng = random.Random(seed)
    record = begin(load(game))
    while len(record.actions) < plies and legal(record.state):
        record = record.play(rng.choice(legal(record.state)))
    return record


def test_a_record_carries_the_past() -> None:
    record = begin(load("tictactoe"), moves="b2 a1 {corner} c3", first="me")
    assert record.actions == (4, 0, 8)
    assert record.comments == ((2, "corner"),)
    assert record.headers == (("first", "me"),)
    assert [len(legal(state)) for state in record.states()] == [9, 8, 7, 6]
    assert record.state == TicTacToe().result(4).result(0).result(8)
    assert record.result is None


def test_the_last_action_brings_the_result() -> None:
    record = begin(load("connect4"), moves="1 2 1 2 1 2").play(0)
    assert record.result == 1
    assert record.undo().result is None
    assert record.undo(100).actions == ()


def test_undo_forgets_what_was_said_about_it() -> None:
    record = begin(load("connect4"), moves="1 {one} 2 {two}")
    assert record.undo().comments == ((1, "one"),)


@given(st.sampled_from(GAMES), st.integers(0, 1000), st.integers(0, 60), st.data())
def test_round_trip_is_exact(game: str, seed: int, plies: int, data: st.DataObject) -> None:
    record = random_record(game, seed, plies)
    text = st.text(st.characters(exclude_categories=["Cs"]))
    where = sorted(data.draw(st.lists(st.integers(0, len(record.actions)), max_size=4)))
    record = record._replace(
        comments=tuple((at, data.draw(text)) for at in where),
        headers=tuple((key, data.draw(text)) for key in ("first", "second", "date", "first")),
    )
    assert read(write(record)) == record


@given(st.lists(st.tuples(st.sampled_from(GAMES), st.integers(0, 9), st.integers(0, 12)), max_size=4))
def test_several_games_in_one_text(parts: list[tuple[str, int, int]]) -> None:
    records = [random_record(*part) for part in parts]
    assert read_all("\n# between games\n".join(map(write, records))) == records


def test_a_start_that_is_not_the_initial_state() -> None:
    record = begin(load("connect4"), "4435", "1 2")
    assert "start: ......./......./......./......./...O.../..XXO.. x\n" in write(record)
    assert read(write(record)) == record
    tree = begin(load("[[3,12,8],[2,4,6]]"))
    assert read(write(tree)) == tree


def test_written_by_hand() -> None:
    record = read(
        """
# my first game
game: Connect Four
white: me

1. 4 4   2. 3 {good \\} move}3
# a remark
5
"""
    )
    assert record.start == ConnectFour()
    assert record.actions == (3, 3, 2, 2, 4)
    assert record.comments == ((3, "good } move"),)
    assert record.headers == (("white", "me"),)


WORDY = """
from typing import NamedTuple

class Wordy(NamedTuple):
    '''Moves with spaces, quotes, braces, dots and colons; no parse, and a drawing for str.'''
    n: int = 0
    def player(self): return self.n & 1
    def actions(self): return range(6) if self.n < 9 else ()
    def result(self, a): return Wordy(self.n + 1)
    def utility(self): return 0
    def action_text(self, a): return ('to the left', 'say "hi"', '{', '1.', 'game:', '# 5')[a]
    def __str__(self): return 'drawn' + chr(10) + 'on two lines'
"""


def test_notation_that_would_be_misread_is_quoted(tmp_path: Path) -> None:
    file = tmp_path / "wordy.py"
    file.write_text(WORDY)
    game = load(str(file))
    games = partial(named, own=[game])
    record = begin(game).play(0, 1, 2, 3, 4, 5)
    assert read(write(record), games) == record
    middle = record._replace(start=record.state, actions=(0,), result=None)
    assert "start: Wordy(n=6)\n" in write(middle)
    assert read(write(middle), games) == middle


@pytest.mark.parametrize(
    "text", ["", "Wordy(n=" + "-" * 10**5 + "1)", "Wordy(" * 10**4, "Wordy(n=[" * 50, "\0"]
)
def test_a_position_by_its_fields_that_is_none(tmp_path: Path, text: str) -> None:
    file = tmp_path / "wordy.py"
    file.write_text(WORDY)
    with pytest.raises(ValueError) as error:
        parse(load(str(file)).cls, text)
    assert str(error.value).endswith("; write it as Wordy(n=...)") and len(str(error.value)) < 300


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        ("", "expected one game, but the text contains 0"),
        ("1 2 3", "a record begins with a line `game: NAME`, not with '1 2 3'"),
        ("game: conect4\n", "no game called 'conect4'; did you mean connect4"),
        ("game: connect4\n\n4 8", "move 2: '8' is not a legal move here; legal: 4 3 5 2 6 1 7"),
        ("game: connect4\n\n1 2 1 2 1 2 1 2", "move 8, '2': the game is over"),
        ("game: connect4\nresult: -1\n\n1 2 1 2 1 2 1", "the result is given as -1, but the moves end in 1"),
        ("game: connect4\nresult: won\n", "result: 'won' is not a number"),
        ("game: connect4\nstart: zzz\n", "not a position of Connect Four: 'zzz'"),
        ("game: connect4\n\n4 {no end", "no end to the text that begins with '{no end'"),
        ('game: connect4\nby: "a\\q"\n', "is not a text in double quotes"),
        ('game: connect4\n\n"4\n4"', "is not a text in double quotes"),
        ("game: tictactoe\n\ngame: connect4\n\n9", "game 2: move 1: '9' is not a legal move"),
    ],
)
def test_refusals_are_one_clear_line(text: str, complaint: str) -> None:
    with pytest.raises(ValueError) as caught:
        read(text)
    assert complaint in str(caught.value)
    assert "\n" not in str(caught.value)


def test_an_illegal_action_is_named_by_its_number() -> None:
    with pytest.raises(ValueError, match="move 2: action 9 is illegal in"):
        list(Record("connect4", ConnectFour(), (3, 9)).states())
    with pytest.raises(ValueError, match="move 8 comes after the end of the game"):
        begin(load("connect4"), moves="1 2 1 2 1 2 1").play(1)


def test_a_header_needs_a_name_of_its_own() -> None:
    for key in ("game", "two words", ""):
        with pytest.raises(ValueError, match="cannot be the name of a header"):
            write(Record("connect4", ConnectFour(), headers=((key, "x"),)))


def test_a_saved_game_can_be_named_where_a_game_is_wanted(tmp_path: Path) -> None:
    record = begin(load("connect4"), moves="4 4")
    file = tmp_path / "game.txt"
    file.write_text(write(record))
    assert open_game(str(file)) == record
    assert open_game(str(file), moves="1") == record.play(0)
    assert open_game("connect4", moves="4 4") == record
    with pytest.raises(ValueError, match="it needs no position"):
        open_game(str(file), "4435")


# --- a saved game is data -------------------------------------------------------------------------------

BOMB = WORDY + "\nimport pathlib\npathlib.Path(__file__).with_name('ran').touch()\n"


@pytest.fixture
def bomb(tmp_path: Path) -> tuple[Path, Path]:
    """A program that leaves a trace when it runs, and a saved game that names it."""
    file = tmp_path / "bomb.py"
    file.write_text(BOMB)
    saved = tmp_path / "saved.game"
    saved.write_text(f"game: {file}\n\n0 1\n".replace("0 1", '"to the left" "say \\"hi\\""'))
    return file, saved


@pytest.mark.parametrize(
    "command",
    [
        ("replay",), ("analyse",), ("play",), ("best",), ("why",), ("solve",), ("explain",), ("check",), ("perft",),
        ("web",), ("match", "connect4", "random", "random", "--games", "2", "--openings"),
    ],
    ids=lambda command: command[0],
)  # fmt: skip
def test_a_saved_game_runs_no_program(outplay, bomb: tuple[Path, Path], command: tuple[str, ...]) -> None:
    file, saved = bomb
    answer = outplay(*command, saved, *{"why": ["0"], "perft": ["1"]}.get(command[0], []))
    assert answer.status == 2
    assert not (file.parent / "ran").exists()
    assert (
        "a saved game runs no code: name the game before the file, as in `outplay replay bomb.py FILE`"
        in (answer.err)
    )
    assert len(answer.told.splitlines()) == 1


def test_a_saved_game_of_ones_own_game_is_named_with_it(outplay, bomb: tuple[Path, Path]) -> None:
    file, saved = bomb
    saved.write_text(saved.read_text().replace(str(file), "/another/machine/bomb.py"))
    assert open_game(str(file), str(saved)).actions == (0, 1)
    answer = outplay("replay", file, saved)
    assert (answer.status, answer.out.count("to the left")) == (0, 1)
    assert outplay("play", file, saved, "--side", "both", stdin="quit\n").status == 0
    assert (file.parent / "ran").exists()
    answer = outplay("best", "connect4", saved)
    assert answer.status == 2 and "name the game before the file" in answer.err
    saved.write_text("game: connect4\n\n4 4\n")
    answer = outplay("best", "tictactoe", saved)
    assert (answer.status, answer.told.strip()) == (
        2,
        f"outplay: {saved} is a game of connect4, not of tictactoe",
    )


# --- a draw that nobody claims ---

ROOKS = "game: chess\nstart: r3k3/8/8/8/8/8/8/R3K3 w - - {clock} 60\n{header}\n{moves}\n"
SHUFFLE = "Rb1 Rb8 Ra1 Ra8 "


def test_a_game_goes_on_where_nobody_claims_the_draw_by_fifty_moves() -> None:
    record = read(ROOKS.format(clock=98, header="result: 1", moves=SHUFFLE * 2))
    assert (len(record.actions), record.state.clock, record.is_over, record.result) == (8, 106, True, 1)
    assert read(write(record)) == record
    with pytest.raises(
        ValueError, match="move 3, 'Ra1': the game is over"
    ):  # after seventy-five it is a draw
        read(ROOKS.format(clock=148, header="", moves=SHUFFLE))
    with pytest.raises(ValueError, match="the result is given as 1, but the moves end in 0"):
        read(ROOKS.format(clock=148, header="result: 1", moves="Rb1 Rb8"))
    late = read(ROOKS.format(clock=148, header="", moves="Rb1 Rb8"))
    with pytest.raises(ValueError, match="move 3 comes after the end of the game"):
        late._replace(actions=(*late.actions, late.actions[0])).trail()


# --- other formats --------------------------------------------------------------------------------------

PGN = (
    '[White "\x1b[2JAnn"]\n[Result "1-0"]\n\n1. e4 {\x1b]0;owned\x07} e5 2. Bc4 Nc6 3. Qh5 Nf6 4. Qxf7# 1-0\n'
)


@pytest.mark.parametrize(
    ("name", "text", "shown"),
    [("game.pgn", PGN, "Qxf7#"), ("game.sgf", "(;GM[1]SZ[9];B[ee]C[\x1b[31m];W[dd])", "D6")],
)
def test_games_of_other_formats_are_shown_and_played_on(
    outplay, tmp_path: Path, name: str, text: str, shown: str
) -> None:
    file = tmp_path / name
    file.write_text(text)
    for command in (("replay", file), ("replay", file, "--boards"), ("play", file, "--side", "both")):
        answer = outplay(*command, stdin="quit\n")
        assert answer.status == 0, answer.err
        assert shown in answer.out or command[0] == "play"
        assert "\x1b" not in answer.out + answer.err and "\x07" not in answer.out + answer.err
