"""The cube, Jacoby, beavers, Crawford and matches of backgammon: scores of random games beside GNU Backgammon's.

Random players, who seldom double and mostly take, play money games and matches of 1 to 9 points, until there are
`--count` games. Each is written as .mat, without the points won; GNU Backgammon replays the plays and says what the
score is after each game.
"""

import random
import re
import subprocess
import tempfile
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from bench.measure import Row, Size
from outplay.game import legal
from outplay.gamefile import to_mat
from outplay.games import Backgammon, spec
from outplay.games.backgammon.cube import OPENING, TO_DOUBLE, standing
from outplay.games.backgammon.played import ending
from outplay.peers.gnubg import found
from outplay.record import Record
from outplay.variants import variant

LENGTHS = (0, 1, 2, 3, 5, 7, 9)  # of matches; 0 is a money game
TOGETHER = 20  # matches that the program is shown at a time
DOUBLES, DROPS = 0.15, 0.2  # how often random players do
SHEET = re.compile(r"^ *(\d+) \| (\d+)$", re.MULTILINE)
Score = tuple[int, int]  # of X and O


class Match(NamedTuple):
    """A match or a money game, and the score after each game."""

    record: Record
    scores: list[Score]


def run(size: Size, count: int | None = None) -> Iterator[Row]:
    work, peer = "cube and matches of backgammon", "GNU Backgammon"
    try:
        program = found()
    except ValueError as error:
        yield Row(work, peer, note=str(error))
        return
    wanted = count or size.pick(3000, 200, 8)
    source, games, faults = random.Random(1), 0, []
    while games < wanted:
        matches = []
        while len(matches) < TOGETHER and games < wanted:
            matches.append(match(LENGTHS[(games + len(matches)) % len(LENGTHS)], source))
            games += len(matches[-1].scores)
        for one, told in zip(matches, reckoned(program, matches), strict=True):
            faults += [to_mat(one.record).splitlines()[0]] if told != one.scores else []
    note = f"first: {faults[0]}" if faults else ""
    yield Row(work, peer, f"{games:,} games", "", len(faults), "differences", 0, True, note)


def match(length: int, source: random.Random) -> Match:
    """A match, or a money game, of players at random."""
    cls = variant(Backgammon, MATCH=length, CUBE=0 if length else 64)
    if length:
        record, scores = played(cls(), source)
        return Match(record, scores)
    record, _ = played(cls(), source)
    end = ending(record.start, record.state)
    return Match(record, [(end.points, 0) if end.winner == 0 else (0, end.points)])


def played(start: Any, source: random.Random) -> tuple[Record, list[Score]]:
    """A game to its end; in a match, the scores after each of its games."""
    state, actions, scores = start, [], []
    while not state.terminal():
        actions.append(choice(state, source))
        state = state.result(actions[-1])
        if state.MATCH and (state.terminal() or state.dice == OPENING):
            scores.append(standing(state).score)
    return Record(spec(type(start)), start).play(*actions), scores


def choice(state: Any, source: random.Random) -> int:
    """An action at random; the cube is turned seldom, and few doubles are dropped."""
    actions = legal(state)
    if state.dice < OPENING:
        rare = DOUBLES if state.dice == TO_DOUBLE else DROPS
        return source.choice(actions[1:]) if source.random() < rare else actions[0]
    return int(source.choice(actions))


def reckoned(program: str, matches: Sequence[Match]) -> Iterator[list[Score]]:
    """The scores of matches as the program has them."""
    with tempfile.TemporaryDirectory() as folder:
        commands = ["set confirm new off", "set jacoby on"]
        for number, one in enumerate(matches):
            file = Path(folder, f"{number}.mat")
            file.write_text(re.sub(r" *Wins \d+ points?", "", to_mat(one.record)))
            commands += [f"import mat {file}", "show scoresheet"]
        script = "\n".join([*commands, ""]).encode()
        done = subprocess.run([program, "-t", "-q", "-r"], input=script, capture_output=True, timeout=600)
    said = done.stdout.replace(b"\0", b"").decode(errors="replace")
    for sheet in said.split("Score Sheet")[1:]:
        yield [(int(x), int(o)) for o, x in SHEET.findall(sheet)]
