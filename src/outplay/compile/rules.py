"""How compiled code calls a game's rules: `s.actions(out, base)`, `s.result(a)` ... on the twin of any game.

One generic search source serves every game: each rule is an overloaded method of Numba's named-tuple types,
looked up on the twin class. What a rule returns is checked here while compiling, so that a class which breaks
the contract is told so in its own words. A rule that a class leaves out costs nothing.
"""

from typing import Any

from numba import types
from numba.core.errors import TypingError
from numba.extending import intrinsic, overload_method

from outplay.compile import intrinsics
from outplay.compile.runtime import TooManyActions, UtilityTooLarge, fold, native_mix
from outplay.game import (
    CHANCE,
    HIGHEST,
    MOST,
    NET_FACTS,
    NO_CEILING,
    TOLD_OF_ACTIONS,
    TOLD_TO_NETS,
    UNIT,
    UNKNOWN,
    WIN,
    net_of,
    net_slot,
    offers,
    plane_words,
    worth,
)
from outplay.nnue import NO_NET


@intrinsic
def _as_state(typing, made, like):  # type: ignore[no-untyped-def]
    if made != like:
        raise TypingError(f"@outplay state {made}")
    return made(made, like), lambda context, builder, sig, args: args[0]


def _as_number(rule: str, accepted: Any, number: Any, complaint: str) -> Any:
    @intrinsic
    def convert(typing, x):  # type: ignore[no-untyped-def]
        if not isinstance(x, accepted):
            raise TypingError(f"@outplay {rule} {complaint} {x}")

        def cast(context, builder, sig, args):  # type: ignore[no-untyped-def]
            return context.cast(builder, args[0], sig.args[0], sig.return_type)

        return number(x), cast

    return convert


WORD = types.Integer | types.Boolean
_told = {
    rule: _as_number(rule, WORD, types.int64, "int")
    for rule in (
        *TOLD_OF_ACTIONS,
        "key",
        "plies_left",
        "forced",
        "ceiling",
        "drawn",
        "count",
        "repetition_key",
        *TOLD_TO_NETS,
    )  # fmt: skip
}
_player = _as_number("player", WORD, types.int64, "int")
_truth = _as_number("terminal", WORD, types.boolean, "bool")
_chances = _as_number("probability", WORD | types.Float, types.float64, "float")
_scores = {
    (rule, is_float): _as_number(
        rule,
        WORD | types.Float if is_float else WORD,
        types.float64 if is_float else types.int64,
        "float" if is_float else "int",
    )
    for rule in ("utility", "evaluate")
    for is_float in (False, True)
}


_told_key, _told_repetition_key = _told["key"], _told["repetition_key"]


def _twin(self: Any) -> Any:
    return getattr(self.instance_class, "__outplay__", None)


METHODS: dict[str, tuple[Any, tuple[str, ...]]] = {}  # by name: what builds a method, and its arguments


def _method(name: str, build: Any, *arguments: str) -> None:
    """Register a method: `build(twin)` gives its implementation for one game."""
    METHODS[name] = build, arguments
    for named_tuple in (types.NamedTuple, types.NamedUniTuple):
        if not arguments:

            def resolve(self):  # type: ignore[no-untyped-def]
                found = _twin(self)
                return build(found) if found else None
        elif arguments == ("weights", "learned"):

            def resolve(self, weights, learned):  # type: ignore[no-untyped-def,misc]
                found = _twin(self)
                return build(found) if found else None
        elif arguments == ("weights",):

            def resolve(self, weights):  # type: ignore[no-untyped-def,misc]
                found = _twin(self)
                return build(found) if found else None
        elif len(arguments) == 1:

            def resolve(self, action):  # type: ignore[no-untyped-def,misc]
                found = _twin(self)
                return build(found) if found else None
        else:

            def resolve(self, out, base):  # type: ignore[no-untyped-def,misc]
                found = _twin(self)
                return build(found) if found else None

        overload_method(named_tuple, name)(resolve)


def _player_of(twin: Any) -> Any:
    rule = twin.functions["player"]
    return lambda self: _player(rule(self))


def _actions_of(twin: Any) -> Any:
    rule = twin.functions["actions"]
    limit = twin.program.limit

    def actions(self, out, base):  # type: ignore[no-untyped-def]
        count = rule(self, out, base, base + limit) - base
        if count > limit:
            raise TooManyActions
        return count

    return actions


def _result_of(twin: Any) -> Any:
    rule = twin.functions["result"]
    return lambda self, action: _as_state(rule(self, action), self)


def _terminal_of(twin: Any) -> Any:
    if "terminal" in twin.functions:
        rule = twin.functions["terminal"]
        return lambda self: _truth(rule(self))
    room = twin.program.limit + 1
    scratch = intrinsics.scratch
    return lambda self: self.actions(scratch(room), 0) == 0


def _utility_of(twin: Any) -> Any:
    rule, number = twin.functions["utility"], _scores["utility", twin.kind.float_scores]
    if worth(twin.cls) == 1:
        return lambda self: number(rule(self))

    def utility(self):  # type: ignore[no-untyped-def]
        value = number(rule(self))
        if value > MOST or value < -MOST:
            raise UtilityTooLarge
        return value * WIN

    return utility


def _weighed_of(twin: Any) -> Any:
    """The evaluation with the weights at an address, as the class computes it."""
    number = _scores["evaluate", twin.kind.float_scores]
    if "evaluate" not in twin.functions:
        return lambda self, weights: number(0)
    rule = twin.functions["evaluate"]
    if twin.program.weights is None:
        return lambda self, weights: number(rule(self))
    return lambda self, weights: number(rule(self, weights))


