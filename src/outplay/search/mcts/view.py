"""What a network sees of a state, and where its answers have an action.

A game tells by `planes` and `policy_index`. For a game that tells neither both are derived:

- a network sees the bits of all fields, as the compiled class holds them;
- an action's place among its answers is the action itself where actions are small ints. Other actions (a packed tuple,
  squares left and reached) are spread over a power of 2 by a multiplication, the factor chosen so that actions of one
  state do not meet in random games. Where two meet later they share a prior, and the search tells them apart.

A view is a row of words whose bits are the inputs: it is what the replay buffer keeps.
"""

import random
from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

import numpy as np

from outplay.compile import twin
from outplay.compile.runtime import flat
from outplay.game import CHANCE, GameError, chances, is_terminal, legal, offers, plane_words
from outplay.words import shr, wrap

MOST_ANSWERS = 4096  # of a derived policy
SPARSE = 4  # a policy by action has no more places than this for each action seen
ROOMY = 2  # a policy by factor has this many places for each action seen, at least
FACTORS = 32  # that are tried
JUDGED = 300  # states by whose actions a factor is judged
SPREAD_BITS = 48  # of the product, from which on its bits are the place
GAMES, PLIES = 50, 400  # played at random to see which actions there are


class View(NamedTuple):
    """The shapes of inputs and answers."""

    words: int  # of a row
    planes: tuple[int, int, int] | None  # planes, rows, columns; None: a run of bits
    answers: int  # of the policy
    by_action: int  # as many, where an answer's place comes from the action alone, else 0
    factor: int = 0  # by which actions are spread over the places; 0: the place is the action itself

    @property
    def inputs(self) -> int:
        return 64 * self.words if self.planes is None else int(np.prod(self.planes))

    def place(self, state: Any, action: int) -> int:
        """Where the policy has an action; kernels know it by `expand.place_of`."""
        if not self.by_action:
            return int(state.policy_index(action))
        if self.factor:
            return spread(action, self.factor, self.by_action)
        return min(max(action, 0), self.by_action - 1)

    def rows(self, states: Sequence[Any]) -> np.ndarray:
        """The words of states of a game: int64[B, words]."""
        if self.planes:
            return np.array([list(state.planes()) for state in states], np.int64)
        native = twin(type(states[0])).state
        return np.array([flat(native(state)) for state in states], np.int64)


def view_of(state: Any) -> View:
    """The view of a game, seen from one of its states."""
    cls: Any = type(state)
    planes, words = shape_of(state)
    if offers(cls, "policy_index"):
        return View(words, planes, cls.policy_size, 0)
    answers, factor = derived_policy([legal(s) for s in random_states(state)])
    return View(words, planes, answers, answers, factor)


def shape_of(state: Any) -> tuple[tuple[int, int, int] | None, int]:
    """The planes of a game and the words of a view; an error where a network would see nothing."""
    cls: Any = type(state)
    if offers(cls, "planes"):
        return tuple(cls.plane_shape), plane_words(cls)
    native = twin(cls).state(state)
    if hasattr(native, "interpreted"):
        raise GameError(
            f"{cls.__name__} runs interpreted, so its fields cannot be a network's input: add planes() and plane_shape"
        )
    return None, len(flat(native))


def derived_policy(choices: list[list[int]]) -> tuple[int, int]:
    """How many places a policy has, and the factor, for actions as these states have them."""
    seen = {action for actions in choices for action in actions}
    if min(seen) >= 0 and max(seen) < min(max(8, SPARSE * len(seen)), MOST_ANSWERS):
        return 1 << (max(seen) + 1).bit_length(), 0
    dice = random.Random(0)
    choices = dice.sample(choices, min(len(choices), JUDGED))
    best = (sum(map(len, choices)), 0, 0)
    size = min(1 << (ROOMY * len(seen)).bit_length(), MOST_ANSWERS)
    while best[0] > 0 and size <= MOST_ANSWERS:
        for factor in (wrap(dice.getrandbits(64) | 1) for _ in range(FACTORS)):
            meeting = sum(
                len(actions) - len({spread(action, factor, size) for action in actions})
                for actions in choices
            )
            best = min(best, (meeting, size, factor))
            if meeting == 0:
                break
        size *= 2
    return best[1:]


def spread(action: int, factor: int, size: int) -> int:
    """The place of an action among `size`, a power of 2."""
    return shr(wrap(action * factor), SPREAD_BITS) & (size - 1)


def random_states(start: Any) -> Iterator[Any]:
    """The states of random games at which a player moves."""
    dice = random.Random(0)
    for _ in range(GAMES):
        s = start
        for _ in range(PLIES):
            if is_terminal(s):
                break
            if s.player() == CHANCE:
                outcomes, weights = zip(*chances(s), strict=True)
                s = s.result(dice.choices(outcomes, weights)[0])
                continue
            yield s
            s = s.result(dice.choice(legal(s)))


def inputs(view: View, rows: np.ndarray) -> np.ndarray:
    """The bits of views as numbers: float32[B, planes, rows, columns], or [B, 64 words]."""
    bits = np.unpackbits(np.ascontiguousarray(rows).view(np.uint8), axis=1, bitorder="little")
    if view.planes is None:
        return bits.astype(np.float32)
    planes, height, width = view.planes
    cells = bits.reshape(len(rows), planes, -1)[:, :, : height * width]
    return cells.reshape(len(rows), planes, height, width).astype(np.float32)
