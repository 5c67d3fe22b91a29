"""Smaller nets, to ship and to play faster."""

from pathlib import Path

from outplay.games import load
from outplay.learn.td.prune import pruned
from outplay.search.mcts.netfile import load_net, save_net
from outplay.search.valuenet.net import ValueNet, is_value_net
from outplay.ui.wait import Progress


def shrink(net: Path, out: Path) -> None:
    """Write a net of `learn zero` with 16-bit weights, one of `learn td` without the units that are never active."""
    before = net.stat().st_size  # FILE may be NET
    if is_value_net(net):
        whole = ValueNet.load(net)
        with Progress("playing ..."):
            left = pruned(whole, load(whole.game).position())
        left.save(out)
        print(
            f"{whole.units} and {whole.second} hidden units, of which {left.units} and {left.second} are active"
        )
    else:
        save_net(out, load_net(net).small())
    print(f"{out}: {out.stat().st_size:,} bytes ({net}: {before:,})")
