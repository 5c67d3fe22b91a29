"""What a network sees of a state, and where its answers have an action.

A game tells by `planes` and `policy_index`. Without `planes` a network sees the bits of all fields; without
`policy_index` it answers by action, where actions are small ints. A view is a row of words whose bits are the inputs:
it is what the replay buffer keeps.
"""

import random
from typing import Any, NamedTuple

import numpy as np

from outplay.compile.runtime import flat
from outplay.game import CHANCE, GameError, chances, is_terminal, legal, offers, plane_words

MOST_ACTIONS = 4096  # that a derived policy may have
GAMES, PLIES = 50, 400  # played at random to see which actions there are


class View(NamedTuple):
    """The shapes of inputs and answers."""

    words: int  # of a row
    planes: tuple[int, int, int] | None  # planes, rows, columns; None: a run of bits
    answers: int  # of the policy
    by_action: int  # as many, where an answer's place is the action itself, else 0

    @property
    def inputs(self) -> int:
        return 64 * self.words if self.planes is None else int(np.prod(self.planes))


def view_of(state: Any) -> View:
    """The view of a game, seen from one of its states."""
    cls: Any = type(state)
    planes = tuple(cls.plane_shape) if offers(cls, "planes") else None
    words = plane_words(cls) if planes else len(flat(state))
    if offers(cls, "policy_index"):
        return View(words, planes, cls.policy_size, 0)
    actions = range_of_actions(state)
    return View(words, planes, actions, actions)


def range_of_actions(state: Any) -> int:
    """A power of 2 above the actions of random games; an error if they are no small ints."""
    dice, most = random.Random(0), 0
    for _ in range(GAMES):
        s = state
        for _ in range(PLIES):
            if is_terminal(s):
                break
            if s.player() == CHANCE:
                outcomes, weights = zip(*chances(s), strict=True)
                s = s.result(dice.choices(outcomes, weights)[0])
                continue
            actions = legal(s)
            if min(actions) < 0 or max(actions) >= MOST_ACTIONS:
                raise GameError(
                    f"{type(state).__name__} has actions like {max(actions, key=abs)}: give it policy_index(action) "
                    "and policy_size, so that a network has a place for each"
                )
            most = max(most, *actions)
            s = s.result(dice.choice(actions))
    return 1 << (most + 1).bit_length()


def inputs(view: View, rows: np.ndarray) -> np.ndarray:
    """The bits of views as numbers: float32[B, planes, rows, columns], or [B, 64 words]."""
    bits = np.unpackbits(np.ascontiguousarray(rows).view(np.uint8), axis=1, bitorder="little")
    if view.planes is None:
        return bits.astype(np.float32)
    planes, height, width = view.planes
    cells = bits.reshape(len(rows), planes, -1)[:, :, : height * width]
    return cells.reshape(len(rows), planes, height, width).astype(np.float32)
