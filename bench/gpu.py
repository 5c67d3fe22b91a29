"""Random play and PUCT on a GPU beside pgx and mctx, which are written for it in JAX, on the same GPU.

pgx plays a batch of games as JAX does it fastest, `vmap` over the games in a `scan` over the plies; a game that is
over stands still and counts as played on. mctx searches a batch of positions with equal priors and value 0. Of
several batch sizes the fastest counts, theirs and ours. What is compiled is compiled before the clock starts, which
is the wall's: the processor only waits.
"""

import functools
import os
from collections.abc import Callable, Iterator
from time import perf_counter
from typing import Any, NamedTuple

from bench.measure import Row, Size, Turns, in_turns, left_out, ratio_row
from outplay.compile.gpu import NoGPU, require
from outplay.games import load

os.environ.setdefault("XLA_PYTHON_CLIENT_PREALLOCATE", "false")  # JAX would take most of the GPU's memory

SIMULATIONS = 100  # of each search
TREES = (1 << 14, 1 << 16, 1 << 17)  # of ours at a time


class Work(NamedTuple):
    """A game of ours and of pgx."""

    game: str
    env: str
    games: int  # that ours plays in a turn
    plies: int  # that theirs does
    batches: tuple[int, ...]  # of theirs
    floor: float


RANDOM = (
    Work("tictactoe", "tic_tac_toe", 10**10, 512, (1 << 18, 1 << 20, 1 << 22), 10),
    Work("connect4", "connect_four", 4 * 10**9, 256, (1 << 16, 1 << 18, 1 << 20), 30),
    Work("othello", "othello", 3 * 10**8, 64, (1 << 14, 1 << 16, 1 << 18), 50),
    Work("go", "go_9x9", 10**8, 64, (1 << 14, 1 << 16, 1 << 17), 30),
    Work("chess", "chess", 4 * 10**6, 32, (1 << 11, 1 << 13, 1 << 15), 200),
)
SEARCH = (
    Work("connect4", "connect_four", 0, 0, (1 << 17, 1 << 18, 1 << 19), 5),
    Work("othello", "othello", 0, 0, (1 << 11, 1 << 13, 1 << 15), 10),
    Work("chess", "chess", 0, 0, (1 << 9, 1 << 11, 1 << 13), 10),
)


def run(size: Size) -> Iterator[Row]:
    turns = size.pick(3, 1, 1)
    yield from measured("random play on a GPU", "pgx", RANDOM, "plies/s", random_play, pgx_play, turns)
    yield from measured("PUCT on a GPU", "mctx", SEARCH, "sims/s", searches, mctx_search, turns)


def measured(
    what: str, peer: str, works: tuple[Work, ...], unit: str, ours: Any, theirs: Any, turns: int
) -> Iterator[Row]:
    for work in works:
        named = f"{what}, {work.game}"
        try:
            require()
            peers = theirs(work)
        except (NoGPU, ImportError) as error:
            yield left_out(named, peer, error)
            continue
        found: Turns = in_turns(best(ours(work)), best(peers), turns)
        yield ratio_row(named, peer, unit, found, work.floor)


def best(speeds: list[Callable[[], float]]) -> Callable[[], float]:
    """The fastest of several."""
    return max(speeds, key=tried)


def tried(speed: Callable[[], float]) -> float:
    """The second of two turns, as the first one compiles; 0 for a batch that JAX finds too large for the memory."""
    try:
        return (speed(), speed())[1]
    except RuntimeError as error:
        if "RESOURCE_EXHAUSTED" not in str(error):
            raise
        return 0.0


def per_second(work: Callable[[], Any], units: int) -> float:
    """Units a second, of work that does so many."""
    began = perf_counter()
    work()
    return units / (perf_counter() - began)


# --- ours ------------------------------------------------------------------------------------------------


def random_play(work: Work) -> list[Callable[[], float]]:
    from outplay.search.mcts.gpuplayout import playouts

    state = load(work.game).start
    plies = playouts(state, work.games).plies  # the same games every time
    return [lambda: per_second(lambda: playouts(state, work.games), plies)]


def searches(work: Work) -> list[Callable[[], float]]:
    return [functools.partial(search, work, trees) for trees in TREES]


def search(work: Work, trees: int) -> float:
    puct = made(work.game, trees)
    puct.restart(puct.states)
    return per_second(lambda: puct.search(SIMULATIONS), trees * SIMULATIONS)


@functools.lru_cache(maxsize=1)  # they take much memory
def made(game: str, trees: int) -> Any:
    from outplay.search.mcts.gpu import GPUPUCT

    return GPUPUCT([load(game).start] * trees, simulations=SIMULATIONS)


# --- theirs ----------------------------------------------------------------------------------------------


def pgx_play(work: Work) -> list[Callable[[], float]]:
    """Random play of each batch size."""
    import jax
    import pgx

    env = pgx.make(work.env)

    def ply(carry: Any, _: Any) -> Any:
        state, key = carry
        key, drawn = jax.random.split(key)
        action = jax.random.categorical(drawn, equal_logits(state), axis=1)
        return (jax.vmap(env.step)(state, action), key), None

    play = jax.jit(lambda carry: jax.lax.scan(ply, carry, None, length=work.plies)[0])

    def speed(batch: int) -> float:
        carry = first_states(env, batch), jax.random.PRNGKey(1)
        return per_second(lambda: jax.block_until_ready(play(carry)), batch * work.plies)

    return [functools.partial(speed, batch) for batch in work.batches]


def first_states(env: Any, batch: int) -> Any:
    import jax

    keys = jax.random.split(jax.random.PRNGKey(0), batch)
    return jax.block_until_ready(jax.jit(jax.vmap(env.init))(keys))


def equal_logits(state: Any) -> Any:
    import jax.numpy as jnp

    return jnp.where(state.legal_action_mask, 0.0, -1e9)


def mctx_search(work: Work) -> list[Callable[[], float]]:
    """mctx's PUCT of each batch size, with equal priors and value 0."""
    import jax
    import jax.numpy as jnp
    import mctx
    import pgx

    env = pgx.make(work.env)

    def after(_: Any, key: Any, action: Any, state: Any) -> Any:
        mover = state.current_player
        state = jax.vmap(env.step)(state, action)
        reward = jnp.take_along_axis(state.rewards, mover[:, None], 1)[:, 0]
        discount = jnp.where(state.terminated, 0.0, -1.0)
        nothing = jnp.zeros_like(reward)
        answer = mctx.RecurrentFnOutput(
            reward=reward, discount=discount, prior_logits=equal_logits(state), value=nothing
        )
        return answer, state

    @jax.jit
    def choose(state: Any, key: Any) -> Any:
        root = mctx.RootFnOutput(
            prior_logits=equal_logits(state), value=jnp.zeros(len(state.current_player)), embedding=state
        )
        return mctx.muzero_policy(
            None,
            key,
            root,
            after,
            SIMULATIONS,
            invalid_actions=~state.legal_action_mask,
            dirichlet_fraction=0.0,
        ).action

    def speed(batch: int) -> float:
        states, key = first_states(env, batch), jax.random.PRNGKey(1)
        return per_second(lambda: jax.block_until_ready(choose(states, key)), batch * SIMULATIONS)

    return [functools.partial(speed, batch) for batch in work.batches]
