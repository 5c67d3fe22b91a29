"""Weights in compiled rules: read from the search's own block, so that other weights need no compiling."""

import functools
import linecache
import random
import threading
from typing import Any, NamedTuple

import pytest

from outplay.check import check
from outplay.compile import twin
from outplay.compile.lane import Interpreted
from outplay.compile.program import Program
from outplay.game import GameError, Weights, adopt, estimate
from outplay.games import Checkers, ConnectFour, Kalah, TicTacToe
from outplay.limits import Limits
from outplay.players import player
from outplay.record import Record
from outplay.search import best
from outplay.search.engine.engine import Engine
from outplay.search.textbook import alphabeta, minimax
from outplay.variants import variant


def bonus(heap: int, weights: Weights) -> int:
    return weights.bias * heap


class Heap(NamedTuple):
    """Nim with an evaluation that uses its weights in every way that can be compiled."""

    SIZE = 13
    weights = Weights(bias=5, mover=3, heap=tuple(range(SIZE + 1)), small=(1, 2, 3))
    left: int = SIZE
    mover: int = 0

    def player(self) -> int:
        return self.mover

    def actions(self):  # type: ignore[no-untyped-def]
        for take in (1, 2, 3):
            if take <= self.left:
                yield take

    def result(self, take: int) -> "Heap":
        return Heap(self.left - take, 1 - self.mover)

    def terminal(self) -> bool:
        return self.left == 0

    def utility(self) -> int:
        return 1 if self.mover == 1 else -1

    def evaluate(self, weights: Weights = weights) -> int:
        total = self.side(weights, 1) + bonus(self.left, weights=weights) - weights.heap[self.left] // 3
        total += sum(weights.heap[-1 - i] for i in range(4)) + sum(w for w in weights.small)
        for i, w in enumerate(weights.small):
            total += i * w + len(weights.heap)
        for x in self.marks(weights):
            total += x
        return total if self.mover == 0 else -total

    def side(self, weights: Weights, k: int) -> int:
        return weights.mover * k + weights.small[1] + weights.small[-1]

    def marks(self, weights: Weights):  # type: ignore[no-untyped-def]
        yield weights.bias
        yield weights.heap[self.left]


OTHER = Heap.weights.replace(bias=-7, heap=[x * x - 20 for x in range(14)])


@pytest.mark.lanes
@pytest.mark.parametrize("game", [Heap, TicTacToe])
def test_compiled_means_the_same(game: Any) -> None:
    report = check(game, games=5)  # with the class's weights, and with random ones
    assert not report.fault


@pytest.mark.lanes
@pytest.mark.parametrize("weights", [None, OTHER])
def test_searches_follow_the_weights(weights: Weights | None) -> None:
    valued = functools.partial(estimate, weights=weights)
    for depth in (1, 2, 4):
        wanted = minimax.value(Heap(), depth, evaluate=valued)
        assert alphabeta.value(Heap(), depth=depth, evaluate=valued) == wanted
        assert alphabeta.hard_value(Heap(), depth=depth, evaluate=valued) == wanted
        for search in ("minimax", "alphabeta", "alphabeta-hard"):
            assert best(Heap(), search, depth=depth, weights=weights).value == wanted


@pytest.mark.parametrize("weights", [None, OTHER])
def test_the_engine_follows_the_weights(weights: Weights | None) -> None:
    wanted = minimax.value(Heap(), 4, evaluate=functools.partial(estimate, weights=weights))
    found = Engine(1, "exact", weights=weights).search(Heap(), Limits(depth=4))
    assert found.value == wanted


def test_other_weights_need_no_compiling() -> None:
    before = twin(Heap)
    best(Heap(), "alphabeta", depth=2, weights=OTHER)
    assert twin(Heap) is before


def test_the_layout_is_compiled_in_but_no_number() -> None:
    source = """
from typing import NamedTuple
from outplay.game import Weights
class G(NamedTuple):
    weights = Weights({})
    left: int = 3
    def player(self): return 0
    def actions(self): return range(self.left)
    def result(self, a): return G(a)
    def utility(self): return 0
    def evaluate(self, weights=weights): return weights.a
"""
    digests = [twin(made(source.format(given))).digest for given in ("a=1, b=2", "a=5, b=9", "b=2, a=1")]
    assert digests[0] == digests[1] != digests[2]


def made(source: str, name: str = "G") -> Any:
    """The class of that name, made as a notebook cell makes it."""
    made.count = getattr(made, "count", 0) + 1  # type: ignore[attr-defined]
    file = f"<weights cell {made.count}>"  # type: ignore[attr-defined]
    linecache.cache[file] = (len(source), None, source.splitlines(True), file)
    names: dict[str, Any] = {"__name__": f"weights_cell{made.count}"}  # type: ignore[attr-defined]
    exec(compile(source, file, "exec"), names)
    return names[name]


def test_variants_have_weights_of_their_own() -> None:
    small = variant(Heap, SIZE=5)
    assert len(small.weights.heap) == 6
    assert small().evaluate() == small().evaluate(small.weights)
    assert best(small(), "alphabeta", depth=2).value == minimax.value(small(), 2)
    with pytest.raises(GameError, match="weight heap: expected 6 numbers, not 14"):
        best(small(), depth=2, weights=Heap.weights)


