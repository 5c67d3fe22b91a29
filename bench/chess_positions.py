"""Scored positions of chess, to learn its evaluation from: `python -m bench.chess_positions OPENINGS OUT`.

A UCI engine plays against itself, with few nodes a move, from OPENINGS (lines that begin with a FEN or EPD, also .gz).
Good players' positions hardly show what an open king or a lost pawn costs: good players avoid both. So every game
begins with some random moves, and later moves are random with a chance that is the game's own, unless they lose too
much. Every quiet position is kept with the engine's score: where it wants to take, to promote or to answer a check,
or sees a side won, there is no matter of judgement.

With so few nodes the engine would wait for its next question longer than it thinks. So each process plays many games
at once, and gives its engine the questions of all of them together. Stockfish answers one after the other; an engine
that ends its search when the next question comes needs `--games 1`.

OUT.npz is for `bench.chess_net`: `words` (n, 7) int64 are own, opp, pawns, knights, diagonal, straight and kings as
`Chess` has them, `scores` (n,) int16 hundredths of a pawn, all as the mover sees them. OUT.jsonl is for `outplay
learn tune`: the mover is White, and the score has become his chance to win, four pawns being ten to one.

Ctrl-C ends it early; what there is by then is written.
"""

import argparse
import gzip
import json
import multiprocessing
import random
import signal
import subprocess
import sys
import time
from array import array
from collections.abc import Generator
from concurrent.futures import ProcessPoolExecutor, wait
from pathlib import Path
from typing import Any, NamedTuple

import chess
import numpy as np

from outplay.arena.external import command_line
from outplay.arena.faults import Fault
from outplay.arena.uci import UciSeat
from outplay.games.chess import Chess
from outplay.words import bswap, wrap

FOUR_PAWNS = 400  # as a score: ten to one
EVEN = 400  # a game begins where no side is ahead by more,
WON = 900  # and ends where one is,
DRAWN = 8  # after so many scores of 0 in a row,
LONGEST = 240  # or after so many plies
SLACK = 200  # what a random move may lose
MATE = 3000  # its score
FROM_OPENINGS = 0.85  # of the games; the others begin as chess does
RANDOM_FIRST = (1, 8)  # plies
RANDOM_LATER = (0.03, 0.08, 0.15, 0.25)  # chances, one for each game
WORDS = 7
GAMES = 24  # at once, at most: their questions must fit in a pipe, or both ends might wait for ever
TOLD = 40  # moves; with more, a position is told anew as soon as none of them can be repeated


class Look(NamedTuple):
    """What the engine sees: the mover's score, and the best move; None if there is no move or no score."""

    score: int
    move: chess.Move | None


class Engine:
    """A UCI engine that looks at positions. A pipe and no more: python-chess's takes longer than the search."""

    def __init__(self, command: list[str], nodes: int) -> None:
        self.process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        self.nodes = nodes
        self.tell("uci")
        self.hear("uciok")
        self.tell("setoption name Hash value 4\nisready")
        self.hear("readyok")

    def look(self, positions: list[str]) -> list[Look]:
        """A look at each position, which is told as UCI's `position` command."""
        self.tell("\n".join(f"{position}\ngo nodes {self.nodes}" for position in positions))
        return [seen(self.hear("bestmove")) for _ in positions]

    def tell(self, text: str) -> None:
        assert self.process.stdin is not None
        self.process.stdin.write(f"{text}\n")
        self.process.stdin.flush()

    def hear(self, end: str) -> list[str]:
        """What it says up to a line that begins with a word; a BrokenPipeError if it is gone."""
        assert self.process.stdout is not None
        lines = [""]
        while not lines[-1].startswith(end):
            line = self.process.stdout.readline()
            if not line:
                raise BrokenPipeError
            lines.append(line)
        return lines

    def close(self) -> None:
        self.process.kill()
        self.process.wait()


