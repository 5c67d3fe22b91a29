"""What a network sees of a game that tells nothing of it, and where its answers have an action."""

import os
from pathlib import Path

import numpy as np
import pytest

from outplay.compile import twin
from outplay.compile.runtime import flat
from outplay.game import GameError, legal
from outplay.games import load
from outplay.search.mcts.puct import PUCT
from outplay.search.mcts.view import (
    MOST_ANSWERS,
    View,
    derived_policy,
    inputs,
    random_states,
    spread,
    view_of,
)

CORPUS = Path(__file__).parent.parent / "corpus"
TUPLES = (
    f"{CORPUS / 'boards.py'}:Breakthrough"  # a board of 16 cells as a tuple, actions are pairs of squares
)


def test_small_ints_are_their_own_places() -> None:
    kalah = view_of(load("kalah").start)
    assert (kalah.by_action, kalah.factor) == (8, 0)
    assert [kalah.place(None, action) for action in (0, 3, 9)] == [0, 3, 7]
    assert view_of(load("tictactoe").start) == View(2, (2, 3, 3), 9, 0)


@pytest.mark.parametrize("game", ["checkers", TUPLES, "einstein"])
def test_actions_of_a_state_do_not_meet(game: str) -> None:
    start = load(game).position()
    view = view_of(start)
    assert 0 < view.answers <= MOST_ANSWERS and view.by_action == view.answers
    for state in list(random_states(start))[:300]:
        places = {view.place(state, action) for action in legal(state)}
        assert len(places) == len(legal(state)) and max(places) < view.answers


def test_more_actions_than_places_still_have_some() -> None:
    many = [[1_000_003 * i for i in range(2 * MOST_ANSWERS)]]
    answers, factor = derived_policy(many)
    places = [spread(action, factor, answers) for action in many[0]]
    assert answers == MOST_ANSWERS and factor != 0
    assert len(set(places)) > MOST_ANSWERS // 2 and min(places) >= 0 and max(places) < answers


def test_the_words_are_those_of_the_compiled_class() -> None:
    start = load(TUPLES).position()
    view = view_of(start)
    assert view.words == len(flat(twin(type(start)).state(start)))
    after = start.result(legal(start)[0])
    seen = inputs(view, view.rows([start, after]))
    assert seen.shape == (2, 64 * view.words) and not np.array_equal(seen[0], seen[1])


class Spread:
    """Priors by place: the place itself."""

    def __init__(self, view: View) -> None:
        self.actions, self.factor = view.by_action, view.factor

    def __call__(self, batch):
        return np.tile(np.arange(self.actions, dtype=float), (len(batch), 1)), np.zeros(len(batch))


COMPILED = pytest.mark.skipif(
    os.environ.get("OUTPLAY_JIT") == "0", reason="a net sees the words of compiled code"
)


@pytest.mark.lanes
@pytest.mark.parametrize("game", ["checkers", "kalah", pytest.param(TUPLES, marks=COMPILED)])
def test_kernels_find_the_same_places(game: str) -> None:
    start = load(game).position()
    view = view_of(start)
    search = PUCT([start], Spread(view), 2)
    search.search(1)
    tree = search.tree(0)
    first, count = int(tree.first[0]), int(tree.count[0])
    places = [view.place(start, int(tree.action[first + i])) for i in range(count)]
    assert count == len(legal(start)) and sum(places) > 0
    assert [float(tree.weight[first + i]) for i in range(count)] == pytest.approx(
        np.array(places) / sum(places)
    )


def test_a_class_that_runs_interpreted_is_told_to_give_planes(tmp_path: Path) -> None:
    file = tmp_path / "slow.py"
    file.write_text(
        "class Slow:\n"
        "    def __init__(self, bag=None): self.bag = bag or [3]\n"
        "    def __eq__(self, other): return self.bag == other.bag\n"
        "    def __hash__(self): return hash(tuple(self.bag))\n"
        "    def player(self): return len(self.bag) % 2\n"
        "    def actions(self): return eval('[1, 2]') if sum(self.bag) < 9 else []\n"
        "    def result(self, n): return Slow([*self.bag, n])\n"
        "    def utility(self): return 1 if len(self.bag) % 2 else -1\n"
    )
    with pytest.raises(GameError, match="runs interpreted.*planes"):
        view_of(load(str(file)).position())
