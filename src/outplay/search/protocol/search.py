"""The protocol of searches: how every search describes itself and is called, so that callers need not know which it is.

A search takes the record of a game, which holds the history, and limits; it returns an Analysis. A subclass describes
itself (`name`, `about`, `source`, `options`), declares which games it supports (`chance`, `floats`), and implements
`prepare` and `think`. The rest is done here: unsupported games raise an error, finished games are handled, and several
lines are found for a search that finds only one.
"""

import inspect
import threading
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any, ClassVar, NamedTuple, Self

from outplay.compile.lane import again
from outplay.game import (
    CHANCE,
    GameError,
    checked_state,
    is_terminal,
    kind,
    outcome,
    read_score,
)
from outplay.limits import Analysis, Limits
from outplay.record import Record
from outplay.search.protocol import terms
from outplay.search.protocol.options import Options, read_options
from outplay.search.protocol.rank import ranked, ranked_deeper
from outplay.search.protocol.request import Report, Request


class Described(NamedTuple):
    """An option in the list of searches."""

    name: str
    wanted: str  # the expected value
    default: Any
    about: str


class Search:
    """A search with its options. It keeps its tables from one position to the next, until `forget`."""

    name: ClassVar[str]  # as users write it
    about: ClassVar[str]  # one sentence
    source: ClassVar[str]  # slide, book or paper
    options: ClassVar[Options] = {}  # by the names that users write
    options_as: ClassVar[Callable[..., Any] | None] = None  # combines them into one value, if there are many
    chance: ClassVar[bool] = False  # whether it supports chance nodes
    floats: ClassVar[bool] = True  # whether scores may be floats
    players: ClassVar[int | None] = 2  # maximum number of players; None: any
    repeats: ClassVar[bool] = False  # whether it detects draws by repetition of earlier positions
    samples: ClassVar[bool] = False  # whether values are means of random games, and nodes are iterations
    estimates: ClassVar[bool] = False  # whether values come from a net alone, so that nothing is proven
    selective: ClassVar[bool] = False  # whether it prunes more than alpha-beta, so that a trace has gaps
    traces: ClassVar[bool] = False  # whether it can be traced
    traced_by: ClassVar[tuple[str, ...] | None] = None  # the options that change a trace; None: all of them
    finds_lines: ClassVar[bool] = False  # whether `think` itself finds several lines

    def __init_subclass__(cls) -> None:
        """Repeat the search interpreted if a class turns out not to compile."""
        for name in ("prepare", "think", "trace"):
            if name in vars(cls):
                setattr(cls, name, again(vars(cls)[name]))

    # --- for subclasses ---

    def prepare(self, state: Any) -> None:
        """Compile the native code that a search of the state needs, and allocate memory."""
        raise NotImplementedError

    def think(self, asked: Request) -> Analysis:
        """The best action at a state where the game is not over; the request has been checked."""
        raise NotImplementedError

    def forget(self) -> None:
        """Clear all tables."""

    @property
    def nodes(self) -> int:
        """The nodes visited by the current or last search."""
        return 0

    @property
    def is_bounded(self) -> bool:
        """Whether its own options say when it ends, so that no default time is needed."""
        return False

    @property
    def passed(self) -> int:
        """The nodes that the last search passed: an iteration of a sampling search passes several."""
        return self.nodes

    def visits(self) -> dict[int, int]:
        """The visit count of each action in the last search, if it counts them."""
        return {}

    def trace(self, state: Any, limits: Limits, game: str, most: int) -> Any:
        """The events of a search of the state, up to a maximum; `game` is the game's name."""
        raise ValueError(f"{self.name} cannot be traced: trace another search")

    @classmethod
    def refuse_limits(cls, game: type, limits: Limits) -> None:
        """Raise an error for limits that the search does not support.

        By default: a depth alone, for a game without an evaluation.
        """
        if (
            limits == Limits(depth=limits.depth)
            and limits.depth is not None
            and not hasattr(game, "evaluate")
        ):
            raise GameError(
                f"{game.__name__} has no evaluate(), so a search cannot stop at depth {limits.depth}: "
                "add evaluate(), or limit nodes or time instead"
            )

    @classmethod
    def prover(cls, megabytes: float) -> Self:
        """The search configured to prove values: without limits it goes to the end of the game."""
        return cls()

    # --- for everybody ---

    @classmethod
    def make(cls, given: Mapping[str, Any] | None = None) -> Self:
        """The search with options under the names that users write."""
        read = read_options(cls.name, cls.options, given or {})
        make: Callable[..., Self] = cls
        return make(**read) if cls.options_as is None else make(cls.options_as(**read))

    @classmethod
    def described(cls) -> Iterator[Described]:
        """Its options, with their defaults."""
        parameters = inspect.signature(cls.options_as or cls).parameters
        for name, option in cls.options.items():
            yield Described(name, option.wanted, parameters[option.keyword].default, option.about)

    @classmethod
    def require(cls) -> None:
        """Raise a ValueError if this machine lacks something to run it."""

    @classmethod
    def refuse(cls, game: type) -> None:
        """Raise a GameError if the search does not support the game, or what `require` raises."""
        cls.require()
        refuse_kind(game, cls.name, chance=cls.chance, floats=cls.floats, players=cls.players)

    def search(
        self,
        at: Any,
        limits: Limits,
        report: Report | None = None,
        stop: threading.Event | None = None,
        lines: int = 1,
        past: Iterable[Any] | None = None,
        **own: Any,
    ) -> Analysis:
        """The best action at a record, or at a state without a history.

        `report` is called with intermediate results, `stop` ends the search with the best result so far.
        `lines`: the number of best actions, each with its value and line; the second and later ones are in `others`.
        `past`: the earlier states, if the record does not contain all that could repeat. A subclass may have more
        keywords, `own`.
        """
        if terms.is_own(at):
            return self._own(at, limits, report, stop, lines, past, **own)
        record = at if isinstance(at, Record) else Record("", checked_state(at))
        state = checked_state(record.state)
        if lines < 1:
            raise ValueError(f"lines must be at least 1, not {lines}")
        self.refuse(type(state))
        self.refuse_limits(type(state), limits.checked())
        if is_terminal(state):
            return over(state)
        before = tuple(record.past() if past is None else past)
        asked = Request(record, limits, report, stop, lines, before)
        if lines > 1 and not self.finds_lines and state.player() != CHANCE:
            return self.one_by_one(asked)
        return self.think(asked, **own)

    def _own(self, at: Any, limits: Limits, report: Report | None, *rest: Any, **own: Any) -> Analysis:
        """The same with the user's own states and actions."""
        inner = terms.inward(at)
        state = inner.state if isinstance(inner, Record) else inner
        if own.get("only") is not None:
            own["only"] = [state.encode(action) for action in own["only"]]
        found = self.search(inner, limits, terms.heard(state, report), *rest, **own)
        answer: Analysis = terms.outward(state, found)
        return answer

    def one_by_one(self, asked: Request) -> Analysis:
        """Several lines with a search that finds one: the position after each action is searched separately."""

        def look(action: int, each: Limits) -> Analysis:
            after = asked.record.play(action)
            if is_terminal(after.state):
                return over(after.state, asked.state.player())
            return self.think(Request(after, each, stop=asked.stop, past=(*asked.past, asked.state)))

        return ranked(asked, look) if asked.report is None else ranked_deeper(asked, asked.report, look)


