"""What a game is: a `NamedTuple` class with the textbook's methods.

A state is an instance; the initial state S0 is the class called without arguments. The methods are

    player()          PLAYER(s): 0 is MAX, 1 is MIN, CHANCE where a die is thrown
    actions()         ACTIONS(s): the legal moves, ints; yields them or returns a sequence
    result(action)    RESULT(s, a): a new state
    terminal()        TERMINAL-TEST(s); may be left out where "no actions" says it
    utility()         UTILITY(s) for MAX at a terminal state

and, where there is chance, `probability(outcome)`. The rest of this file is what every part of the system
asks of a game class: whether it keeps the contract, what kind of game it is, its texts.
docs/contract.md is the whole contract on one page.
"""

import ast
import functools
import importlib
import inspect
import itertools
from collections.abc import Callable, Container, Iterable, Mapping, Sequence
from typing import Any, NamedTuple

from outplay.bits import wrap
from outplay.nnue import LINE, NNUE, NO_NET
from outplay.weights import Weights

CHANCE = -1  # PLAYER(s) where chance moves
BOTH = (0, 1)  # the eyes of MAX and of MIN
MAX_ACTIONS = 256  # unless the class declares `max_actions`
MAX_FIELD = 16  # ints in one field
WIN = 1_000_000  # what a point of utility is worth in points of `evaluate`, where utility is an outcome
HIGHEST = WIN // 2 - 1  # the highest evaluation
FORBIDDEN = -1  # `repetition` of a class in which no position may come back
LONGEST = 1000  # plies: the distance to a win is taken off its score
MOST = 10**12  # the largest utility
NO_CEILING = 1 << 62  # above every score
UNKNOWN = 1 << 62  # plies left, where a game does not say
UNIT = 100  # points of `evaluate` that a pawn or a man is worth, unless the class declares its `unit`
METHODS = ("player", "actions", "result", "utility")  # a game must have these
TOLD_OF_ACTIONS = (  # what a class may tell of an action, as an int; `sample` and `playout` of random bits
    "order", "exchange", "trait", "irreversible", "forces", "policy_index", "sample", "playout", "prior",
)  # fmt: skip
TOLD_TO_NETS = ("net_cells", "net_feature", "net_changed")
WEIGHING = ("evaluate", "informed")  # what is given weights
NET_FACTS: dict[str, Callable[[NNUE], int]] = {
    "has_net": lambda net: net is not NO_NET,
    "net_width": lambda net: net.width,
    "net_features": lambda net: net.features,
    "net_buckets": lambda net: len(net.biases),
}
RESERVED = {  # what searches call on a state: no names for fields
    *METHODS, *TOLD_OF_ACTIONS, *TOLD_TO_NETS, *NET_FACTS, "net_slot", "informed",
    "terminal", "probability", "evaluate", "noisy", "has_noisy", "chance",
    "hash", "worth", "has_exchange", "has_trait", "forced", "has_forces", "skip", "promising",
    "ceiling", "symmetries", "drawn", "has_drawn", "count", "finish", "has_finish", "plies_left",
    "unit", "repetition", "win_score", "weighed", "has_playout", "planes", "has_sample",
    "has_policy_index", "repetition_key", "identity",
}  # fmt: skip


class GameError(Exception):
    """A game class breaks the contract; the message names class, method, line and cure."""


class Board(NamedTuple):
    """What terminal, notebook and page draw: a grid of one-character cells and a line of text.

    `owners` lists the symbols of MAX and of MIN, so that they can be coloured; a space is an empty cell. What
    follows the note is for pictures: they need none of it, a symbol without a shape is drawn as it is written.
    """

    rows: tuple[str, ...]  # top row first
    ranks: tuple[str, ...] = ()  # labels left of the rows, top first
    files: tuple[str, ...] = ()  # labels below the columns
    owners: tuple[str, str] = ("", "")
    checkered: bool = False
    note: str = ""  # what the grid does not show: scores, dice, whose turn
    # or "frame" (discs fall into it), "felt", "lines" (stones on crossings), "pits", "bars", "cards" (in hands)
    style: str = "squares"
    shapes: Mapping[str, str] = {}  # of symbols: "disc", "cross", "ring", "black stone", "white knight" ...
    sides: tuple[str, str] = ("", "")  # what MAX and MIN are called: White and Black
    hands: tuple[str, str] = ("", "")  # what MAX and MIN hold: seeds in a store, prisoners, cards ("K ?")
    marks: tuple[
        tuple[int, int], ...
    ] = ()  # cells (row, column) to point at: a king in check, a line of four