def seen(lines: list[str]) -> Look:
    """What an engine's lines say, of which the last is its move."""
    best = lines[-1].split()[1]
    words = next((line.split() for line in reversed(lines) if " score " in line), None)
    if words is None or best in ("(none)", "0000"):
        return Look(0, None)
    kind, number = words[words.index("score") + 1 :][:2]
    score = int(number)
    if kind == "mate":
        score = MATE if score > 0 else -MATE
    return Look(score, chess.Move.from_uci(best))


# --- games ------------------------------------------------------------------------------------------------

Looking = Generator[str, Look, None]  # it yields a position for the engine, and is sent what is seen there


def play(openings: list[str], dice: random.Random, rows: "array[int]") -> Looking:
    """One game after the other; their quiet positions go to `rows`, each as seven words and the score."""
    while True:
        opening = dice.choice(openings) if dice.random() < FROM_OPENINGS else chess.STARTING_FEN
        yield from play_one(opening, dice, rows)


def play_one(start: str, dice: random.Random, rows: "array[int]") -> Looking:
    board = chess.Board(start)
    for _ in range(dice.randint(*RANDOM_FIRST)):
        moves = list(board.legal_moves)
        if not moves:
            return
        board.push(dice.choice(moves))
    score, move = yield told(start, board)
    if abs(score) > EVEN:
        return
    chance = dice.choice(RANDOM_LATER)
    zeros = 0
    for _ in range(LONGEST):
        zeros = zeros + 1 if score == 0 else 0
        if move is None or abs(score) > WON or zeros == DRAWN or board.is_fifty_moves():
            return
        if is_quiet(board, move):
            rows.extend((*words(board), score))
        if dice.random() < chance:
            board.push(dice.choice(list(board.legal_moves)))
            after = yield told(start, board)
            if after.move is not None and score + after.score <= SLACK:
                score, move = after
                continue
            board.pop()
        board.push(move)
        if len(board.move_stack) > TOLD and board.halfmove_clock == 0:
            start = board.fen()
            board.clear_stack()
        score, move = yield told(start, board)


def told(start: str, board: chess.Board) -> str:
    """UCI's command for a position: how its line began, and the moves since, so that the engine sees repetitions."""
    return f"position fen {start} moves {' '.join(map(str, board.move_stack))}"


def is_quiet(board: chess.Board, move: chess.Move) -> bool:
    return not (board.is_check() or board.is_capture(move) or move.promotion)


def words(board: chess.Board) -> list[int]:
    """The men as `Chess` has them: seen by the player to move, a queen among the bishops and the rooks."""
    own, opp = board.occupied_co[board.turn], board.occupied_co[not board.turn]
    diagonal, straight = board.bishops | board.queens, board.rooks | board.queens
    men = map(wrap, (own, opp, board.pawns, board.knights, diagonal, straight, board.kings))
    return list(men if board.turn else map(bswap, men))


# --- many processes ---------------------------------------------------------------------------------------

_stop: Any = None  # set when it is time to end
_count: Any = None  # positions of all processes


def share(stop: Any, count: Any) -> None:
    """What all processes have in common."""
    global _stop, _count
    _stop, _count = stop, count


def games(openings: list[str], command: list[str], nodes: int, at_once: int, seed: str) -> "array[int]":
    """Play until it is time to end, or until the engine is gone: eight words for each position."""
    dice = random.Random(seed)
    parts = [array("q") for _ in range(at_once)]  # apart, so that the positions of a game stay together
    playing = [play(openings, dice, rows) for rows in parts]
    asked = [next(game) for game in playing]
    engine = Engine(command, nodes)
    known = 0
    try:
        while not _stop.is_set():
            looks = engine.look(asked)
            asked = [game.send(look) for game, look in zip(playing, looks, strict=True)]
            before, known = known, sum(map(len, parts)) // (WORDS + 1)
            with _count:
                _count.value += known - before
    except BrokenPipeError:
        print("an engine has ended: its positions so far are kept", file=sys.stderr)
    finally:
        engine.close()
    return sum(parts, array("q"))


