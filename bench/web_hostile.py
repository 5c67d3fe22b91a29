"""The page among hostile clients: fifty fair ones play, with and without ten others that do all they can to stop them.

The hostile ones hold the token and open the page anew for each attack, so that they count as new browsers.
They ask a bot that never returns for moves, flood the server with analyses, trees
and positions, send half of a request, huge bodies, and one byte at a time. The fair ones play as in web_load.py. Both
are measured in turns in one run; what counts is the fair ones' reply with the hostile clients against that without.

`python -m bench.web_hostile --turns 1 --seconds 200 --json FILE` takes other times than `python -m bench hostile`.
"""

import argparse
import asyncio
import contextlib
import itertools
import json
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Awaitable, Callable, Iterator, Sequence
from functools import partial
from pathlib import Path

from websockets.asyncio.client import connect

from bench.measure import Row, Size, awaited
from bench.web_load import CLIENTS, FEW, GAMES, Client, Load, client, compiled, crowd, server

HOSTILE = 10
BOT = "def play(record, limits):\n    while True:\n        pass\n"


def run(size: Size) -> Iterator[Row]:
    turns, seconds, clients = size.pick((2, 150.0, CLIENTS), (2, 15.0, CLIENTS), (1, 1.0, 2))
    yield from measured(turns, seconds, clients, size.pick(GAMES, GAMES, FEW))


def measured(turns: int, seconds: float, clients: int, games: Sequence[str]) -> Iterator[Row]:
    with tempfile.TemporaryDirectory() as folder:
        bot = Path(folder, "sleeper.py")
        bot.write_text(BOT, encoding="utf-8")
        with server(str(bot)) as (address, process):
            awaited(compiled(address, games))
            crowds = [
                partial(turn, address, process.pid, seconds, clients, games, hostile)
                for hostile in (False, True)
            ]
            loads = [(crowds[0](), crowds[1]()) for _ in range(turns)]
    yield from rows(loads, clients, 2 * turns * seconds)


def rows(turns: list[tuple[Load, Load]], clients: int, seconds: float) -> Iterator[Row]:
    calm, pressed = ([loads[side] for loads in turns] for side in (0, 1))
    work = f"page: {clients} clients beside {HOSTILE} hostile ones, {seconds:.0f} s in all"
    lost = [why for load in pressed for why in load.lost]
    done = f"{sum(load.games for load in pressed):,} games, {sum(load.moves for load in pressed):,} moves"
    note = "; ".join(sorted(set(lost))[:3])
    yield Row(f"{work}: lost games", "without them", done, "", len(lost), "", 0, at_most=True, note=note)
    for name, of in (
        ("median", statistics.median),
        ("95 of 100", lambda times: sorted(times)[int(0.95 * len(times))]),
    ):
        ours, theirs = (of([reply for load in side for reply in load.replies]) for side in (pressed, calm))
        bound = 2.0 if name == "median" else None
        texts = f"{1000 * ours:.0f} ms", f"{1000 * theirs:.0f} ms"
        yield Row(f"{work}: reply, {name}", "without them", *texts, ours / theirs, "x", bound, at_most=True)


def turn(address: str, pid: int, seconds: float, clients: int, games: Sequence[str], hostile: bool) -> Load:
    """What the fair clients see; the hostile ones have a process of their own."""
    if not hostile:
        return awaited(crowd(address, pid, seconds, clients, games))
    command = [sys.executable, "-m", "bench.web_hostile", "--attack", address, "--seconds", str(seconds + 60)]
    with subprocess.Popen(command, stderr=subprocess.DEVNULL) as attack:
        try:
            return awaited(crowd(address, pid, seconds, clients, games))
        finally:
            attack.kill()


# --- the hostile clients --------------------------------------------------------------------------------


