"""What a game is: a `NamedTuple` class with the textbook's methods.

A state is an instance; the initial state S0 is the class called without arguments. The methods are

    player()          PLAYER(s): 0 is MAX, 1 is MIN, CHANCE at a chance node
    actions()         ACTIONS(s): the legal moves, ints; yields them or returns a sequence
    result(action)    RESULT(s, a): a new state
    terminal()        TERMINAL-TEST(s); optional if a state without actions is terminal
    utility()         UTILITY(s) for MAX at a terminal state

and, in games with chance, `probability(outcome)`. A game of more than two players has `utility(player)`.
The rest of this file is what every part of the system needs from a game class: whether it keeps the contract,
what kind of game it is, its notation.
docs/contract.md is the full contract on one page.
"""

import ast
import difflib
import functools
import inspect
import itertools
import math
import numbers
import traceback
import weakref
from collections import Counter
from collections.abc import Callable, Container, Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from outplay import hooks, namesakes, written
from outplay.display import board_svg
from outplay.hooks import GameError as GameError
from outplay.hooks import offers as offers
from outplay.nnue import LINE, NNUE, NO_NET
from outplay.standard import (
    MAX_ACTIONS,
    MAX_FIELD,
    answered,
    is_wrapped,
    original,
    own_files,
    place_of,
    standard,
    written_action,
    written_as,
)
from outplay.weights import Weights
from outplay.words import wrap

CHANCE = -1  # PLAYER(s) at a chance node
WIN = 1_000_000  # points of `evaluate` per point of utility, if utility is an outcome
HIGHEST = WIN // 2 - 1  # the highest evaluation
FORBIDDEN = -1  # `repetition` of a class in which no position may repeat
LONGEST = 1000  # plies: the distance to a win is subtracted from its score
MOST = 10**12  # the largest utility, and the largest evaluation in a game of points
SURE = 1e-9  # how far from 1 the sum of probabilities may be
NO_CEILING = 1 << 62  # above every score
NO_SLOT = -1  # the slot of a state that is in no table
UNKNOWN = 1 << 62  # plies left, if a game does not know
UNIT = 100  # the value of a pawn in points of `evaluate`, unless the class declares its `unit`
NET_FACTS: dict[str, Callable[[NNUE], int]] = {
    "has_net": lambda net: net is not NO_NET,
    "net_width": lambda net: net.width,
    "net_features": lambda net: net.features,
    "net_buckets": lambda net: len(net.biases),
}


class Board(NamedTuple):
    """What terminal, notebook and page draw: a grid of one-character cells and a line of text.

    `owners` lists the symbols of MAX and of MIN, so that they can be coloured; a space is an empty cell. The
    fields after `note` are optional hints for pictures: a symbol without a shape is drawn as text.
    """

    rows: tuple[str, ...]  # top row first
    ranks: tuple[str, ...] = ()  # labels left of the rows, top first
    files: tuple[str, ...] = ()  # labels below the columns
    owners: tuple[str, str] = ("", "")
    checkered: bool = False
    note: str = ""  # what the grid does not show: scores, dice, the player to move
    # or "frame" (discs fall into it), "felt", "lines" (stones on crossings), "points", "pits", "bars", "cards"
    style: str = "squares"
    shapes: Mapping[str, str] = {}  # by symbol: "disc", "cross", "ring", "black stone", "white knight" ...
    sides: tuple[str, str] = ("", "")  # names of MAX and MIN: White and Black
    hands: tuple[str, str] = ("", "")  # what MAX and MIN hold: seeds in a store, prisoners, cards ("K ?")
    marks: tuple[
        tuple[int, int], ...
    ] = ()  # cells (row, column) to highlight: a king in check, a line of four
    names: Mapping[
        tuple[int, int], str
    ] = {}  # labels of cells that files and ranks do not name: 1 to 32 in checkers
    dice: tuple[int, ...] = ()  # dice on the board; MIN's as negative numbers
    cube: "Cube | None" = None  # a doubling cube
    counts: tuple[str, str] = ("", "")  # shown next to the board for MAX and MIN: pip counts


