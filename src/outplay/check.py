"""`outplay check`: does a class keep the contract, and does it behave the same compiled and interpreted?

States are visited breadth-first from the start, then along random games, and every method of the class is
tested on each. The first fault ends the run; the line of play that leads to it is shortened as far as possible.
"""

import collections
import itertools
import math
import random
import re
import traceback
from collections.abc import Iterable
from pathlib import Path
from types import FunctionType
from typing import Any, NamedTuple

import numpy as np

from outplay import hooks, written
from outplay.claims import Claims, Unknown
from outplay.compile import ENABLED, kernel, twin
from outplay.compile.errors import explained
from outplay.compile.interpreted import Interpreted
from outplay.compile.lane import Again
from outplay.compile.runtime import NATIVE, mix
from outplay.compile.source import plain
from outplay.game import (
    CHANCE,
    HIGHEST,
    MOST,
    Block,
    Board,
    GameError,
    action_text,
    adopt,
    adopt_state,
    estimate,
    identity,
    is_terminal,
    kind,
    legal,
    max_actions,
    most_estimate,
    offers,
    outcome,
    outranks,
    parse,
    parse_action,
    plane_words,
    utility_for,
    weights_of,
    worth,
)
from outplay.standard import answered, impure_lines, is_wrapped, original, own_files, own_state
from outplay.variants import name_of
from outplay.views import everybody, seat_of
from outplay.weights import Weights
from outplay.words import wrap

BREADTH = 1000  # states visited breadth first
GAMES = 100  # random games
PLIES = 5000  # a random game that is longer does not seem to end
SHORTEN = 2000  # tries to find fewer moves to a fault

LONGEST = 250  # characters of a fault: it may quote a class's texts
TRAITS = 4096  # an engine's histories have a place for so many
LEARNED = (-50, 0, 50)  # what a net may say
RANDOM = (0, 1, -1, 0x123456789ABCDEF, -0x123456789ABCDEF)  # bits for `sample` and `playout`

pointer = NATIVE["pointer"][ENABLED]


class Fault(Exception):
    """Something at a state is not as it should be."""


class Passing(Fault):
    """A fault of a game as it went: a shorter way to the state need not show it."""


class Report(NamedTuple):
    """What a check saw."""

    game: str
    states: int  # states tested
    games: int  # random games played to the end
    longest: int  # plies of the longest
    most_actions: int
    fault: str = ""  # empty: none was found
    moves: tuple[str, ...] = ()  # from the start to the fault
    reasons: tuple[str, ...] = ()  # what keeps the class from being compiled; none: it is compiled

    def __str__(self) -> str:
        seen = (
            f"{self.states} states, {self.games} random games, the longest {self.longest} plies, "
            f"at most {self.most_actions} actions"
        )
        if not self.fault:
            return f"{self.game}: no fault in {seen}" + self.lane()
        shown = " ".join(self.moves[:40]) + (
            f" ... ({len(self.moves)} moves)" if len(self.moves) > 40 else ""
        )
        where = f"after {shown}" if self.moves else "at the start"
        return f"{self.game}: {self.fault}\n  {where}"

    def lane(self) -> str:
        """Why the class runs interpreted, a line for each reason; nothing if it is compiled."""
        if not self.reasons:
            return "; compiled" if ENABLED else ""
        return "\n  ".join(["\n  it runs interpreted, perhaps 200 times slower, since", *self.reasons])


def check(start: Any, games: int = GAMES, seed: int = 1) -> Report:
    """Test a game from a state (or from its class's initial state)."""
    return Examiner(adopt(start)() if isinstance(start, type) else adopt_state(start)).examine(games, seed)


