"""Players: a player is called with a record and limits and returns an analysis.

The built-in ones are the searches by name, `montecarlo` and `categories` (a plain search with such an
evaluation), `random`, `torres` for one chess endgame, and other backgammon programs (`gnubg`). A
user's own code, `bot.py:Bot`, works wherever they do. Its form is recognised by its parameters, or by its name
if it has only one:

    bot(record, limits)     a player: its first parameter is called `record`
    bot(view, limits)       a player that receives only what its seat knows: its first parameter is called
                            `view`. Games of imperfect information require this form; `choose(view)` too
    search(state, depth)    a search: another parameter is called `depth`
    choose(state)           a player that sees only the state: its name begins with `choose`
    evaluate(state)         an evaluation: its name begins with `evaluate`; returns a number, higher is better for
                            MAX, and our own search plays with it

All but an evaluation return an action, or (value, action) with MAX's value, or an Analysis. A class is instantiated
without arguments, and its instance must have one of these forms. An error in such code raises a one-line
PlayerError that names it. docs/players.md has examples.
"""

import inspect
import math
import random
import threading
import time
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple, Protocol

from outplay.book.choice import LINES, Reader, steered
from outplay.files import describe, file_spec, load_module, own, pick
from outplay.game import (
    CHANCE,
    HIGHEST,
    GameError,
    action_text,
    adopt_state,
    chances,
    is_terminal,
    kind,
    legal,
    outranks,
)
from outplay.learn.estimates import GAMES, Categories, MonteCarlo
from outplay.learn.positions import read
from outplay.limits import DEFAULT_TIME, Analysis, Limits
from outplay.peers import gnubg, gnubgnn
from outplay.record import Record
from outplay.search.mcts.network import Network
from outplay.search.protocol import terms
from outplay.search.protocol.deepening import deepened
from outplay.search.protocol.options import read_options, split, whole
from outplay.search.protocol.search import Search
from outplay.search.searches import SEARCHES, fitting, strongest
from outplay.search.textbook.interpreted import InterpretedSearch
from outplay.search.valuenet.td import TD
from outplay.standard import is_wrapped, own_state
from outplay.weights import Weights


class Player(Protocol):
    """Anything that can choose a move."""

    def __call__(self, record: Record, limits: Limits, /) -> Analysis: ...


class PlayerError(ValueError):
    """An error in a player's code; the message is one line and names the player."""


class IllegalMove(PlayerError):
    """A player returned an illegal action."""


def player(spec: str, seed: int = 0, weights: Weights | None = None) -> Player:
    """The player with that name: a search, `random`, or a user's own code in a file.

    `weights` are for the evaluation of a search; `engine:weights=FILE` reads them from a JSON file.
    """
    evaluating = [search.name for search in SEARCHES.values() if "weights" in search.options]
    if weights is not None and spec.partition(":")[0] not in evaluating:
        raise ValueError(f"{spec} takes no weights: they are for {', '.join(evaluating)}")
    if file_spec(spec) is not None:
        return _bot(spec)
    if spec == "random":
        return RandomPlayer(seed)
    if spec == "torres":
        return Torres()
    name = spec.partition(":")[0]
    if name == "book":
        return BookPlayer(spec, seed)
    if name in SEARCHES:
        search, given = SEARCHES[name], _with_rivals(SEARCHES[name], split(spec)[1], seed)
        defaults = {"seed": seed} if "seed" in search.options else {}
        chosen = {} if weights is None else {"weights": weights}
        return SearchPlayer(search.make(defaults | given | chosen))
    if name in PEERS:
        return PeerPlayer(spec, name, split(spec)[1])
    if name == "net":
        return NetPlayer(spec, Network(spec.partition(":")[2]))
    if name in ESTIMATES:
        return EstimatePlayer(spec, name, *_estimate(name, spec.partition(":")[2]))
    raise ValueError(
        f"unknown player {spec!r}; choose from {', '.join([*SEARCHES, *ESTIMATES, *PEERS])}, random, torres, "
        "book:FILE, net:FILE, and files: bot.py:Bot"
    )


def _with_rivals(search: type[Search], given: Mapping[str, Any], seed: int) -> dict[str, Any]:
    """The options of a search; an option that is a player is created here, unless the search knows its name."""
    known = {key: option.knows for key, option in search.options.items() if option.knows is not None}
    return {
        key: player(value, seed) if key in known and value not in known[key] else value
        for key, value in given.items()
    }


