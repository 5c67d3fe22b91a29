"""Position IDs, Match IDs and XGIDs of backgammon: strings that GNU Backgammon 1.07 wrote, and the program itself."""

import random
from typing import Any

import pytest

from outplay.game import adopt, legal
from outplay.gamefile import open_game
from outplay.games.backgammon import Backgammon
from outplay.games.backgammon.cube import DOUBLE, DOUBLED, OPENING, TO_ROLL, Standing, standing
from outplay.games.backgammon.ids import gnubg_id
from outplay.games.backgammon.xgid import write_xgid
from outplay.variants import parameters, variant
from tests.games.gnubg import ids_after

adopt(Backgammon)
START = "4HPwATDgc/ABMA"
BOARD = "-b----E-C---eE---c-e----B-"


@pytest.mark.parametrize(
    ("text", "line", "rules"),
    (  # what the program wrote, and what its board said
        (f"{START}:cImyAAAAAAAE", "X 54", {"MATCH": 5}),
        (f"{START}:MAHnAAAAAAAE", "O 61", {"MATCH": 7}),
        (f"{START}:MIEJAAAAAAAA", "O 32", {"CUBE": 64}),
        (f"{START}:MIESAAAAAAAE", "O 54", {"CUBE": 64, "JACOBY": 0}),
        (f"{START}:MBkAAAAAAAAA", "O doubles", {"CUBE": 64}),
        (f"{START}:EREAAAAAAAAA", "O beavered 1 cube 2 X", {"CUBE": 64}),
        (f"{START}:EhkAAAAAAAAA", "O beavered 2 cube 4 X", {"CUBE": 64, "BEAVERS": 2}),
        (f"{START}:EwEAAAAAAAAA", "O cube 8 X", {"CUBE": 64}),
        ("4HPwATDgc/ABEA:UQngACAAGAAE", "X cube 2 X score 3-2", {"MATCH": 7}),
        ("4HPwARDwOfgAGA:8AnlACAAMAAE", "X 21 score 6-2 crawford", {"MATCH": 7}),
    ),
)
def test_ids_that_gnubg_wrote(text: str, line: str, rules: dict[str, int]) -> None:
    state: Any = Backgammon.parse(text)
    assert str(state) == f"{text.partition(':')[0]} {line}"
    assert {
        key: value for key, value in parameters(type(state)).items() if value != getattr(Backgammon, key)
    } == rules
    assert gnubg_id(state) == text


@pytest.mark.parametrize(
    ("xgid", "line", "match"),
    (
        (f"XGID={BOARD}:0:0:1:00:0:0:3:0:6", f"{START} X", 0),
        (f"XGID={BOARD}:0:0:-1:D:2:1:0:5:6", f"{START} O doubles score 2-1", 5),
        (f"XGID={BOARD}:0:0:1:B:0:0:3:0:6", f"{START} X beavered 1 cube 2 O", 0),
        (f"XGID={BOARD}:1:1:1:R:0:0:3:0:6", f"{START} X beavered 2 cube 8 O", 0),
        (f"XGID={BOARD}:2:-1:-1:31:0:0:1:0:6", f"{START} O 31 cube 4 O", 0),
        (f"XGID={BOARD}:0:0:-1:66:6:2:1:7:6", f"{START} O 66 score 6-2 crawford", 7),
    ),
)
def test_xgids(xgid: str, line: str, match: int) -> None:
    state: Any = Backgammon.parse(xgid)
    assert (str(state), type(state).MATCH) == (line, match)
    assert write_xgid(state) == xgid


def positions(cls: Any, seed: int, count: int) -> list[Any]:
    """States of random games where a side is on roll; random players double little."""
    source, state, found = random.Random(seed), cls(), []
    while len(found) < count:
        if state.terminal():
            state = cls()
        if state.dice not in (OPENING, TO_ROLL) and source.random() < 0.1:
            found.append(state)
        actions = legal(state)
        if state.dice < OPENING and source.random() < 0.7:
            actions = actions[:1]
        state = state.result(source.choice(actions))
    return found


@pytest.mark.parametrize(
    "values",
    ({"CUBE": 64}, {"CUBE": 64, "JACOBY": 0, "BEAVERS": 2}, {"MATCH": 4}, {"CUBE": 8, "CHECKERS": 3}),
)
def test_every_position_is_read_as_it_was_written(values: dict[str, int]) -> None:
    cls = variant(Backgammon, **values)
    for state in positions(cls, 5, 60):
        assert cls.parse(gnubg_id(state)) == state
        assert cls.parse(write_xgid(state)) == state
        assert cls.parse(str(state)) == state


def swapped(state: Any) -> Any:
    """The same with X and O in each other's place."""
    cube = state.cube
    owner, x, o = cube >> 4 & 3, cube >> 8 & 0xFFFF, cube >> 24 & 0xFFFF
    other = cube & ~(3 << 4 | 0xFFFFFFFF << 8) | (owner and 3 - owner) << 4 | o << 8 | x << 24
    return state._replace(turn=1 - state.turn, cube=other)


