"""The page under load: fifty clients play the machine at once, and one plays alone.

Every client is what a browser tab is: it asks for positions over HTTP and for the machine's moves over a
WebSocket, holds its own record, and goes on until its game is over; then it begins another. A game is lost if
the server ever denies its record, gives an illegal move, or stops answering. What a move costs beyond the
engine's own time is measured by one client alone. What a browser shows and when is for web_sight.py to say.
"""

import asyncio
import contextlib
import itertools
import json
import re
import statistics
import subprocess
import sys
import time
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import httpx
from websockets.asyncio.client import connect

from bench.measure import Row, Size, awaited
from bench.web_sight import in_the_browser

GAMES = ("tictactoe", "hexapawn", "connect4", "othello", "checkers", "kalah")
FEW = GAMES[:1]  # to see that it runs
CLIENTS = 50
SEAT = {"name": "engine", "depth": 4}
PATIENCE = 60.0  # seconds that a client waits for one answer
COMPILING = 600.0  # seconds for a game to be compiled


class Load(NamedTuple):
    """What came of it."""

    games: int  # finished
    moves: int
    lost: list[str]  # why, of games that could not go on
    replies: list[float]  # seconds from asking for a machine's move to having it
    memory: list[float]  # MB of the server, once in a while


def run(size: Size) -> Iterator[Row]:
    games = size.pick(GAMES, GAMES, FEW)
    seconds, clients = size.pick((600.0, CLIENTS), (20.0, CLIENTS), (1.0, 2))
    with server() as (url, process):
        awaited(compiled(url, games))
        yield from alone(url, size.pick(200, 40, 1), games)
        yield from together(url, process.pid, seconds, clients, games)
        yield from in_the_browser(url, size.pick(5, 3, 1))


