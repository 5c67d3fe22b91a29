"""`outplay check`: does a class keep the contract, and does it mean the same compiled as interpreted?

States are visited breadth first from the start, then along random games, and everything the class says about
each is put to the test. The first fault ends the run; the moves that lead to it are made as few as can be.
"""

import collections
import itertools
import math
import random
from typing import Any, NamedTuple

import numpy as np

from outplay.compile import ENABLED, kernel, twin
from outplay.compile.errors import explained
from outplay.compile.runtime import NATIVE, mix
from outplay.game import (
    CHANCE,
    HIGHEST,
    MOST,
    TOLD_OF_ACTIONS,
    Block,
    Board,
    GameError,
    action_text,
    adopt,
    estimate,
    is_terminal,
    kind,
    legal,
    max_actions,
    offers,
    outcome,
    parse,
    parse_action,
    weights_of,
    worth,
)
from outplay.variants import name_of
from outplay.weights import Weights

BREADTH = 1000  # states visited breadth first
GAMES = 100  # random games
PLIES = 5000  # a random game that is longer does not seem to end
SHORTEN = 2000  # tries to find fewer moves to a fault

TOLD = ("key", "forced", "drawn", "count")  # what a class may tell about a state
RANDOM = (0, 1, -1, 0x123456789ABCDEF, -0x123456789ABCDEF)  # bits for `sample` and `playout`

pointer = NATIVE["pointer"][ENABLED]


class Fault(Exception):
    """Something at a state is not as it should be."""


class Endless(Fault):
    """A game went on and on: no state is to blame, and no shorter way leads there."""


class Report(NamedTuple):
    """What a check saw."""

    game: str
    states: int  # states tested
    games: int  # random games played to the end
    longest: int  # plies of the longest
    most_actions: int
    fault: str = ""  # empty: none was found
    moves: tuple[str, ...] = ()  # from the start to the fault

    def __str__(self) -> str:
        seen = (
            f"{self.states} states, {self.games} random games, the longest {self.longest} plies, "
            f"at most {self.most_actions} actions"
        )
        if not self.fault:
            return f"{self.game}: no fault in {seen}"
        shown = " ".join(self.moves[:40]) + (
            f" ... ({len(self.moves)} moves)" if len(self.moves) > 40 else ""
        )
        where = f"after {shown}" if self.moves else "at the start"
        return f"{self.game}: {self.fault}\n  {where}"


def check(start: Any, games: int = GAMES, seed: int = 1) -> Report:
    """Test a game from a state (or from its class's initial state)."""
    state = adopt(start)() if isinstance(start, type) else start
    examiner = Examiner(type(state), state)
    try:
        examiner.run(state, games, random.Random(seed))
    except Endless as fault:
        return examiner.report(str(fault), examiner.path)
    except Fault as fault:
        moves = examiner.shortest(examiner.path)
        return examiner.report(examiner.complaint or str(fault), moves)
    return examiner.report()


