"""Matches of backgammon as .mat and SGF: files that GNU Backgammon wrote, and the program reading ours."""

import random
from pathlib import Path
from typing import Any

import pytest

from outplay.game import adopt, legal
from outplay.gamefile import from_mat, is_game_file, open_game, read_games, sgf_games, to_mat, to_sgf, written
from outplay.games.backgammon import Backgammon
from outplay.games.backgammon.cube import OPENING, standing
from outplay.record import Record, read, write
from outplay.variants import variant
from tests.games.gnubg import told

adopt(Backgammon)
SESSION = """; [EventDate "2026.11.18"]

 0 point match

 Game 1
 gnubg : 0                      root : 0
  1) 31: 8/5 6/5                  Doubles => 2
  2)  Beavers => 4                Beavers => 8
  3)                             66:
      Wins 16 points

 Game 2
 gnubg : 16                     root : 0
  1) 31: 8/5 6/5                  Doubles => 2
  2)  Beavers => 4                Drops
      Wins 2 points

"""  # GNU Backgammon 1.07 wrote this one, and the next
SESSION_SGF = """(;FF[4]GM[6]CA[UTF-8]AP[GNU Backgammon:1.07.001]MI[length:0][game:0][ws:0][bs:0]PW[gnubg]PB[root]\
DT[2026-11-18]RU[Jacoby]RE[W+16R]GS[M:0 0 1 0 0][C:0 0 0 0]
;W[31hefe]
;B[double]
;W[double]
;B[double]
;W[take]
;PL[B]DI[66])
(;FF[4]GM[6]CA[UTF-8]AP[GNU Backgammon:1.07.001]MI[length:0][game:1][ws:16][bs:0]PW[gnubg]PB[root]RU[Jacoby]RE[W+2]
;W[31hefe]
;B[double]
;W[double]
;B[drop])
"""


def test_a_session_that_gnubg_wrote() -> None:
    first, second = from_mat(SESSION)
    assert first.game == second.game == "backgammon:cube=64,beavers=2"
    assert first.result == -16 and second.result == -2 and standing(second.start).score == (0, 16)
    assert dict(first.headers) == {
        "first": "root",
        "second": "gnubg",
        "date": "2026-11-18",
        "resigned": "X 16",
    }
    assert write(second).splitlines()[-1] == '13 "8/5 6/5" double beaver drop'
    for record, other in zip((first, second), sgf_games(SESSION_SGF), strict=True):
        assert (record.start, record.actions, record.result) == (other.start, other.actions, other.result)
    assert " Game 2\n gnubg : 16                     root : 0\n" in to_mat(first, second)
    for record in (first, second):
        assert next(from_mat(to_mat(record))).actions == record.actions
        assert next(sgf_games(to_sgf(record))).actions == record.actions


def random_match(match: int, seed: int, **values: int) -> Record:
    """A whole match, or a money game, of players at random who seldom double."""
    cls = variant(Backgammon, MATCH=match, CUBE=0 if match else 64, **values)
    source, record = random.Random(seed), Record(f"backgammon:match={match}", cls())
    state, actions = cls(), []
    while not state.terminal():
        choices = legal(state)
        if state.dice < OPENING and source.random() < 0.9:
            choices = choices[:1]
        actions.append(source.choice(choices))
        state = state.result(actions[-1])
    return record.play(*actions)


@pytest.mark.parametrize(
    "values", ({"match": 3}, {"match": 2, "CRAWFORD": 0}, {"match": 0}, {"match": 3, "CHECKERS": 3})
)
def test_a_match_is_taken_apart_and_put_together(values: Any, tmp_path: Path) -> None:
    record = random_match(seed=6, **values)
    for form in (".mat", ".sgf"):
        file = tmp_path / f"match{form}"
        file.write_text(written(record, file.name))
        assert is_game_file(str(file))
        games = list(read_games(str(file)))
        assert sum(len(game.actions) for game in games) == len(record.actions)
        again = open_game(str(file))
        assert (again.start, again.actions, again.result) == (record.start, record.actions, record.result)
        assert read(write(again)) == again


def compared(record: Record, others: list[Record]) -> None:
    assert tuple(action for other in others for action in other.actions) == record.actions
    assert others[-1].result == record.result


def test_gnubg_reads_what_we_write(tmp_path: Path) -> None:
    """It loads our files, and writes the same match."""
    record = random_match(3, 4)
    for form in ("mat", "sgf"):
        (tmp_path / f"ours.{form}").write_text(written(record, f"ours.{form}"))
    said = told(
        f"import mat {tmp_path}/ours.mat", f"save match {tmp_path}/a.sgf", f"export match mat {tmp_path}/a.mat",
        "show scoresheet",
        f"load match {tmp_path}/ours.sgf", f"save match {tmp_path}/b.sgf", f"export match mat {tmp_path}/b.mat",
        "show scoresheet",
    )  # fmt: skip
    score = standing(record.state).score
    assert said.count(f"{score[1]} | {score[0]}") == 2
    for name in ("a.sgf", "a.mat", "b.sgf", "b.mat"):
        compared(record, list(read_games(str(tmp_path / name))))


