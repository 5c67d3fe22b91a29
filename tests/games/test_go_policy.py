"""How simulations play Go: ataris are answered, good shapes found, eyes left alone; what `prior` thinks of moves."""

import random
from typing import Any

import pytest

from outplay.games import Go
from outplay.games.go import policy
from outplay.games.go.patterns import LEARNED
from outplay.games.go.shapes import STEPS, canonical, images, outside, surroundings, table
from outplay.games.go.text import members, read_point
from outplay.variants import variant

SMALL: Any = variant(Go, SIZE=5)


def chosen(position: str, tries: int = 40) -> set[str]:
    """What simulations play in a position."""
    state = SMALL.parse(position)
    dice = random.Random(1)
    return {state.action_text(state.playout(dice.getrandbits(64) - (1 << 63))) for _ in range(tries)}


def test_what_runs_into_atari_is_taken() -> None:
    assert chosen(".X.../XO.../.X.../...../..... X - B4 2") == {"C4"}


def test_what_is_put_into_atari_runs() -> None:
    assert chosen(".O.../OX.../.O.../...../..... X - B3 4") == {"C4"}


def test_it_is_saved_by_taking_what_threatens_it() -> None:
    """C3 has no way out at D3, but White's stone beside it is in atari."""
    assert chosen("...../.XOO./.OX.O/.XOO./..... X - C4 10") == {"A3"}


def test_an_atari_that_nothing_helps_against_is_left_alone() -> None:
    """In the corner, one liberty: running is no use."""
    assert "A1" not in chosen("...../...../O..../XO.../.O... X - A3 4")


def test_eyes_are_not_filled() -> None:
    state = SMALL.parse(".XX.X/XXXXX/XXXXX/XXXXX/XXXX. X")
    assert state.playout(12345) == state.PASS
    false_eye = SMALL.parse(".XO../XO.../O..../...../..... X")
    assert not policy.is_eye(false_eye, read_point("A5", 5))


def test_joined_stones_are_not_put_into_atari_but_one_may_be_thrown_in() -> None:
    state = SMALL.parse("...../...../OO.../X.O../.O... X")
    assert not policy.is_sensible(state, read_point("A1", 5))
    alone = SMALL.parse("...../...../O..../.O.../..... X")
    assert policy.is_sensible(alone, read_point("A1", 5))
    assert not policy.is_safe(alone, read_point("A2", 5), alone.empty())


def test_playouts_are_legal() -> None:
    dice = random.Random(2)
    state = SMALL()
    while not state.terminal():
        actions = list(state.actions())
        action = state.playout(dice.getrandbits(64) - (1 << 63))
        assert action in actions
        state = state.result(action if dice.random() < 0.7 else dice.choice(actions))


# --- patterns --------------------------------------------------------------------------------------------


@pytest.mark.parametrize("size", [5, 8, 9, 19])
def test_what_surrounds_a_point(size: int) -> None:
    dice = random.Random(size)
    cls = variant(Go, SIZE=size)
    own, opp = (sum(1 << point for point in range(size * size) if dice.random() < 0.3) for _ in range(2))
    opp &= ~own
    beyond = outside(size)
    for point in range(size * size):
        wanted = 0
        for i, (up, right) in enumerate(STEPS):
            row, column = point // size + up, point % size + right
            if row in range(size) and column in range(size):
                wanted |= (own >> size * row + column & 1) << i | (opp >> size * row + column & 1) << 8 + i
            else:
                wanted |= 1 << i | 1 << 8 + i
        found = surroundings(cls.points_of(own), cls.points_of(opp), beyond[point], point, size)
        assert found == wanted


def test_images() -> None:
    assert len(images(0b1)) == 4  # a stone in a corner
    assert len(images(0b10)) == 4
    assert len(images(0b1 | 0b10 << 8)) == 8
    assert images(0) == {0}
    for pattern in (0x0205, 0x1234):
        assert {canonical(image) for image in images(pattern)} == {canonical(pattern)}


def test_the_table_has_every_image() -> None:
    patterns = [int(number, 16) for number in LEARNED.split()]
    words = table(patterns)
    everything = {image for pattern in patterns for image in images(pattern)}
    assert members(words).bit_count() == len(everything)
    assert all(members(words) >> image & 1 for image in everything)
    assert patterns == sorted({canonical(pattern) for pattern in patterns})


# --- priors ----------------------------------------------------------------------------------------------


def test_priors_rank_moves() -> None:
    state = SMALL.parse("...../.XO../XO.../.XO../..... X - C4 6")
    prior = {state.action_text(action): state.prior(action) for action in state.actions()}
    assert max(prior, key=lambda text: prior[text]) == "C3"  # takes a stone
    assert prior["pass"] == 5
    assert prior["E1"] < prior["D3"]
    assert all(0 <= value <= 100 for value in prior.values())
    assert SMALL.parse("...../...../...../...../..... X - pass 2").prior(SMALL.PASS) == 40
    assert SMALL.parse(".X.../XX.../...../...../..... X").prior(20) == 0  # an eye of one's own
