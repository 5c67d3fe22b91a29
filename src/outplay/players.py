"""Players: a player is called with a record and limits and answers with an analysis.

The built-in ones are the searches by their names, `montecarlo` and `categories` (a plain search over such an
evaluation), and `random`. A user's own code, `bot.py:Bot`, plays wherever they do. What it is, its parameters
say:

    bot(record, limits)     a player: its first parameter is called `record`
    search(state, depth)    a search: another parameter is called `depth`
    evaluate(state)         an evaluation: it has one parameter; returns a number, greater is better for MAX,
                            and our own search plays with it

A player and a search return an action, or (value, action) with MAX's value, or an Analysis. A class is called
without arguments first, and its instance is looked at in the same way. Whatever such code does wrong is a
PlayerError of one line that names it.
"""

import inspect
import math
import random
import threading
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple, Protocol

from outplay.files import describe, file_spec, load_module, own, pick
from outplay.game import (
    CHANCE,
    FORBIDDEN,
    HIGHEST,
    action_text,
    adopt_state,
    is_terminal,
    kind,
    legal,
    read_score,
    worth,
)
from outplay.learn.estimates import GAMES, Categories, MonteCarlo
from outplay.learn.positions import read
from outplay.limits import Analysis, Limits
from outplay.record import Record
from outplay.search import SEARCHES, alphabeta, best, expectiminimax
from outplay.search.control import Stopped
from outplay.search.driver import DEFAULT_TIME, RUNNERS, fitting, prepare, runner, strongest
from outplay.search.rank import ranked
from outplay.weights import Weights


class Player(Protocol):
    """Anything that may be asked for a move."""

    def __call__(self, record: Record, limits: Limits, /) -> Analysis: ...


class PlayerError(ValueError):
    """A player did what no player may do; the message is one line and names it."""


class IllegalMove(PlayerError):
    """A player's answer is no legal action."""


def player(spec: str, seed: int = 0, weights: Weights | None = None) -> Player:
    """The player of that name: a search, `random`, or a user's own code in a file.

    `weights` are for the evaluation of a search; `engine:weights=FILE` reads them from a JSON file.
    """
    evaluating = [search for search in SEARCHES if "weights" in OPTIONS.get(search, EVALUATING)]
    if weights is not None and spec.partition(":")[0] not in evaluating:
        raise ValueError(f"{spec} takes no weights: they are for {', '.join(evaluating)}")
    if file_spec(spec) is not None:
        return _bot(spec)
    if spec == "random":
        return RandomPlayer(seed)
    name, _, given = spec.partition(":")
    if name in SEARCHES:
        options = ({"seed": seed} if name == "uct" else {}) | options_of(name, given)
        return SearchPlayer(name, **(options if weights is None else options | {"weights": weights}))
    if name in ESTIMATES:
        return EstimatePlayer(spec, name, *_estimate(name, given))
    raise ValueError(
        f"no player called {spec!r}; there are {', '.join([*SEARCHES, *ESTIMATES])}, random, and files: bot.py:Bot"
    )


def _switch(text: str) -> bool:
    return {"0": False, "1": True}[text]


# The options of searches: how they are written, and what the search calls them.
Options = dict[str, tuple[str, Callable[[str], Any]]]
EVALUATING: Options = {"weights": ("weights", Weights.load)}
OPTIONS: dict[str, Options] = {
    "engine": EVALUATING | {"hash": ("megabytes", float), "threads": ("threads", int), "on": ("on", str)},
    "uct": {
        "c": ("c", float),
        "memory": ("memory", float),
        "threads": ("threads", int),
        "seed": ("seed", int),
        "solver": ("solver", _switch),
        "rave": ("rave", float),
        "prior": ("prior", float),
        "expand": ("expand", int),
        "hints": ("hints", _switch),
        "choice": ("choice", str),
        "score": ("score", float),
    },
}


