"""The memory of whatever judges by a value net, and what it may know beside the net."""

from typing import Any, NamedTuple

import numpy as np

from outplay.compile.rows import padded
from outplay.game import max_actions
from outplay.search.valuenet.inputs import Room, count_inputs, room_for
from outplay.search.valuenet.layers import Layers

LEVELS = 24  # decisions and rolls on a line, at most
# What is counted, and what is to be known: nodes; a wish to stop; how many answers to a move are looked at further;
# whether the game's evaluation judges and no net; the address of its weights
NODES, STOP, REPLIES, EVALUATES, WEIGHTS, COUNTERS = range(6)
NO_TABLE = np.zeros((0, 0), np.float32)


class Sums(NamedTuple):
    """For afterstates that are judged together: the weights, each table one row after the other, and sums."""

    hidden: np.ndarray  # float32: columns are filled up to a multiple of WIDE here
    middle: np.ndarray
    output: np.ndarray
    biases: np.ndarray  # float32: of all layers, one after the other
    first: np.ndarray  # float32[units]: the sums of the first afterstate's hidden units
    places: np.ndarray  # int64[inputs]: its inputs that are not 0
    values: np.ndarray  # float32[inputs]: what they are
    units: np.ndarray  # float32[units]: of the afterstate that is judged
    second: np.ndarray  # float32[second]
    answers: np.ndarray  # float32[answers]
    rows: np.ndarray  # int64: the rows that are added up
    weights: np.ndarray  # float32: how often


class Memory(NamedTuple):
    """Of a look ahead, or of games that are played."""

    room: Room
    rows: np.ndarray  # float32[levels, answers]: MAX's answers, by the length of the line
    stack: np.ndarray  # int64[levels * width]: actions
    ratings: np.ndarray  # float64[levels * width]: what each is worth to the mover
    sums: Sums  # of the afterstates that are judged together
    answers: np.ndarray  # float32[levels * width, answers]: MAX's after each action
    counters: np.ndarray  # int64[COUNTERS]
    table: np.ndarray  # float32[positions, positions]: a bear-off table without a cube; empty: none


def sums_for(state: Any, layers: Layers) -> Sums:
    inputs = count_inputs(state)
    hidden, middle, output = tables = [padded(part) for part in (layers.hidden, layers.middle, layers.output)]
    wide, second_wide = hidden.shape[1], middle.shape[1]
    most = max(2 * inputs, wide, second_wide) + 1
    return Sums(
        hidden.ravel(),
        middle.ravel(),
        output.ravel(),
        np.concatenate([table[-1] for table in tables if len(table)]),
        np.zeros(wide, np.float32),
        np.zeros(inputs, np.int64),
        np.zeros(inputs, np.float32),
        np.zeros(wide, np.float32),
        np.zeros(second_wide, np.float32),
        np.zeros(output.shape[1], np.float32),
        np.zeros(most, np.int64),
        np.zeros(most, np.float32),
    )


def memory_for(state: Any, layers: Layers, replies: int = 1, table: np.ndarray = NO_TABLE) -> Memory:
    """Memory for judgements of a game's states."""
    answers = layers.output.shape[1]
    width = max_actions(type(state)) + 1
    counters = np.zeros(COUNTERS, np.int64)
    counters[REPLIES] = replies
    return Memory(
        room_for(state, layers),
        np.zeros((LEVELS, answers), np.float32),
        np.zeros(LEVELS * width, np.int64),
        np.zeros(LEVELS * width),
        sums_for(state, layers),
        np.zeros((LEVELS * width, answers), np.float32),
        counters,
        table,
    )