class Cube(NamedTuple):
    """A doubling cube: its value and its owner."""

    value: int
    owner: int | None = None  # 0 MAX, 1 MIN, None: centred
    offered: int | None = None  # the player who must reply to a double


def in_line(rows: Sequence[str], length: int) -> tuple[tuple[int, int], ...]:
    """The cells of the first line of `length` equal symbols on a board; empty if there is none."""
    for r, row in enumerate(rows):
        for c, symbol in enumerate(row):
            for down, right in ((0, 1), (1, 0), (1, 1), (1, -1)):
                cells = tuple((r + i * down, c + i * right) for i in range(length))
                inside = all(y < len(rows) and 0 <= x < len(row) for y, x in cells)
                if symbol != " " and inside and all(rows[y][x] == symbol for y, x in cells):
                    return cells
    return ()


class Kind(NamedTuple):
    """The kind of a game; a search raises an error for kinds it does not support."""

    players: int
    chance: bool
    hidden: bool
    float_scores: bool

    def __str__(self) -> str:
        words = [
            f"{self.players} player{'s' if self.players != 1 else ''}",
            "chance" if self.chance else "deterministic",
            "imperfect information" if self.hidden else "perfect information",
        ]
        return ", ".join(words)


def kind(cls: type) -> Kind:
    """Derived from the class: `probability` means chance, `percept` imperfect information.

    `players` (default 2), `scores` and `estimates` are declared. In games with chance, scores are floats unless the
    class declares `scores = int`.
    """
    chance = hasattr(cls, "probability")
    return Kind(
        players=getattr(cls, "players", 2),
        chance=chance,
        hidden=hasattr(cls, "percept"),
        float_scores=has_fractions(cls) or not chance and getattr(cls, "estimates", int) is float,
    )


def has_fractions(cls: type) -> bool:
    """Whether utilities may be fractions; then evaluations lie between them."""
    return getattr(cls, "scores", float if hasattr(cls, "probability") else int) is float


def max_actions(cls: type) -> int:
    """The maximum number of actions in a state of this class."""
    return getattr(cls, "max_actions", MAX_ACTIONS)


