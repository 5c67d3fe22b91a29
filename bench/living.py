"""What the living tree costs: the nodes a second of a search whose best lines are told to the page as they grow,
beside the same search when nobody listens. Both run in this process; what is told goes to another one, as a
server's worker sends it. Reports come by the wall clock: on a busy machine there are more of them to each second
that the search has the processor, so that what is lost is scaled by its share of the processor.
"""

import json
import subprocess
import threading
from collections.abc import Iterator
from statistics import median
from time import perf_counter, process_time

from bench.measure import Row, Size, Speed, in_turns, short
from outplay.limits import Limits
from outplay.search.searches import strongest
from outplay.ui.web import thinking
from outplay.ui.web.catalogue import Catalogue
from outplay.ui.web.schema import Analyse
from outplay.ui.web.task import Task
from outplay.ui.web.view import Positions, record_of

LINES = 3
LOSS = 3.0  # per cent of its nodes that a search may lose
GAMES = (("othello", "engine"), ("connect4", "uct"))
SMALL = (("tictactoe", "engine"),)  # to see that it runs


def run(size: Size) -> Iterator[Row]:
    turns, seconds = size.pick((15, 4.0), (7, 2.0), (1, 0.1))
    for game, search in size.pick(GAMES, GAMES, SMALL):
        shares: list[float] = []
        found = in_turns(watched(game, search, seconds, shares), alone(game, search, seconds), turns)
        ours, theirs = f"{short(found.ours)} nodes/s", f"{short(found.peer)} nodes/s"
        loss = 100 * (1 - found.ratio) * min(1.0, median(shares))
        bound = LOSS if size is not Size.SMOKE else None  # a tenth of a second says nothing
        yield Row(
            f"living tree, {game}, {search}: nodes lost",
            "nobody listens",
            ours,
            theirs,
            loss,
            "%",
            bound,
            True,
        )


def watched(game: str, search: str, seconds: float, shares: list[float]) -> Speed:
    """The page's analysis, with everything that it says; `shares` hears how much of a processor it had."""
    positions = Positions(Catalogue(), bytes(32))

    def speed() -> float:
        said: list[bytes] = []
        with subprocess.Popen(["cat"], stdin=subprocess.PIPE, stdout=subprocess.DEVNULL) as page:
            assert page.stdin is not None

            def send(text: bytes) -> None:
                said.append(text)
                page.stdin.write(text)  # type: ignore[union-attr]
                page.stdin.flush()  # type: ignore[union-attr]

            began, then = process_time(), perf_counter()
            thinking.analyse(positions, asked(game, search, seconds), Task(1, send))
            took = process_time() - began
            shares.append(took / (perf_counter() - then))
        reports = [told for told in map(json.loads, said) if told["type"] == "report"]
        return float(reports[-1]["nodes"]) / took

    return speed


def alone(game: str, search: str, seconds: float) -> Speed:
    """The same search of the same position, made and begun in the same way."""
    positions = Positions(Catalogue(), bytes(32))

    def speed() -> float:
        began = process_time()
        position = positions.asked(asked(game, search, seconds))
        record = record_of(positions.catalogue.game(game), position)
        cls = type(position.state)
        made = thinking._made(positions, strongest(cls, search), cls)
        Task(1, lambda text: None).prepare(game, position.state, made)
        found = made.search(record, Limits(time=seconds), None, threading.Event(), LINES)
        return found.nodes / (process_time() - began)

    return speed


def asked(game: str, search: str, seconds: float) -> Analyse:
    return Analyse(type="analyse", id=1, game=game, lines=LINES, time=seconds, search=search)
