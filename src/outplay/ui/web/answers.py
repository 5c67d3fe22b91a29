"""The answers to HTTP requests, computed in a worker; app.py has the routes."""

from collections.abc import Callable
from typing import Any

from outplay.game import CHANCE
from outplay.players import roll
from outplay.ui.web import notation, showcase, trees
from outplay.ui.web.catalogue import Refused
from outplay.ui.web.editor import edited
from outplay.ui.web.schema import (
    Asked,
    AskedEdit,
    AskedGame,
    AskedPictures,
    AskedPosition,
    AskedQuiz,
    AskedRead,
    AskedRoll,
    AskedTree,
    AskedTyped,
    AskedWrite,
)
from outplay.ui.web.typed import changed
from outplay.ui.web.variations import paths
from outplay.ui.web.view import NOBODY, Position, Positions, explained, record_of, thumbnail, view
from outplay.views import looking


def game(positions: Positions, asked: AskedGame) -> dict[str, Any]:
    """One game, optionally with parameters."""
    return positions.catalogue.describe_game(asked.game)


def position(positions: Positions, asked: AskedPosition) -> dict[str, Any]:
    """The position after the moves, and the legal moves."""
    found = positions.asked(asked)
    seen = view(found, asked.flipped, _eyes(asked, found))
    for move in seen["legal"] if found.hides else []:
        move["action"] = positions.told_action(asked, found, int(move["action"]))
    knowledge, opening = positions.catalogue.knowledge, ""
    if knowledge.names and not found.hides:
        opening = knowledge.opening(record_of(positions.catalogue.game(asked.game), found))
    return seen | {"opening": opening}


def throw(positions: Positions, asked: AskedRoll) -> dict[str, Any]:
    """A random outcome at a chance node."""
    found = positions.asked(asked)
    if found.over or found.state.player() != CHANCE:
        raise Refused("it is not chance's turn there")
    record = record_of(positions.catalogue.game(asked.game), found)
    outcome = roll(record, positions.seed(asked, found, asked.seed))
    return {"action": positions.told_action(asked, found, outcome)}


def explain(positions: Positions, asked: Asked) -> dict[str, Any]:
    """The evaluation of a position, term by term."""
    return explained(positions.asked(asked).state)


def read(positions: Positions, asked: AskedRead) -> dict[str, Any]:
    """Read a game or position that the user typed or pasted: a record, PGN, FEN, a position, a tree."""
    return notation.read(positions.catalogue, asked.text, asked.game)


def write(positions: Positions, asked: AskedWrite) -> dict[str, Any]:
    """Write a game as text."""
    found = positions.asked(asked)
    if not found.is_open(_eyes(asked, found)):
        raise Refused("this game has hidden information: save it when it is over and all is shown")
    record = record_of(positions.catalogue.game(asked.game), found, tuple(asked.headers.items()))
    told = record._replace(comments=_comments(positions, asked))
    return {"text": notation.write(asked.game, told, asked.form, asked.tree)}


def _comments(positions: Positions, asked: AskedWrite) -> tuple[tuple[int, str], ...]:
    """The comments on the main line of a move tree, after checking every move of the tree."""
    said = []
    for number, actions in paths(asked.tree):
        positions.at(asked.game, asked.start, actions)
        if (comment := asked.tree[number].comment) and actions == asked.actions[: len(actions)]:
            said.append((len(actions), comment))
    return tuple(sorted(said))


def edit(positions: Positions, asked: AskedEdit) -> dict[str, Any]:
    """A position being set up, and its faults."""
    return edited(positions, asked)


def gallery(positions: Positions, asked: AskedGame) -> dict[str, Any]:
    """The pictures of a game being played, for the home view."""
    return {"frames": showcase.frames(positions, asked.game)}


def tree(positions: Positions, asked: AskedTree) -> dict[str, Any]:
    """A search's tree, step by step."""
    return trees.searched(positions.catalogue.game(asked.game), positions.asked(asked), asked)


def pictures(positions: Positions, asked: AskedPictures) -> dict[str, Any]:
    """Small boards of several positions."""
    here = positions.asked(asked)
    if here.hides:
        raise Refused("this game has hidden information: its tree shows no boards")
    ways = ([int(action) for action in (*asked.actions, *way)] for way in asked.ways)
    found = [positions.at(asked.game, asked.start, way) for way in ways]
    return {"svgs": [thumbnail(position) for position in found]}


def typed(_: Positions, asked: AskedTyped) -> dict[str, Any]:
    """A change to a hand-made tree."""
    return changed(asked)


def quiz(_: Positions, asked: AskedQuiz) -> dict[str, Any]:
    """A tree to be solved by hand; the same seed gives the same tree."""
    return trees.quiz(asked)


def _eyes(asked: Asked, found: Position) -> tuple[int, ...]:
    """The seats of the viewing player."""
    return NOBODY if asked.viewer is None else looking(found.state, (asked.viewer,))


QUESTIONS: dict[str, tuple[type[Any], Callable[[Positions, Any], dict[str, Any]]]] = {
    "game": (AskedGame, game),
    "gallery": (AskedGame, gallery),
    "position": (AskedPosition, position),
    "roll": (AskedRoll, throw),
    "explain": (Asked, explain),
    "read": (AskedRead, read),
    "write": (AskedWrite, write),
    "edit": (AskedEdit, edit),
    "tree": (AskedTree, tree),
    "pictures": (AskedPictures, pictures),
    "typed": (AskedTyped, typed),
    "quiz": (AskedQuiz, quiz),
}