def _informed_of(twin: Any) -> Any:
    """The evaluation where the net's value is known, as searches compare it with outcomes; without a net, just that."""
    if net_of(twin.cls) is NO_NET:
        return lambda self, weights, learned: self.evaluate(weights)
    rule, number = twin.functions["informed"], _scores["evaluate", twin.kind.float_scores]
    most = HIGHEST if worth(twin.cls) > 1 else NO_CEILING
    if twin.program.weights is None:
        return lambda self, weights, learned: max(-most, min(most, number(rule(self, learned))))
    return lambda self, weights, learned: max(-most, min(most, number(rule(self, learned, weights))))


def _evaluate_of(twin: Any) -> Any:
    """The same as searches compare it with outcomes."""
    if worth(twin.cls) == 1:
        return lambda self, weights: self.weighed(weights)
    return lambda self, weights: max(-HIGHEST, min(HIGHEST, self.weighed(weights)))


def _probability_of(twin: Any) -> Any:
    if "probability" not in twin.functions:
        return lambda self, action: 1.0
    rule = twin.functions["probability"]
    return lambda self, action: _chances(rule(self, action))


def _told_of(name: str, otherwise: int = 0) -> Any:
    """A rule that tells an int about the state."""

    def build(twin: Any) -> Any:
        if name not in twin.functions:
            return lambda self: otherwise
        rule, number = twin.functions[name], _told[name]
        return lambda self: number(rule(self))

    return build


def _told_of_action(name: str) -> Any:
    """A rule that tells an int about an action."""

    def build(twin: Any) -> Any:
        if name not in twin.functions:
            return lambda self, action: 0
        rule, number = twin.functions[name], _told[name]
        return lambda self, action: number(rule(self, action))

    return build


def _listed_of(name: str) -> Any:
    """A rule that yields words; none where the class has no such rule."""

    def build(twin: Any) -> Any:
        if name not in twin.functions:
            return lambda self, out, base: 0
        rule = twin.functions[name]
        limit = plane_words(twin.cls) if name == "planes" else twin.program.limit
        return lambda self, out, base: rule(self, out, base, base + limit) - base

    return build


def _ceiling_of(twin: Any) -> Any:
    if "ceiling" not in twin.functions:
        return lambda self: NO_CEILING
    rule, number, scale = twin.functions["ceiling"], _told["ceiling"], worth(twin.cls)
    return lambda self: number(rule(self)) * scale


def _count_of(twin: Any) -> Any:
    """How many actions there are; they may be written into the memory."""
    if "count" not in twin.functions:
        return lambda self, out, base: self.actions(out, base)
    rule, number = twin.functions["count"], _told["count"]
    return lambda self, out, base: number(rule(self))


def _skip_of(twin: Any) -> Any:
    if "skip" not in twin.functions:
        return lambda self: self
    rule = twin.functions["skip"]
    return lambda self: _as_state(rule(self), self)


def _constant_of(read: Any) -> Any:
    """A fact about the class."""

    def build(twin: Any) -> Any:
        answer = read(twin.cls)
        return lambda self: answer

    return build


def _hash_of(twin: Any) -> Any:
    if "key" not in twin.functions:
        return lambda self: fold(self, 1)
    rule = twin.functions["key"]
    return lambda self: native_mix(_told_key(rule(self)))


def _identity_of(twin: Any) -> Any:
    if "repetition_key" not in twin.functions:
        return lambda self: self.hash()
    rule = twin.functions["repetition_key"]
    return lambda self: native_mix(_told_repetition_key(rule(self)))


def _has(name: str) -> Any:
    def build(twin: Any) -> Any:
        answer = name in twin.functions
        return lambda self: answer

    return build


def _chance_of(twin: Any) -> Any:
    if not twin.kind.chance:
        return lambda self: False
    return lambda self: self.player() == CHANCE


_method("player", _player_of)
_method("chance", _chance_of)
_method("actions", _actions_of, "out", "base")
_method("result", _result_of, "action")
_method("terminal", _terminal_of)
_method("utility", _utility_of)
_method("weighed", _weighed_of, "weights")
_method("evaluate", _evaluate_of, "weights")
_method("informed", _informed_of, "weights", "learned")
_method("probability", _probability_of, "action")
_method("hash", _hash_of)
_method("identity", _identity_of)
_method("ceiling", _ceiling_of)
_method("skip", _skip_of)
_method("count", _count_of, "out", "base")
_method("worth", _constant_of(worth))
_method("unit", _constant_of(lambda cls: getattr(cls, "unit", UNIT)))
_method("repetition", _constant_of(lambda cls: getattr(cls, "repetition", 0)))
_method("win_score", _constant_of(lambda cls: getattr(cls, "win", 0) * worth(cls)))
for name, read in NET_FACTS.items():
    _method(name, _constant_of(lambda cls, read=read: read(net_of(cls))))
_method("net_slot", _constant_of(net_slot))
_method("has_noisy", _has("noisy"))
_method("has_exchange", _has("exchange"))
_method("has_trait", _has("trait"))
_method("has_forces", _has("forces"))
_method("has_drawn", _has("drawn"))
_method("has_sample", _has("sample"))
_method("has_playout", _has("playout"))
_method("has_policy_index", _has("policy_index"))
for rule in ("noisy", "promising", "symmetries", "planes", "finish"):
    _method(rule, _listed_of(rule), "out", "base")
for rule in (*TOLD_OF_ACTIONS, "net_feature", "net_changed"):
    _method(rule, _told_of_action(rule), "action")
for rule in ("forced", "drawn", "net_cells"):
    _method(rule, _told_of(rule))
_method("plies_left", _told_of("plies_left", UNKNOWN))
_method("has_finish", _constant_of(lambda cls: offers(cls, "finish") and worth(cls) < WIN))