def plane_words(cls: Any) -> int:
    """The number of words `planes()` yields: `plane_shape` is (planes, rows, columns), and cells are bits."""
    planes, rows, columns = cls.plane_shape
    return planes * (-(-rows * columns // 64))


FEATURE = 2520  # fixed-point 1.0 for inputs: divisible by 2 to 10 and 15


def feature(place: int, times: int, over: int) -> int:
    """An input of a value net, as `features()` yields it: times / over at a place; `over` divides 2520."""
    return place << 32 | times * (FEATURE // over) & 0xFFFFFFFF


def worth(cls: type) -> int:
    """Points of `evaluate` per point of `utility`.

    Utility usually is an outcome, won or lost, and no evaluation may outrank it: WIN. It is 1 if both are on the
    same scale: in a game of points (`points = True`: discs, seeds), and if utilities may be fractions (evaluations
    lie between them). In games with chance and int scores, evaluations lie between the utilities too, and
    scores are fixed-point: `unit` steps per point of utility.
    """
    if outranks(cls):
        return WIN
    return 1 if getattr(cls, "points", False) or kind(cls).float_scores else getattr(cls, "unit", UNIT)


def outranks(cls: type) -> bool:
    """Whether utility is an outcome, won or lost, that no evaluation may outrank; then shorter wins are better."""
    return not (getattr(cls, "points", False) or has_fractions(cls) or kind(cls).chance)


def most_utility(cls: type) -> int:
    """The maximum utility: the class's declared `win`, or else the largest comparable number."""
    return min(getattr(cls, "win", MOST), MOST)


def most_estimate(cls: type) -> int:
    """Evaluations are clamped to this: half a win, or in games of points the largest comparable number.

    With chance and int scores evaluations lie between the utilities: the declared `win`, if there is one.
    """
    if outranks(cls):
        return HIGHEST
    fixed_point = kind(cls).chance and not kind(cls).float_scores
    return min(most_utility(cls) * worth(cls), MOST) if fixed_point else MOST


def utility_for(state: Any, player: int = 0) -> Any:
    """UTILITY(s) for a player: with two players MIN's is the negative of MAX's; with more, each has its own."""
    if kind(type(state)).players > 2:
        return state.utility(player)
    return state.utility() if player == 0 else -state.utility()


def utility(state: Any, player: int = 0) -> Any:
    """The same, checked: a comparable number, and not beyond the declared `win`."""
    value, most = utility_for(state, player), most_utility(type(state))
    is_number: bool = isinstance(value, numbers.Real)
    if not is_number:
        where = answered(type(state), "utility", value)
        raise GameError(f"{type(state).__name__}.utility is {value!r} at {state}: return a number{where}")
    if not -most <= value <= most:  # also catches NaN
        cure = "greater than its `win`: correct one of them" if abs(value) <= MOST else f"beyond {MOST:,}"
        said = "not a number" if value != value else cure
        where = answered(type(state), "utility")
        raise GameError(f"{type(state).__name__}.utility is {value} at {state}, {said}{where}")
    if outranks(type(state)) and value != int(value):
        where = answered(type(state), "utility")
        said = "a fraction: declare `scores = float`"
        raise GameError(f"{type(state).__name__}.utility is {value} at {state}, {said}{where}")
    return value


def outcome(state: Any, player: int = 0) -> Any:
    """UTILITY(s) on the scale of evaluations."""
    return utility(state, player) * worth(type(state))


def estimate(state: Any, weights: Weights | None = None, player: int = 0) -> Any:
    """EVAL(s) for a player on the scale of utilities: never beyond half a win."""
    several = kind(type(state)).players > 2
    value = state.evaluate(*[player] * several, *[weights] * (weights is not None))
    value = value if several or player == 0 else -value
    if value != value:
        where = answered(type(state), "evaluate")
        raise GameError(f"{type(state).__name__}.evaluate is {value} at {state}, not a number{where}")
    most = most_estimate(type(state))
    return value if -most <= value <= most else max(-most, min(most, value))


def chances(state: Any) -> list[tuple[int, float]]:
    """The outcomes at a chance node, with their probabilities; raises an error if these are invalid."""
    name = type(state).__name__
    found = [(roll, state.probability(roll)) for roll in legal(state)]
    for roll, probability in found:
        if not isinstance(probability, int | float) or not 0 <= probability <= 1:
            raise GameError(
                f"{name}.probability({roll}) is {probability} at {state}: it must be between 0 and 1"
            )
    total = sum(probability for _, probability in found)
    if abs(total - 1) > SURE:
        raise GameError(f"{name}.probability: the probabilities at {state} sum to {total:.12g}, not to 1")
    return found


def is_outcome(cls: type, score: float) -> bool:
    """Whether a search's score is an outcome, not an evaluation."""
    return outranks(cls) and abs(score) > HIGHEST


def read_score(cls: type, score: Any, ended: bool) -> tuple[Any, bool]:
    """A search's score as a displayed value, and whether it is proven.

    `ended`: every line was searched to the end of the game. An outcome is converted to a utility; any other score is
    an evaluation.
    """
    if outranks(cls) and (ended or is_outcome(cls, score)):
        return round(score / WIN), ended or is_decided(cls, score)
    if kind(cls).chance:
        return score / worth(cls), ended
    return float(score) if kind(cls).float_scores else int(score), ended


def is_decided(cls: type, score: float) -> bool:
    """Whether no outcome can be better than this score, for classes that declare `win`."""
    win = getattr(cls, "win", None)
    return win is not None and outranks(cls) and abs(score) >= WIN * win - LONGEST


def net_of(cls: Any) -> NNUE:
    """The net whose output the class's evaluation uses (`informed`); NO_NET if it has none."""
    net = getattr(cls, "net", None)
    return net if isinstance(net, NNUE) else NO_NET


def net_slot(cls: Any) -> int:
    """The number of words a search stores per ply for the class's net: the accumulator, and a state."""
    net = net_of(cls)
    if net is NO_NET:
        return 0
    fields = map(written_as, cls.__annotations__.values())
    words = 2 * net.width + sum(1 if name in ("int", "bool") else MAX_FIELD for name in fields)
    return -(-words // LINE) * LINE


def _check_net(cls: Any) -> None:
    """A class with a net must define its features, and an evaluation that takes its output."""
    if net_of(cls) is NO_NET:
        return
    wanted = tuple(dict.fromkeys((*hooks.WEIGHING, *hooks.NET_RULES)))
    for rule in wanted:
        if not offers(cls, rule):
            raise GameError(f"{cls.__name__} has a net, but no method {rule}(): it needs {', '.join(wanted)}")


# --- weights --------------------------------------------------------------------------------------------


def weights_of(cls: Any) -> Weights | None:
    """The default weights of a class's `evaluate`; None if it takes none."""
    if not offers(cls, "evaluate"):
        return None
    taken = inspect.signature(cls.evaluate).parameters.get("weights")
    return taken.default if taken is not None and isinstance(taken.default, Weights) else None


def fitting_weights(cls: Any, weights: Weights | None = None) -> Weights | None:
    """The weights for a search of a class: those given, if they match, else its own; None if it has none.

    Missing names keep the class's numbers.
    """
    own = weights_of(cls)
    if weights is None:
        return own
    if own is None:
        raise GameError(f"{cls.__name__} has no weights: its evaluate() takes none")
    if not isinstance(weights, Weights):
        raise GameError(f"{weights!r} are not weights: use {cls.__name__}.weights.replace(...)")
    if weights.layout() != own.layout():  # in another order, or only some of them
        try:
            weights = own.replace(**vars(weights))
        except ValueError as error:
            raise GameError(f"the weights do not fit {cls.__name__}: {error}") from None
    _check_numbers(cls, weights)
    return weights


class Block:
    """The weights that a search of a class reads: those given, or the class's own.

    The caller must keep the block alive until the search is over.
    """

    def __init__(self, cls: type, weights: Weights | None = None) -> None:
        self.weights = fitting_weights(cls, weights)
        self._words = None if self.weights is None else self.weights.block(kind(cls).float_scores)
        if self._words is not None:
            _blocks[self.address] = self

    @property
    def address(self) -> int:
        """The value of control word WEIGHTS."""
        return 0 if self._words is None else self._words.buffer_info()[0]


_blocks: weakref.WeakValueDictionary[int, Block] = weakref.WeakValueDictionary()


def given_weights(address: int) -> Weights | None:
    """The weights that a running search reads at an address."""
    return _blocks[address].weights


def _check_weights(cls: Any) -> None:
    """Check that `evaluate` takes weights if and only if the class declares them."""
    declared, taken = vars(cls).get("weights"), weights_of(cls)
    if isinstance(declared, Weights) and taken is not declared:
        raise GameError(
            f"{cls.__name__} has weights, but evaluate does not take them: "
            "write `def evaluate(self, weights=weights)`"
        )
    if taken is not None and declared is not taken:
        raise GameError(
            f"{cls.__name__}.evaluate takes weights, but the class has none: write `weights = Weights(...)`"
        )
    if taken is not None:
        _check_numbers(cls, taken)


def _check_numbers(cls: type, weights: Weights) -> None:
    if kind(cls).float_scores:
        return
    for label, number in zip(weights.labels(), weights.flat(), strict=True):
        if type(number) is float:
            raise GameError(
                f"{cls.__name__}: weight {label} is {number}, a float: round it, or declare `estimates = float`"
            )


# --- keeping the contract -------------------------------------------------------------------------------


def adopt(cls: Any, start: Any = None) -> Any:
    """The standard form of a game class: the class itself, if it already has that form.

    Such a class then wraps its fields to 64 bits when a state is built. Every entry point of the system calls this on
    the class it receives; the second call does nothing. `start` is a state of the class, if one is available.
    """
    if getattr(cls, "__dict__", {}).get("__outplay_adopted__"):
        return cls
    _check_rules(cls)
    helpers = namesakes.declared(cls)
    if not helpers:
        _check_shape(cls)
    form = standard(cls, start)
    if helpers:
        _check_shape(form)
    if offers(form, "board") and not hasattr(cls, "_repr_svg_"):
        cls._repr_svg_ = board_svg  # for notebooks
    return form if is_wrapped(form) else _wrapping(cls)


def _wrapping(cls: Any) -> Any:
    """Make a class of ints wrap its fields when a state is built."""
    cls.__outplay_adopted__ = True
    plain_new = cls.__new__

    @functools.wraps(plain_new)
    def wrapping_new(kind: type, *args: Any, **kwargs: Any) -> Any:
        return make(kind, plain_new(kind, *args, **kwargs))

    def make(kind: type, values: Any) -> Any:
        return tuple.__new__(
            kind, [_field(cls, name, v) for name, v in zip(cls._fields, values, strict=True)]
        )

    def replace(self: Any, /, **changes: Any) -> Any:
        values = [changes.pop(name, value) for name, value in zip(cls._fields, self, strict=True)]
        if changes:
            raise ValueError(
                f"{cls.__name__} has no field {', '.join(changes)}; it has {', '.join(cls._fields)}"
            )
        return make(type(self), values)

    cls.__new__ = wrapping_new
    cls._make = classmethod(make)
    cls._replace = replace
    try:
        cls()
    except TypeError as error:
        if "missing" in str(error):
            return cls  # states of such a game come from parse or another function
        raise
    return cls


def checked_state(state: Any) -> Any:
    """A valid start for a search: adopted, with valid player and actions."""
    state = adopt_state(state)
    name = type(state).__name__
    try:
        player_of(state)
        stuck = not is_terminal(state) and not legal(state)
    except GameError:
        raise
    except Exception as error:
        raise _failure(state, error) from None
    if stuck:
        raise GameError(
            f"{name}.actions yields nothing at {state}, which is not terminal: "
            f"end the game there (terminal), or yield a pass{answered(type(state), 'actions')}"
        )
    return state


def after(state: Any, action: int) -> Any:
    """RESULT(s, a), if it is a state of the same game."""
    child, cls = state.result(action), type(state)
    if not isinstance(child, cls):
        shown = f"{cls.__name__}.result returns {child!r}, not a {cls.__name__}"
        raise GameError(f"{shown}: end with `return {cls.__name__}(...)`{answered(cls, 'result', child)}")
    return child


def player_of(state: Any) -> int:
    """PLAYER(s), checked: a player of the game, or CHANCE in a game with chance."""
    player, what = state.player(), kind(type(state))
    if not hasattr(player, "__index__") or player not in (*range(what.players), *[CHANCE] * what.chance):
        wanted = " or ".join([*map(str, range(what.players)), *["CHANCE"] * what.chance])
        said = f"{type(state).__name__}.player is {player!r} at {state}: return an int, {wanted}"
        raise GameError(f"{said}{answered(type(state), 'player', player)}")
    return int(player)


def _failure(state: Any, error: Exception) -> GameError:
    """What the plain rules raise at a state: an invalid handle, a square off the board."""
    name, files = type(state).__name__, own_files(type(state))
    frames = [frame for frame in traceback.extract_tb(error.__traceback__) if frame.filename in files]
    what = ", ".join(filter(None, (type(error).__name__, str(error))))
    where = (
        f"{name}.{frames[-1].name}, {Path(frames[-1].filename).name} line {frames[-1].lineno}"
        if frames
        else name
    )
    at = state.text() if is_wrapped(type(state)) else f"{name}{tuple(state)}"
    return GameError(f"{where}: {what}, at {at}")


def adopt_state(state: Any) -> Any:
    """The state in standard form: its class adopted, its fields wrapped."""
    cls = type(state)
    if is_wrapped(cls):
        return state
    if cls.__dict__.get("__outplay_adopted__"):
        made = cls._make(state)  # it may have been built before
        return state if made == state else made
    if isinstance(state, type) and any(offers(state, rule) for rule in hooks.NEEDED):
        raise GameError(f"{state.__name__} is a class, not a state; its initial state is {state.__name__}()")
    if not any(offers(cls, rule) for rule in hooks.NEEDED):
        raise GameError(f"{state!r} is not a game state; a state is an instance of a NamedTuple class")
    form = adopt(cls, state)
    return form(state) if is_wrapped(form) else form(*state)


def is_own(state: Any) -> bool:
    """Whether a state is an instance of the user's own class, not of its standard form."""
    return not is_wrapped(type(state)) and is_wrapped(type(adopt_state(state)))


def _field(cls: type, name: str, value: Any) -> Any:
    if isinstance(value, int):
        return value if -(1 << 63) <= value < 1 << 63 and type(value) is int else wrap(int(value))
    if isinstance(value, tuple) and all(isinstance(v, int) for v in value):
        if len(value) > MAX_FIELD:
            raise GameError(
                f"{cls.__name__}.{name} holds {len(value)} ints; a field holds at most {MAX_FIELD}: "
                "pack several small numbers into one int"
            )
        return tuple(wrap(v) for v in value)
    if hasattr(value, "__index__"):  # a NumPy integer
        return wrap(value.__index__())
    cure = "use // instead of /" if isinstance(value, float) else "store an int, or a tuple of ints"
    raise GameError(f"{cls.__name__}.{name} = {value!r} is a {type(value).__name__}, not an int: {cure}")


def _check_arguments(cls: Any) -> None:
    """Check the parameters of the methods."""
    for hook in hooks.HOOKS:
        if not hook.compiled or not offers(cls, hook.name):
            continue
        given = [name for name in hook.takes.split(", ") if name and "=" not in name]
        if hook.name in hooks.OF_PLAYERS and kind(cls).players > 2:
            given = ["player"]
        method = getattr(cls, hook.name)
        wanted = f"write `def {hook.name}({', '.join(['self', *given])})`"
        if inspect.iscoroutinefunction(method):
            raise GameError(f"{place_of(cls, hook.name)} is a coroutine: {wanted}, without async")
        try:
            inspect.signature(method).bind("self", *given)
        except TypeError:
            told = f"{place_of(cls, hook.name)} takes other arguments than it is given: {wanted}"
            raise GameError(told) from None


def _check_network(cls: Any) -> None:
    """Check that a class with network hooks declares the sizes of its inputs and outputs."""
    if offers(cls, "policy_index"):
        size = getattr(cls, "policy_size", None)
        if not isinstance(size, int) or size < 1:
            raise GameError(
                f"{cls.__name__} has policy_index, but its policy_size is {size!r}: expected an int of at least 1"
            )
    if offers(cls, "features"):
        size = getattr(cls, "feature_count", None)
        if not isinstance(size, int) or size < 1:
            raise GameError(
                f"{cls.__name__} has features, but its feature_count is {size!r}: expected an int of at least 1"
            )
    if offers(cls, "planes"):
        match getattr(cls, "plane_shape", None):
            case (int() as planes, int() as rows, int() as columns) if min(planes, rows, columns) > 0:
                pass
            case shape:
                raise GameError(
                    f"{cls.__name__} has planes, but its plane_shape is {shape!r}: "
                    "expected three ints, (planes, rows, columns)"
                )


def _instead(cls: type, method: str) -> str:
    """What to write where a class lacks a method."""
    if takes_state(cls):
        return (
            "it is a game as AIMA's code writes them, `actions(self, state)`; here a state is the object, "
            "with `player(self)`, `actions(self)`, `result(self, action)` and `utility(self)`"
        )
    names = [name for name in vars(cls) if callable(getattr(cls, name)) and not hasattr(object, name)]
    meant = difflib.get_close_matches(method, names, 1, 0.75)
    needs = f"a game needs {', '.join(hooks.NEEDED)}"
    return f"did you mean {meant[0]}()? {needs}" if meant else needs


def takes_state(cls: type) -> bool:
    """Whether a class's rules are asked of a state, not of the object: AIMA's form."""
    code = getattr(getattr(cls, "actions", None), "__code__", None)
    return code is not None and code.co_varnames[: code.co_argcount][1:2] == ("state",)


def _check_rules(cls: type) -> None:
    """Check that a class has the rules."""
    name = getattr(cls, "__name__", repr(cls))
    if not isinstance(cls, type):
        raise GameError(f"{name} is not a class: write `class {name}(NamedTuple):`")
    for method in hooks.NEEDED:
        if not callable(getattr(cls, method, None)):
            raise GameError(f"{name} has no method {method}(): {_instead(cls, method)}")


def _check_shape(cls: type) -> None:
    """Check the parts of the contract that need no game to be run."""
    name = cls.__name__
    for constant, (kinds, least, most, wanted) in CONSTANTS.items():
        value = getattr(cls, constant, least)
        if not isinstance(value, kinds) or not least <= value <= most:
            raise GameError(f"{name}.{constant} is {value!r}: expected {wanted}")
    players = kind(cls).players
    seats = getattr(cls, "seats", players)
    if not isinstance(seats, int) or seats < players or seats % players:
        raise GameError(f"{name}.seats is {seats!r}: expected a multiple of the {players} players")
    if seats > players and not offers(cls, "seat"):
        raise GameError(f"{name} has {seats} seats, but no method seat(), which returns the seat to act")
    if not isinstance(worth(cls), int) or worth(cls) < 1:
        raise GameError(
            f"{name}.unit is {worth(cls)!r}: with chance and int scores, expected an int of at least 1"
        )
    _check_weights(cls)
    _check_net(cls)
    _check_network(cls)
    _check_arguments(cls)


CONSTANTS: dict[str, tuple[Any, float, float, str]] = {  # class attributes that are single numbers
    "players": (int, 1, math.inf, "an int of at least 1"),
    "max_actions": (int, 1, 1 << 16, "an int from 1 to 65536"),
    "repetition": (int, FORBIDDEN, math.inf, "an int of at least 0, or FORBIDDEN"),
    "win": (int | float, 0, math.inf, "a number of at least 0"),
    "unit": (int | float, 0, math.inf, "a number of at least 0"),
}


# --- texts ----------------------------------------------------------------------------------------------


def parse(cls: type, text: str) -> Any:
    """The state that `str(state)` wrote: the class's own `parse`, or else the fields by name."""
    cls = adopt(cls)
    own = getattr(cls, "parse", None)
    if own is not None:
        return own(text)
    if is_wrapped(cls):
        return cls(written.read(original(cls), text))
    try:
        call = ast.parse(text.strip(), mode="eval").body
        if not isinstance(call, ast.Call) or call.args or getattr(call.func, "id", None) != cls.__name__:
            raise ValueError
        return cls(**{str(k.arg): ast.literal_eval(k.value) for k in call.keywords})
    except (ValueError, TypeError, SyntaxError, RecursionError, MemoryError):
        form = f"{cls.__name__}({', '.join(f'{name}=...' for name in cls._fields)})"  # type: ignore[attr-defined]
        raise ValueError(f"not a position of {cls.__name__}: {text[:200]!r}; write it as {form}") from None


def state_text(state: Any) -> str:
    """str(s), if the class's own `__str__` gives a text."""
    own: Any = state.__str__()
    if not isinstance(own, str):
        name = type(state).__name__
        raise GameError(f"{name}.__str__ returns {own!r}: return text{answered(type(state), '__str__', own)}")
    return own


def action_text(state: Any, action: int) -> str:
    """The usual notation of an action: the class's own `action_text`, or else the number."""
    own = getattr(state, "action_text", None)
    text = own(action) if own is not None else written_action(action)
    if not isinstance(text, str):
        raise GameError(f"{type(state).__name__}.action_text({action}) is {text!r}: return text")
    return text


def line_texts(state: Any, line: Iterable[int]) -> list[str]:
    """The actions of a line in their usual notation, as far as they are legal one after the other."""
    texts = []
    for action in line:
        if action not in legal(state):
            break
        texts.append(action_text(state, action))
        state = state.result(action)
    return texts


def parse_action(state: Any, text: str) -> int:
    """The legal action with this notation; anything else raises a ValueError that lists the legal ones.

    A class with several notations defines its own `parse_action(text)`.
    """
    if offers(type(state), "parse_action"):
        return int(state.parse_action(text))
    texts = {action_text(state, a): a for a in legal(state)}
    wanted = text.strip()
    if wanted in texts:
        return texts[wanted]
    folded = [a for t, a in texts.items() if t.lower() == wanted.lower()]
    if len(folded) == 1:
        return folded[0]
    shown = " ".join(list(texts)[:40]) + (" ..." if len(texts) > 40 else "")
    raise ValueError(f"{wanted!r} is not a legal move here; legal: {shown or 'none, the game is over'}")


def legal(state: Any) -> list[int]:
    """The actions of a state; none if the game is over."""
    own = getattr(state, "terminal", None)
    if own is not None and own():
        return []
    most = max_actions(type(state))
    found = list(itertools.islice(_listed(state), most + 1))
    if len(found) > most:
        raise GameError(
            f"{type(state).__name__}.actions yields more than max_actions = {most} actions: "
            f"declare a larger `max_actions = ...` in the class{answered(type(state), 'actions')}"
        )
    return found


def _listed(state: Any) -> Iterable[int]:
    """What `actions` returns, if it is a list or the like."""
    told = state.actions()
    if not isinstance(told, Iterable):
        missing = ": is a `return` missing?" if told is None else ": yield ints, or return a list of them"
        raise GameError(
            f"{type(state).__name__}.actions returns {told!r}{missing}{answered(type(state), 'actions', told)}"
        )
    return told


def identity(state: Any) -> Any:
    """The key that detects repetition: the `repetition_key`, or else the `key`, or else all fields."""
    for rule in ("repetition_key", "key"):
        if offers(type(state), rule):
            return getattr(state, rule)()
    return adopt_state(state)


def has_own_identity(cls: type) -> bool:
    """Whether a position's identity may differ from its table key, which mirror images share."""
    return offers(cls, "repetition_key") or offers(cls, "symmetries")


def needs_past(cls: type) -> bool:
    """Whether even a finite line of play may repeat a position, so that values depend on the history."""
    often = getattr(cls, "repetition", 0)
    return often == FORBIDDEN or (often > 0 and offers(cls, "repetition_key"))


def depends_on_past(cls: type, past: Iterable[Any]) -> bool:
    """Whether the history may change the value of a state, because a repetition of an earlier position is a draw."""
    often = getattr(cls, "repetition", 0)
    times = Counter(identity(state) for state in past) if often > 0 else Counter()
    return needs_past(cls) or any(count >= often - 1 for count in times.values())


def brings_back(state: Any, action: int, past: Container[Any]) -> bool:
    """Whether an action repeats a position of the history (identities) in a game that forbids it.

    An action that leaves the position unchanged, a pass, does not count as a repetition.
    """
    if getattr(type(state), "repetition", 0) != FORBIDDEN:
        return False
    child = identity(state.result(action))
    return child in past and child != identity(state)


def is_terminal(state: Any) -> bool:
    """TERMINAL-TEST(s), from the class's own `terminal` or from "no actions"."""
    own = getattr(state, "terminal", None)
    if own is not None:
        return bool(own())
    return next(iter(_listed(state)), None) is None
