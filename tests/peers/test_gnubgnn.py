"""pubeval and GNU Backgammon's nets as players, by the package gnubg-nn."""

import random
from typing import Any

import pytest

from outplay.games import Backgammon, load
from outplay.limits import Limits
from outplay.peers import gnubgnn
from outplay.players import player
from outplay.record import Record

needs_package = pytest.mark.skipif(not gnubgnn.is_installed(), reason="gnubg-nn is not installed")


def test_where_it_is_not_installed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(gnubgnn, "PACKAGE", "no_such_package")
    with pytest.raises(ValueError, match="^pubeval needs the package gnubg-nn: pip install gnubg-nn$"):
        player("pubeval")


@needs_package
@pytest.mark.parametrize("name", ["pubeval", "gnubg-nn"])
def test_they_play_whole_games(name: str) -> None:
    chosen, source = player(name), random.Random(3)
    for _ in range(3):
        state: Any = Backgammon()
        while not state.terminal():
            actions = [*state.actions()]
            if state.dice > 0 and state.turn == 0:
                action = chosen(Record("backgammon", state), Limits()).action
                assert action in actions
            else:
                action = source.choice(actions)
            state = state.result(action)
        assert state.utility() > 0  # random play never wins


@needs_package
def test_options_are_refused() -> None:
    with pytest.raises(ValueError, match="'plies' is not an option of pubeval; it has none"):
        player("pubeval:plies=1")
    with pytest.raises(ValueError, match="pubeval does not support the cube"):
        player("pubeval")(Record("backgammon:cube=64", load("backgammon:cube=64").start), Limits())