def over(state: Any, player: int = 0) -> Analysis:
    """The result if the game is over; among more than two players the score is that of one of them."""
    cls = type(state)
    scores = [outcome(state, each) for each in range(kind(cls).players)]
    value, *others = (read_score(cls, score, True)[0] for score in scores)
    several = len(scores) > 2
    return Analysis(None, value, 0, (), 0, 0.0, True, scores[player if several else 0],
                    values=(value, *others) if several else ())  # fmt: skip


def refuse_kind(
    cls: type, search: str, *, chance: bool = False, floats: bool = False, players: int | None = 2
) -> None:
    """Raise a GameError if a search does not support the game; `chance`, `floats`: whether it supports these."""
    what, name = kind(cls), cls.__name__
    if what.chance and not chance:
        raise GameError(f"{search} does not fit {name}, a game with chance: use expectiminimax")
    if what.hidden:
        raise GameError(f"{search} does not fit {name}, a game with imperfect information")
    if players is not None and what.players > players:
        raise GameError(f"{search} does not fit {name}, a game of {what.players} players: use maxn")
    if what.float_scores and not floats:
        if what.chance:
            cure = "use expectiminimax, or declare `scores = int`"
            raise GameError(
                f"{search} does not fit {name}, a game with chance whose scores are floats: {cure}"
            )
        raise GameError(f"{search} needs int scores, and {name} has floats: use alphabeta")


def checked_root(state: Any, cls: type) -> Any:
    """A state of the class at which a player moves, checked. For searches of many states."""
    state = checked_state(state)
    other = type(state)
    if other is not cls:
        raise ValueError(f"all states must be of one class, not {cls.__name__} and {other.__name__}")
    if is_terminal(state) or state.player() == CHANCE:
        raise ValueError(f"no player moves at {state}: the game is over, or chance moves")
    return state
