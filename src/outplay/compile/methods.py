"""The rules as methods of the twin in the interpreted lane; `rules.py` is the counterpart for compiled code."""

from collections.abc import Callable
from typing import Any

from outplay import hooks
from outplay.compile.fingerprint import fingerprint
from outplay.compile.runtime import (
    TooManyActions,
    WrongNumber,
    WrongPlace,
    WrongPlanes,
    WrongPlayer,
    fold,
    mix,
)
from outplay.game import (
    CHANCE,
    NET_FACTS,
    NO_CEILING,
    NO_SLOT,
    UNIT,
    UNKNOWN,
    GameError,
    has_own_identity,
    most_estimate,
    most_utility,
    net_of,
    net_slot,
    outranks,
    plane_words,
    worth,
)
from outplay.standard import answered

OTHERWISE = {
    "plies_left": UNKNOWN,
    "family": NO_SLOT,
    "slot": NO_SLOT,
    "bearoff": NO_SLOT,
}  # defaults of missing int hooks, where they are not 0


def methods(twin: Any) -> dict[str, Callable[..., Any]]:
    """All methods that searches call on a state of the twin."""
    cls, has = twin.cls, twin.functions
    rules = Rules(twin)
    told = {name: rules.told(name) for name in (*hooks.OF_STATES, *hooks.OF_ACTIONS, *hooks.OF_CELLS)}
    listed = {name: rules.listed(name) for name in hooks.LISTED}
    asked_for = {f"has_{name}": _fact(name in has) for name in hooks.ASKED_FOR}
    net = {name: _fact(read(net_of(cls))) for name, read in NET_FACTS.items()}
    return (told | listed | asked_for | net) | {
        "player": rules.player,
        "chance": rules.chance,
        "actions": rules.actions,
        "result": rules.result,
        "terminal": rules.terminal,
        "utility": rules.utility,
        "utility_for": rules.utility_for,
        "probability": lambda s, outcome: has["probability"](s, outcome),
        "weighed": rules.weighed,
        "weighed_for": rules.weighed_for,
        "evaluate": rules.evaluate,
        "evaluate_for": rules.evaluate_for,
        "informed": rules.informed,
        "policy_index": rules.policy_index,
        "viewer": rules.viewer,
        "count": rules.count,
        "ceiling": rules.ceiling,
        "skip": has.get("skip", lambda s: s),
        "slot_state": has.get("slot_state", lambda s, slot: s),
        "hash": lambda s: mix(has["key"](s)) if "key" in has else fold(s, 1),
        "identity": lambda s: mix(has["repetition_key"](s)) if "repetition_key" in has else s.hash(),
        "fingerprint": lambda s, seed: fingerprint(twin.back(s), seed),
        "has_own_identity": _fact(has_own_identity(cls)),
        "has_finish": _fact("finish" in has and not outranks(cls)),
        "net_slot": _fact(net_slot(cls)),
        "worth": _fact(worth(cls)),
        "outranks": _fact(outranks(cls)),
        "unit": _fact(getattr(cls, "unit", UNIT)),
        "repetition": _fact(getattr(cls, "repetition", 0)),
        "win_score": _fact(getattr(cls, "win", 0) * worth(cls)),
    }


def _fact(answer: Any) -> Callable[[Any], Any]:
    """A method that always returns the same."""
    return lambda s: answer