class Examiner:
    """Carries the counts and the path of the state under test."""

    def __init__(self, start: Any) -> None:
        self.begin(start)

    def begin(self, start: Any) -> None:
        """Nothing has been tested yet."""
        cls = type(start)
        self.cls: Any = adopt(cls)
        self.kind = kind(cls)
        self.start = start
        self.twin = twin(cls)
        self.limit = max_actions(cls)
        self.blocks = [Block(cls, weights) for weights in _weights(cls)]
        self.path: list[int] = []
        self.asks = [cls.__name__]  # what is put to the test now, always another list
        self.complaint = ""
        self.states = self.games = self.longest = self.most = 0
        optional = (rule for rule in hooks.COMPILED if hooks.HOOK[rule].group != "rules")
        self.offered = {rule for rule in optional if offers(cls, rule)}
        words = plane_words(cls) if "planes" in self.offered else 0
        words = max(words, self.cls.feature_count if "features" in self.offered else 0)
        self.memory = np.zeros(max(self.limit, words) + 1, np.int64)
        self.keys: dict[Any, tuple[Any, ...]] = {}
        self.claims = Claims(cls)
        self.information: dict[
            tuple[int, ...], tuple[int, ...]
        ] = {}  # by seat and percepts, the actions there

    def examine(self, games: int, seed: int) -> Report:
        """Test the start, states near it, and those of random games."""
        try:
            self.run(self.start, games, random.Random(seed))
        except Again:  # the class cannot be compiled
            self.begin(self.start)
            return self.examine(games, seed)
        except Passing as fault:
            return self.report(str(fault), self.path)
        except Fault as fault:
            moves = self.shortest(self.path)
            return self.report(self.complaint or str(fault), moves)
        helpers = getattr(self.cls, "namesakes", {})  # no search asks for them, but they may be meant
        return self.report(next(iter(helpers.values()), ""))

    def report(self, fault: str = "", moves: list[int] | None = None) -> Report:
        texts = []
        state = self.start
        for action in moves or []:
            try:
                texts.append(action_text(state, action))
                state = state.result(action)
            except Exception:  # the fault may lie in the text itself
                texts.append(str(action))
        fault = fault if len(fault) <= LONGEST else f"{fault[:LONGEST]} ..."
        fault += self.answers_at(fault)
        reasons = self.twin.reasons if isinstance(self.twin, Interpreted) else ()
        return Report(
            name_of(self.cls), self.states, self.games, self.longest, self.most, fault, tuple(texts),
            tuple(map(str, reasons)),
        )  # fmt: skip

    def run(self, start: Any, games: int, rng: random.Random) -> None:
        self.breadth_first(start)
        for _ in range(games):
            self.random_game(start, rng)

    def breadth_first(self, start: Any) -> None:
        seen = {start}
        queue: collections.deque[tuple[Any, list[int]]] = collections.deque([(start, [])])
        while queue and len(seen) < BREADTH:
            state, path = queue.popleft()
            self.path = path
            for action in self.test(state):
                child = state.result(action)
                if child not in seen:
                    seen.add(child)
                    queue.append((child, [*path, action]))

    def random_game(self, state: Any, rng: random.Random) -> None:
        self.path = []
        states = [state]
        actions = self.test(state)
        while actions:
            if len(self.path) >= PLIES:
                raise Passing(
                    f"a random game is not over after {PLIES} plies: let it end (terminal), or declare "
                    f"`repetition` where positions come back; the last state is {str(state)[:120]}"
                )
            action = rng.choice(actions)
            self.path.append(action)
            state = state.result(action)
            states.append(state)
            actions = self.test(state)
        self.games += 1
        self.longest = max(self.longest, len(self.path))
        if "irreversible" in self.offered:
            self.way_back(states)
        for seat in everybody(self.cls) if self.kind.hidden else ():
            self.information_sets(states, seat)
        self.believed(states)

    def way_back(self, states: list[Any]) -> None:
        """No position comes back from before an action that the class calls irreversible."""
        gone: dict[Any, int] = {}  # positions that cannot come back, and the action after which
        seen: list[Any] = []
        path = self.path
        for ply, (state, action) in enumerate(zip(states, path, strict=False)):
            seen.append(identity(state))
            if seen[-1] in gone:
                self.path = path[:ply]
                raise Passing(f"irreversible({gone[seen[-1]]}) is true, but an earlier position is repeated")
            if self.call(state, "irreversible", action):
                gone |= dict.fromkeys(seen, action)
                seen.clear()

    def information_sets(self, states: list[Any], seat: int) -> None:
        """In states that a seat cannot tell apart it may do the same; otherwise its actions tell what is hidden."""
        path = self.path
        percepts: list[int] = []
        for ply, state in enumerate(states):
            self.path = path[:ply]
            acts = ply < len(path) and seat_of(state) == seat
            actions = tuple(sorted(legal(state))) if acts else ()
            before = self.information.setdefault((seat, *percepts), actions)
            if before != actions:
                told = f"seat {seat} perceives {percepts} here and in another game, but"
                raise Passing(f"{told} may do {list(actions)} here and {list(before)} there")
            if ply < len(path):
                percepts.append(self.call(state, "percept", path[ply], seat))
                if not isinstance(percepts[-1], int):
                    raise Passing(f"percept({path[ply]}, {seat}) is {percepts[-1]!r}: expected an int")
        self.path = path

    def believed(self, states: list[Any]) -> None:
        """What searches believe of the class is true, from the end of a game back as far as minimax reaches."""
        path = self.path
        try:
            for ply in range(len(path) - 1, -1, -1) if self.claims.tests else ():
                self.path = path[:ply]
                self.asks = [self.cls.__name__]
                if fault := self.claims.fault(states[ply]):
                    raise Passing(fault)
        except Unknown:
            return

    def shortest(self, path: list[int]) -> list[int]:
        """Fewer moves that lead to a fault too: leave out runs of moves while the rest stays legal."""
        budget = SHORTEN
        length = len(path) // 2
        while length >= 1:
            i = 0
            while i + length <= len(path) and budget > 0:
                budget -= 1
                shorter = path[:i] + path[i + length :]
                if self.fails(shorter):
                    path = shorter
                else:
                    i += 1
            length //= 2
        return path

    def fails(self, path: list[int]) -> bool:
        state = self.start
        try:
            for action in path:
                if action not in legal(state):
                    return False
                state = state.result(action)
        except Exception:  # another fault, on the way
            return False
        try:
            self.test(state)
        except Fault as fault:
            self.complaint = str(fault)
            return True
        return False

    # --- one state ---------------------------------------------------------------------------------------

    def test(self, state: Any) -> list[int]:
        """Everything that can be said about one state; returns its actions."""
        self.states += 1
        before = written.frozen(own_state(state)) if is_wrapped(self.cls) else ()
        actions = self.interpreted(state)
        self.compiled(state, actions)
        self.texts(state, actions)
        self.knowledge(state, actions)
        self.equivalents(state, actions)
        if is_wrapped(self.cls) and written.frozen(own_state(state)) != before:
            raise Fault("a method changes the state it is called on: return a new one")
        return actions

    def call(self, state: Any, method: str, *args: Any) -> Any:
        """A method's answer, asked twice."""
        first = self.ask(state, method, *args)
        again = self.ask(state, method, *args)
        if first != again:
            raise Fault(f"{method}() returns {first} and then {again}: it must depend only on the state")
        return first

    def ask(self, state: Any, method: str, *args: Any) -> Any:
        self.asks = [self.cls.__name__, method]
        try:
            answer = getattr(state, method)(*args)
            is_run = method == "actions" or method in hooks.LISTED
            return list(itertools.islice(answer, len(self.memory) + 1)) if is_run else answer
        except GameError as error:
            raise Fault(str(error)) from None
        except Exception as error:  # the rules under test may raise anything
            told = f"{method}({', '.join(map(repr, args))}) raises {type(error).__name__}: {error}"
            raise Fault(f"{told}{self.where(error)}") from None

    def where(self, error: Exception) -> str:
        """The line of the class's file that raised an error."""
        files = own_files(self.cls)
        lines = [frame for frame in traceback.extract_tb(error.__traceback__) if frame.filename in files]
        return f" ({Path(lines[-1].filename).name} line {lines[-1].lineno})" if lines else ""

    def answers_at(self, fault: str) -> str:
        """Where the method that a fault names gives its answer; nothing where the fault says a line itself."""
        named = re.match(r"(?:\w+\.)?(\w+)(?:\(| returns | gives )", fault)
        if named is None or re.search(r"\bline \d", fault):
            return ""
        function = plain(getattr(original(self.cls), named[1], None))
        if " and then " in fault and isinstance(function, FunctionType):  # two answers to one question
            for line in impure_lines(function.__code__, function.__globals__):
                return f" ({Path(function.__code__.co_filename).name} line {line})"
        nothing = re.search(r"\) is None\b|returns None\b|'?NoneType", fault)  # no line gives that
        return answered(self.cls, named[1], None if nothing else ...)

    def interpreted(self, state: Any) -> list[int]:
        player = self.call(state, "player")
        if player not in (
            range(self.kind.players) if not self.kind.chance else (CHANCE, *range(self.kind.players))
        ):
            wanted = [*map(str, range(self.kind.players)), *["CHANCE"] * self.kind.chance]
            raise Fault(f"player() is {player!r}: expected {', '.join(wanted)}")
        over = hasattr(state, "terminal") and self.call(state, "terminal")
        if not isinstance(over, int):
            raise Fault(f"terminal() is {over!r}: expected True or False")
        actions = [] if over else self.call(state, "actions")
        self.most = max(self.most, len(actions))
        if len(actions) > self.limit:
            raise Fault(f"actions() yields more than {self.limit} actions: declare a larger max_actions")
        if len(set(actions)) != len(actions):
            twice = next(a for a in actions if actions.count(a) > 1)
            raise Fault(f"actions() yields {twice} twice")
        for action in actions:
            if not isinstance(action, int):
                raise Fault(f"actions() yields {action!r}, a {type(action).__name__}: actions are ints")
            child = self.call(state, "result", action)
            if type(child) is not self.cls:
                raise Fault(f"result({action}) returns a {type(child).__name__}, not a {self.cls.__name__}")
        if not actions:
            if not over and hasattr(state, "terminal"):
                raise Fault("actions() yields nothing, but terminal() is False")
            for given in self.players:
                self.number(state, "utility", *given)
        for given in self.players if hasattr(state, "evaluate") else ():
            self.number(state, "evaluate", *given)
        if player == CHANCE and actions:
            self.probabilities(state, actions)
        return actions

    @property
    def players(self) -> list[tuple[int, ...]]:
        """Whom utility and evaluation are asked about: MAX, or each of several players by number."""
        return [(player,) for player in range(self.kind.players)] if self.kind.players > 2 else [()]

    def number(self, state: Any, method: str, *given: int) -> None:
        value = self.call(state, method, *given)
        wanted: Any = int | float if self.kind.float_scores else int
        if not isinstance(value, wanted) or isinstance(value, float) and math.isnan(value):
            cure = (
                "expected an int (or declare `estimates = float`)" if wanted is int else "expected a number"
            )
            raise Fault(f"{method}() is {value!r}: {cure}")
        if outranks(self.cls) and abs(value) > (MOST if method == "utility" else HIGHEST):
            raise Fault(
                f"{method}() is {value}: at most {MOST if method == 'utility' else HIGHEST:,} can be compared"
            )
        if method == "utility" and abs(value) > getattr(self.cls, "win", math.inf):
            raise Fault(f"utility() is {value}, but the class declares win = {self.cls.win}")

    def probabilities(self, state: Any, actions: list[int]) -> None:
        chances = [self.call(state, "probability", a) for a in actions]
        if any(not isinstance(p, int | float) or not 0 <= p <= 1 for p in chances):
            raise Fault(f"the probabilities are {chances}: each must be between 0 and 1")
        if abs(sum(chances) - 1) > 1e-9:
            raise Fault(f"the probabilities sum to {sum(chances)}, not to 1")

    def compiled(self, state: Any, actions: list[int]) -> None:
        """The compiled rules give the same answers."""
        self.asks = [self.cls.__name__]
        s = self.twin.state(state)
        with explained(self.twin, s):
            player, over, count = _look(s, self.memory)
            self.same("player()", state.player(), player)
            self.same("whether the game is over", is_terminal(state), over)
            self.same("actions()", actions, [] if over else self.memory[:count].tolist())
            for action in actions:
                self.same(f"result({action})", state.result(action), self.twin.back(_result(s, action)))
                if state.player() == CHANCE:
                    self.same(f"probability({action})", state.probability(action), _probability(s, action))
            if not actions:
                for player in range(self.kind.players):
                    self.same("utility()", outcome(state, player), _utility(s, player))
            for block in self.blocks if hasattr(state, "evaluate") else ():
                for player in range(self.kind.players):
                    plain = estimate(state, block.weights, player)
                    self.same("evaluate()", plain, _evaluate(s, block.address, player))
                for learned in LEARNED if "informed" in self.offered else ():
                    given = (learned,) if block.weights is None else (learned, block.weights)
                    most = most_estimate(self.cls)
                    plain = max(-most, min(most, self.call(state, "informed", *given)))
                    self.same(f"informed({learned})", plain, _informed(s, block.address, learned))

    def same(self, what: str, interpreted: Any, compiled: Any) -> None:
        if interpreted == compiled:
            return
        if isinstance(interpreted, float) and math.isclose(interpreted, compiled, rel_tol=1e-12):
            return
        raise Fault(
            f"{what} is {interpreted} interpreted but {compiled} compiled: a number overflows 64 bits, "
            "a shift is outside 0..63, or >> shifts a set bit 63 (use shr)"
        )

    def texts(self, state: Any, actions: list[int]) -> None:
        if offers(self.cls, "board") and not isinstance(self.ask(state, "board"), Board):
            raise Fault(f"board() is {state.board()!r}: return a Board")
        text = self.ask(state, "__str__")
        if not isinstance(text, str):
            raise Fault(f"__str__() is {text!r}: return text")
        if is_wrapped(self.cls) and not offers(self.cls, "parse"):
            text = state.text()  # what records hold; str is for people
        try:
            back = parse(self.cls, text)
        except ValueError as error:
            raise Fault(f"parse does not read what str wrote, {text[:100]!r}: {error}") from None
        if back != state:
            raise Fault(f"parse(str(state)) is {back!r}, not {state!r}; the text is {text[:100]!r}")
        seen: dict[str, int] = {}
        for action in actions:
            text = self.ask(state, "action_text", action) if hasattr(state, "action_text") else str(action)
            if not isinstance(text, str):
                raise Fault(f"action_text({action}) is {text!r}: return text")
            if text in seen:
                raise Fault(f"actions {seen[text]} and {action} have the same text {text!r}")
            seen[text] = action
        for action in actions[:8]:  # each costs a list of all
            if parse_action(state, action_text(state, action)) != action:
                raise Fault(f"the text {action_text(state, action)!r} is not read back as action {action}")

    def knowledge(self, state: Any, actions: list[int]) -> None:
        """What a class tells about its states and actions is true, and the same compiled."""
        left = actions or self.ask(state, "actions")  # a draw may leave moves
        if "drawn" in self.offered:
            drawn = bool(self.call(state, "drawn"))
            if drawn and not is_terminal(state):
                raise Fault("drawn() is True, but terminal() is False")
            if left and is_terminal(state) and not drawn:
                raise Fault("actions() yields actions in a terminal state that is not drawn()")
        if "count" in self.offered and (actions or "drawn" in self.offered):
            if (count := self.call(state, "count")) != len(left):
                raise Fault(f"count() is {count}, but actions() yields {len(left)}")
        if not actions:
            return
        s = self.twin.state(state)
        with explained(self.twin, s):
            for takes, (rules, compiled) in ASKED.items():
                if offered := self.offered.intersection(rules):
                    for given, native in self.arguments(takes, state, actions):
                        plain = {rule: self.told(state, rule, *given) for rule in offered}
                        for rule, answer in zip(rules, compiled(s, self.memory, *native), strict=True):
                            if rule in offered:
                                self.same(f"{rule}({', '.join(map(str, given))})", plain[rule], answer)
            for which, rule in enumerate(hooks.LISTED):
                if rule in self.offered:
                    words = self.words(state, rule, actions)
                    count = _listed(s, self.memory, which)
                    self.same(f"{rule}()", words, self.memory[:count].tolist())
            if "skip" in self.offered:
                self.same("skip()", self.skipped(state), self.twin.back(_skip(s)))
            if "slot_state" in self.offered and (slot := state.slot()) >= 0:
                held = self.call(state, "slot_state", slot)
                self.same(f"slot_state({slot})", held, self.twin.back(_slot_state(s, slot)))
                if held.slot() != slot:
                    raise Fault(f"slot() is {slot}, but slot_state({slot}).slot() is {held.slot()}")
        if "policy_index" in self.offered:
            places = [state.policy_index(action) for action in actions]
            if len(set(places)) < len(places):
                raise Fault(f"policy_index returns {places}: each action needs a different index")

    def arguments(self, takes: str, state: Any, actions: list[int]) -> list[tuple[Any, Any]]:
        """With what a method of the state is asked, interpreted and compiled."""
        if takes == "before":
            children = [state.result(action) for action in actions]
            return [((child,), (self.twin.state(child),)) for child in children]
        asked: dict[str, Iterable[int]] = {
            "action": actions,
            "random": RANDOM if state.player() != CHANCE else (),
            "cell": [i for i in range(64) if state.net_cells() >> i & 1] if takes == "cell" else (),
        }
        return [((given,), (given,)) for given in asked[takes]] if takes else [((), ())]

    def told(self, state: Any, rule: str, *given: Any) -> int:
        """The int that a method tells, as searches take it."""
        answer = (self.ask if given else self.call)(state, rule, *given)
        asked = f"{rule}({', '.join(map(str, given))})"
        if not isinstance(answer, int):
            raise Fault(
                f"{asked} is {answer!r}: expected {'True or False' if hooks.HOOK[rule].gives == 'bool' else 'an int'}"
            )
        least, most = RANGES.get(rule, lambda cls: (-math.inf, math.inf))(self.cls)
        if not least <= answer <= most:
            raise Fault(
                f"{asked} is {answer}: expected {f'{least} to {most}' if most < math.inf else f'at least {least}'}"
            )
        if hooks.HOOK[rule].takes == "random" and answer not in legal(state):
            raise Fault(f"{asked} is {answer}, which is not legal")
        if rule in ("key", "repetition_key"):
            return mix(answer)
        return int(answer) * (worth(self.cls) if rule == "ceiling" else 1)

    def words(self, state: Any, rule: str, actions: list[int]) -> list[int]:
        """The words that a method yields."""
        words = self.call(state, rule)
        for word in words:
            if not isinstance(word, int):
                raise Fault(f"{rule}() yields {word!r}: expected ints")
            if rule in ("noisy", "promising") and word not in actions:
                raise Fault(f"{rule}() yields {word}, which is not legal")
        if rule == "features":
            places = [word >> 32 for word in words]
            if len(set(places)) < len(places) or not all(0 <= p < self.cls.feature_count for p in places):
                raise Fault(
                    f"features() yields the places {places}: expected distinct ones below feature_count"
                )
        if rule == "planes" and len(words) != plane_words(self.cls):
            raise Fault(
                f"planes() yields {len(words)} words: expected {plane_words(self.cls)}, "
                f"since plane_shape is {self.cls.plane_shape}"
            )
        return [wrap(word) for word in words]

    def skipped(self, state: Any) -> Any:
        """The state where the mover passes."""
        after = self.call(state, "skip")
        if type(after) is not self.cls:
            raise Fault(f"skip() returns a {type(after).__name__}, not a {self.cls.__name__}")
        if after != state and after.player() == state.player():
            raise Fault("skip() does not change the player to move")
        return after

    def equivalents(self, state: Any, actions: list[int]) -> None:
        """States with the same key, and a state's mirror images, are alike in all that matters."""
        alike = (state.player(), len(actions), utility_for(state) if not actions else None)
        if offers(self.cls, "key") and not (offers(self.cls, "drawn") and state.drawn()):
            key = self.call(state, "key")
            if self.keys.setdefault(key, alike) != alike:
                raise Fault(f"key() is {key} here and in a state with other actions, player or utility")
            for image in self.ask(state, "symmetries") if offers(self.cls, "symmetries") else ():
                if self.keys.setdefault(image, alike) != alike:
                    raise Fault(f"symmetries() yields {image}, the key of a state that is not equivalent")


