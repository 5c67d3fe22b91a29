"""A game of its own with a net: the engine, which keeps the net's sums, finds what plain minimax finds without."""

import random
import tempfile
from array import array
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from outplay.game import GameError, adopt
from outplay.limits import Limits
from outplay.nnue import HALF, LANES, NNUE, OFFSET, ONE, POINT, SQUARE, bucket, views
from outplay.search.engine.engine import Engine
from outplay.search.textbook import minimax
from outplay.words import bits, popcount, shr, wrap

CELLS, UNITS, BUCKETS = 9, 128, 3
WIDTH = UNITS // LANES


def made() -> NNUE:
    """A net of random numbers: rows for both sides' stones on each cell."""
    dice = random.Random(3)
    rows = [dice.randint(-60, 90) for _ in range(2 * CELLS * UNITS)]
    weights = [dice.randint(-900, 900) for _ in range(BUCKETS * 2 * UNITS)]
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "net.bin"
        file.write_bytes(array("h", [*rows, *weights, 5, -7, 11]).tobytes())
        return NNUE.load(file, 2 * CELLS, UNITS, BUCKETS)


NET = made()
ROWS, WEIGHTS, BIASES = NET.rows, NET.weights, NET.biases


class Stones(NamedTuple):
    """Both sides fill nine cells; only the net has an opinion on how."""

    net = NET
    max_actions = CELLS

    own: int = 0
    opp: int = 0
    ply: int = 0

    def player(self):
        return self.ply & 1

    def actions(self):
        for cell in range(CELLS):
            if not (self.own | self.opp) >> cell & 1:
                yield cell

    def result(self, cell):
        return Stones(self.opp, self.own | 1 << cell, self.ply + 1)

    def terminal(self):
        return self.ply == CELLS

    def utility(self):
        return 0

    def evaluate(self):
        stones = self.own | self.opp
        chosen, total = bucket(popcount(stones), BUCKETS), 0
        for i in range(WIDTH):
            mine = yours = 0
            for cell in bits(stones):
                seen = self.net_feature(cell)
                mine += ROWS[(seen & 0xFFFF) * WIDTH + i]
                yours += ROWS[(seen >> 16) * WIDTH + i]
            for lane in range(0, 16 * LANES, 16):
                x = min(max((shr(mine, lane) & 0xFFFF) - OFFSET * popcount(stones), 0), ONE)
                y = min(max((shr(yours, lane) & 0xFFFF) - OFFSET * popcount(stones), 0), ONE)
                first, second = WEIGHTS[2 * chosen * WIDTH + i], WEIGHTS[(2 * chosen + 1) * WIDTH + i]
                total += (wrap(first << 48 - lane) >> 48) * (x * x + HALF >> 8)
                total += (wrap(second << 48 - lane) >> 48) * (y * y + HALF >> 8)
        return self.informed(total // (SQUARE * POINT) + BIASES[chosen])

    def informed(self, learned):
        return -learned if self.ply & 1 else learned

    def net_cells(self):
        return self.own | self.opp

    def net_feature(self, cell):
        side = CELLS * (self.opp >> cell & 1)
        return views(cell + side, cell + CELLS - side)

    def net_changed(self, before):
        return self.own ^ before.own | self.opp ^ before.opp


@pytest.mark.lanes
@pytest.mark.parametrize("depth", [1, 2, 3])
def test_the_engine_finds_what_minimax_finds(depth: int) -> None:
    state: Any = adopt(Stones)()
    values = set()
    for cell in (4, 0, 8, 2):
        found = Engine(1, on="exact").search(state, Limits(depth=depth))
        assert found.score == minimax.value(state, depth)
        values.add(found.score)
        state = state.result(cell)
    assert len(values) > 2  # the net says something


def test_a_net_needs_its_rules() -> None:
    rules = {name: rule for name, rule in vars(Stones).items() if not name.startswith("__")}
    for missing in ("informed", "net_cells", "net_feature", "net_changed"):

        class Short(NamedTuple):
            own: int = 0
            opp: int = 0
            ply: int = 0

        for name, rule in rules.items():
            if name not in (missing, "_field_defaults", "_fields", "own", "opp", "ply"):
                setattr(Short, name, rule)
        with pytest.raises(
            GameError, match=rf"Short has a net, but no method {missing}\(\): it needs evaluate, "
        ):
            adopt(Short)