@contextlib.contextmanager
def server(*files: str) -> Iterator[tuple[str, subprocess.Popen[str]]]:
    """A server, and the address with its token."""
    command = [sys.executable, "-m", "outplay", "web", *files, "--port", "0"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        try:
            assert process.stdout is not None
            found = re.search(r"http://\S+", process.stdout.readline())
            assert found is not None
            yield found[0], process
        finally:
            process.terminate()


# --- one client -----------------------------------------------------------------------------------------


class Client:
    """One open tab."""

    def __init__(self, url: str, http: httpx.AsyncClient, live: Any) -> None:
        self.url, self.http, self.live = url, http, live
        self.numbers = itertools.count(1)

    async def position(self, game: str, actions: list[str]) -> Any:
        answer = await self.http.post(f"{self.url}/api/position", json={"game": game, "actions": actions})
        answer.raise_for_status()
        return answer.json()

    async def think(self, game: str, actions: list[str], patience: float = PATIENCE) -> Any:
        id = next(self.numbers)
        said = {"type": "think", "id": id, "game": game, "actions": actions, "seat": SEAT}
        await self.live.send(json.dumps(said))
        while True:
            heard = json.loads(await asyncio.wait_for(self.live.recv(), patience))
            if heard.get("id") == id and heard["type"] in ("done", "error"):
                if heard["type"] == "error":
                    raise ValueError(heard["message"])
                return heard


@contextlib.asynccontextmanager
async def client(address: str) -> Any:
    """A tab on the page of this address, which carries the token."""
    url = address.partition("/?")[0]
    where = url.replace("http", "ws") + "/api/live"
    async with httpx.AsyncClient(
        timeout=PATIENCE, verify=False
    ) as http:  # plain HTTP: no certificates to load
        await http.get(address)
        cookie = "; ".join(f"{name}={value}" for name, value in http.cookies.items())
        said = {"Cookie": cookie}
        async with connect(where, max_size=None, open_timeout=PATIENCE, additional_headers=said) as live:
            yield Client(url, http, live)


async def compiled(address: str, games: Sequence[str]) -> None:
    """Have the games compiled, before anything is measured."""
    async with client(address) as tab:
        for game in games:
            await tab.think(game, [], COMPILING)


# --- alone: what a move costs ---------------------------------------------------------------------------


def alone(url: str, moves: int, games: Sequence[str]) -> Iterator[Row]:
    extra = sorted(awaited(overheads(url, moves, games)))
    work = "page: a move beyond the engine's own time"
    yield Row(work, "", "", "", 1000 * statistics.median(extra), "ms", 20.0, at_most=True)
    yield Row("page: the same, 95 of 100", "", "", "", 1000 * extra[int(0.95 * len(extra))], "ms")


async def overheads(url: str, moves: int, games: Sequence[str]) -> list[float]:
    """Seconds from asking for a move to seeing the position after it, less what the engine took."""
    extra: list[float] = []
    async with client(url) as tab:
        for game in itertools.cycle(games):
            actions: list[str] = []
            await tab.think(game, actions)  # loaded before anything is measured
            for _ in range(12):
                began = time.perf_counter()
                found = await tab.think(game, actions)
                actions.append(found["action"])
                after = await tab.position(game, actions)
                extra.append(time.perf_counter() - began - found["seconds"])
                if after["over"]:
                    break
            if len(extra) >= moves:
                return extra
    return extra


# --- together -------------------------------------------------------------------------------------------


def together(url: str, pid: int, seconds: float, clients: int, games: Sequence[str]) -> Iterator[Row]:
    load = awaited(crowd(url, pid, seconds, clients, games))
    replies = sorted(load.replies) or [0.0]
    done = f"{load.games:,} games, {load.moves:,} moves"
    work = f"page: {clients} clients for {seconds:.0f} s"
    note = "; ".join(sorted(set(load.lost))[:3])
    yield Row(f"{work}: lost games", "", done, "", len(load.lost), "", 0, at_most=True, note=note)
    yield Row(f"{work}: reply, median", "", "", "", 1000 * statistics.median(replies), "ms")
    yield Row(f"{work}: reply, slowest", "", "", "", replies[-1], "s", PATIENCE, at_most=True)
    if len(load.memory) >= 4:
        early, late = load.memory[len(load.memory) // 4], load.memory[-1]
        yield Row(
            f"{work}: memory, end to first quarter", "", f"{late:.0f} MB", "", late / early, "x", 1.2, True
        )


async def crowd(url: str, pid: int, seconds: float, clients: int, games: Sequence[str]) -> Load:
    load = Load(0, 0, [], [], [])
    counts = {"games": 0, "moves": 0}
    until = time.monotonic() + seconds

    async def play(number: int) -> None:
        async with client(url) as tab:
            for round_ in itertools.count():
                if time.monotonic() > until:
                    return
                try:
                    game = games[(number + round_) % len(games)]
                    made = await game_of(tab, game, number, load, until)
                    counts["moves"] += made
                    counts["games"] += 1
                except (ValueError, KeyError, httpx.HTTPError, TimeoutError, OSError) as error:
                    load.lost.append(f"{type(error).__name__}: {error}")

    async def watch() -> None:
        while time.monotonic() < until:
            load.memory.append(resident(pid))
            await asyncio.sleep(max(0.5, seconds / 40))

    await asyncio.gather(watch(), *(play(number) for number in range(clients)))
    return load._replace(games=counts["games"], moves=counts["moves"])


async def game_of(tab: Client, game: str, number: int, load: Load, until: float) -> int:
    """One game: the client plays any move, the machine answers; how many moves were made."""
    actions: list[str] = []
    for turn in itertools.count():
        seen = await tab.position(game, actions)
        if seen["over"] or time.monotonic() > until + PATIENCE:
            return len(actions)
        if seen["player"] == 0:
            actions.append(seen["legal"][(7 * number + 3 * turn) % len(seen["legal"])]["action"])
            await asyncio.sleep(0.05)  # nobody is quicker
        else:
            began = time.perf_counter()
            found = await tab.think(game, actions)
            load.replies.append(time.perf_counter() - began)
            actions.append(found["action"])
    raise AssertionError


def resident(pid: int) -> float:
    """MB of memory that a process holds; 0 where the system does not tell."""
    status = Path(f"/proc/{pid}/status")
    if not status.exists():
        return 0.0
    found = re.search(r"VmRSS:\s+(\d+) kB", status.read_text())
    return int(found[1]) / 1024 if found else 0.0