def test_matches_that_gnubg_plays(tmp_path: Path) -> None:
    """It plays a match and a money game against itself: both files of each tell the same, and we write them again."""
    said = told(
        *(f"set player {player} gnubg" for player in (0, 1)),
        *(f"set player {p} {kind} evaluation plies 0" for p in (0, 1) for kind in ("chequerplay", "cubedecision")),
        "set seed 11", "set display off", "set automatic game on", "set automatic move on", "set automatic roll on",
        "new match 5", f"save match {tmp_path}/5.sgf", f"export match mat {tmp_path}/5.mat", "show scoresheet",
        "set automatic game off", "new session", f"save match {tmp_path}/0.sgf", f"export match mat {tmp_path}/0.mat",
        quiet=False,
    )  # fmt: skip
    assert "Score Sheet" in said
    for name in ("5", "0"):
        tabled, trees = (list(read_games(str(tmp_path / f"{name}.{form}"))) for form in ("mat", "sgf"))
        assert len(tabled) == len(trees) >= 1
        for one, other in zip(tabled, trees, strict=True):
            assert (one.start, one.actions, one.result) == (other.start, other.actions, other.result)
        again = list(from_mat(to_mat(*tabled)))
        assert [(game.start, game.actions) for game in again] == [
            (game.start, game.actions) for game in tabled
        ]


@pytest.mark.parametrize(
    ("text", "complaint"),
    (
        (" 5 point match\n", "`5 point match` and `Game 1`"),
        (" 5 point match\n Game 1\n", "names and the score"),
        (" 5 point match\n Game 1\n a : 0     b : 0\n  1) 31: 8/5 7/5\n", "'8/5 7/5' is not legal here"),
        (" 5 point match\n Game 1\n a : 0     b : 0\n  1) 31: what\n", "'what' is not a play"),
        (" 5 point match\n Game 1\n a : 0     b : 0\n  1) what\n", "'1\\) what' cannot be parsed"),
        (" 5 point match\n Game 1\n a : 0     b : 0\n  1) 11: 8/7 8/7 6/5 6/5\n", "cannot begin with 11"),
        (" 5 point match\n Game 1\n a : 0     b : 0\n  1)  Doubles => 2\n", "O may not double"),
        (" 5 point match\n Game 1\n a : 7     b : 0\n  1) 31: 8/5 6/5\n", "the match to 5 is over at 0-7"),
        (" 99 point match\n Game 1\n a : 0     b : 0\n", "1 to 64 points"),
        (' ; [Variation "Nackgammon"]\n 5 point match\n Game 1\n a : 0     b : 0\n', "Nackgammon"),
        (SESSION.replace("Wins 2", "Wins 4"), "the file has O winning 4, but by the plays O wins 2"),
    ),
)
def test_broken_matches_are_refused(text: str, complaint: str, tmp_path: Path) -> None:
    file = tmp_path / "broken.mat"
    file.write_text(text)
    with pytest.raises(ValueError, match=complaint) as caught:
        list(read_games(str(file)))
    assert str(caught.value).startswith(str(file)) and "\n" not in str(caught.value)


@pytest.mark.parametrize(
    ("text", "complaint"),
    (
        ("(;GM[6]MI[length:5];B[31ab])", "not legal here"),
        ("(;GM[6]MI[length:5];B[what])", "'what' is not a move"),
        ("(;GM[6]MI[length:5];B[double])", "X may not double"),
        ("(;GM[6]MI[length:5];B[31hefe];B[31hefe])", "node 1: "),
        ("(;GM[6]MI[length:x])", "MI cannot be parsed"),
        ("(;GM[6]MI[length:5]RU[Nackgammon])", "nackgammon"),
        ("(;GM[6]MI[length:5]AB[a])", "sets up a position"),
        ("(;GM[6]MI[length:5]", "not a game as SGF"),
    ),
)
def test_broken_sgf_is_refused(text: str, complaint: str) -> None:
    with pytest.raises(ValueError, match=complaint) as caught:
        list(sgf_games(text))
    assert "\n" not in str(caught.value)


def test_what_cannot_be_written_is_refused() -> None:
    placed = Record("backgammon", Backgammon.parse("4HPwATDgc/ABMA X 31"))
    for form in (to_mat, to_sgf):
        with pytest.raises(ValueError, match="from the opening roll"):
            form(placed)
        with pytest.raises(ValueError, match="not for tictactoe"):
            form(open_game("tictactoe"))


def test_a_resigned_game_ends_what_is_put_together(tmp_path: Path) -> None:
    text = """ 3 point match

 Game 1
 a : 0                          b : 0
  1) 31: 8/5 6/5                 42: 8/4 6/4
      Wins 1 point

 Game 2
 a : 1                          b : 0
  1) 31: 8/5 6/5
"""
    file = tmp_path / "match.mat"
    file.write_text(text)
    assert [game.result for game in read_games(str(file))] == [None, None]
    last = open_game(str(file))
    assert standing(last.start).score == (0, 1) and len(last.actions) == 2
    file.write_text(text.replace("Wins 1 point", "Wins 3 points").partition(" Game 2")[0])
    assert open_game(str(file)).result == -1


def test_a_match_to_one_point_has_no_crawford_game(tmp_path: Path) -> None:
    file = tmp_path / "one.mat"
    file.write_text(" 1 point match\n\n Game 1\n A : 0                          B : 0\n  1) 31: 8/5 6/5\n")
    (record,) = read_games(str(file))
    assert record.game == "backgammon:match=1" and len(record.actions) == 2
