"""The protocol of searches: what every search says of itself and how it is asked, so that no caller knows which it is.

A search is given the record of a game, which alone knows the past, and limits; it answers with an Analysis, always.
A subclass says what it is (`name`, `about`, `source`, `options`), which games it takes (`chance`, `floats`), and
implements `prepare` and `think`. The rest is done here: what does not fit is refused, a game that is over is answered,
and several lines are found for a search that finds but one.
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
    """An option for whoever reads the list of searches."""

    name: str
    wanted: str  # what it must be
    default: Any
    about: str


class Search:
    """A search with its options. What it learns it keeps from one position to the next, until it is to `forget`."""

    name: ClassVar[str]  # as users write it
    about: ClassVar[str]  # one sentence
    source: ClassVar[str]  # slide, book or paper
    options: ClassVar[Options] = {}  # by the names that users write
    options_as: ClassVar[Callable[..., Any] | None] = None  # makes one value of them, where they are many
    chance: ClassVar[bool] = False  # whether it understands chance nodes
    floats: ClassVar[bool] = True  # whether scores may be floats
    players: ClassVar[int | None] = 2  # no game with more; None: any number
    repeats: ClassVar[bool] = False  # whether it knows which positions of the past make a draw
    samples: ClassVar[bool] = False  # whether values are means of games at random, and nodes are iterations
    estimates: ClassVar[bool] = False  # whether values are a net's alone, so that nothing is proven
    selective: ClassVar[bool] = False  # whether it prunes more than alpha-beta does, so that a trace has gaps
    traces: ClassVar[bool] = False  # whether it can keep a trace
    traced_by: ClassVar[tuple[str, ...] | None] = None  # the options that change a trace; None: all of them
    finds_lines: ClassVar[bool] = False  # whether `think` finds several lines by itself

    def __init_subclass__(cls) -> None:
        """A class that turns out to be none that can be compiled is searched again, interpreted."""
        for name in ("prepare", "think", "trace"):
            if name in vars(cls):
                setattr(cls, name, again(vars(cls)[name]))

    # --- for subclasses ---

    def prepare(self, state: Any) -> None:
        """Build the native code that a search of the state needs, and have memory ready."""
        raise NotImplementedError

    def think(self, asked: Request) -> Analysis:
        """The best action at a state where the game is not over; all that is asked fits the search."""
        raise NotImplementedError

    def forget(self) -> None:
        """Begin the next search as the first one."""

    @property
    def nodes(self) -> int:
        """How many the search has visited that runs, or that ran last; for whoever watches."""
        return 0

    @property
    def passed(self) -> int:
        """How many nodes the last search passed: an iteration of a search that samples passes several."""
        return self.nodes

    def visits(self) -> dict[int, int]:
        """How often the last search tried each action, where it counts that."""
        return {}

    def trace(self, state: Any, limits: Limits, game: str, most: int) -> Any:
        """Everything that a search of the state does, as events, at most so many; `game` is what it is called."""
        raise ValueError(f"{self.name} cannot be traced: trace another search")

    @classmethod
    def refuse_limits(cls, game: type, limits: Limits) -> None:
        """Raise an error for limits that the search cannot keep.

        By default, if nothing but a depth ends it, and the game cannot say what is good there.
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
        """The search as it proves values: without any limits it goes to the end of the game."""
        return cls()

    # --- for everybody ---

    @classmethod
    def make(cls, given: Mapping[str, Any] | None = None) -> Self:
        """The search with options by the names that users write."""
        read = read_options(cls.name, cls.options, given or {})
        make: Callable[..., Self] = cls
        return make(**read) if cls.options_as is None else make(cls.options_as(**read))

    @classmethod
    def described(cls) -> Iterator[Described]:
        """Its options, with the defaults that its code has."""
        parameters = inspect.signature(cls.options_as or cls).parameters
        for name, option in cls.options.items():
            yield Described(name, option.wanted, parameters[option.keyword].default, option.about)

    @classmethod
    def require(cls) -> None:
        """Raise a ValueError that says what this machine lacks to run it."""

    @classmethod
    def refuse(cls, game: type) -> None:
        """Raise a GameError if the search does not fit the game, or what `require` raises."""
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
        """The best action at a record, or at a state without a past.

        `report` hears how the search stands whenever it knows more, `stop` ends it with the best that was found so far.
        `lines`: so many best actions, each with its value and line, the second best and so on in `others`. `past`: the
        states before this one, where the record does not know all that could come back. A subclass may have more
        keywords of its `own`.
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
        """The same in the user's own terms."""
        inner = terms.inward(at)
        state = inner.state if isinstance(inner, Record) else inner
        if own.get("only") is not None:
            own["only"] = [state.encode(action) for action in own["only"]]
        found = self.search(inner, limits, terms.heard(state, report), *rest, **own)
        answer: Analysis = terms.outward(state, found)
        return answer

    def one_by_one(self, asked: Request) -> Analysis:
        """Several lines of a search that finds one: the position after each action is searched by itself."""

        def look(action: int, each: Limits) -> Analysis:
            after = asked.record.play(action)
            if is_terminal(after.state):
                return over(after.state)
            return self.think(Request(after, each, stop=asked.stop, past=(*asked.past, asked.state)))

        return ranked(asked, look) if asked.report is None else ranked_deeper(asked, asked.report, look)


def over(state: Any) -> Analysis:
    """The answer where the game is over."""
    score = outcome(state)
    return Analysis(None, read_score(type(state), score, True)[0], 0, (), 0, 0.0, True, score)


def refuse_kind(
    cls: type, search: str, *, chance: bool = False, floats: bool = False, players: int | None = 2
) -> None:
    """Raise a GameError if a search does not fit the game; `chance`, `floats`: whether it knows what to do there."""
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
    """A state of the class at which a player chooses; a ValueError if it is none. For searches of many states."""
    state = checked_state(state)
    other = type(state)
    if other is not cls:
        raise ValueError(f"all states must be of one class, not {cls.__name__} and {other.__name__}")
    if is_terminal(state) or state.player() == CHANCE:
        raise ValueError(f"no player moves at {state}: the game is over, or chance moves")
    return state