class Rules:
    """One game's rules, with their return values checked."""

    def __init__(self, twin: Any) -> None:
        self.cls: Any = twin.cls
        self.kind = twin.kind
        self.state_class = twin.state_class
        self.has = twin.functions
        self.limit = twin.program.limit
        self.weighs = twin.program.weights is not None
        self.number = float if twin.kind.float_scores else int

    def told(self, rule: str) -> Callable[..., int]:
        """A method that returns a rule's int, or the default if the class has no such rule."""
        if rule not in self.has:
            return lambda s, *argument: OTHERWISE.get(rule, 0)
        return lambda s, *argument: int(self.has[rule](s, *argument))

    def listed(self, rule: str) -> Callable[..., int]:
        """A method that writes what a rule yields, or nothing if the class has no such rule."""
        if rule not in self.has:
            return lambda s, out, base: 0
        room = self.limit
        if rule in ("planes", "features"):
            room = plane_words(self.cls) if rule == "planes" else self.cls.feature_count

        def fill(s: Any, out: Any, base: int) -> int:
            count = int(self.has[rule](s, out, base, base + room)) - base
            if rule == "planes" and count != room:
                raise WrongPlanes
            if rule == "features" and (
                count > room or any(not 0 <= int(out[base + i]) >> 32 < room for i in range(count))
            ):
                raise WrongPlace("features")
            if count > room:
                raise TooManyActions(rule)
            return count

        return fill

    # Each of these returns a function of a state.

    @property
    def player(self) -> Callable[[Any], int]:
        lowest, last = CHANCE if self.kind.chance else 0, self.kind.players - 1

        def player(s: Any) -> int:
            who = self.has["player"](s)
            if not lowest <= who <= last:
                raise WrongPlayer
            return int(who)

        return player

    @property
    def viewer(self) -> Callable[[Any], int]:
        def viewer(s: Any) -> int:
            who = int(self.has["viewer"](s)) if "viewer" in self.has else 0
            if not 0 <= who < self.kind.players:
                raise WrongPlace("viewer")
            return who

        return viewer

    @property
    def chance(self) -> Callable[[Any], bool]:
        return (lambda s: s.player() == CHANCE) if self.kind.chance else (lambda s: False)

    @property
    def actions(self) -> Callable[..., int]:
        def actions(s: Any, out: Any, base: int) -> int:
            count = self.has["actions"](s, out, base, base + self.limit) - base
            if count > self.limit:
                raise TooManyActions
            return int(count)

        return actions

    @property
    def result(self) -> Callable[..., Any]:
        name = self.cls.__name__

        def result(s: Any, action: int) -> Any:
            child = self.has["result"](s, action)
            if type(child) is not self.state_class:
                raise GameError(
                    f"{name}.result returns {child!r}, not a {name}: end with `return {name}(...)`"
                    f"{answered(self.cls, 'result', child)}"
                )
            return child

        return result

    @property
    def terminal(self) -> Callable[[Any], bool]:
        if "terminal" in self.has:
            return lambda s: bool(self.has["terminal"](s))
        return lambda s: s.actions([0] * (self.limit + 1), 0) == 0

    @property
    def count(self) -> Callable[..., int]:
        if "count" in self.has:
            return lambda s, out, base: int(self.has["count"](s))
        return lambda s, out, base: s.actions(out, base)

    @property
    def ceiling(self) -> Callable[[Any], int]:
        if "ceiling" not in self.has:
            return lambda s: NO_CEILING
        return lambda s: self.has["ceiling"](s) * worth(self.cls)

    @property
    def policy_index(self) -> Callable[..., int]:
        if "policy_index" not in self.has:
            return lambda s, action: 0

        def policy_index(s: Any, action: int) -> int:
            place = int(self.has["policy_index"](s, action))
            if not 0 <= place < self.cls.policy_size:
                raise WrongPlace("policy_index")
            return place

        return policy_index

    # --- scores ---

    def score(self, s: Any, rule: str, *given: int) -> Any:
        """A rule's return value as a score, of the type of the game's scores."""
        value = self.has[rule](s, *given)
        if not isinstance(value, int if self.number is int else int | float):
            cure = (
                "return ints, or declare `estimates = float`"
                if isinstance(value, float)
                else "return a number"
            )
            where = answered(self.cls, rule, value)
            raise GameError(f"{self.cls.__name__}.{rule} returns {value!r}: {cure}{where}")
        return self.number(value)

    def clipped(self, value: Any) -> Any:
        """An evaluation clipped for comparison with outcomes."""
        if value != value:
            raise WrongNumber
        most = self.number(most_estimate(self.cls))
        return max(-most, min(most, value))

    @property
    def utility(self) -> Callable[[Any], Any]:
        return lambda s: s.utility_for(0)

    @property
    def utility_for(self) -> Callable[..., Any]:
        most, scale, whole = most_utility(self.cls), worth(self.cls), outranks(self.cls)

        def utility_for(s: Any, player: int) -> Any:
            value = self.of_player(s, player, "utility")
            if not -most <= value <= most or whole and value != int(value):  # also catches NaN
                raise WrongNumber
            return value * scale

        return utility_for

    def of_player(self, s: Any, player: int, rule: str, *given: int) -> Any:
        """A player's score: MIN's is the negative of MAX's; of several players each has its own."""
        if self.kind.players > 2:
            return self.score(s, rule, player, *given)
        value = self.score(s, rule, *given)
        return value if player == 0 else -value

    @property
    def weighed(self) -> Callable[..., Any]:
        return lambda s, weights: s.weighed_for(weights, 0)

    @property
    def weighed_for(self) -> Callable[..., Any]:
        if "evaluate" not in self.has:
            return lambda s, weights, player: self.number(0)
        return lambda s, weights, player: self.of_player(s, player, "evaluate", *[weights] * self.weighs)

    @property
    def evaluate(self) -> Callable[..., Any]:
        return lambda s, weights: self.clipped(s.weighed(weights))

    @property
    def evaluate_for(self) -> Callable[..., Any]:
        return lambda s, weights, player: self.clipped(s.weighed_for(weights, player))

    @property
    def informed(self) -> Callable[..., Any]:
        if "informed" not in self.has:
            return lambda s, weights, learned: s.evaluate(weights)
        return lambda s, weights, learned: self.clipped(
            self.score(s, "informed", learned, *[weights] * self.weighs)
        )