def options_of(name: str, given: str) -> dict[str, Any]:
    """`threads=2,hash=128` as the options of a search."""
    found: dict[str, Any] = {}
    allowed = OPTIONS.get(name, EVALUATING)
    for part in filter(None, given.split(",")):
        key, equals, value = (word.strip() for word in part.partition("="))
        if key not in allowed or not equals:
            has = ", ".join(f"{option}=..." for option in allowed)
            raise ValueError(f"{part!r} is no option of {name}; it has {has}")
        option, kind = allowed[key]
        try:
            found[option] = kind(value)
        except KeyError:
            raise ValueError(f"{key} of {name} must be 0 or 1, not {value!r}") from None
        except ValueError:
            if key == "weights":
                raise
            raise ValueError(f"{key} of {name} must be a number, not {value!r}") from None
    return found


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
    """The search that plays a game where none is named."""
    return strongest(cls).name


def can_choose(state: Any) -> bool:
    """Whether a player may be asked: the game is not over, and chance is not to move."""
    return not is_terminal(state) and state.player() != CHANCE


# --- built in -------------------------------------------------------------------------------------------


class SearchPlayer:
    """Plays what a search finds best. The engine keeps its table, UCT its tree, from one move to the next."""

    def __init__(self, name: str, **options: Any) -> None:
        self.name = name
        self.options = options
        self.new_game()

    def __call__(
        self, record: Record, limits: Limits, stop: threading.Event | None = None, lines: int = 1
    ) -> Analysis:
        """The best action; where the search deepens, `stop` ends it with the best found so far.

        `lines`: so many best actions, the second and later ones in `others`.
        """
        if self.name != "engine":
            limits = limits.timed()
        if self.engine is None:
            return best(
                record.state,
                self.name,
                depth=limits.depth,
                nodes=limits.nodes,
                time=limits.time,
                stop=stop,
                weights=self.options.get("weights"),
                lines=lines,
            )
        limits = limits if any(limits) else Limits(time=DEFAULT_TIME)
        if self.name == "uct" and lines > 1 and can_choose(record.state):
            fresh = lambda state, each: runner("uct", **self.options).search(state, each, stop=stop)  # noqa: E731
            return ranked(record.state, lines, limits, fresh)
        if self.name == "uct":
            self.engine.follow(record.start, record.actions)
            return self.engine.search(record.state, limits, stop=stop, past=record.past())
        only = record.legal() if getattr(type(record.state), "repetition", 0) == FORBIDDEN else None
        return self.engine.search(record.state, limits, stop=stop, past=record.past(), lines=lines, only=only)

    def new_game(self) -> None:
        """Forget what was learnt in the last one."""
        self.engine = runner(self.name, **self.options) if self.name in RUNNERS else None

    def prepare(self, state: Any) -> None:
        """Compile what will be needed; a GameError if the search does not fit the game."""
        if self.engine is None:
            prepare(state, self.name)
        else:
            fitting(type(adopt_state(state)), self.name)
            self.engine.prepare(state)


class RandomPlayer(NamedTuple):
    """Plays any legal action; the same seed in the same game gives the same one."""

    seed: int = 0
    name: str = "random"

    def __call__(self, record: Record, limits: Limits) -> Analysis:
        begin = time.perf_counter()
        actions = record.legal()
        return _bare(_dice(self.seed, record).choice(actions), begin)


class EstimatePlayer:
    """Plays by a plain search over an evaluation that was not written but counted: see outplay.learn.estimates."""

    def __init__(self, spec: str, kind: str, games: int, file: str) -> None:
        self.name, self.kind, self.games, self.file = spec, kind, games, file
        self.categories: dict[type, Categories] = {}  # read when the game is known

    def __call__(self, record: Record, limits: Limits) -> Analysis:
        state = adopt_state(record.state)
        return EvaluationSearch(self.evaluation(type(state)), state, limits.timed()).run()

    def prepare(self, state: Any) -> None:
        """Compile, and read, what will be needed."""
        state = adopt_state(state)
        self.evaluation(type(state))(state)

    def evaluation(self, cls: type) -> Callable[[Any], float]:
        if self.kind == "montecarlo":
            return MonteCarlo(self.games)
        if cls not in self.categories:
            self.categories[cls] = Categories(read(cls, self.file))
        return self.categories[cls]


