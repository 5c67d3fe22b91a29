"""Positions of chess as weak players reach them: `python -m bench.chess_positions OPENINGS OUT --games N`.

Good players' quiet positions hardly show what an open king or a lost pawn structure costs: good players avoid both.
Here a UCI engine plays itself from OPENINGS (lines that begin with a FEN or EPD), each move chosen at random among
the five best it sees after a few hundred nodes, as long as they are not much worse than the best one. Every third
position is written, the first four fields of its FEN; `bench.chess_scores` then scores them.
"""

import argparse
import random
from pathlib import Path

import chess
import chess.engine

from bench.chess_scores import positions

LINES, NODES, SLACK, WON = 5, 600, 130, 900
EVERY, LONGEST = 3, 160  # plies


def play(engine: chess.engine.SimpleEngine, board: chess.Board, chosen: random.Random) -> list[str]:
    """The positions of one game."""
    found = []
    for ply in range(LONGEST):
        if board.is_game_over(claim_draw=True):
            break
        seen = engine.analyse(board, chess.engine.Limit(nodes=NODES), multipv=LINES)
        scores = [line["score"].relative.score(mate_score=100_000) for line in seen]
        if abs(scores[0]) > WON:
            break
        if ply % EVERY == EVERY - 1:
            found.append(board.epd())
        good = [line["pv"][0] for line, score in zip(seen, scores, strict=True) if score >= scores[0] - SLACK]
        board.push(chosen.choice(good))
    return found


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m bench.chess_positions")
    parser.add_argument("openings", type=Path)
    parser.add_argument("out", type=Path)
    parser.add_argument("--games", type=int, default=1000)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--engine", default="stockfish")
    options = parser.parse_args()
    chosen = random.Random(options.seed)
    openings = list(positions(options.openings))
    with chess.engine.SimpleEngine.popen_uci(options.engine) as engine, options.out.open("w") as out:
        for _ in range(options.games):
            for position in play(engine, chess.Board(f"{chosen.choice(openings)} 0 1"), chosen):
                print(position, file=out, flush=True)


if __name__ == "__main__":
    main()