@pytest.mark.parametrize("values", ({"CUBE": 64}, {"MATCH": 7}))
def test_gnubg_reads_our_xgids(values: dict[str, int]) -> None:
    """It shows the IDs that we write; whoever is on roll is its player 1. It steps back where a double is offered."""
    cls = variant(Backgammon, **values)
    states = [state for state in positions(cls, 8, 60) if state.dice != DOUBLED][:30]
    answers = ids_after([f"set xgid {write_xgid(state)}" for state in states])
    for state, answer in zip(states, answers, strict=True):
        seen = state if state.turn == 0 else swapped(state)
        assert gnubg_id(cls.parse(answer)) == gnubg_id(seen), write_xgid(state)


@pytest.mark.parametrize("values", ({"CUBE": 64}, {"MATCH": 7}))
def test_gnubg_reads_our_ids(values: dict[str, int]) -> None:
    cls = variant(Backgammon, **values)
    states = [state for state in positions(cls, 9, 60) if state.dice != DOUBLED][:30]
    answers = ids_after([f"set gnubgid {gnubg_id(state)}" for state in states])
    assert [gnubg_id(cls.parse(answer)) for answer in answers] == [gnubg_id(state) for state in states]


def test_a_text_names_its_rules() -> None:
    record = open_game("backgammon", f"XGID={BOARD}:0:0:1:31:2:1:0:5:10", '"8/5 6/5"')
    assert record.game == "backgammon:match=5"
    assert standing(record.state) == Standing(1, -1, (2, 1), 5, False, 0, 1)
    five = variant(Backgammon, MATCH=5)
    assert five.parse(f"XGID={BOARD}:0:0:1:00:2:1:0:5:10").result(DOUBLE).dice == DOUBLED


MONEY = variant(Backgammon, CUBE=64)


@pytest.mark.parametrize(
    ("cls", "text", "complaint"),
    (
        (Backgammon, f"XGID={BOARD}:0:0:1:31:2:1:0:5", "not an XGID"),
        (Backgammon, f"XGID={BOARD}:0:0:1:30:2:1:0:5:10", "one die"),
        (Backgammon, f"XGID={BOARD}:0:0:1:31:2:1:2:5:10", "Crawford"),
        (Backgammon, f"XGID={BOARD}:0:1:1:31:2:1:0:5:10", "no owner"),
        (Backgammon, f"XGID={BOARD}:0:0:1:31:7:1:0:5:10", "is over at 7-1"),
        (Backgammon, f"XGID={BOARD}:0:0:1:31:3:1:1:5:10", "one point away"),
        (Backgammon, f"XGID={BOARD}:0:0:1:31:0:0:0:99:10", "1 to 64 points"),
        (Backgammon, f"XGID={BOARD}:12:1:1:31:0:0:0:0:14", "power of 2 up to 512"),
        (Backgammon, "XGID=Ab----E-C---eE---c-e----B-:0:0:1:31:0:0:0:5:10", "first place is O's bar"),
        (Backgammon, "XGID=-b----P-C---eE---c-e----B-:0:0:1:31:0:0:0:5:10", "26 checkers; the maximum is 15"),
        (Backgammon, "XGID=--------------------------:0:0:1:31:0:0:0:5:10", "no checkers"),
        (MONEY, f"XGID={BOARD}:0:0:1:31:0:0:3:5:10", "Crawford"),
        (MONEY, f"XGID={BOARD}:0:0:1:31:0:0:0:5:10", "name the game backgammon:match=5"),
        (MONEY, f"XGID={BOARD}:0:0:1:31:0:0:2:0:10", "without the Jacoby rule"),
        (Backgammon, f"{START}:cImyAAAAAAA", "is not a Match ID"),
        (Backgammon, f"{START}:////////////", "is not a Match ID"),
        (Backgammon, f"{START}:!!!!!!!!!!!!", "is not a Match ID"),
        (Backgammon, "cImyAAAAAAAE:4HPwATDgc/ABMA", "is not a Position ID"),
    ),
)
def test_broken_ids_are_refused(cls: Any, text: str, complaint: str) -> None:
    with pytest.raises(ValueError, match=complaint) as caught:
        cls.parse(text)
    assert "\n" not in str(caught.value)


def test_any_text_is_read_or_refused_in_a_line() -> None:
    source = random.Random(4)
    texts = [f"{START}:cImyAAAAAAAE", f"XGID={BOARD}:1:-1:1:31:2:1:0:5:10", f"{START} X doubles score 2-1"]
    for _ in range(3000):
        letters = list(source.choice(texts))
        for _ in range(source.randint(1, 3)):
            letters[source.randrange(len(letters))] = source.choice("0123456789ABCDEabcde-:= XO/+")
        try:
            state = Backgammon.parse("".join(letters))
        except ValueError as error:
            assert str(error) and "\n" not in str(error)
        else:
            assert type(state).parse(str(state)) == state
