"""Scores for positions of chess, to tune its evaluation with: `python -m bench.chess_scores POSITIONS OUT`.

POSITIONS are lines that begin with a FEN or EPD (also .gz). A UCI engine looks at each for a number of nodes. Where it
wants to take, to promote or to answer a check, or sees a side won, the position is no matter of judgement and is left
out; else its score becomes the chance to win, four pawns being ten to one:

    python -m bench.chess_scores quiet_labelled_train_100k.epd.gz scores.jsonl --engine stockfish --nodes 1500
    outplay learn tune chess --positions scores.jsonl --pull 10 --keep chase --out src/outplay/games/chess/weights.json

The result of one game says little about one position, and less the more pieces are left: in the file above a pawn
more in the opening wins no more games than a pawn less (it may have been given up for something). A score says more.
"""

import argparse
import gzip
import json
import math
from collections.abc import Iterator
from pathlib import Path

import chess
import chess.engine

PAWN, WON = 100, 1500
ODDS = math.log(10) / (4 * PAWN)


def positions(path: Path) -> Iterator[str]:
    """The first four fields of every line."""
    opened = gzip.open if path.suffix == ".gz" else open
    with opened(path, "rt", encoding="utf-8") as lines:
        for line in lines:
            if line.strip():
                yield " ".join(line.split()[:4])


def is_quiet(board: chess.Board, move: chess.Move) -> bool:
    return not (board.is_check() or board.is_capture(move) or move.promotion)


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m bench.chess_scores")
    parser.add_argument("positions", type=Path)
    parser.add_argument("out", type=Path)
    parser.add_argument("--engine", default="stockfish")
    parser.add_argument("--nodes", type=int, default=1500)
    options = parser.parse_args()
    limit = chess.engine.Limit(nodes=options.nodes)
    with chess.engine.SimpleEngine.popen_uci(options.engine) as engine, options.out.open("w") as out:
        for position in positions(options.positions):
            board = chess.Board(f"{position} 0 1")
            found = engine.analyse(board, limit)
            score = found["score"].white().score(mate_score=100_000)
            if abs(score) <= WON and is_quiet(board, found["pv"][0]):
                chance = 1 / (1 + math.exp(-ODDS * score))
                print(json.dumps({"position": board.fen(), "result": round(chance, 4)}), file=out)


if __name__ == "__main__":
    main()