class Examiner:
    """Carries the counts and the path of the state under test."""

    def __init__(self, cls: type, start: Any) -> None:
        self.cls: Any = adopt(cls)
        self.kind = kind(cls)
        self.start = start
        self.twin = twin(cls)
        self.limit = max_actions(cls)
        self.blocks = [Block(cls, weights) for weights in _weights(cls)]
        self.path: list[int] = []
        self.complaint = ""
        self.states = self.games = self.longest = self.most = 0
        self.memory = np.zeros(self.limit + 1, np.int64)
        self.keys: dict[Any, tuple[Any, ...]] = {}

    def report(self, fault: str = "", moves: list[int] | None = None) -> Report:
        texts = []
        state = self.start
        for action in moves or []:
            try:
                texts.append(action_text(state, action))
                state = state.result(action)
            except Exception:  # the fault may lie in the text itself
                texts.append(str(action))
        return Report(
            name_of(self.cls), self.states, self.games, self.longest, self.most, fault, tuple(texts)
        )

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
        actions = self.test(state)
        while actions:
            if len(self.path) >= PLIES:
                raise Endless(f"a random game is not over after {PLIES} plies")
            action = rng.choice(actions)
            self.path.append(action)
            state = state.result(action)
            actions = self.test(state)
        self.games += 1
        self.longest = max(self.longest, len(self.path))

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
        actions = self.interpreted(state)
        self.compiled(state, actions)
        self.texts(state, actions)
        self.knowledge(state, actions)
        self.equivalents(state, actions)
        return actions

    def call(self, state: Any, method: str, *args: Any) -> Any:
        """A method's answer, asked twice."""
        first = self.ask(state, method, *args)
        again = self.ask(state, method, *args)
        if first != again:
            raise Fault(f"{method}() gives {first} and then {again}: it must depend on the state alone")
        return first

    def ask(self, state: Any, method: str, *args: Any) -> Any:
        try:
            answer = getattr(state, method)(*args)
            if method == "actions":
                return list(itertools.islice(answer, self.limit + 2))
            return list(answer) if method in ("symmetries", "promising") else answer
        except GameError as error:
            raise Fault(str(error)) from None
        except Exception as error:  # the rules under test may raise anything
            raise Fault(
                f"{method}({', '.join(map(repr, args))}) raises {type(error).__name__}: {error}"
            ) from None

    def interpreted(self, state: Any) -> list[int]:
        player = self.call(state, "player")
        if player not in (
            range(self.kind.players) if not self.kind.chance else (CHANCE, *range(self.kind.players))
        ):
            raise Fault(f"player() is {player!r}: 0, 1{', CHANCE' if self.kind.chance else ''} are wanted")
        over = hasattr(state, "terminal") and self.call(state, "terminal")
        if not isinstance(over, int):
            raise Fault(f"terminal() is {over!r}: True or False is wanted")
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
                raise Fault("actions() yields nothing, but terminal() says that the game is not over")
            self.number(state, "utility")
        if hasattr(state, "evaluate"):
            self.number(state, "evaluate")
        if player == CHANCE and actions:
            self.probabilities(state, actions)
        return actions

    def number(self, state: Any, method: str) -> None:
        value = self.call(state, method)
        wanted: Any = int | float if self.kind.float_scores else int
        if not isinstance(value, wanted) or isinstance(value, float) and math.isnan(value):
            cure = "an int is wanted (or declare `scores = float`)" if wanted is int else "a number is wanted"
            raise Fault(f"{method}() is {value!r}: {cure}")
        if worth(self.cls) > 1 and abs(value) > (MOST if method == "utility" else HIGHEST):
            raise Fault(
                f"{method}() is {value}: at most {MOST if method == 'utility' else HIGHEST:,} can be compared"
            )
        if method == "utility" and abs(value) > getattr(self.cls, "win", math.inf):
            raise Fault(f"utility() is {value}, but the class says win = {self.cls.win}")

    def probabilities(self, state: Any, actions: list[int]) -> None:
        chances = [self.call(state, "probability", a) for a in actions]
        if any(not 0 <= p <= 1 for p in chances):
            raise Fault(f"the probabilities are {chances}: each must lie between 0 and 1")
        if abs(sum(chances) - 1) > 1e-9:
            raise Fault(f"the probabilities sum to {sum(chances)}, not to 1")

    def compiled(self, state: Any, actions: list[int]) -> None:
        """The compiled rules give the same answers."""
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
                self.same("utility()", outcome(state), _utility(s))
            if hasattr(state, "evaluate"):
                for block in self.blocks:
                    self.same("evaluate()", estimate(state, block.weights), _evaluate(s, block.address))

    def same(self, what: str, interpreted: Any, compiled: Any) -> None:
        if interpreted == compiled:
            return
        if isinstance(interpreted, float) and math.isclose(interpreted, compiled, rel_tol=1e-12):
            return
        raise Fault(
            f"{what} is {interpreted} interpreted but {compiled} compiled: a number passes 64 bits on the way, "
            "a shift is not within 0..63, or >> meets bit 63 (use shr)"
        )

    def texts(self, state: Any, actions: list[int]) -> None:
        if offers(self.cls, "board") and not isinstance(self.ask(state, "board"), Board):
            raise Fault(f"board() is {state.board()!r}: return a Board")
        try:
            back = parse(self.cls, str(state))
        except ValueError as error:
            raise Fault(f"parse does not read what str wrote, {str(state)!r}: {error}") from None
        if back != state:
            raise Fault(f"parse(str(state)) is {back!r}, not {state!r}; the text is {str(state)!r}")
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
        offered = [rule for rule in (*TOLD, *TOLD_OF_ACTIONS) if offers(self.cls, rule)]
        left = actions or self.ask(state, "actions")  # a draw may leave moves
        if "drawn" in offered:
            drawn = bool(self.call(state, "drawn"))
            if drawn and not is_terminal(state):
                raise Fault("drawn() says that the game is drawn, but terminal() that it is not over")
            if left and is_terminal(state) and not drawn:
                raise Fault("actions() yields actions where the game is over, and not by drawn()")
        if "count" in offered and self.call(state, "count") != len(left) and (actions or "drawn" in offered):
            raise Fault(f"count() is {state.count()}, but actions() yields {len(left)}")
        if actions and offers(self.cls, "noisy"):
            for action in self.ask(state, "noisy"):
                if action not in actions:
                    raise Fault(f"noisy() yields {action}, which is not legal")
        if not offered:
            return
        for rule in {"sample", "playout"}.intersection(offered) if state.player() != CHANCE else ():
            for bits in RANDOM if actions else ():
                if (action := self.ask(state, rule, bits)) not in actions:
                    raise Fault(f"{rule}({bits}) is {action}, which is not legal")
        if "policy_index" in offered:
            places = [self.ask(state, "policy_index", action) for action in actions]
            size = self.cls.policy_size
            if len(set(places)) < len(places) or not all(0 <= place < size for place in places):
                raise Fault(
                    f"policy_index gives {places}: each action needs a place of its own, 0 to {size - 1}"
                )
        s = self.twin.state(state)
        with explained(self.twin, s):
            if actions:
                told = dict(zip(TOLD, _told(s, self.memory), strict=True))
                for rule in (rule for rule in TOLD if rule in offered):
                    plain = mix(state.key()) if rule == "key" else int(self.call(state, rule))
                    self.same(f"{rule}()", plain, told[rule])
            for action in actions:
                advice = dict(zip(TOLD_OF_ACTIONS, _advice(s, action), strict=True))
                for rule in (rule for rule in TOLD_OF_ACTIONS if rule in offered):
                    self.same(f"{rule}({action})", int(getattr(state, rule)(action)), advice[rule])

    def equivalents(self, state: Any, actions: list[int]) -> None:
        """States with the same key, and a state's mirror images, are alike in all that matters; promise is legal."""
        alike = (state.player(), len(actions), state.utility() if not actions else None)
        if offers(self.cls, "key") and not (offers(self.cls, "drawn") and state.drawn()):
            key = self.call(state, "key")
            if self.keys.setdefault(key, alike) != alike:
                raise Fault(f"key() is {key} here and at a state with other actions, player or utility")
            for image in self.ask(state, "symmetries") if offers(self.cls, "symmetries") else ():
                if self.keys.setdefault(image, alike) != alike:
                    raise Fault(f"symmetries() yields {image}, the key of a state that is not equivalent")
        if actions and offers(self.cls, "promising"):
            for action in self.ask(state, "promising"):
                if action not in actions:
                    raise Fault(f"promising() yields {action}, which is not legal")


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
def _told(s: Any, array: Any) -> Any:
    return s.hash(), s.forced(), s.drawn(), s.count(pointer(array), 0)


@kernel
def _advice(s: Any, action: int) -> Any:
    return (
        s.order(action), s.exchange(action), s.trait(action), s.irreversible(action), s.forces(action),
        s.policy_index(action), s.sample(action), s.playout(action), s.prior(action),
    )  # fmt: skip


@kernel
def _result(s: Any, action: int) -> Any:
    return s.result(action)


@kernel
def _probability(s: Any, action: int) -> float:
    return s.probability(action)


@kernel
def _utility(s: Any) -> Any:
    return s.utility()


@kernel
def _evaluate(s: Any, weights: int) -> Any:
    return s.evaluate(weights)
