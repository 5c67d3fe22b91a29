"""Self-play of `outplay learn zero`: its simulations a second, beside what the network does alone on the same device.

Both are measured in turns in one process: a move in all games (find leaves, evaluate, back up, play), and as many
evaluations of the same batch with nothing between them. The network is new: its speed does not depend on its weights.
On a GPU both are replayed as CUDA graphs, and measured again with a network that torch compiles (`--set compiled=1`).
"""

import time
from collections.abc import Callable, Iterator
from typing import Any

from bench.measure import Row, Size, in_turns, left_out, ratio_row
from outplay.games import load
from outplay.learn.zero.loop import games_on, large_score, torch_learner
from outplay.learn.zero.settings import Settings, settings_for
from outplay.learn.zero.symmetry import symmetries_of
from outplay.search.mcts.view import view_of
from outplay.ui.zero import best_device

GAMES = ("connect4", "othello", "go")
FLOOR = 0.85
WARM_UP = 4  # moves before the clock starts: a graph is recorded meanwhile


def run(size: Size) -> Iterator[Row]:
    try:
        make = torch_learner()
    except ValueError as error:
        yield left_out("self-play with a network", "the network alone", error)
        return
    device = best_device()
    for game in GAMES[: size.pick(3, 3, 1)]:
        for compiled in (0, 1) if device == "cuda" else (0,):
            yield measured(settings_of(game, device, size)._replace(compiled=compiled), make, size)


def measured(settings: Settings, make: Any, size: Size) -> Row:
    """Simulations a second in self-play as a share of evaluations a second of the network alone."""
    game, device = settings.game, settings.device
    start = load(game).position()
    view = view_of(start)
    mind = make(view, settings, symmetries_of(start, view), large_score(start))
    table = games_on(device)(start, view, settings, mind.evaluate)
    simulations = max(settings.simulations)
    for _ in range(size.pick(WARM_UP, WARM_UP, 1)):
        table.move(simulations)
    alone = evaluations(table, mind, device)

    def with_games() -> float:
        return per_second(lambda: table.move(simulations), table, simulations * settings.games)

    def net_alone() -> float:
        return per_second(lambda: [alone() for _ in range(simulations)], table, simulations * settings.games)

    turns = in_turns(with_games, net_alone, size.pick(9, 5, 1))
    work = f"self-play with a network, {game}, {device}"
    row = ratio_row(work, "the network alone", "/s", turns, FLOOR if device == "cuda" else None)
    return row._replace(
        note=f"{settings.games:,} games, {simulations} simulations, {settings.blocks} blocks of {settings.channels}"
        f"{', compiled by torch' if settings.compiled else ''}"
    )


def settings_of(game: str, device: str, size: Size) -> Settings:
    """As a run of ten minutes has them; small ones for a smoke run."""
    small = {"games": 8, "simulations": (4,), "channels": 8, "blocks": 1, "length": 128}
    return settings_for(game, load(game).position(), 10, device, **(small if size is Size.SMOKE else {}))


def evaluations(table: Any, mind: Any, device: str) -> Callable[[], Any]:
    """The network's evaluation of the batch as it stands, and nothing else."""

    def evaluate() -> None:
        mind.evaluate(table.views, table.priors, table.values)

    if device != "cuda":
        return evaluate
    import torch

    graph = torch.cuda.CUDAGraph()
    torch.cuda.synchronize()
    with torch.cuda.graph(graph, capture_error_mode="relaxed"):
        evaluate()
    replay: Callable[[], None] = graph.replay
    return replay


def per_second(work: Callable[[], Any], table: Any, units: int) -> float:
    """Units a second by the wall's clock: a processor that waits for a GPU does nothing."""
    table.counts()  # waits for the GPU
    began = time.perf_counter()
    work()
    table.counts()
    return units / (time.perf_counter() - began)