def roll(record: Record, seed: int) -> int:
    """An outcome at a chance node, drawn with its probability; the same seed gives the same game."""
    state = record.state
    assert state.player() == CHANCE
    outcomes = list(state.actions())
    weights = [state.probability(outcome) for outcome in outcomes]
    return _dice(seed, record).choices(outcomes, weights)[0]


def _dice(seed: int, record: Record) -> random.Random:
    return random.Random(f"{seed} {record.start} {record.actions}")


def _bare(action: int, begin: float) -> Analysis:
    """The analysis of who knows nothing but what to play."""
    return Analysis(action, None, 0, (action,), 0, time.perf_counter() - begin)


# --- a user's own ---------------------------------------------------------------------------------------

MAX_DEPTH = 64  # a user's search is not asked to look further ahead: it may have seen the end long before
FORMS = "bot(record, limits), search(state, depth) or evaluate(state)"


class Bot(NamedTuple):
    """A user's code as a player: called as its form wants, its answer checked."""

    name: str  # as it was asked for
    file: Path
    code: Callable[..., Any]
    form: str  # "player", "search" or "evaluation"

    def __call__(self, record: Record, limits: Limits) -> Analysis:
        if self.form != "player":
            limits = limits.timed()
        ask = {"player": self._ask_player, "search": self._ask_search, "evaluation": self._ask_evaluation}
        try:
            return ask[self.form](record, limits)
        except PlayerError:
            raise
        except (Exception, SystemExit) as error:
            raise PlayerError(f"{self.name} failed: {describe(error, self.file)}") from error

    def _ask_player(self, record: Record, limits: Limits) -> Analysis:
        begin = time.perf_counter()
        return self._checked(record.state, self.code(record, limits), begin)

    def _ask_search(self, record: Record, limits: Limits) -> Analysis:
        """To the depth that is asked for, or depth by depth while the time lasts."""
        state, begin = record.state, time.perf_counter()
        if limits.depth is None and limits.time is None:
            raise PlayerError(f"{self.name} is a search of its own: limit it by depth or by time")
        if limits.depth is not None:
            return self._checked(state, self.code(state, limits.depth), begin, limits.depth)
        spent = growth = 0.0
        for depth in range(1, MAX_DEPTH + 1):
            analysis = self._checked(state, self.code(state, depth), begin, depth)
            last, spent = analysis.time - spent, analysis.time
            growth = max(growth, last / (spent - last)) if spent > last else growth
            if limits.time is None or spent + growth * last > limits.time:  # so long would the next one take
                break
        return analysis

    def _ask_evaluation(self, record: Record, limits: Limits) -> Analysis:
        return EvaluationSearch(lambda state: self._number(self.code(state)), record.state, limits).run()

    def _checked(self, state: Any, answer: Any, begin: float, depth: int = 0) -> Analysis:
        """The answer as an analysis: it may be one already, or (value, action), or an action."""
        if isinstance(answer, Analysis):
            return answer._replace(action=self._legal(state, answer.action))
        value = None
        if isinstance(answer, tuple) and len(answer) == 2:
            value, answer = self._number(answer[0]), answer[1]
        return _bare(self._legal(state, answer), begin)._replace(value=value, depth=depth)

    def _number(self, value: Any) -> float:
        number = (
            value if isinstance(value, int | float) else getattr(value, "item", lambda: None)()
        )  # NumPy's
        if isinstance(number, int | float) and not math.isnan(number):
            return number
        raise PlayerError(f"{self.name} gave {value!r} as a value: a number is wanted")

    def _legal(self, state: Any, action: Any) -> int:
        actions = legal(state)
        if hasattr(action, "__index__") and action in actions:
            return int(action)
        shown = ", ".join(f"{a} ({action_text(state, a)})" for a in actions[:12])
        raise IllegalMove(f"{self.name} gave {action!r}, which is no legal action; legal are {shown}")