PEERS = (gnubg.NAME, gnubgnn.NET, gnubgnn.PUBEVAL)  # other people's programs
ESTIMATES = {"montecarlo": "games=100", "categories": "positions=FILE"}  # evaluations without knowledge


def _estimate(name: str, given: str) -> tuple[int, str]:
    """`games=100`, or `positions=FILE`, as the number and the file."""
    key, _, value = given.partition("=")
    if name == "montecarlo" and not given:
        return GAMES, ""
    if name == "montecarlo" and key == "games" and value.isdecimal() and int(value) > 0:
        return int(value), ""
    if name == "categories" and key == "positions" and value:
        return 0, value
    raise ValueError(f"{name}:{given} is not understood: write {name}:{ESTIMATES[name]}")


def search_for(cls: type) -> str:
    """The default search of a game."""
    return strongest(cls).name


def judge_for(cls: type) -> str:
    """The search that analyses positions of a game: two plies with a value net if it has one, else the strongest."""
    try:
        fitting(cls, TD.name)
    except GameError:
        return search_for(cls)
    return f"{TD.name}:plies=2"


def can_choose(state: Any) -> bool:
    """Whether a player moves: the game is not over, and it is not a chance node."""
    return not is_terminal(state) and state.player() != CHANCE


# --- built in -------------------------------------------------------------------------------------------


class SearchPlayer:
    """Plays a search's best action. The search keeps its tables from move to move."""

    def __init__(self, search: Search) -> None:
        self.search = search
        self.name = search.name

    def __call__(
        self, record: Record, limits: Limits, stop: threading.Event | None = None, lines: int = 1
    ) -> Analysis:
        """The best action; `stop` ends the search with the best found so far.

        `lines`: the number of best actions; the second and later ones are in `others`.
        """
        limits = limits if any(limits) or self.search.is_bounded else Limits(time=DEFAULT_TIME)
        return self.search.search(record, limits, stop=stop, lines=lines)

    def new_game(self) -> None:
        """Clear the tables of the last game."""
        self.search.forget()

    def prepare(self, state: Any, limits: Limits | None = None) -> None:
        """Compile what is needed; raise an error if the search does not support the game or the limits."""
        cls = type(adopt_state(state))
        self.search.refuse(cls)
        self.search.refuse_limits(cls, limits or Limits())
        self.search.prepare(state)


class RandomPlayer(NamedTuple):
    """Plays a random legal action; the same seed in the same game gives the same one."""

    seed: int = 0
    name: str = "random"

    def __call__(self, record: Record, limits: Limits) -> Analysis:
        begin = time.perf_counter()
        actions = record.legal()
        return _bare(_dice(self.seed, record).choice(actions), begin)


class Torres(NamedTuple):
    """Torres y Quevedo's automaton for king and rook against king."""

    name: str = "torres"

    def __call__(self, record: Record, limits: Limits) -> Analysis:
        from outplay.games.chess import Chess, torres

        begin, state = time.perf_counter(), record.state
        if not isinstance(state, Chess):
            raise PlayerError(f"torres plays chess, not {type(state).__name__}")
        try:
            return _bare(state.parse_action(torres.choose(state)), begin)
        except ValueError as error:
            raise PlayerError(f"torres has no move here: {error}") from None


class BookPlayer:
    """Plays from a book; out of book with a search, the default or the one named, guided by an extended book.

    `book:FILE,plies=12,pick=best,extended=games.book,search=engine:threads=2`
    """

    def __init__(self, spec: str, seed: int) -> None:
        given, _, search = spec.partition(":")[2].partition(",search=")
        file, _, options = given.partition(",")
        self.name, self.seed = spec, seed
        self.reader = Reader.read(file, split(f"book:{options}")[1])
        self.search: SearchPlayer | None = None
        if search:
            named = player(search, seed)
            if not isinstance(named, SearchPlayer):
                raise ValueError(f"the search of a book's player must be one, not {search[:40]!r}")
            self.search = named

    def __call__(self, record: Record, limits: Limits) -> Analysis:
        begin, state = time.perf_counter(), record.state
        known = self.reader.move(state, len(record.actions), _dice(self.seed, record).random())
        if known is not None:
            return _bare(known, begin)
        bonuses = self.reader.bonuses(state)
        if not bonuses:
            return self.thinker(state)(record, limits)
        lines = min(LINES, len(record.legal()))
        return steered(self.thinker(state)(record, limits, lines=lines), state, bonuses)

    def thinker(self, state: Any) -> SearchPlayer:
        if self.search is None:
            self.search = SearchPlayer(strongest(type(adopt_state(state))).make({}))
        return self.search

    def new_game(self) -> None:
        """Clear the search's tables of the last game."""
        if self.search is not None:
            self.search.new_game()

    def prepare(self, state: Any, limits: Limits | None = None) -> None:
        """Compile what is needed; raise an error if the game or the limits are not supported."""
        self.reader.refuse(state)
        self.thinker(state).prepare(state, limits)