RANGES: dict[str, Any] = {  # which ints a method may tell
    "policy_index": lambda cls: (0, cls.policy_size - 1),
    "trait": lambda cls: (0, TRAITS - 1),
    "plies_left": lambda cls: (0, math.inf),
    "viewer": lambda cls: (0, kind(cls).players - 1),
}


def _weights(cls: type) -> list[Weights | None]:
    """With which weights the evaluation is tested: the class's own, and where it has some, random ones."""
    own = weights_of(cls)
    if own is None:
        return [None]
    rng = random.Random(len(own))
    return [own, own.with_flat([rng.randint(-100, 100) for _ in own.flat()])]


@kernel
def _look(s: Any, array: Any) -> Any:
    over = s.terminal()
    return s.player(), over, 0 if over else s.actions(pointer(array), 0)


@kernel
def _slot_state(s: Any, slot: int) -> Any:
    return s.slot_state(slot)


@kernel
def _of_state(s: Any, array: Any) -> Any:
    """In the order of hooks.OF_STATES."""
    return (
        s.terminal(), s.hash(), s.identity(), s.drawn(), s.count(pointer(array), 0), s.forced(), s.ceiling(),
        s.plies_left(), s.family(), s.slots(), s.slot(), s.banked(), s.bearoff(), s.net_cells(),
        s.viewer(),
    )  # fmt: skip


