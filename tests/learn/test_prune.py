"""Pruning: units that are never active go, and no answer changes."""

from pathlib import Path

import numpy as np
import pytest

from outplay.compile import twin
from outplay.games import load
from outplay.learn.td.prune import pruned
from outplay.learn.td.selfplay import mind_for
from outplay.search.valuenet.layers import Layers, judge
from outplay.search.valuenet.net import ValueNet

HYPER = "backgammon:checkers=3"


def net_with_dead_units(game: str) -> ValueNet:
    """Of its units, numbers 2 and 5 of the first layer and number 1 of the second are far below 0 everywhere."""
    net = ValueNet.new(game, load(game).position(), 8, 1, second=4)
    hidden, middle, output, scale = (part.copy() for part in net.layers)
    hidden[-1] = 0.5
    hidden[-1, [2, 5]] = -100
    middle[-1] = 0.5
    middle[-1, 1] = -100
    return net._replace(layers=Layers(hidden, middle, output, scale))


@pytest.mark.parametrize("game", [HYPER, "tictactoe"])
def test_answers_stay(game: str) -> None:
    start = load(game).position()
    net = net_with_dead_units(game)
    small = pruned(net, start, games=20)
    assert (small.units, small.second, small.inputs) == (6, 3, net.inputs)
    states = [start.result(action) for action in start.actions()]
    for state in states:
        told = []
        for one in (net, small):
            mind = mind_for(start, one.layers, 0.0)
            judge(twin(type(start)).state(state), one.layers, mind.room, mind.answers)
            told.append(mind.answers)
        assert told[0] == pytest.approx(told[1], abs=1e-6)


def test_a_net_that_is_dead_keeps_a_unit() -> None:
    net = net_with_dead_units("tictactoe")
    net.layers.hidden[-1] = -100
    assert pruned(net, load("tictactoe").position(), games=2).units == 1


def test_the_command(outplay, tmp_path: Path) -> None:
    whole, small = tmp_path / "whole.npz", tmp_path / "small.npz"
    net_with_dead_units(HYPER).save(whole)
    told = outplay("learn", "shrink", str(whole), str(small))
    assert told.status == 0 and "8 and 4 hidden units, of which 6 and 3 are active" in told.out
    assert ValueNet.load(small).game == HYPER
    ValueNet.new(HYPER, load(HYPER).position(), 8, 1).save(whole)
    told = outplay("learn", "shrink", str(whole), str(small))
    assert told.status == 2 and "nothing to prune" in told.told and told.told.count("\n") <= 1
    np.savez(whole, about=np.array('{"format": "outplay value net 9"}'))
    assert "is not a value net" in outplay("learn", "shrink", str(whole), str(small)).told


def test_shipped_nets_are_pruned() -> None:
    net = ValueNet.load(load("backgammon").cls.value_net)
    small = pruned(net, load("backgammon").position(), games=30)
    assert small.units >= 0.9 * net.units  # few units are active so seldom