def test_float_weights_where_scores_are_floats() -> None:
    source = """
from typing import NamedTuple
from outplay.game import Weights
class G(NamedTuple):
    scores = float
    weights = Weights(a=0.5, b=(0.25, 1))
    left: int = 9
    turn: int = 0
    def player(self): return self.turn
    def actions(self): return range(min(self.left, 3))
    def result(self, a): return G(self.left - a - 1, 1 - self.turn)
    def utility(self): return 0.125
    def evaluate(self, weights=weights): return weights.a * self.left + weights.b[self.left & 1]
"""
    game = made(source)
    other = game.weights.replace(a=-1.5, b=(2, 3.5))
    for weights in (None, other):
        wanted = minimax.value(game(), 2, evaluate=functools.partial(estimate, weights=weights))
        assert best(game(), "alphabeta", depth=2, weights=weights).value == wanted


def test_players_take_weights() -> None:
    other = TicTacToe.weights.replace(open_lines=-7)
    wanted = minimax.value(TicTacToe(), 2, evaluate=functools.partial(estimate, weights=other))
    for name in ("engine", "alphabeta"):
        found = player(name, weights=other)(Record("tictactoe", TicTacToe()), Limits(depth=2))
        assert found.value == wanted
    with pytest.raises(ValueError, match="random takes no weights"):
        player("random", weights=other)


def test_threads_share_a_block() -> None:
    found: list[Any] = []
    weights = [OTHER.replace(bias=b) for b in (-7, 0, 9)]

    def run(w: Weights) -> None:
        found.append((w, best(Heap(), "alphabeta", depth=4, weights=w).value))

    threads = [threading.Thread(target=run, args=(w,)) for w in weights]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    for w, value in found:
        assert value == minimax.value(Heap(), 4, evaluate=functools.partial(estimate, weights=w))


@pytest.mark.parametrize(
    ("body", "complaint"),
    [
        ("return weights.c", "there is no weight c; weights: a, b"),
        ("return weights.b[2]", r"weights.b\[2\] is out of range; it has 2 numbers"),
        ("return weights.a[0]", "weights.a is one number"),
        ("return weights.b[0:1][0]", "a slice of weights.b"),
        ("return weights.c[self.left]", "there is no weight c"),
        ("w = weights\n        return w.a", "weights is used as a value"),
        ("weights = 3\n        return weights", "weights is used as a value, or assigned to"),
        ("return self.weights.a", "would be compiled in"),
        ("return G.weights.a", "would be compiled in"),
        (
            "return self.helped(weights)",
            r"self.helped\(\) takes the weights as w; call that parameter weights",
        ),
        ("return self.asked(3)", r"self.asked\(\) is called without the weights"),
        ("return self.asked()", r"self.asked\(\) is called without the weights"),
        ("return len(weights)", "weights is used as a value"),
    ],
)
def test_what_cannot_be_compiled(body: str, complaint: str) -> None:
    source = f"""
from typing import NamedTuple
from outplay.game import Weights
class G(NamedTuple):
    weights = Weights(a=1, b=(2, 3))
    left: int = 3
    def player(self): return 0
    def actions(self): return range(self.left)
    def result(self, a): return G(a)
    def utility(self): return 0
    def evaluate(self, weights=weights):
        {body}
    def helped(self, w): return w.a
    def asked(self, weights): return weights.a
"""
    with pytest.raises(GameError, match=complaint):
        Program(adopt(made(source)))


def test_what_keeps_weights_from_being_compiled_is_told() -> None:
    source = """
from typing import NamedTuple
from outplay.game import Weights
class G(NamedTuple):
    weights = Weights(a=1, b=(2, 3))
    left: int = 3
    def player(self): return 0
    def actions(self): return range(self.left)
    def result(self, a): return G(a)
    def utility(self): return 0
    def evaluate(self, weights=weights): return weights.b[self.left // 2] if self.left < 4 else weights.b[self.left / 2]
"""
    with pytest.warns(Interpreted, match="an index is float"):
        best(made(source)(), depth=1)


def test_only_evaluate_is_given_weights() -> None:
    source = """
from typing import NamedTuple
from outplay.game import Weights
class G(NamedTuple):
    weights = Weights(a=1)
    left: int = 3
    def player(self): return 0
    def actions(self): return range(self.left)
    def result(self, a): return G(a)
    def utility(self): return 0
    def evaluate(self, weights=weights): return weights.a
    def order(self, action, weights=weights): return weights.a
"""
    with pytest.raises(GameError, match="G.order takes weights: only evaluate is given them"):
        Program(adopt(made(source)))


@pytest.mark.parametrize("game", [Checkers, Kalah, ConnectFour])
def test_terms_compiled_and_plain_with_other_weights(game: Any) -> None:
    rng = random.Random(2)
    weights = game.weights.with_flat([rng.randint(-40, 40) for _ in game.weights.flat()])
    state = game()
    for _ in range(12):
        state = state.result(rng.choice(list(state.actions())))
    wanted = minimax.value(state, 2, evaluate=functools.partial(estimate, weights=weights))
    assert best(state, "alphabeta", depth=2, weights=weights).value == wanted
