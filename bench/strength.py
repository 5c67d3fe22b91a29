"""Matches that say how strong the engine is: `python -m bench.strength NAME [--games N] [--out FILE]`.

They take minutes to hours, so they are no part of `python -m bench`. Names: checkers (against OpenSpiel's MCTSBot
with 2,000 simulations), othello (against GRhino, level 3, through GTP), go (9x9, komi 7.5, against GNU Go, level 10,
from the empty board; with another --seed other games); othello-net, kalah-net, checkers-net: the net that the game
comes with and 800 simulations, against the same or MCTSBot with 10,000 simulations.
"""

import argparse
import sys
from pathlib import Path

from outplay.arena import Conditions, Match, Played, TimeControl
from outplay.search.mcts.network import NETS

SHARED = Path(__file__).parents[2] / "shared" / "data"
XOT = SHARED / "othello/xot_openingslarge.txt"
BALLOTS = SHARED / "checkers/ballots/3move_english.json"
OPENSPIEL = f"{Path(__file__).parent}/openspiel_mcts.py"
RHINO = "gtp:gtp-rhino --level=3,tc=none"
MATCHES = {  # game, players, openings or their random plies, seconds a move for ours, games, the least score
    "checkers": ("checkers", "engine", f"{OPENSPIEL}:MctsBot:tc=none", BALLOTS, 0.1, 40, 0.90),
    "othello": ("othello", "engine", RHINO, XOT, 0.02, 100, 0.60),
    "othello-net": ("othello", "puct:simulations=800", RHINO, XOT, 10.0, 100, 0.60),
    "kalah-net": (
        "kalah:empty_capture=0", f"puct:net={NETS}/kalah.npz,simulations=800", f"{OPENSPIEL}:KalahBot:tc=none",
        4, 10.0, 100, 0.60,
    ),
    "checkers-net": (
        "checkers", "puct:simulations=800", f"{OPENSPIEL}:StrongMctsBot:tc=none", BALLOTS, 10.0, 40, 0.60,
    ),
    "go": (
        "go", "uct:seed={seed}",
        "gtp:gnugo --mode gtp --level 10 --chinese-rules --capture-all-dead --seed {seed},tc=none",
        0, 1.0, 100, 0.50,
    ),
}  # fmt: skip


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m bench.strength")
    parser.add_argument("name", choices=MATCHES)
    parser.add_argument("--games", type=int, help="other than usual")
    parser.add_argument("--time", type=float, help="seconds a move for ours")
    parser.add_argument("--seed", type=int, default=1, help="of openings, or of the players")
    parser.add_argument("--out", help="results; a stopped match goes on from there")
    options = parser.parse_args()
    game, ours, theirs, openings, seconds, games, floor = MATCHES[options.name]
    control = TimeControl(time=options.time or seconds)
    players = [player.format(seed=options.seed) for player in (ours, theirs)]
    begin = {"plies": openings} if isinstance(openings, int) else {"openings": str(openings)}
    conditions = Conditions(
        options.games or games, control, seed=options.seed, **begin, patience=60, margin=1.0
    )
    match = Match(game, players, conditions, out=options.out)
    now = match.run(tell)
    print(now, f"{now.score:.1%}", now.elo)
    for number, one in enumerate(match.entrants):
        used = match.effort(number)
        print(f"{one.name}: {used.seconds / max(used.moves, 1):.3f} s a move, longest {used.longest:.3f}")
        for game_lost in match.faults(number):
            print(f"  game {game_lost.number + 1}: {game_lost.reason}")
    return 0 if now.score is not None and now.score >= floor else 1


def tell(match: Match, game: Played) -> None:
    now = match.standing
    line = f"game {game.number + 1}: {game.score} ({game.reason}); +{now.wins} ={now.draws} -{now.losses}"
    print(line, file=sys.stderr, flush=True)


if __name__ == "__main__":
    sys.exit(main())
