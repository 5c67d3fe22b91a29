"""EinStein würfelt nicht!: the rules beside OpenSpiel's, placing, ends, texts."""

import random
import re

import pytest

from outplay.game import CHANCE, adopt, legal
from outplay.games.einstein import CORNER, GONE, NOT_PLACED, EinStein, cell, number_of

adopt(EinStein)


def stones(text: str, colour: str) -> int:
    """A side's stones on a board of OpenSpiel, black's counted from the top left, white's from the bottom right."""
    found = [GONE] * 6
    for at, (who, number) in enumerate(re.findall(r"\|(?:(b|w)(\d)|__)\|", text)):
        if who == colour:
            found[int(number) - 1] = at if colour == "b" else CORNER - at
    return sum(at << 5 * stone for stone, at in enumerate(found))


def test_openspiel_plays_the_same_game() -> None:
    pyspiel = pytest.importorskip("pyspiel", reason="OpenSpiel is not installed")
    game, source = pyspiel.load_game("einstein_wurfelt_nicht"), random.Random(1)
    for _ in range(10):
        theirs = game.new_initial_state()
        theirs.apply_action(source.randrange(720))
        theirs.apply_action(source.randrange(720))
        colours: str = ""
        while not theirs.is_terminal():
            roll = source.randrange(6)
            theirs.apply_action(theirs.legal_actions()[roll])
            first = theirs.action_to_string(theirs.legal_actions()[0])[0].lower()
            colours = colours or first + "bw".replace(first, "")
            turn = colours.index(first)
            text = str(theirs)
            ours = EinStein(
                stones(text, first), stones(text, colours[1 - turn]), 0, roll + 1
            )  # the side that moves is X
            wanted = set()
            for action in theirs.legal_actions():
                after = theirs.child(action)
                wanted.add(
                    (stones(str(after), first), stones(str(after), colours[1 - turn]), after.is_terminal())
                )
            found = [ours.result(action) for action in ours.actions()]
            assert {(s.opp, s.own, s.terminal()) for s in found} == wanted and len(found) == len(wanted)
            theirs.apply_action(source.choice(theirs.legal_actions()))


def test_x_places_then_o_then_the_die() -> None:
    state = EinStein()
    for turn in (0, 1):
        for stone in range(6):
            assert state.player() == turn and len(legal(state)) == 6 - stone
            assert state.board().note == f"{'XO'[turn]} places {stone + 1}"
            state = state.result(legal(state)[0])
    assert state.player() == CHANCE and state.turn == 0 and legal(state) == [1, 2, 3, 4, 5, 6]
    assert str(state) == "a5,b5,c5,a4,b4,a3 e1,d1,c1,e2,d2,e3 X"
    assert [state.result(4).action_text(action) for action in state.result(4).actions()] == [
        "4-b4",
        "4-a3",
        "4-b3",
    ]


def test_the_next_lower_or_higher_stone() -> None:
    state = EinStein.parse("-,b5,-,-,e3,- e1,-,-,-,-,- X 4")
    assert {action >> 2 for action in legal(state)} == {1, 4}
    assert {action >> 2 for action in legal(state._replace(die=1))} == {1}
    assert [state.action_text(action) for action in state._replace(die=5).actions()] == ["5-e2"]


def test_ends() -> None:
    state = EinStein.parse("d2,-,-,-,-,- a5,e2,-,-,-,- X 6")
    over = {state.action_text(action): state.result(action) for action in state.actions()}
    assert over["1-e1"].terminal() and over["1-e1"].utility() == 1
    assert not over["1-e2"].terminal() and cell(over["1-e2"].own, 1) == GONE
    last = EinStein.parse("d2,-,-,-,-,- -,e2,-,-,-,- X 6")
    assert last.result(0).terminal() and last.result(0).utility() == 1


def test_texts_along_random_games() -> None:
    source = random.Random(1)
    for _ in range(10):
        state = EinStein()
        while not state.terminal():
            assert EinStein.parse(str(state)) == state
            written = [state.action_text(action) for action in legal(state)]
            assert len(set(written)) == len(written)
            state = state.result(source.choice(legal(state)))
        assert EinStein.parse(str(state)) == state


@pytest.mark.parametrize(
    ("text", "complaint"),
    (
        ("", "write it as"),
        ("a5,b5 e1,d1 X", "write it as"),
        ("a5,a5,-,-,-,- e1,-,-,-,-,- X", "two stones are on one cell"),
        ("a5,?,?,?,?,? e1,-,-,-,-,- X", "then the die is rolled"),
        ("a5,b5,c5,a4,b4,a3 e1,?,?,?,?,? X", "then the die is rolled"),
    ),
)
def test_bad_text_is_refused(text: str, complaint: str) -> None:
    with pytest.raises(ValueError, match=complaint) as caught:
        EinStein.parse(text)
    assert "\n" not in str(caught.value)


def test_cells() -> None:
    assert number_of("a5", 0) == number_of("e1", 1) == 0
    assert number_of("e1", 0) == CORNER and EinStein().own == NOT_PLACED