def in_line(rows: Sequence[str], length: int) -> tuple[tuple[int, int], ...]:
    """The cells of the first line of so many equal symbols on a board; none if there is no such line."""
    for r, row in enumerate(rows):
        for c, symbol in enumerate(row):
            for down, right in ((0, 1), (1, 0), (1, 1), (1, -1)):
                cells = tuple((r + i * down, c + i * right) for i in range(length))
                inside = all(y < len(rows) and 0 <= x < len(row) for y, x in cells)
                if symbol != " " and inside and all(rows[y][x] == symbol for y, x in cells):
                    return cells
    return ()


class Kind(NamedTuple):
    """What a game is; a search that does not fit refuses it."""

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
    """Derived from the class: `probability` means chance, `percept` hidden information.

    `players` (default 2) and `scores = float` are declared; scores are floats wherever there is chance.
    """
    chance = hasattr(cls, "probability")
    return Kind(
        players=getattr(cls, "players", 2),
        chance=chance,
        hidden=hasattr(cls, "percept"),
        float_scores=chance or getattr(cls, "scores", int) is float,
    )


def is_seen(state: Any, action: int, eyes: Sequence[int] = BOTH) -> bool:
    """Whether those who look, the players in `eyes`, learn which action is taken; () is who sees what all do."""
    if not kind(type(state)).hidden:
        return True
    told = [player for player in BOTH if state.percept(action, player) == action]
    return len(told) == len(BOTH) or any(player in told for player in eyes)


def offers(cls: Any, name: str) -> bool:
    """Whether a class has a method of that name; a field may be called so too, and every tuple has a `count`."""
    method = getattr(cls, name, None)
    return (
        name not in getattr(cls, "_fields", ())
        and callable(method)
        and method is not getattr(tuple, name, None)
    )


def max_actions(cls: type) -> int:
    """The most actions that a state of this class may have."""
    return getattr(cls, "max_actions", MAX_ACTIONS)