class NetPlayer(NamedTuple):
    """Plays the best action of a network's policy, without any search."""

    name: str
    network: Network

    def __call__(self, record: Record, limits: Limits) -> Analysis:
        begin, state = time.perf_counter(), adopt_state(record.state)
        policy, value = self.network.judge([state])
        action = max(record.legal(), key=lambda action: policy[0][self.network.view.place(state, action)])
        sign = 1 if state.player() == 0 else -1
        return _bare(action, begin)._replace(value=sign * float(value[0]), nodes=1)

    def prepare(self, state: Any, limits: Limits | None = None) -> None:
        """Raise an error if the network is for another game."""
        self.network.refuse(adopt_state(state))


class PeerPlayer:
    """Another backgammon program: GNU Backgammon over its socket, its nets alone, or pubeval."""

    def __init__(self, spec: str, name: str, given: Mapping[str, str]) -> None:
        options = {"plies": whole("plies", "")} if name == gnubg.NAME else {}
        read = read_options(name, options, given)
        self.name = spec
        self.gnubg = gnubg.Gnubg(**read) if name == gnubg.NAME else None
        self.choice = None if name == gnubg.NAME else gnubgnn.chooser(name)

    def __call__(self, record: Record, limits: Limits) -> Analysis:
        begin, state = time.perf_counter(), record.state
        self.refuse(type(state))
        actions = record.legal()
        try:
            return _bare(actions[0] if len(actions) == 1 else self.chosen(state, actions), begin)
        except ValueError as error:
            raise PlayerError(f"{self.name}: {error}") from None

    def chosen(self, state: Any, actions: Sequence[int]) -> int:
        """Its play in our notation: several plays may lead to the same position."""
        if self.gnubg is not None:
            return int(state.parse_action(self.gnubg.choose(state)))
        assert self.choice is not None
        reached = state.result(self.choice(state))
        return next(action for action in actions if state.result(action) == reached)

    def prepare(self, state: Any, limits: Limits | None = None) -> None:
        """Start the program; raise an error if it does not support the game."""
        self.refuse(type(state))
        if self.gnubg is not None:
            self.gnubg.start(type(state))

    def refuse(self, cls: Any) -> None:
        if not gnubgnn.is_backgammon(cls):
            raise PlayerError(
                f"{self.name} supports only backgammon with fifteen checkers, not {cls.__name__}"
            )
        if self.gnubg is None and not cls.BARE:
            raise PlayerError(f"{self.name} does not support the cube: use backgammon without one")


class EstimatePlayer:
    """Plays with a plain search and an evaluation estimated from games: see outplay.learn.estimates."""

    def __init__(self, spec: str, kind: str, games: int, file: str) -> None:
        self.name, self.kind, self.games, self.file = spec, kind, games, file
        self.categories: dict[type, Categories] = {}  # read when the game is known

    def __call__(self, record: Record, limits: Limits) -> Analysis:
        inner = terms.inward(record)
        evaluate = self.evaluation(type(inner.state))
        found = by_evaluation(evaluate, inner, limits.timed())
        answer: Analysis = terms.outward(inner.state, found) if terms.is_own(record) else found
        return answer

    def prepare(self, state: Any, limits: Limits | None = None) -> None:
        """Compile and read what is needed; raise an error if the game is not supported."""
        state = adopt_state(state)
        fitting(type(state))
        self.evaluation(type(state))(state)

    def evaluation(self, cls: type) -> Callable[[Any], float]:
        if self.kind == "montecarlo":
            return MonteCarlo(self.games)
        if cls not in self.categories:
            self.categories[cls] = Categories(read(cls, self.file))
        return self.categories[cls]


def roll(record: Record, seed: int) -> int:
    """An outcome's code at a chance node, drawn with its probability; the same seed gives the same game."""
    record = terms.inward(record)
    state = record.state
    assert state.player() == CHANCE
    outcomes, weights = zip(*chances(state), strict=True)
    return int(_dice(seed, record).choices(outcomes, weights)[0])


def _dice(seed: int, record: Record) -> random.Random:
    return random.Random(f"{seed} {record.start} {record.actions}")


