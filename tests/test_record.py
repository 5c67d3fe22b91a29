"""Records: played, written, read back the same, and refused where they cannot be replayed."""

import random
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from outplay.game import legal
from outplay.games import ConnectFour, TicTacToe, load
from outplay.record import Record, begin, open_game, read, read_all, write

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
    record = begin(load(str(file))).play(0, 1, 2, 3, 4, 5)
    assert read(write(record)) == record
    middle = record._replace(start=record.state, actions=(0,), result=None)
    assert "start: Wordy(n=6)\n" in write(middle)
    assert read(write(middle)) == middle


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        ("", "one game is wanted, the text holds 0"),
        ("1 2 3", "a record begins with a line `game: NAME`, not with '1 2 3'"),
        ("game: conect4\n", "no game called 'conect4'; did you mean connect4"),
        ("game: connect4\n\n4 8", "move 2: '8' is not a legal move here; legal: 4 3 5 2 6 1 7"),
        ("game: connect4\n\n1 2 1 2 1 2 1 2", "move 8, '2': the game is over"),
        ("game: connect4\nresult: -1\n\n1 2 1 2 1 2 1", "the result is given as -1, but the moves end in 1"),
        ("game: connect4\nresult: won\n", "result: 'won' is not a number"),
        ("game: connect4\nstart: zzz\n", "not a position of Connect Four: 'zzz'"),
        ("game: connect4\n\n4 {no end", "no end to what begins with '{no end'"),
        ('game: connect4\nby: "a\\q"\n', "is not a text in double quotes"),
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
