"""A UCI engine for tests: plays chess, and misbehaves as its first argument says; `log` goes to a file."""

import sys
import time

import chess


def main(manner: str, log: str) -> None:
    board = chess.Board()
    for line in sys.stdin:
        words = line.split()
        if log:
            with open(log, "a") as file:
                file.write(line)
        if words == ["uci"] and manner == "mute":
            time.sleep(600)
        if words == ["uci"]:
            print("id name fake\noption name Skill Level type spin default 3 min 0 max 9\nuciok", flush=True)
        elif words == ["isready"]:
            print("readyok", flush=True)
        elif words[:2] == ["position", "startpos"]:
            board = chess.Board()
        elif words[:2] == ["position", "fen"]:
            board = chess.Board(" ".join(words[2:8]))
        if words[:1] == ["position"] and "moves" in words:
            for move in words[words.index("moves") + 1 :]:
                board.push_uci(move)
        if words[:1] == ["go"]:
            answer(board, manner)
        if words == ["quit"]:
            return


def answer(board: chess.Board, manner: str) -> None:
    move = next(iter(board.legal_moves)).uci()
    print("info string score cp 99999 depth 99", flush=True)
    print(f"info depth 7 seldepth 9 multipv 1 score cp 31 nodes 1234 nps 5 pv {move}", flush=True)
    if manner == "mate":
        print(f"info depth 8 score mate -2 nodes 2000 pv {move}", flush=True)
    if manner == "crash":
        sys.exit(5)
    if manner == "hang":
        time.sleep(60)
    if manner == "illegal":
        move = "e1e8"
    if manner == "garbage":
        print("bestmove", flush=True)
        return
    print(f"bestmove {move} ponder e7e5", flush=True)


if __name__ == "__main__":
    main(sys.argv[1], sys.argv[2] if len(sys.argv) > 2 else "")
