"""The commands that count: lines of play, random games, nodes."""

import json
from functools import partial
from time import perf_counter
from typing import Annotated

import typer

from outplay.cli.arguments import GameArgument, JsonOption, MovesOption, PositionArgument, begin


def perft(
    game: GameArgument,
    depth: Annotated[int, typer.Argument(metavar="DEPTH", help="plies to count")],
    position: PositionArgument = "",
    moves: MovesOption = "",
    divided: Annotated[bool, typer.Option("--divide", help="count separately for each first move")] = False,
    as_json: JsonOption = False,
) -> None:
    """Count the lines of play to a depth, to test the rules."""
    from outplay.game import action_text
    from outplay.search import divide
    from outplay.search import perft as count
    from outplay.ui.wait import patiently

    if depth < 0:
        raise ValueError(f"DEPTH must be 0 or more, not {depth}")
    state = begin(game, position, moves).state
    began = perf_counter()
    below = patiently(lambda: divide(state, depth), "counting") if divided else {}
    nodes = sum(below.values()) if divided else patiently(lambda: count(state, depth), "counting")
    named = {action_text(state, action): number for action, number in below.items()}
    if as_json:
        answer = {"depth": depth, "nodes": nodes, "time": perf_counter() - began}
        print(json.dumps(answer | ({"divide": named} if divided else {})))
        return
    width = max(map(len, named), default=0)
    for text, number in named.items():
        print(f"{text:<{width}}  {number}")
    print(f"{'':<{width}}  {nodes}" if divided else nodes)


def playouts(
    game: GameArgument,
    position: PositionArgument = "",
    moves: MovesOption = "",
    rounds: Annotated[int, typer.Option("--games", help="number of games")] = 100_000,
    threads: Annotated[int, typer.Option("--threads", help="number of threads")] = 1,
    seed: Annotated[int, typer.Option("--seed", help="seed for the random games")] = 1,
    hints: Annotated[
        bool, typer.Option("--hints", help="choose moves with the game's own playout()")
    ] = False,
    gpu: Annotated[bool, typer.Option("--gpu", help="play on a GPU")] = False,
    as_json: JsonOption = False,
) -> None:
    """Play random games: speed, results, lengths."""
    from outplay.game import kind
    from outplay.search import playouts as play
    from outplay.ui.playouts import text
    from outplay.ui.wait import patiently

    state = begin(game, position, moves).state
    if gpu:
        from outplay.search.mcts.gpuplayout import playouts as on_gpu

        if threads != 1:
            raise ValueError("--threads is for the CPU: drop it, or drop --gpu")
        player = partial(on_gpu, state, seed=seed, hinted=hints)
    else:
        player = partial(play, state, seed=seed, threads=threads, hinted=hints)
    patiently(lambda: player(games=1))  # compiled before the clock starts
    began = perf_counter()
    played = patiently(lambda: player(games=rounds), "playing")
    seconds = perf_counter() - began
    if as_json:
        print(json.dumps(played._asdict() | {"time": seconds}))
    else:
        print(text(played, seconds, players=kind(type(state)).players))


def bench() -> None:
    """Count the nodes of fixed searches: the node signature.

    It changes when the rules or searches do.
    """
    from outplay.bench import WORKS, signature
    from outplay.bench import bench as measure
    from outplay.ui.wait import patiently

    print(f"{'game':<44} {'search':<15} {'limit':>5} {'nodes':>11} {'seconds':>8} {'M nodes/s':>9}")
    rows = []
    for work in WORKS:
        (row,) = patiently(partial(measure, (work,)), work.game)
        rows.append(row)
        named = f"{work.game} {work.position}".rstrip()
        named = named if len(named) <= 44 else f"{named[:41]}..."
        limit = "end" if work.limit is None else work.limit
        speed = row.nodes / max(row.time, 1e-9) / 1e6
        print(f"{named:<44} {work.search:<15} {limit:>5} {row.nodes:>11,} {row.time:>8.3f} {speed:>9.1f}")
    print(f"\n{signature(rows)} nodes")
