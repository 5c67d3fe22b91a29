"""Games of Go as SGF (FF[4]), read and written with sgfmill."""

import math
from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING, Any, NamedTuple, TypeVar

from outplay.games.go.position import Go
from outplay.games.go.text import members
from outplay.variants import parameters, variant

if TYPE_CHECKING:
    from sgfmill.sgf import Sgf_game, Tree_node

T = TypeVar("T")
COLOURS = ("b", "w")
HEADERS = {"PB": "first", "PW": "second", "EV": "event", "DT": "date", "GN": "name", "RE": "result_text"}


class Played(NamedTuple):
    """A game of an SGF file: its start, moves and metadata."""

    start: Go
    actions: tuple[int, ...]
    headers: dict[str, str]  # players and date, by the names that records use
    comments: tuple[tuple[int, str], ...] = ()  # (how many actions before it, text)


def sized(size: int, komi: float) -> Any:
    """Go with this board size and komi; a komi such as 3.75 counts stones and is doubled."""
    if komi * 4 % 2 == 1:
        komi *= 2
    if not math.isfinite(komi) or komi * 2 % 1 or abs(komi) > 361:
        raise ValueError(f"unsupported komi {komi:g}: expected whole or half points")
    if not 2 <= size <= 19:
        raise ValueError(f"unsupported board size {size}x{size}: expected 2x2 to 19x19")
    return variant(Go, SIZE=size, KOMI=math.floor(komi), HALF=int(komi % 1 > 0))


def spec(cls: Any) -> str:
    """The name of such a game for `outplay.games.load`: `go:size=19`."""
    others = (f"{k.lower()}={v}" for k, v in parameters(cls).items() if v != getattr(Go, k))
    return ":".join(filter(None, ("go", ",".join(others))))


def read_sgf(text: str) -> Played:
    """The first game of a text without its variations; raises a one-line ValueError if it cannot be replayed.

    If a colour moves twice in a row, the other is taken to have passed. Moves after the end of the game are ignored.
    """
    from sgfmill import sgf

    try:
        game = sgf.Sgf_game.from_string(text)
        if game.get_root().has_property("GM") and game.get_root().get_raw("GM").strip() != b"1":
            raise ValueError("GM names another game")
        cls = sized(game.get_size(), _read("the komi", game.get_komi))
    except ValueError as error:
        raise ValueError(f"not a game of Go as SGF: {error}") from None
    state = start = _start(cls, game)
    actions: list[int] = []
    comments: list[tuple[int, str]] = []
    for number, node in enumerate(game.get_main_sequence()):
        if number and node.has_setup_stones():
            raise ValueError(f"stones are set up after move {len(actions)}: only moves can be replayed")
        for action in _read(f"move {len(actions) + 1}", partial(_moves, state, node)):
            if state.terminal() or action not in state.actions():
                raise ValueError(
                    f"move {len(actions) + 1}: {state.action_text(action)} is illegal in {state}"
                )
            actions.append(action)
            state = state.result(action)
        if node.has_property("C"):
            comments.append((len(actions), _read("a comment", partial(node.get, "C"))))
        if state.terminal():
            break
    return Played(start, tuple(actions), _headers(game.get_root()), tuple(comments))


def _read(what: str, get: Callable[[], T]) -> T:
    """A property of a node: sgfmill does not say which one it cannot read."""
    try:
        return get()
    except ValueError:
        raise ValueError(f"{what} cannot be read") from None


def _start(cls: Any, game: "Sgf_game") -> Go:
    """The set-up position, usually an empty board."""
    root = game.get_root()
    black, white, _ = _read("the stones of the start", root.get_setup_stones)
    stones = [sum(1 << row * cls.SIZE + column for row, column in side) for side in (black, white)]
    if root.has_property("PL"):
        turn = COLOURS.index(_read("PL", partial(root.get, "PL")))
    else:  # whoever moves first; with handicap White
        moves = (_read("a move", node.get_move)[0] for node in game.get_main_sequence())
        first = next(filter(None, moves), None)
        turn = COLOURS.index(first) if first else int(bool(black) and not white)
    if not any(stones):
        return cls(ply=turn)
    own, opp = (cls.points_of(side) for side in (stones if turn == 0 else reversed(stones)))
    return cls.parse(str(cls(own, opp, ply=turn)))  # rejects impossible positions


def _moves(state: Go, node: "Tree_node") -> list[int]:
    """The action of a node, after a pass if it is not that colour's turn."""
    colour, move = node.get_move()
    if colour is None:
        return []
    action = state.PASS if move is None else move[0] * state.SIZE + move[1]
    return [action] if COLOURS[state.player()] == colour else [state.PASS, action]


def _headers(root: "Tree_node") -> dict[str, str]:
    return {
        name: _read(key, partial(root.get, key)) for key, name in HEADERS.items() if root.has_property(key)
    }


def write_sgf(played: Played, result: str = "") -> str:
    """One game as SGF; `result` as SGF has it, `B+3.5`."""
    from sgfmill import sgf

    start = played.start
    game = sgf.Sgf_game(start.SIZE)
    root = game.get_root()
    root.set("KM", start.KOMI + start.HALF / 2)
    root.set("RU", "Tromp-Taylor")
    for key, name in HEADERS.items():
        if name in played.headers and key != "RE":
            root.set(key, played.headers[name])
    if result:
        root.set("RE", result)
    _set_up(root, start)
    said = dict(played.comments)
    if 0 in said:
        root.set("C", said[0])
    turn = start.player()
    for number, action in enumerate(played.actions, 1):
        node = game.extend_main_sequence()
        node.set_move(COLOURS[turn], None if action == start.PASS else divmod(action, start.SIZE))
        if number in said:
            node.set("C", said[number])
        turn = 1 - turn
    return game.serialise().decode("utf-8")


def _set_up(root: "Tree_node", start: Go) -> None:
    sides = [members(start.own), members(start.opp)]
    if start.player() == 1:
        sides.reverse()
        root.set("PL", "w")
    if any(sides):
        black, white = (
            [divmod(point, start.SIZE) for point in range(start.POINTS) if side >> point & 1]
            for side in sides
        )
        root.set_setup_stones(black, white)


def result_text(state: Go) -> str:
    """A finished game's result: `B+3.5`, `W+0.5`, `0`."""
    lead = state.area() - state.KOMI - state.HALF / 2
    return "0" if lead == 0 else f"{'B' if lead > 0 else 'W'}+{abs(lead):g}"
