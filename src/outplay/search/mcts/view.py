"""A network's input for a state, and the policy index of an action.

A game defines them with `planes` and `policy_index`. For a game without them both are derived:

- the input is the bits of all fields of the compiled class;
- an action's policy index is the action itself if actions are small ints. Other actions (a packed tuple, from and to
  squares) are hashed to a power of 2 by a multiplication, with a factor chosen so that actions of one
  state do not collide in random games. If two collide later, they share a prior, and the search separates them.

A view is a row of words whose bits are the inputs: the replay buffer stores these.
"""

import random
from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

import numpy as np

from outplay.compile import twin
from outplay.compile.runtime import flat
from outplay.game import CHANCE, GameError, chances, is_terminal, legal, offers, plane_words
from outplay.words import shr, wrap

MOST_ANSWERS = 4096  # maximum size of a derived policy
SPARSE = 4  # maximum size of a policy by action, per action seen
ROOMY = 2  # minimum size of a hashed policy, per action seen
FACTORS = 32  # number of factors tried
JUDGED = 300  # number of states whose actions test a factor
SPREAD_BITS = 48  # the index is the product's bits from this one up
GAMES, PLIES = 50, 400  # random games to collect actions


class View(NamedTuple):
    """The shapes of inputs and policy."""

    words: int  # per row
    planes: tuple[int, int, int] | None  # planes, rows, columns; None: a run of bits
    answers: int  # size of the policy
    by_action: int  # the same, if an action's index depends only on the action, else 0
    factor: int = 0  # that hashes actions to indices; 0: the index is the action itself

    @property
    def inputs(self) -> int:
        return 64 * self.words if self.planes is None else int(np.prod(self.planes))

    def place(self, state: Any, action: int) -> int:
        """The policy index of an action; kernels use `expand.place_of`."""
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
    """The view of a game, derived from one of its states."""
    cls: Any = type(state)
    planes, words = shape_of(state)
    if offers(cls, "policy_index"):
        return View(words, planes, cls.policy_size, 0)
    answers, factor = derived_policy([legal(s) for s in random_states(state)])
    return View(words, planes, answers, answers, factor)


def shape_of(state: Any) -> tuple[tuple[int, int, int] | None, int]:
    """The planes of a game and the words of a view; raises an error if there is no possible input."""
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
    """The size of a policy and the factor, for the actions of these states."""
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
    """The index of an action below `size`, a power of 2."""
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