def _bare(action: int, begin: float) -> Analysis:
    """An analysis with only a move."""
    return Analysis(action, None, 0, (action,), 0, time.perf_counter() - begin)


# --- a user's own ---------------------------------------------------------------------------------------

NOWHERE = Path()  # the file of code given as an object
MAX_DEPTH = 64  # maximum depth for a user's search: it may have reached the end of the game long before
FORMS = "bot(record, limits), bot(view, limits), search(state, depth), choose(state) or evaluate(state)"
NAMED = {"choose": "choice", "evaluate": "evaluation"}  # name prefixes of the last two forms


class Bot(NamedTuple):
    """A user's code as a player: called according to its form, its result checked."""

    name: str  # as given
    file: Path
    code: Callable[..., Any]
    form: str  # "player", "search", "choice" or "evaluation"
    views: bool = False  # whether it takes a view

    def __call__(self, record: Record, limits: Limits) -> Analysis:
        self._refuse_to_look(type(record.start))
        if self.form != "player":
            limits = limits.timed()
        ask = {
            "player": self._ask_player,
            "search": self._ask_search,
            "choice": self._ask_choice,
            "evaluation": self._ask_evaluation,
        }
        try:
            return ask[self.form](record, limits)
        except PlayerError:
            raise
        except (Exception, SystemExit) as error:
            raise PlayerError(f"{self.name} failed: {describe(error, self.file)}") from error

    def prepare(self, state: Any, limits: Limits | None = None) -> None:
        """Raise an error if the code cannot play this game within these limits."""
        self._refuse_to_look(type(state))
        if self.form == "search" and limits is not None:
            self._limited(limits.timed())
        if self.form == "evaluation":
            fitting(type(adopt_state(state)))
        if isinstance(self.code, SearchPlayer | EstimatePlayer):  # one of ours, given as an object
            self.code.prepare(state, limits)

    def _refuse_to_look(self, cls: type) -> None:
        """Games of imperfect information accept only players that take a view."""
        ours = isinstance(self.code, SearchPlayer | EstimatePlayer | RandomPlayer)
        if kind(cls).hidden and not self.views and not ours:
            raise PlayerError(
                f"{self.name} would see what {cls.__name__} hides: write it as bot(view, limits) or choose(view)"
            )

    def new_game(self) -> None:
        """Call the code's `new_game`, if it has one."""
        if hasattr(self.code, "new_game"):
            self.code.new_game()

    def _ask_player(self, record: Record, limits: Limits) -> Analysis:
        begin = time.perf_counter()
        mine = terms.own_record(record)
        given = mine.view() if self.views else mine
        return self._checked(record.state, self.code(given, limits), begin)

    def _ask_choice(self, record: Record, limits: Limits) -> Analysis:
        begin = time.perf_counter()
        mine = terms.own_record(record)
        given = mine.view() if self.views else mine.state
        return self._checked(record.state, self.code(given), begin)

    def _ask_search(self, record: Record, limits: Limits) -> Analysis:
        """To the given depth, or depth by depth until the time is up."""
        state, begin = record.state, time.perf_counter()
        self._limited(limits)
        given = own_state(state)
        if limits.depth is not None:
            return self._checked(state, self.code(given, limits.depth), begin, limits.depth)
        spent, growth, next_one = 0.0, 0.0, 0.0

        def look(depth: int | None, _: Analysis) -> Analysis:
            nonlocal spent, growth, next_one
            analysis = self._checked(state, self.code(given, depth), begin, depth or 0)
            last, spent = analysis.time - spent, analysis.time
            growth = max(growth, last / (spent - last)) if spent > last else growth
            next_one = spent + growth * last
            return analysis

        most = limits.time or 0.0
        return deepened(range(1, MAX_DEPTH + 1), _bare(-1, begin), look, lambda _: next_one > most)

    def _limited(self, limits: Limits) -> None:
        if limits.depth is None and limits.time is None:
            raise PlayerError(f"{self.name} is a search(state, depth): limit it by depth or by time")

    def _ask_evaluation(self, record: Record, limits: Limits) -> Analysis:
        return by_evaluation(lambda state: self._number(self.code(own_state(state))), record, limits)

    def _checked(self, state: Any, answer: Any, begin: float, depth: int = 0) -> Analysis:
        """The result as an analysis: it may be one already, or (value, action), or an action."""
        if isinstance(answer, Analysis):
            return terms.coded(state, answer)._replace(action=self._legal(state, answer.action))
        value = None
        if isinstance(answer, tuple) and len(answer) == 2 and not self._is_action(state, answer):
            value, answer = self._number(answer[0]), answer[1]
        return _bare(self._legal(state, answer), begin)._replace(value=value, depth=depth)

    def _number(self, value: Any) -> float:
        number = (
            value if isinstance(value, int | float) else getattr(value, "item", lambda: None)()
        )  # NumPy's
        if isinstance(number, int | float) and not math.isnan(number):
            return number
        raise PlayerError(f"{self.name} returned {value!r} as a value: expected a number")

    def _is_action(self, state: Any, answer: Any) -> bool:
        """Whether a result is one of the user's actions: a pair may be one."""
        return is_wrapped(type(state)) and answer in state.listed

    def _legal(self, state: Any, action: Any) -> int:
        if self._is_action(state, action):
            return int(state.encode(action))
        actions = legal(state)
        if is_wrapped(type(state)):
            shown = ", ".join(map(repr, state.listed[:12]))
            raise IllegalMove(f"{self.name} returned {action!r}, which is not a legal action; legal: {shown}")
        if hasattr(action, "__index__") and action in actions:
            return int(action)
        shown = ", ".join(f"{a} ({action_text(state, a)})" for a in actions[:12])
        raise IllegalMove(f"{self.name} returned {action!r}, which is not a legal action; legal: {shown}")