def gather(openings: list[str], command: list[str], options: argparse.Namespace) -> np.ndarray:
    """The positions of several processes, (n, 8) int64."""
    context = multiprocessing.get_context("spawn")
    stop, count = context.Event(), context.Value("q", 0)
    with ProcessPoolExecutor(options.processes, context, share, (stop, count)) as pool:
        heard = signal.signal(
            signal.SIGINT, signal.SIG_IGN
        )  # Ctrl-C is for this process, not for its children
        parts = [
            pool.submit(games, openings, command, options.nodes, options.games, f"{options.seed}/{k}")
            for k in range(options.processes)
        ]
        signal.signal(signal.SIGINT, heard)
        try:
            begin = time.monotonic()
            done: Any = ()
            while (spent := time.monotonic() - begin) < options.seconds and len(done) < len(parts):
                print(f"\r{spent:.0f} s: {count.value:,} positions", end="", file=sys.stderr, flush=True)
                done, _ = wait(parts, min(1.0, options.seconds - spent))
        except KeyboardInterrupt:
            pass
        finally:
            stop.set()
            print(file=sys.stderr)
        found = [np.frombuffer(part.result(), np.int64) for part in parts]
    return np.concatenate(found).reshape(-1, WORDS + 1)


# --- files ------------------------------------------------------------------------------------------------


def read_openings(path: Path) -> list[str]:
    """A FEN for every line, made of its first four fields."""
    opened = gzip.open if path.suffix == ".gz" else open
    found = []
    with opened(path, "rt", encoding="utf-8") as lines:
        for number, line in enumerate(lines, 1):
            if line.strip():
                fen = " ".join([*line.split()[:4], "0 1"])
                try:
                    valid = chess.Board(fen).is_valid()
                except ValueError as error:
                    raise ValueError(f"{path} line {number}: {error}") from None
                if not valid:
                    raise ValueError(f"{path} line {number}: no position of chess: {fen}")
                found.append(fen)
    if not found:
        raise ValueError(f"{path} holds no positions")
    return found


def write(path: Path, rows: np.ndarray) -> None:
    """The positions for `bench.chess_net` or for `outplay learn tune`, by the name's ending."""
    if path.suffix == ".npz":
        np.savez_compressed(path, words=rows[:, :WORDS], scores=rows[:, WORDS].astype(np.int16))
        return
    with path.open("w", encoding="utf-8") as out:
        for *men, score in rows.tolist():
            chance = 1 / (1 + 10 ** (-score / FOUR_PAWNS))
            position = str(Chess(*men, 0))
            print(json.dumps({"position": position, "result": round(chance, 4)}), file=out)


def speaking(command: str) -> list[str]:
    """An engine's command line; a Fault or ValueError if it does not speak UCI."""
    UciSeat("chess", command, (), time.monotonic() + 10).close()
    return command_line(command)


def positive(text: str) -> int:
    number = int(text)
    if number < 1:
        raise argparse.ArgumentTypeError(f"{text} is not positive")
    return number


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m bench.chess_positions")
    parser.add_argument("openings", type=Path)
    parser.add_argument("out", type=Path, help="OUT.npz or OUT.jsonl")
    parser.add_argument("--seconds", type=positive, default=60)
    parser.add_argument("--processes", type=positive, default=1)
    parser.add_argument("--engine", default="stockfish")
    parser.add_argument("--nodes", type=positive, default=70, help="for each move")
    parser.add_argument(
        "--games", type=int, default=GAMES, choices=range(1, GAMES + 1), metavar="N", help="at once"
    )
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    if options.out.suffix not in (".npz", ".jsonl") or not options.out.parent.is_dir():
        raise SystemExit(f"{options.out}: a name that ends with .npz or .jsonl, in a folder, is wanted")
    try:
        openings, command = read_openings(options.openings), speaking(options.engine)
    except (OSError, ValueError) as error:
        raise SystemExit(str(error)) from None
    except Fault as error:
        raise SystemExit(f"{options.engine} {error}: an engine that speaks UCI is wanted") from None
    rows = gather(openings, command, options)
    if not len(rows):
        raise SystemExit("no game came to a quiet position: allow more seconds, or other openings")
    write(options.out, rows)
    print(f"{len(rows):,} positions")


if __name__ == "__main__":
    main()
