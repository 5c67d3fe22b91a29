"""A GTP engine for tests: plays Othello, and misbehaves as its first argument says."""

import sys
import time

from outplay.game import action_text, legal, parse_action
from outplay.games import load


def main(manner: str, after: int) -> None:
    game, state, asked = None, None, 0
    for line in sys.stdin:
        words = line.split()
        answer = ""
        if words[0] == "list_commands":
            answer = "\n".join(("list_commands", "boardsize", "clear_board", "play", "genmove", "quit"))
            if manner == "mute":
                time.sleep(600)
            if manner == "start":
                print("cannot find my weights", file=sys.stderr)
                sys.exit(3)
        elif words[0] == "boardsize":
            game = load(f"othello:size={words[1]}")
        elif words[0] == "clear_board":
            state = game.start
        elif words[0] == "play":
            if words[2] == "pass" and manner == "no-pass":
                print("? syntax error\n", flush=True)
                state = state.result(parse_action(state, "pass"))
                continue
            state = state.result(parse_action(state, words[2]))
        elif words[0] == "genmove":
            assert words[1] == ("black", "white")[state.player()]
            asked += 1
            action = legal(state)[0]
            answer = action_text(state, action).upper()
            if asked > after:
                answer = misbehave(manner, answer)
            state = state.result(action)
        elif words[0] == "quit":
            print("=\n", flush=True)
            return
        print(f"= {answer}\n", flush=True)


def misbehave(manner: str, answer: str) -> str:
    if manner == "crash":
        print("segmentation fault", file=sys.stderr)
        sys.exit(7)
    if manner == "hang":
        time.sleep(60)
    if manner == "late":
        time.sleep(0.6)
    if manner == "illegal":
        return "a9"
    if manner == "resign":
        return "resign"
    if manner == "garbage":
        print("\x00\xff??? no move here", flush=True)
        print("? what", flush=True)
    if manner == "flood":
        while True:
            print("chatter" * 100, flush=True)
    return answer


if __name__ == "__main__":
    main(sys.argv[1], int(sys.argv[2]) if len(sys.argv) > 2 else 0)
