"""The input of a value net: a sparse list of nonzero inputs, each a place and a value.

A game defines it with `features`. By default it is the bits of `planes`, from the point of view of the player to move,
or else the bits of all fields, from MAX's.
"""

from typing import Any, NamedTuple

import numpy as np

from outplay.compile import inlined, twin
from outplay.compile.jit import ENABLED
from outplay.compile.runtime import NATIVE, flat
from outplay.game import FEATURE, max_actions, offers, plane_words
from outplay.search.mcts.view import shape_of

pointer = NATIVE["pointer"][ENABLED]
store_state = NATIVE["store_state"][ENABLED]
shr = NATIVE["shr"][ENABLED]
UNIT = np.float32(1.0 / FEATURE)
ONE = np.float32(1.0)


class Room(NamedTuple):
    """Memory of one evaluation."""

    words: np.ndarray  # int64: what the game tells, one more than there are
    places: np.ndarray  # int64[inputs]: of the inputs that are not 0
    values: np.ndarray  # float32[inputs]
    units: np.ndarray  # float32[units]: of the hidden layer
    second: np.ndarray  # float32[second]: of the second hidden layer
    raw: np.ndarray  # float32[answers]: as the viewer has them
    choices: np.ndarray  # int64: the actions of a state


def count_inputs(state: Any) -> int:
    """How many inputs a net of a game has."""
    cls: Any = type(state)
    if offers(cls, "features"):
        return int(cls.feature_count)
    return 64 * (plane_words(cls) if offers(cls, "planes") else len(flat(twin(cls).state(state))))


def inputs_to_learn(state: Any) -> int:
    """The same; an error for a class that has nothing to tell a net."""
    if not offers(type(state), "features"):
        shape_of(state)
    return count_inputs(state)


def room_for(state: Any, layers: Any) -> Room:
    """Memory for a net."""
    inputs = count_inputs(state)
    words = inputs if offers(type(state), "features") else inputs // 64
    return Room(
        np.zeros(words + 1, np.int64),
        np.zeros(inputs, np.int64),
        np.zeros(inputs, np.float32),
        np.zeros(layers.hidden.shape[1], np.float32),
        np.zeros(layers.middle.shape[1], np.float32),
        np.zeros(layers.output.shape[1], np.float32),
        np.zeros(max_actions(type(state)) + 1, np.int64),
    )


@inlined
def see(s: Any, room: Any) -> int:
    """Write down the inputs that are not 0; how many they are."""
    return look_at(s, pointer(room.words), len(room.words) - 1, pointer(room.places), pointer(room.values))


@inlined
def look_at(s: Any, words: Any, count: int, places: Any, values: Any) -> int:
    """The same, into memory at these addresses; the game has so many words to tell."""
    if s.has_features():
        n = s.features(words, 0)
        for i in range(n):
            places[i] = words[i] >> 32
            value = words[i] & 0xFFFFFFFF
            values[i] = np.float32(value - ((value & 0x80000000) << 1)) * UNIT
        return n
    if s.planes(words, 0) == 0:
        store_state(words, 0, s)
    n = 0
    for i in range(count):
        word = words[i]
        for bit in range(64):
            if shr(word, bit) & 1:
                places[n] = 64 * i + bit
                values[n] = ONE
                n += 1
    return n


@inlined
def viewer(s: Any, room: Any) -> int:
    """The player whose answers a net gives."""
    return seen_by(s, pointer(room.words))


@inlined
def seen_by(s: Any, words: Any) -> int:
    """The same, with memory for what the game has to tell at an address."""
    if s.has_features():
        return s.viewer()
    if s.planes(words, 0) > 0:
        return max(s.player(), 0)
    return 0
