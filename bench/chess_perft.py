"""Chess: counts of move sequences and their speed beside Stockfish, and random play in step with python-chess.

The suites of counts are read from `../shared/data/chess/perft`, where that is.
"""

import os
import random
import re
import shutil
import subprocess
from collections.abc import Iterator
from pathlib import Path
from time import process_time
from typing import Any

import numpy as np

from bench.measure import Row, Size, in_turns, left_out, ratio_row, short
from outplay.compile import kernel, twin
from outplay.compile.runtime import NATIVE
from outplay.games import Chess
from outplay.search import perft

SUITES = Path(__file__).parents[2] / "shared" / "data" / "chess" / "perft"
FILES = ("ethereal_standard.epd", "perft_mixed.epd", "ethereal_fischer_first480.epd", "chess960.perft")
MOST = 50_000_000  # nodes of a line that is counted
POSITIONS = 1_000_000
KIWIPETE = "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1"
FLOOR = 1.8
_, pointer = NATIVE["pointer"]


def run(size: Size, count: int | None = None) -> Iterator[Row]:
    yield from suites(size.pick(MOST, MOST // 1000, 50))
    yield from speed(*size.pick((6, 9), (6, 3), (3, 1)))
    yield random_play(count or size.pick(POSITIONS, POSITIONS // 1000, 100))


# --- counts ---------------------------------------------------------------------------------------------


def suites(most: int) -> Iterator[Row]:
    """Every line of the suites to the depth that costs at most so many nodes."""
    for name in FILES:
        work = f"perft, {name}, up to {most:,} nodes"
        if not (SUITES / name).is_file():
            yield left_out(work, "published counts", f"{SUITES / name} is not there")
            continue
        lines, nodes, wrong = 0, 0, []
        began = process_time()
        for fen, counts in read((SUITES / name).read_text(encoding="utf-8")):
            state = Chess.parse(fen)
            for depth, count in counts:
                if count <= most:
                    lines, nodes = lines + 1, nodes + count
                    found = perft(state, depth)
                    if found != count:
                        wrong.append(f"{fen} depth {depth}: {found}, not {count}")
        done = f"{lines} counts, {short(nodes / (process_time() - began))} nodes/s"
        note = f"{work}: {wrong[0]}" if wrong else ""
        yield Row(work, "published counts", done, "", len(wrong), "wrong", 0, at_most=True, note=note)


def read(text: str) -> Iterator[tuple[str, list[tuple[int, int]]]]:
    """The positions of a suite, each with its depths and counts; the suites have two ways to write them."""
    if "\nepd " in text:
        for block in text.split("\nepd ")[1:]:
            counts = [(int(d), int(n)) for d, n in re.findall(r"perft (\d+) (\d+)", block)]
            yield block.partition("\n")[0].strip(), counts
    else:
        for line in filter(None, text.splitlines()):
            counts = [(int(d), int(n)) for d, n in re.findall(r"D(\d+) (\d+)", line)]
            yield line.partition(";")[0].strip(), counts


# --- speed ----------------------------------------------------------------------------------------------


def speed(depth: int, turns: int) -> Iterator[Row]:
    program = shutil.which("stockfish") or shutil.which("stockfish", path="/usr/games")
    for name, fen, plies, floor in (
        ("start", str(Chess()), depth, FLOOR),
        ("kiwipete", KIWIPETE, depth - 1, None),
    ):
        work = f"perft {plies}, {name}, one thread"
        if program is None or not Path("/proc").is_dir():
            yield left_out(work, "Stockfish", "there is no stockfish, or no /proc to read its time from")
            continue
        state = Chess.parse(fen)
        with Stockfish(program) as stockfish:
            measured = in_turns(
                lambda s=state, d=plies: ours(s, d), lambda f=fen, d=plies: stockfish(f, d), turns
            )
            yield ratio_row(work, stockfish.name, "nodes/s", measured, floor)


def ours(state: Any, depth: int) -> float:
    began = process_time()
    return perft(state, depth) / (process_time() - began)


class Stockfish:
    """The engine as a process; its clock is its own processor time."""

    def __init__(self, program: str) -> None:
        self.process = subprocess.Popen([program], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        self.name = self.until("Stockfish").split(" by ")[0]

    def __enter__(self) -> "Stockfish":
        return self

    def __exit__(self, *_: Any) -> None:
        self.process.kill()
        self.process.wait()

    def __call__(self, fen: str, depth: int) -> float:
        began = self.time()
        assert self.process.stdin is not None
        self.process.stdin.write(f"position fen {fen}\ngo perft {depth}\n")
        self.process.stdin.flush()
        nodes = int(self.until("Nodes searched").split()[-1])
        return nodes / max(self.time() - began, 0.01)

    def until(self, text: str) -> str:
        assert self.process.stdout is not None
        for line in self.process.stdout:
            if text in line:
                return line
        raise RuntimeError(f"{self.process.args} ended without saying {text!r}")

    def time(self) -> float:
        fields = Path(f"/proc/{self.process.pid}/stat").read_text(encoding="utf-8").rpartition(")")[2].split()
        return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


# --- rules ----------------------------------------------------------------------------------------------


def random_play(positions: int) -> Row:
    """Games at random, half of them of Chess960: moves, FEN, check and end at every position."""
    work = f"rules, chess and Chess960, {positions:,} positions"
    try:
        import chess
    except ImportError as error:
        return left_out(work, "python-chess", error)
    rng = random.Random(positions)
    compiled = twin(Chess)
    memory = np.zeros(Chess.max_actions + 1, np.int64)
    different: list[str] = []
    seen = 0
    while seen < positions:
        board = chess.Board(chess960=True)
        if rng.random() < 0.5:
            board = chess.Board.from_chess960_pos(rng.randrange(960))
        state = Chess.parse(board.fen())
        going = True
        while going and seen < positions:
            seen += 1
            terminal, drawn, count, written, check, utility = look(compiled.state(state), memory)
            turn = 56 * state.player()
            moves = {absolute(int(action), turn): int(action) for action in memory[:written]}
            legal = {
                m.from_square | m.to_square << 6 | (m.promotion or 0) << 12: m for m in board.legal_moves
            }
            dead, quiet = board.is_insufficient_material(), board.halfmove_clock >= 100
            mated = 0 if legal or not check else 1 if state.player() else -1
            theirs = (
                not legal or dead or quiet,
                bool(legal) and (dead or quiet),
                len(legal),
                board.is_check(),
            )
            if (
                (bool(terminal), bool(drawn), count, bool(check)) != theirs
                or moves.keys() != legal.keys()
                or str(state) != board.fen()
                or terminal
                and utility != mated
            ):
                different.append(board.fen())
            going = bool(legal) and not dead and board.halfmove_clock < 105
            if going:
                chosen = rng.choice(sorted(legal))
                state = state.result(moves[chosen])
                board.push(legal[chosen])
    note = f"{work}: {different[0]}" if different else ""
    return Row(work, "python-chess", "", "", len(different), "differences", 0, at_most=True, note=note)


def absolute(action: int, turn: int) -> int:
    """An action as White sees it, in python-chess's numbers of pieces."""
    kind = action >> 12
    return (action & 63 ^ turn) | (action >> 6 & 63 ^ turn) << 6 | (kind - 6 if kind >= 8 else 0) << 12


@kernel
def look(s: Any, array: Any) -> Any:
    memory = pointer(array)
    over = s.terminal()
    written = s.actions(memory, 0)
    return over, s.drawn(), s.count(memory, 0), written, s.forced(), s.utility() // s.worth() if over else 0