def plane_words(cls: Any) -> int:
    """How many words `planes()` yields: `plane_shape` is (planes, rows, columns), a plane's cells are bits."""
    planes, rows, columns = cls.plane_shape
    return planes * (-(-rows * columns // 64))


def worth(cls: type) -> int:
    """How many points of `evaluate` a point of `utility` is worth.

    Utility usually is an outcome, won or lost, and no evaluation may outrank it: WIN. It is 1 where both count
    the same: in a game of points (`points = True`: discs, seeds), and where scores are floats (evaluations lie
    between the utilities).
    """
    return 1 if getattr(cls, "points", False) or kind(cls).float_scores else WIN


def outcome(state: Any) -> Any:
    """UTILITY(s) as a search compares it with evaluations."""
    return state.utility() * worth(type(state))


def estimate(state: Any, weights: Weights | None = None) -> Any:
    """EVAL(s) as a search compares it with utilities: never beyond half a win."""
    value = state.evaluate() if weights is None else state.evaluate(weights)
    return max(-HIGHEST, min(HIGHEST, value)) if worth(type(state)) > 1 else value


def is_outcome(cls: type, score: float) -> bool:
    """Whether a search's score is an outcome, not an evaluation."""
    return worth(cls) > 1 and abs(score) > HIGHEST


def read_score(cls: type, score: Any, ended: bool) -> tuple[Any, bool]:
    """A search's score as a value for people, and whether it is proven.

    `ended`: every line was searched to the end of the game. An outcome is told as a utility, else the score is
    an evaluation.
    """
    if worth(cls) > 1 and (ended or is_outcome(cls, score)):
        return round(score / worth(cls)), ended or is_decided(cls, score)
    return float(score) if kind(cls).float_scores else int(score), ended


def is_decided(cls: type, score: float) -> bool:
    """Whether no outcome can be better than this score: the class says what it is to win (`win = 1`)."""
    win = getattr(cls, "win", None)
    return win is not None and worth(cls) > 1 and abs(score) >= WIN * win - LONGEST


def net_of(cls: Any) -> NNUE:
    """The net of whose value the class's evaluation is `informed`; NO_NET if it has none."""
    net = getattr(cls, "net", None)
    return net if isinstance(net, NNUE) else NO_NET


def net_slot(cls: Any) -> int:
    """How many words a search keeps at each ply for the class's net: sums, and a state."""
    net = net_of(cls)
    if net is NO_NET:
        return 0
    fields = (getattr(kind, "__name__", kind) for kind in cls.__annotations__.values())
    words = 2 * net.width + sum(1 if name in ("int", "bool") else MAX_FIELD for name in fields)
    return -(-words // LINE) * LINE


def _check_net(cls: Any) -> None:
    """A class with a net says what the net sees, and its evaluation takes what the net says."""
    if net_of(cls) is NO_NET:
        return
    wanted = (*WEIGHING, *TOLD_TO_NETS)
    for rule in wanted:
        if not offers(cls, rule):
            raise GameError(f"{cls.__name__} has a net, but no method {rule}(): it needs {', '.join(wanted)}")


# --- weights --------------------------------------------------------------------------------------------


def weights_of(cls: Any) -> Weights | None:
    """The weights that a class's `evaluate` uses where it is given no others; None if it takes none."""
    if not offers(cls, "evaluate"):
        return None
    taken = inspect.signature(cls.evaluate).parameters.get("weights")
    return taken.default if taken is not None and isinstance(taken.default, Weights) else None


def fitting_weights(cls: Any, weights: Weights | None = None) -> Weights | None:
    """The weights for a search of a class: those given, if they fit, else its own; None if it has none.

    Names that are not given keep the class's numbers.
    """
    own = weights_of(cls)
    if weights is None:
        return own
    if own is None:
        raise GameError(f"{cls.__name__} has no weights: its evaluate() takes none")
    if not isinstance(weights, Weights):
        raise GameError(f"{weights!r} are no weights: {cls.__name__}.weights.replace(...) makes some")
    if weights.layout() != own.layout():  # in another order, or only some of them
        try:
            weights = own.replace(**vars(weights))
        except ValueError as error:
            raise GameError(f"the weights do not fit {cls.__name__}: {error}") from None
    _check_numbers(cls, weights)
    return weights


class Block:
    """The weights that a search of a class reads: those given, or the class's own.

    Whoever runs the search keeps the block until it is over.
    """

    def __init__(self, cls: type, weights: Weights | None = None) -> None:
        self.weights = fitting_weights(cls, weights)
        self._words = None if self.weights is None else self.weights.block(kind(cls).float_scores)

    @property
    def address(self) -> int:
        """What control word WEIGHTS holds."""
        return 0 if self._words is None else self._words.buffer_info()[0]


def _check_weights(cls: Any) -> None:
    """A class's weights are those that its `evaluate` takes."""
    declared, taken = vars(cls).get("weights"), weights_of(cls)
    if isinstance(declared, Weights) and taken is not declared:
        raise GameError(
            f"{cls.__name__} has weights, but evaluate does not take them: "
            "write `def evaluate(self, weights=weights)`"
        )
    if taken is not None and declared is not taken:
        raise GameError(
            f"{cls.__name__}.evaluate takes weights that the class does not name: write `weights = Weights(...)`"
        )
    if taken is not None:
        _check_numbers(cls, taken)


def _check_numbers(cls: type, weights: Weights) -> None:
    if kind(cls).float_scores:
        return
    for label, number in zip(weights.labels(), weights.flat(), strict=True):
        if type(number) is float:
            raise GameError(
                f"{cls.__name__}: weight {label} is {number}, a float: round it, or declare `scores = float`"
            )


# --- keeping the contract -------------------------------------------------------------------------------


def adopt(cls: Any) -> Any:
    """Check that a class is a game and make it wrap its fields to 64 bits when a state is built.

    Every door of the system calls this on the class it is given; the second call does nothing.
    """
    if cls.__dict__.get("__outplay_adopted__"):
        return cls
    _check_shape(cls)
    cls.__outplay_adopted__ = True
    if offers(cls, "board") and not hasattr(cls, "_repr_svg_"):
        cls._repr_svg_ = _picture  # what a notebook shows
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
            return cls  # states of such a game come from parse or a function of its own
        raise
    return cls


def _picture(state: Any) -> str:
    """The state's board as SVG; what draws it is imported when something is to be drawn."""
    return importlib.import_module("outplay.ui.boardsvg").svg(state)


def checked_state(state: Any) -> Any:
    """A state from which a search may begin: adopted, its player and actions in order."""
    state = adopt_state(state)
    name = type(state).__name__
    what = kind(type(state))
    player = state.player()
    allowed = (*range(what.players), *[CHANCE] * what.chance)
    if isinstance(player, int) and player not in allowed:
        wanted = " or ".join([*map(str, range(what.players)), *["CHANCE"] * what.chance])
        raise GameError(f"{name}.player is {player!r} at {state}: {wanted} is wanted")
    if not is_terminal(state) and not legal(state):
        raise GameError(
            f"{name}.actions yields nothing at {state}, which is not terminal: "
            "end the game there (terminal), or yield a pass"
        )
    return state


def adopt_state(state: Any) -> Any:
    """The state as the contract wants it: its class adopted, its fields wrapped."""
    cls = type(state)
    if cls.__dict__.get("__outplay_adopted__"):
        made = cls._make(state)  # it may have been built before
        return state if made == state else made
    if cls is type and hasattr(state, "_fields"):
        raise GameError(f"{state.__name__} is a class, not a state; its initial state is {state.__name__}()")
    if not isinstance(state, tuple) or not hasattr(cls, "_fields"):
        raise GameError(f"{state!r} is not a game state; a state is an instance of a NamedTuple class")
    return adopt(cls)(*state)


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


def _check_shape(cls: type) -> None:
    """The parts of the contract that can be seen without running the game."""
    name = getattr(cls, "__name__", repr(cls))
    if not (isinstance(cls, type) and issubclass(cls, tuple) and hasattr(cls, "_fields")):
        raise GameError(f"{name} is not a NamedTuple class: write `class {name}(NamedTuple):`")
    for method in METHODS:
        if not callable(getattr(cls, method, None)):
            raise GameError(f"{name} has no method {method}(): a game needs {', '.join(METHODS)}")
    for base in cls.__mro__[1:]:
        if hasattr(base, "_fields"):
            raise GameError(
                f"{name} inherits from {base.__name__}: copy the fields into one NamedTuple class"
            )
    for field in RESERVED.intersection(cls._fields):
        raise GameError(f"{name}.{field} is a field, but searches call {field}(): give it another name")
    for field, annotation in getattr(cls, "__annotations__", {}).items():
        text = annotation if isinstance(annotation, str) else getattr(annotation, "__name__", str(annotation))
        if text not in ("int", "bool") and not text.lower().startswith("tuple"):
            raise GameError(
                f"{name}.{field} is declared {text}: a field is an int or a tuple of at most {MAX_FIELD} ints "
                "(pack a board into the bits of an int)"
            )
    _check_weights(cls)
    _check_net(cls)
    limit = max_actions(cls)
    if not isinstance(limit, int) or not 0 < limit <= 1 << 16:
        raise GameError(f"{name}.max_actions is {limit!r}: an int from 1 to 65536 is wanted")


# --- texts ----------------------------------------------------------------------------------------------


def parse(cls: type, text: str) -> Any:
    """The state that `str(state)` wrote: the class's own `parse`, or else the fields by name."""
    adopt(cls)
    own = getattr(cls, "parse", None)
    if own is not None:
        return own(text)
    try:
        call = ast.parse(text.strip(), mode="eval").body
        if not isinstance(call, ast.Call) or call.args or getattr(call.func, "id", None) != cls.__name__:
            raise ValueError
        return cls(**{str(k.arg): ast.literal_eval(k.value) for k in call.keywords})
    except (ValueError, TypeError, SyntaxError):
        raise ValueError(f"not a position of {cls.__name__}: {text!r}; write it as {cls()}") from None


def action_text(state: Any, action: int) -> str:
    """The usual notation of an action: the class's own `action_text`, or else the number."""
    own = getattr(state, "action_text", None)
    return own(action) if own is not None else str(action)


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
    """The legal action that is written so; anything else is a ValueError that lists what may be written.

    A class with several notations reads them by itself, in a `parse_action(text)` of its own.
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
    """The actions of a state; none where the game is over."""
    own = getattr(state, "terminal", None)
    if own is not None and own():
        return []
    most = max_actions(type(state))
    found = list(itertools.islice(state.actions(), most + 1))
    if len(found) > most:
        raise GameError(
            f"{type(state).__name__}.actions yields more than max_actions = {most} actions: "
            "declare a larger `max_actions = ...` in the class"
        )
    return found


def identity(state: Any) -> Any:
    """What tells whether a position comes back: its `repetition_key`, or else its `key`, or else all of it."""
    for rule in ("repetition_key", "key"):
        if offers(type(state), rule):
            return getattr(state, rule)()
    return state


def brings_back(state: Any, action: int, past: Container[Any]) -> bool:
    """Whether an action leads to a position of the past (identities), where the game forbids that.

    An action that leaves the position as it is, a pass, brings nothing back.
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
    return next(iter(state.actions()), None) is None
