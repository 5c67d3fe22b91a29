"""The strength dial: a weaker player sees less, and still mates with king and rook."""

import pytest

from outplay.games import Chess
from outplay.limits import Limits
from outplay.record import Record
from outplay.search.engine.engine import Engine
from outplay.ui.uci.options import STRONGEST, WEAKEST
from outplay.ui.uci.strength import SCALE, strength

FIFTY = 100  # plies
FULL = 20_000  # nodes of an engine that is not held back
ENDINGS = (
    "8/8/8/4k3/8/8/8/R3K3 w - - 0 1",
    "8/8/8/3k4/8/8/8/K6R w - - 0 1",
    "4k3/8/8/8/3R4/8/8/7K w - - 0 1",
    "8/2k5/8/8/5K2/8/8/r7 b - - 0 1",
    "8/8/2k5/8/R7/8/5K2/8 w - - 0 1",
    "8/8/8/4K3/8/3r4/8/k7 b - - 0 1",
)


def test_more_elo_sees_more() -> None:
    seen = [strength(elo) for elo in range(WEAKEST, STRONGEST + 1, 50)]
    assert [s.nodes for s in seen] == sorted({s.nodes for s in seen})
    assert [s.noise for s in seen] == sorted((s.noise for s in seen), reverse=True)
    assert [strength(elo) for elo, *_ in SCALE] == [(nodes, noise) for _, nodes, noise in SCALE]


def test_in_endings_it_sees_further() -> None:
    seen = [strength(1200).nodes_at(Chess.parse(position)) for position in (str(Chess()), ENDINGS[0])]
    assert seen == [strength(1200).nodes, strength(1200).nodes * 32 // 3]


@pytest.mark.parametrize(("elo", "seed"), [(1200, 1), (1200, 2), (1600, 1), (1600, 2), (None, 1)])
@pytest.mark.parametrize("ending", ENDINGS)
def test_mate_with_king_and_rook(elo: int | None, ending: str, seed: int) -> None:
    level = strength(elo) if elo is not None else None
    attacker = Engine(1, noise=level.noise if level else 0)
    attacker.seed = seed
    start = Chess.parse(ending)
    players = (
        (attacker, Limits(nodes=level.nodes_at(start) if level else FULL)),
        (Engine(1), Limits(nodes=2_000)),
    )
    record = Record("chess", start)
    while not record.is_over:
        engine, limits = players[len(record.actions) % 2]
        found = engine.search(record.state, limits, past=record.past())
        assert found.action is not None
        record = record.play(found.action)
    assert record.result == (1 if record.start.player() == 0 else -1)
    assert len(record.actions) <= FIFTY