async def bots(tab: Client) -> None:
    """As many searches as one may have, by a bot that never returns."""
    seat = {"name": "sleeper", "time": 60}
    for number in range(4):
        await tab.live.send(json.dumps({"type": "think", "id": number, "game": "tictactoe", "seat": seat}))
    for _ in range(4):
        await tab.live.recv()


async def analyses(tab: Client) -> None:
    cookie = "; ".join(f"{name}={value}" for name, value in tab.http.cookies.items())
    async with contextlib.AsyncExitStack() as stack:
        where = tab.url.replace("http", "ws") + "/api/live"
        for _ in range(60):
            with contextlib.suppress(Exception):
                live = await stack.enter_async_context(connect(where, additional_headers={"Cookie": cookie}))
                for number in range(4):
                    await live.send(
                        json.dumps({"type": "analyse", "id": number, "game": "connect4", "lines": 8})
                    )
        await asyncio.sleep(5)


async def trees(tab: Client) -> None:
    body = {"game": "tictactoe", "search": "minimax", "depth": 5}
    await asyncio.gather(*(tab.http.post(f"{tab.url}/api/tree", json=body) for _ in range(60)))


async def positions(tab: Client) -> None:
    body = {"game": "othello"}
    await asyncio.gather(*(tab.http.post(f"{tab.url}/api/position", json=body) for _ in range(60)))


async def bodies(tab: Client) -> None:
    await tab.http.post(f"{tab.url}/api/position", content=b"[" * (8 << 20))


async def half_sent(tab: Client) -> None:
    await trickle(tab, [b"GET / HT"], 620)


async def slow(tab: Client) -> None:
    text = b"POST /api/position HTTP/1.1\r\nHost: x\r\nContent-Length: 1000\r\n\r\n"
    await trickle(tab, [bytes([letter]) for letter in text], 100)


async def trickle(tab: Client, parts: list[bytes], count: int) -> None:
    """Many connections that send a part a second."""
    host, port = tab.url.removeprefix("http://").split(":")
    writers = []
    for _ in range(count):
        with contextlib.suppress(OSError):
            writers.append((await asyncio.open_connection(host, int(port)))[1])
    for part in parts:
        for writer in writers:
            if not writer.is_closing():
                writer.write(part)
        await asyncio.sleep(1)
    for writer in writers:
        writer.close()


ATTACKS: list[Callable[[Client], Awaitable[None]]] = [
    bots,
    analyses,
    trees,
    positions,
    bodies,
    half_sent,
    slow,
]


async def attack(address: str, seconds: float) -> None:
    until = time.monotonic() + seconds

    async def go_on(hurt: Callable[[Client], Awaitable[None]]) -> None:
        while time.monotonic() < until:
            with contextlib.suppress(Exception):  # whatever comes of it, again
                async with client(address) as tab:
                    await asyncio.wait_for(hurt(tab), 30)
            await asyncio.sleep(0.1)

    await asyncio.gather(*map(go_on, itertools.islice(itertools.cycle(ATTACKS), HOSTILE)))


def main() -> int:
    parser = argparse.ArgumentParser(
        prog="python -m bench.web_hostile", description="Fair clients beside hostile ones."
    )
    parser.add_argument("--turns", type=int, default=1, help="with and without the hostile ones (1)")
    parser.add_argument("--seconds", type=float, default=60.0, help="of each half of a turn (60)")
    parser.add_argument("--json", metavar="FILE", help="write what came of it there")
    parser.add_argument("--attack", metavar="ADDRESS", help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.attack:
        asyncio.run(attack(options.attack, options.seconds))
        return 0
    found = [
        row._asdict() | {"ok": row.ok} for row in measured(options.turns, options.seconds, CLIENTS, GAMES)
    ]
    for row in found:
        print(json.dumps(row), flush=True)
    if options.json:
        Path(options.json).write_text(json.dumps(found, indent=1) + "\n", encoding="utf-8")
    return 1 if any(row["ok"] is False for row in found) else 0


if __name__ == "__main__":
    sys.exit(main())
