"""The nets that games bring: they play without a further package, and keep every value. docs/zero.md has their runs."""

import json
import random
from pathlib import Path
from typing import Any

import pytest

import outplay.search.mcts.netfile as netfile
from outplay.game import is_terminal, legal
from outplay.gamefile import open_game
from outplay.games import load
from outplay.learn.zero.errors import errors, reachable
from outplay.learn.zero.settings import settings_of
from outplay.limits import Limits
from outplay.players import player
from outplay.search.mcts.edges import edges_of
from outplay.search.mcts.network import NETS, Network, own_net

GAMES = sorted(path.stem for path in NETS.glob("*.npz"))
SMALL = ["hexapawn", "tictactoe"]  # games whose states are all known
LOGS = Path(__file__).parents[2] / "docs" / "logs"


def net_of(game: str) -> Network:
    found = own_net(load(game).cls)
    assert found is not None
    return found


def test_which_games_bring_one() -> None:
    assert GAMES == ["checkers", "connect4", "hexapawn", "kalah", "othello", "tictactoe"]
    assert own_net(load("hexapawn:width=4").cls) is None and own_net(load("go").cls) is None


@pytest.mark.parametrize("game", GAMES)
def test_each_comes_from_a_run_that_is_told(game: str) -> None:
    settings = settings_of(json.loads((LOGS / f"{game}-zero.jsonl").read_text().splitlines()[0]))
    net = netfile.load_net(NETS / f"{game}.npz")
    assert (settings.game, settings.channels, settings.blocks) == (net.game, net.channels, net.blocks)
    assert (NETS / f"{game}.npz").stat().st_size < (30_000 if game in SMALL else 1_200_000)


@pytest.mark.parametrize("game", SMALL)
def test_values_are_kept(game: str) -> None:
    """`outplay learn errors` counts all positions; here some of tic-tac-toe's 4,520."""
    known = reachable(load(game).start)
    known = random.Random(1).sample(known, min(len(known), 150))
    assert errors(net_of(game), known, 64, lambda number: None).wrong == 0
    assert errors(net_of(game), known, 0, lambda number: None).right >= 0.99


@pytest.mark.parametrize(
    ("game", "first", "last"), [("connect4", 16, 30), ("othello", 50, 57), ("kalah", 30, 45)]
)
def test_values_are_kept_at_larger_games(game: str, first: int, last: int) -> None:
    """Late positions of random games, which the solver knows; docs/zero.md has known test sets and matches."""
    dice, known = random.Random(4), []
    while len(known) < 25:
        state: Any = load(game).start
        for _ in range(dice.randrange(first, last)):
            state = state if is_terminal(state) else state.result(dice.choice(legal(state)))
        if not is_terminal(state):
            known.append((state, None))
    assert errors(net_of(game), known, 0, lambda number: None).wrong <= 1
    assert errors(net_of(game), known[:10], 30, lambda number: None).wrong == 0


def test_puct_takes_it_unless_told_otherwise() -> None:
    record = open_game("tictactoe", "XX./OO./... x")
    by_net, by_games = (player(spec)(record, Limits(nodes=40)) for spec in ("puct", "puct:net=none"))
    assert record.state.action_text(by_net.action) == record.state.action_text(by_games.action) == "c3"
    assert by_net.visits != by_games.visits
    named = player(f"puct:net={NETS / 'tictactoe.npz'}")(record, Limits(nodes=40))
    assert (named.action, named.visits) == (by_net.action, by_net.visits)


def test_edges_are_those_of_the_search() -> None:
    """P, N, W and Q: visits sum to the simulations without the root's own, values are the mover's."""
    state = load("tictactoe").position("XX./OO./..X o")
    found = edges_of(net_of("tictactoe"), state, 50)
    assert sum(edge.prior for edge in found.edges) == pytest.approx(1)
    assert sum(edge.visits for edge in found.edges) == 49
    best = found.edges[0]
    assert state.action_text(best.action) == "c2" and best.mean == 1.0 and best.total == best.visits
    assert found.searched > 0.9
    with pytest.raises(ValueError, match="simulations must be 1"):
        edges_of(net_of("tictactoe"), state, 0)


def test_explain_shows_them(outplay) -> None:
    told = outplay("explain", "tictactoe", "XX./OO./..X o", "--net", "own", "--simulations", "50")
    assert told.status == 0 and "value for O, to move" in told.out and "after 50 simulations" in told.out
    lines = told.out.split("\n")
    assert [line.split()[0] for line in lines if " % " in line][0] == "c2"
    made = json.loads(outplay("explain", "tictactoe", "--net", "own", "--simulations", "20", "--json").out)
    assert len(made["edges"]) == 9 and sum(edge["N"] for edge in made["edges"]) == 19
    assert "comes without a net" in outplay("explain", "go", "--net", "own").told
    assert "is a net of tictactoe" in outplay("explain", "kalah", "--net", str(NETS / "tictactoe.npz")).told


def test_a_shrunk_net_plays_alike(outplay, tmp_path: Path) -> None:
    out = tmp_path / "small.npz"
    assert outplay("learn", "shrink", str(NETS / "hexapawn.npz"), str(out)).status == 0
    start = load("hexapawn").start
    before, after = (Network(str(path)).judge([start]) for path in (NETS / "hexapawn.npz", out))
    assert before[0] == pytest.approx(after[0]) and before[1] == pytest.approx(after[1])
