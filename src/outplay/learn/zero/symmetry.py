"""The symmetries of the board, found by playing.

A transformation of the planes (a reflection or rotation) is a symmetry if two games remain images of each other:
one with random actions, the other with their images. Then every position may be learned from in all its images.
A policy indexed by cells, rows or columns is transformed with them; further indices (a pass) stay.
"""

import random
from collections.abc import Iterator
from typing import Any, NamedTuple

import numpy as np

from outplay.game import CHANCE, is_terminal, legal, offers, plane_words
from outplay.search.mcts.view import View, inputs

GAMES, PLIES = 10, 60  # for testing a symmetry


class Symmetries(NamedTuple):
    """All symmetries of a board; the first is the identity."""

    cells: np.ndarray  # int64[S, cells]: the source of each cell of an image
    answers: np.ndarray  # int64[S, answers]: the same for the policy


def symmetries_of(start: Any, view: View) -> Symmetries:
    """A game's symmetries; only the identity if it has no planes or no `policy_index`."""
    cls: Any = type(start)
    if view.planes is None or not offers(cls, "policy_index") or offers(cls, "probability"):
        return Symmetries(np.zeros((1, 0), np.int64), np.arange(view.answers)[None])
    _, height, width = view.planes
    same = np.arange(height * width), np.arange(view.answers)
    found = [same]
    for cells in turns(height, width):
        for answers in turned_answers(cells, view):
            if all(is_image(start, view, cells, answers, random.Random(game)) for game in range(GAMES)):
                found.append((cells, answers))
                break
    return Symmetries(np.array([c for c, _ in found]), np.array([a for _, a in found]))


def turns(height: int, width: int) -> Iterator[np.ndarray]:
    """The rotations and reflections of a board except the identity: the source of each cell."""
    board = np.arange(height * width).reshape(height, width)
    for image in (board, board.T) if height == width else (board,):
        for turned in (image, image[::-1], image[:, ::-1], image[::-1, ::-1]):
            if not np.array_equal(turned, board):
                yield np.ascontiguousarray(turned).ravel()


def turned_answers(cells: np.ndarray, view: View) -> Iterator[np.ndarray]:
    """The possible effects on a policy, whose indices are cells, rows or columns."""
    assert view.planes is not None
    _, height, width = view.planes
    board = cells.reshape(height, width)
    answers = np.arange(view.answers)
    for places in (cells, board[:, 0] // width, board[0] % width):
        if len(places) <= view.answers and sorted(places) == list(range(len(places))):
            yield np.concatenate([places, answers[len(places) :]])


def is_image(start: Any, view: View, cells: np.ndarray, answers: np.ndarray, dice: random.Random) -> bool:
    """Whether a random game and its image stay images of each other."""
    here = there = start
    image = np.argsort(answers)  # the image of each policy index
    for _ in range(PLIES):
        if is_terminal(here) != is_terminal(there) or here.player() != there.player():
            return False
        if not np.array_equal(seen(here, view)[:, cells], seen(there, view)):
            return False
        if is_terminal(here) or here.player() == CHANCE:
            return is_terminal(here) and here.utility() == there.utility()
        mine = {here.policy_index(action): action for action in legal(here)}
        theirs = {there.policy_index(action): action for action in legal(there)}
        if {int(image[place]) for place in mine} != set(theirs):
            return False
        place = dice.choice(sorted(mine))
        here, there = here.result(mine[place]), there.result(theirs[int(image[place])])
    return True


def seen(state: Any, view: View) -> np.ndarray:
    """The planes of a state as numbers: [planes, cells]."""
    words = np.array([list(state.planes())], np.int64).reshape(1, plane_words(type(state)))
    return inputs(view, words).reshape(-1, words.shape[1] and view.inputs // view.planes[0])  # type: ignore[index]