class EvaluationSearch:
    """A plain search (alpha-beta, or expectiminimax where there is chance) with an evaluation in Python.

    Limits mean what they mean to `outplay.best`: a depth alone is searched at once, nodes and time by
    iterative deepening.
    """

    def __init__(self, evaluate: Callable[[Any], float], state: Any, limits: Limits) -> None:
        self.evaluate, self.state, self.limits = evaluate, state, limits
        self.began, self.nodes, self.cut_off = time.perf_counter(), 0, False
        cls = type(state)
        fitting(cls)  # refuses games that do not fit
        self.chance = kind(cls).chance
        self.worth = worth(cls)

    def run(self) -> Analysis:
        """The answer of the deepest search that was finished."""
        found = _bare(legal(self.state)[0], self.began)
        deepest = self.limits.depth or MAX_DEPTH
        first = deepest if self.limits.nodes is None and self.limits.time is None else 1
        for depth in range(first, deepest + 1):
            self.cut_off = False
            try:
                found = self.answer(depth, *self.root(depth))
            except Stopped:
                break
            if not self.cut_off:
                break
        return found._replace(nodes=self.nodes, time=time.perf_counter() - self.began)

    def root(self, depth: int) -> tuple[float, int]:
        """The score for MAX and the first action that has it."""
        self.visit(self.state)
        alpha, beta, choice = -math.inf, math.inf, -1
        for action in legal(self.state):
            child = self.state.result(action)
            if self.chance:
                score = expectiminimax.value(child, depth - 1, self.visit, self.static)
            else:
                score = alphabeta.value(child, alpha, beta, depth - 1, self.visit, self.static)
            if self.state.player() == 0 and score > alpha:
                alpha, choice = score, action
            elif self.state.player() == 1 and score < beta:
                beta, choice = score, action
        return (alpha, beta)[self.state.player()], choice

    def visit(self, _: Any) -> None:
        """One node more, unless a limit is reached."""
        if self.limits.nodes is not None and self.nodes >= self.limits.nodes:
            raise Stopped
        if self.limits.time is not None and time.perf_counter() - self.began > self.limits.time:
            raise Stopped
        self.nodes += 1

    def static(self, state: Any) -> float:
        """The evaluation of a state at the horizon, as the search compares it with outcomes."""
        self.cut_off = True
        value = self.evaluate(state)
        return max(-HIGHEST, min(value, HIGHEST)) if self.worth > 1 else value

    def answer(self, depth: int, score: float, action: int) -> Analysis:
        value, proven = read_score(type(self.state), score, not self.cut_off)
        return Analysis(action, value, depth, (action,), self.nodes, 0.0, proven)


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
    form = form_of(code)
    if form is None:
        raise PlayerError(f"{spec} is no player: it must be called as {FORMS}")
    return Bot(spec, path, code, form)


def _only(module: Any, path: str) -> str:
    """The one thing in a file that can be a player."""
    names = [name for name, thing in own(module).items() if form_of(thing) or _makes_player(thing)]
    if len(names) == 1:
        return names[0]
    if names:
        raise ValueError(f"several players in {path}: {', '.join(names)}; say which, as in {path}:{names[0]}")
    raise ValueError(f"no player in {path}: write {FORMS}")


def _makes_player(thing: Any) -> bool:
    return isinstance(thing, type) and "__call__" in vars(thing)


def form_of(code: Any) -> str | None:
    """Which of the three forms a callable has, by its parameters; None if it has none of them."""
    if not callable(code) or isinstance(code, type):
        return None
    try:
        parameters = list(inspect.signature(code).parameters.values())
    except (TypeError, ValueError):
        return None
    wanted = [p.name for p in parameters if p.default is p.empty and p.kind is not p.VAR_KEYWORD]
    if parameters and parameters[0].name == "record":
        return "player"
    if any(p.name == "depth" for p in parameters[1:]):
        return "search"
    return "evaluation" if len(wanted) == 1 else None
