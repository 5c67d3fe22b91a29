"""Hexapawn: solved boards, the rules written a second time on text, and notation."""

import functools
import random
from collections.abc import Iterator
from typing import Any

import pytest

from outplay.game import GameError, adopt, is_terminal, parse_action
from outplay.games.hexapawn import Hexapawn
from outplay.variants import variant
from outplay.words import wrap

adopt(Hexapawn)
SIZES = [(3, 3), (4, 4), (4, 5), (1, 4), (2, 2), (8, 8), (7, 9), (26, 2), (3, 21), (1, 64)]


def sized(width: int, height: int) -> Any:
    return variant(Hexapawn, WIDTH=width, HEIGHT=height)


def random_games(cls: Any, games: int, seed: int) -> Iterator[Any]:
    """All positions of some random games."""
    choose = random.Random(seed)
    for _ in range(games):
        state = cls()
        while actions := list(state.actions()):
            yield state
            state = state.result(choose.choice(actions))
        yield state


@pytest.mark.parametrize(
    ("width", "height", "value"),
    [
        *[(1, 2, -1), (1, 3, 1), (1, 4, -1), (1, 5, 1), (1, 6, -1)],
        *[(2, 2, 1), (2, 3, -1), (2, 4, -1), (2, 5, -1), (2, 6, -1)],
        *[(3, 2, 1), (3, 3, -1), (3, 4, -1), (3, 5, 1), (3, 6, -1)],
        *[(4, 2, 1), (4, 3, 1), (4, 4, 1), (4, 5, -1)],
        *[(5, 2, 1), (5, 3, 1), (5, 4, -1)],
    ],
)
def test_value(width: int, height: int, value: int) -> None:
    """Gardner's 3x3 is won by the second player; the other values agree with the rules on text below."""

    @functools.cache  # one for each board: states of two sizes can be equal as tuples
    def minimax(state: Any) -> int:
        values = [minimax(state.result(action)) for action in state.actions()]
        return (max, min)[state.player()](values) if values else state.utility()

    assert minimax(sized(width, height)()) == value


def test_perft() -> None:
    counts, layer = [], [Hexapawn()]
    while layer:
        layer = [state.result(action) for state in layer for action in state.actions()]
        counts.append(len(layer))
    assert counts == [3, 10, 28, 56, 70, 64, 20, 0]


def moves_on_text(rows: list[str], white: bool) -> dict[str, list[str]]:
    """The legal moves and the rows that they lead to, by the words of the rules; rows from the bottom."""
    pawn, enemy, ahead = ("P", "p", 1) if white else ("p", "P", -1)
    if enemy in rows[0 if white else -1]:
        return {}
    moves = {}
    for r, row in enumerate(rows):
        for c, square in enumerate(row):
            if square != pawn or not 0 <= r + ahead < len(rows):
                continue
            for side in (-1, 0, 1):
                wanted = enemy if side else "."
                if 0 <= c + side < len(row) and rows[r + ahead][c + side] == wanted:
                    after = [list(line) for line in rows]
                    after[r][c], after[r + ahead][c + side] = ".", pawn
                    name = f"{chr(97 + c)}x" if side else ""
                    moves[f"{name}{chr(97 + c + side)}{r + ahead + 1}"] = ["".join(line) for line in after]
    return moves


@pytest.mark.parametrize(("width", "height"), SIZES)
def test_rules_on_any_size(width: int, height: int) -> None:
    for state in random_games(sized(width, height), 20, seed=width):
        expected = moves_on_text(state.rows()[::-1], white=state.player() == 0)
        found = {state.action_text(a): state.result(a).rows()[::-1] for a in state.actions()}
        assert found == expected
        if is_terminal(state):
            assert state.utility() == (-1 if state.player() == 0 else 1)


@pytest.mark.parametrize(("width", "height"), SIZES)
def test_text_round_trip(width: int, height: int) -> None:
    cls = sized(width, height)
    for state in random_games(cls, 20, seed=height):
        assert cls.parse(str(state)) == state
        actions = list(state.actions())
        assert [parse_action(state, state.action_text(action)) for action in actions] == actions
        assert len(actions) <= cls.max_actions
        assert all(wrap(field) == field for field in state)


@pytest.mark.parametrize(
    ("text", "note"),
    [
        ("ppp/.../PPP w", "White to move"),
        ("p.P/.../... b", "White wins"),  # reached the far side
        (".p./.P./... b", "White wins"),  # no move left
        (".../.../P.. b", "White wins"),  # no pawns left
        (".../.P./p.. w", "Black wins"),
        ("p../P../... w", "Black wins"),
    ],
)
def test_board_says_who_wins(text: str, note: str) -> None:
    state = Hexapawn.parse(text)
    assert state.board().note == note
    assert is_terminal(state) == ("wins" in note)
    if "wins" in note:
        assert state.utility() == (1 if "White" in note else -1)


def test_text() -> None:
    state = Hexapawn()
    assert [state.action_text(action) for action in state.actions()] == ["a2", "b2", "c2"]
    state = state.result(parse_action(state, "b2"))
    assert str(state) == "ppp/.P./P.P b"
    assert sorted(state.action_text(action) for action in state.actions()) == ["a2", "axb2", "c2", "cxb2"]
    state = state.result(parse_action(state, "axb2"))
    assert str(state) == ".pp/.p./P.P w"
    assert state.evaluate() == -1
    assert state.board().rows == (" pp", " p ", "P P")


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        ("", "write it like ppp/.../PPP w"),
        ("ppp/.../PPP", "write it like"),
        ("ppp/.../PPP x", "write it like"),
        ("ppp/PPP w", "write it like"),
        ("ppp/..../PPP w", "write it like"),
        ("ppp/.q./PPP w", "write it like"),
        ("ppp/P../PPP w", "more than 3 pawns"),
        ("Ppp/.../.PP w", "White has won, yet is to move"),
        (".pp/.../PPp b", "Black has won, yet is to move"),
        ("ppp/.../... b", "White has just moved, but has no pawn"),
    ],
)
def test_parse_refuses(text: str, complaint: str) -> None:
    with pytest.raises(ValueError, match=complaint) as refused:
        Hexapawn.parse(text)
    assert "\n" not in str(refused.value)


@pytest.mark.parametrize(("width", "height"), [(9, 8), (3, 1), (0, 3), (27, 2)])
def test_sizes_that_do_not_fit(width: int, height: int) -> None:
    with pytest.raises(GameError, match="at most 64"):
        sized(width, height)
