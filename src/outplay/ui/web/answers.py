"""The answers to questions over HTTP, worked out in a worker; app.py has the routes."""

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
    """One game, perhaps with parameters."""
    return positions.catalogue.describe_game(asked.game)


def position(positions: Positions, asked: AskedPosition) -> dict[str, Any]:
    """What stands on the board after the moves, and what may be played."""
    found = positions.asked(asked)
    seen = view(found, asked.flipped, _eyes(asked, found))
    for move in seen["legal"] if found.hides else []:
        move["action"] = positions.told_action(asked, found, int(move["action"]))
    knowledge, opening = positions.catalogue.knowledge, ""
    if knowledge.names and not found.hides:
        opening = knowledge.opening(record_of(positions.catalogue.game(asked.game), found))
    return seen | {"opening": opening}


def throw(positions: Positions, asked: AskedRoll) -> dict[str, Any]:
    """What chance does."""
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
    """A game or position that somebody typed or pasted: a record, PGN, FEN, a position, a tree."""
    return notation.read(positions.catalogue, asked.text, asked.game)


def write(positions: Positions, asked: AskedWrite) -> dict[str, Any]:
    """A game as text."""
    found = positions.asked(asked)
    if not found.is_open(_eyes(asked, found)):
        raise Refused("this game has hidden information: save it when it is over and all is shown")
    record = record_of(positions.catalogue.game(asked.game), found, tuple(asked.headers.items()))
    told = record._replace(comments=_comments(positions, asked))
    return {"text": notation.write(asked.game, told, asked.form, asked.tree)}


def _comments(positions: Positions, asked: AskedWrite) -> tuple[tuple[int, str], ...]:
    """The comments of a tree on the line that is written; every move of the tree is checked on the way."""
    said = []
    for number, actions in paths(asked.tree):
        positions.at(asked.game, asked.start, actions)
        if (comment := asked.tree[number].comment) and actions == asked.actions[: len(actions)]:
            said.append((len(actions), comment))
    return tuple(sorted(said))


def edit(positions: Positions, asked: AskedEdit) -> dict[str, Any]:
    """A position that somebody sets up, and what is wrong with it."""
    return edited(positions, asked)


def gallery(positions: Positions, asked: AskedGame) -> dict[str, Any]:
    """A game being played, picture by picture, for the page's first sight."""
    return {"frames": showcase.frames(positions, asked.game)}


def tree(positions: Positions, asked: AskedTree) -> dict[str, Any]:
    """The tree that a search saw, step by step."""
    return trees.searched(positions.catalogue.game(asked.game), positions.asked(asked), asked)


def pictures(positions: Positions, asked: AskedPictures) -> dict[str, Any]:
    """The boards of several positions, as small as they can be."""
    here = positions.asked(asked)
    if here.hides:
        raise Refused("this game has hidden information: its tree shows no boards")
    ways = ([int(action) for action in (*asked.actions, *way)] for way in asked.ways)
    found = [positions.at(asked.game, asked.start, way) for way in ways]
    return {"svgs": [thumbnail(position) for position in found]}


def typed(_: Positions, asked: AskedTyped) -> dict[str, Any]:
    """A tree that somebody makes by clicking."""
    return changed(asked)


def quiz(_: Positions, asked: AskedQuiz) -> dict[str, Any]:
    """A tree to be solved by hand; the same seed gives the same tree."""
    return trees.quiz(asked)


def _eyes(asked: Asked, found: Position) -> tuple[int, ...]:
    """The seats of the player who looks."""
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