@kernel
def _of_action(s: Any, array: Any, action: int) -> Any:
    """In the order of hooks.OF_ACTIONS, without those that take random bits."""
    return (
        s.irreversible(action), s.prior(action), s.order(action), s.trait(action), s.exchange(action),
        s.forces(action), s.policy_index(action),
    )  # fmt: skip


@kernel
def _of_random(s: Any, array: Any, bits: int) -> Any:
    return s.sample(bits), s.playout(bits)


@kernel
def _of_cell(s: Any, array: Any, cell: int) -> Any:
    return (s.net_feature(cell),)


@kernel
def _of_other(s: Any, array: Any, before: Any) -> Any:
    return (s.net_changed(before),)


ASKED: dict[str, tuple[tuple[str, ...], Any]] = {  # by what they take: the methods that tell an int
    "": (hooks.OF_STATES, _of_state),
    "action": (tuple(rule for rule in hooks.OF_ACTIONS if hooks.HOOK[rule].takes == "action"), _of_action),
    "random": (tuple(rule for rule in hooks.OF_ACTIONS if hooks.HOOK[rule].takes == "random"), _of_random),
    "cell": (("net_feature",), _of_cell),
    "before": (("net_changed",), _of_other),
}


@kernel
def _listed(s: Any, array: Any, which: int) -> int:
    """In the order of hooks.LISTED."""
    words = pointer(array)
    if which == 0:
        return s.symmetries(words, 0)
    if which == 1:
        return s.noisy(words, 0)
    if which == 2:
        return s.finish(words, 0)
    if which == 3:
        return s.promising(words, 0)
    if which == 4:
        return s.planes(words, 0)
    return s.features(words, 0)


@kernel
def _skip(s: Any) -> Any:
    return s.skip()


@kernel
def _result(s: Any, action: int) -> Any:
    return s.result(action)


@kernel
def _probability(s: Any, action: int) -> float:
    return s.probability(action)


@kernel
def _utility(s: Any, player: int) -> Any:
    return s.utility_for(player)


@kernel
def _evaluate(s: Any, weights: int, player: int) -> Any:
    return s.evaluate_for(weights, player)


@kernel
def _informed(s: Any, weights: int, learned: int) -> Any:
    return s.informed(weights, learned)