def by_evaluation(evaluate: Callable[[Any], float], record: Record, limits: Limits) -> Analysis:
    """The result of a plain search with an evaluation in Python."""
    state = adopt_state(record.state)
    most = HIGHEST if outranks(type(state)) else math.inf  # an outcome outranks every evaluation

    def bounded(at: Any) -> float:
        return max(-most, min(evaluate(at), most))

    return InterpretedSearch(state, limits, bounded, record.past()).run()


def _bot(spec: str) -> Bot:
    file = file_spec(spec)
    assert file is not None
    module = load_module(file.path)
    name = file.name or _only(module, file.path)
    code = pick(module, name)
    path = Path(str(module.__file__))
    if isinstance(code, type):
        try:
            code = code()
        except Exception as error:  # the user's own code
            raise PlayerError(f"{spec} cannot be made by {name}(): {describe(error, path)}") from error
    return as_player(code, spec, name, path)


def as_player(code: Any, spec: str, name: str = "", path: Path = NOWHERE) -> Bot:
    """A user's code as a player; raises a PlayerError that explains the forms if it has none of them."""
    form = form_of(code, name)
    if form is not None:
        return Bot(spec, path, code, form, views=_parameters(code)[:1] == ["view"])
    if len(_parameters(code, wanted=True)) == 1:
        raise PlayerError(
            f"{spec} takes one argument, so it may be a player or an evaluation: let its name begin with `choose` if "
            "it returns an action, with `evaluate` if it returns a number"
        )
    raise PlayerError(f"{spec} is not a player: write it as {FORMS}")


def _only(module: Any, path: str) -> str:
    """The only player in a file."""
    names = [name for name, thing in own(module).items() if form_of(thing, name) or _makes_player(thing)]
    if len(names) == 1:
        return names[0]
    if names:
        raise ValueError(f"several players in {path}: {', '.join(names)}; say which, as in {path}:{names[0]}")
    raise ValueError(f"no player in {path}: write {FORMS}")


def _makes_player(thing: Any) -> bool:
    return isinstance(thing, type) and "__call__" in vars(thing)


def form_of(code: Any, name: str = "") -> str | None:
    """The form of a callable, by its parameters and its name; None if it has none of the forms."""
    if _parameters(code)[:1] == ["view"]:
        return "player" if len(_parameters(code)) > 1 else "choice"
    if _parameters(code)[:1] == ["record"]:
        return "player"
    if "depth" in _parameters(code)[1:]:
        return "search"
    called = (name or getattr(code, "__name__", type(code).__name__)).lower()
    forms = [form for begin, form in NAMED.items() if called.startswith(begin)]
    return forms[0] if forms and len(_parameters(code, wanted=True)) == 1 else None


def _parameters(code: Any, wanted: bool = False) -> list[str]:
    """The parameter names of a callable, only those without a default if `wanted`; empty if it is not callable."""
    if not callable(code) or isinstance(code, type):
        return []
    try:
        found = inspect.signature(code).parameters.values()
    except (TypeError, ValueError):
        return []
    return [p.name for p in found if not wanted or p.default is p.empty and p.kind is not p.VAR_KEYWORD]
