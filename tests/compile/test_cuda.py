"""The GPU's side of the compile layer: every game's kernels are compiled, and what is missing is said in a line."""

import importlib.util
from typing import NamedTuple

import pytest
from numba import typeof, types

from outplay.compile import ENABLED, gpu, twin
from outplay.game import GameError
from outplay.games import TABLE, load

if importlib.util.find_spec("numba_cuda") is None:
    pytest.skip("numba-cuda is not installed", allow_module_level=True)
if not ENABLED:
    pytest.skip("nothing is compiled", allow_module_level=True)

from outplay.compile.cuda import ptx
from outplay.search.mcts import gpu as gpusearch
from outplay.search.mcts.gpuplayout import playouts, random_games, room_of
from outplay.search.mcts.tree import Tree

WORD, WORDS, COUNTS, NUMBERS = types.int64, types.int64[::1], types.int64[:, ::1], types.float64[::1]
COMMON = types.UniTuple(WORD, len(Tree.parts))  # settings of trees
PLAYED = [entry.name for entry in TABLE if entry.module != "tree"]
# Random play compiles all rules of every game; what a search adds differs by the kind of game: without chance, with
# chance, without positions that come back.
SEARCHED = ["tictactoe", "pig", "go"]


def random_play(state) -> str:
    """The code of random play, for a GPU that need not be there."""
    kinds = typeof(twin(type(state)).state(state)), WORD, WORD, WORD, WORD, WORDS, COUNTS, NUMBERS
    return ptx(random_games(False, room_of(type(state))), *kinds, optimised=False)


@pytest.mark.parametrize("game", PLAYED)
def test_every_game_plays_at_random(game: str) -> None:
    code = random_play(load(game).start)
    assert ".visible .entry" in code
    assert ".extern .func" not in code  # nothing is left to be linked


@pytest.mark.parametrize("game", SEARCHED)
def test_games_are_searched_by_puct(game: str) -> None:
    kinds = *searched(game), WORD, types.boolean
    assert ".visible .entry" in ptx(gpusearch._grow, *kinds, optimised=False)


@pytest.mark.parametrize("game", SEARCHED)
def test_games_are_searched_by_uct(game: str) -> None:
    assert ".visible .entry" in ptx(gpusearch._iterate, *searched(game), WORD, optimised=False)


def searched(game: str) -> tuple:
    """The kinds of what every search is given: a state like all, the roots, the trees, their settings, which ended."""
    state = load(game).start
    return typeof(twin(type(state)).state(state)), COUNTS, COUNTS, COMMON, types.int32[::1]


class Corner(NamedTuple):
    """Numbers beyond 63 bits, tables, defaults, loops over a few numbers, and functions that call themselves."""

    word: int = -(1 << 63)
    mover: int = 0

    def player(self):
        return self.mover

    def actions(self):
        yield from halves(8)
        for number in (3, 5, 7):
            if self.word & number == 0:
                continue
            yield 8 + number

    def result(self, action):
        return Corner(shr(self.word, action) + PRIMES[action & 15], 1 - self.mover)

    def terminal(self):
        return spread(self.word & 255) > 1 + spread(1, step=2)

    def utility(self):
        return sum(self.word & mask != 0 for mask in (1, 2, 4)) - 1


PRIMES = tuple(n for n in range(2, 300) if all(n % d for d in range(2, n)))


def shr(word, n):
    return (word >> n) & ((1 << 64 - n) - 1)


def halves(n):
    if n > 1:
        yield from halves(n // 2)
    yield n


def spread(word, step=1):
    return 0 if word == 0 else step + spread(word & (word - 1), step)


def test_functions_that_call_themselves() -> None:
    assert ".visible .entry" in random_play(Corner())


def test_tables_lie_in_global_memory() -> None:
    code = random_play(load("chess").start)
    assert ".global .align 8" in code
    assert ".const" not in code


@pytest.mark.parametrize("tree", ["[[3,12],[2,4]]", "chance[1/2: 8, 1/2: 24]"])
def test_data_of_this_run_stay_on_the_cpu(tree: str) -> None:
    with pytest.raises(GameError, match="search on the CPU"):
        gpu.fits(twin(type(load(tree).start)))


def test_numba_cuda_is_missing(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(importlib.util, "find_spec", lambda name: None)
    with pytest.raises(gpu.NoGPU, match=r"pip install 'outplay\[gpu\]'"):
        gpu.require()


@pytest.fixture
def cuda(monkeypatch: pytest.MonkeyPatch):
    return gpu.numba_cuda()


def test_no_gpu(cuda, outplay, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cuda, "is_available", lambda: False)
    answer = outplay("playouts", "tictactoe", "--gpu")
    assert answer.status == 2
    assert answer.told.count("\n") == 1
    assert "no GPU that CUDA can use" in answer.told
    assert "for the CPU" in outplay("playouts", "tictactoe", "--gpu", "--threads", 2).told


@pytest.mark.parametrize(
    ("said", "what"),
    [("CUDA_ERROR_OUT_OF_MEMORY", "ask for less"), ("CUDA_ERROR_DEVICE_UNAVAILABLE", "does not answer")],
)
def test_a_gpu_that_is_full_or_busy(cuda, monkeypatch: pytest.MonkeyPatch, said: str, what: str) -> None:
    from numba.cuda.cudadrv.driver import CudaAPIError

    def fail() -> None:
        raise CudaAPIError(2, f"Call to cuMemAlloc results in {said}")

    monkeypatch.setattr(cuda, "is_available", lambda: True)
    monkeypatch.setattr(cuda, "current_context", fail)
    with pytest.raises(gpu.NoGPU, match=what) as error:
        playouts(load("tictactoe").start, 10)
    assert "\n" not in str(error.value)


def test_what_cannot_be_played_is_said_before_a_gpu_is_asked_for() -> None:
    with pytest.raises(ValueError, match="games must be 1"):
        playouts(load("tictactoe").start, 0)
    with pytest.raises(ValueError, match="the game is over"):
        playouts(load("tictactoe").position("XXX/OO./... o"), 10)
