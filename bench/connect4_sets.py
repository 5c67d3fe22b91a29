"""Pascal Pons's test sets of Connect Four, a thousand positions each: who wins, and how fast, is found exactly."""

from collections.abc import Iterator
from pathlib import Path
from time import process_time

from bench.measure import Row, Size, left_out
from outplay.games import ConnectFour
from outplay.limits import Analysis, Limits
from outplay.search.engine.engine import Engine

DATA = Path(__file__).parents[2] / "shared" / "data" / "connect4"
SETS = ("Test_L3_R1", "Test_L2_R1", "Test_L1_R1")
MEGABYTES = 256


def run(size: Size) -> Iterator[Row]:
    step = size.pick(1, 10, 500)  # every tenth position
    for name in SETS:
        if not (DATA / name).exists():
            yield left_out(name, "known scores", f"{DATA / name} is absent")
            continue
        lines = (DATA / name).read_text().splitlines()[::step]
        began = process_time()
        wrong = len(wrongly_solved(lines, size is not Size.SMOKE))
        ours = f"{process_time() - began:.1f} s"
        work = f"{name}: {len(lines)} positions of Connect Four"
        yield Row(work, "known scores", ours, "", wrong, "wrong", 0, at_most=True)


def wrongly_solved(lines: list[str], fixed: bool = True) -> list[str]:
    """Those of the lines (moves and score) whose score the engine does not find, with all sound switches.

    `fixed`: by a build for these switches alone.
    """
    engine = Engine(MEGABYTES, "sound", fixed=fixed)
    wrong = []
    for line in lines:
        moves, wanted = line.split()
        state = ConnectFour.parse(moves)
        found = engine.search(state, Limits())
        if not found.proven or score(found, len(moves), state.player()) != int(wanted):
            wrong.append(line)
    return wrong


def score(found: Analysis, plies: int, mover: int) -> int:
    """As the sets count: 22 less the stones that the winner has played, for the player to move."""
    if not found.value:
        return 0
    winner = 0 if found.value > 0 else 1
    stones = (plies + found.depth + 1 - winner) // 2
    return (22 - stones) * (1 if winner == mover else -1)
