"""Learning by TD in lockstep, on this machine's GPU: is it right, and how fast?

    python -m bench.td_lockstep                      on the GPU
    python -m bench.td_lockstep --device cpu --games 256 --steps 20

With the net that comes with backgammon, the plays chosen in a step are compared with the CPU's choice, and the gradient
of the step with that of the plain update. Then a new net learns for some seconds, for each number of games in lockstep:
games and plays a second, and the milliseconds of each part of a step.
"""

import argparse
import tempfile
import time as clock
from pathlib import Path
from typing import Any

import numpy as np

from outplay.compile import kernel, twin
from outplay.compile.jit import ENABLED
from outplay.compile.runtime import NATIVE
from outplay.games import load
from outplay.learn.folder import Folder
from outplay.learn.td.lockstep import DECIDES, LENGTH, STATUS, TOTALS
from outplay.learn.td.selfplay import FINISHED, MOVES, best_action, mind_for
from outplay.learn.td.settings import Settings
from outplay.learn.td.update import learn
from outplay.search.valuenet.inputs import see
from outplay.search.valuenet.layers import judge, propagate
from outplay.search.valuenet.net import ValueNet
from outplay.ui.td import crowd_on

load_state, pointer = NATIVE["load_state"][ENABLED], NATIVE["pointer"][ENABLED]
LOSS = 0.004  # points that the choice in 16 bits may be worse
PLIES = 55  # of a game between good players


@kernel
def choice(words: Any, like: Any, net: Any, mind: Any) -> Any:
    """What the CPU would play, as an afterstate's value to the mover, and how many plays there are."""
    s = load_state(pointer(words), 0, like)
    t = s.result(best_action(s, net, mind, 0))
    value = judge(t, net, mind.room, mind.answers)
    return value if s.player() == 0 else -value, s.actions(pointer(mind.room.choices), 0)


@kernel
def worth(words: Any, like: Any, net: Any, mind: Any) -> Any:
    return judge(load_state(pointer(words), 0, like), net, mind.room, mind.answers)


@kernel
def player(words: Any, like: Any) -> int:
    return load_state(pointer(words), 0, like).player()


@kernel
def teach(words: Any, target: Any, like: Any, net: Any, mind: Any) -> None:
    """The plain update of one afterstate, whose target is the viewer's."""
    n = see(load_state(pointer(words), 0, like), mind.before)
    propagate(n, net, mind.before)
    learn(net, mind.before, n, 0, target, mind.rates, mind.traces)


def host(tensor: Any) -> np.ndarray:
    return np.array(tensor.cpu().numpy())


def check(make: Any, device: str, games: int, steps: int) -> None:
    """Compare a step with the CPU's."""
    net = ValueNet.load(load("backgammon").start.value_net)
    start = load("backgammon").position()
    settings = Settings(
        "backgammon", games=10**6, hidden=net.units, second=net.second, alpha=1e-9, last_alpha=1e-9,
        parallel=games, device=device,
    )  # fmt: skip
    with tempfile.TemporaryDirectory() as path:
        crowd = make(settings, Folder(Path(path), settings), start)
    crowd.student.set(net.layers)
    compiled, mind = twin(type(start)), mind_for(start, net.layers, 0.0)
    like = compiled.state(start)
    played, worse, differing, counted = 0, 0.0, 0, 0
    for step in range(steps):
        before = host(crowd.games.states)
        crowd.step()
        now, games_now, after = host(crowd.games.now), host(crowd.games.facts), host(crowd.games.states)
        counts = host(crowd.games.counts)
        if step < steps - 2:
            continue
        for b in range(games):
            if games_now[b, STATUS] == DECIDES and games_now[b, LENGTH] > 0:
                best, number = choice(now[b], like, net.layers, mind)
                assert number == counts[b], f"{counts[b]} plays listed, not {number}"
                value = worth(after[b], like, net.layers, mind)
                value = value if player(now[b], like) == 0 else -value
                loss = best - value
                played, worse, differing = played + 1, max(worse, loss), differing + (loss > 1e-6)
                counted += number
    assert not host(crowd.games.facts)[:, 8].any(), "a thread has stopped"
    print(
        f"{played} decisions, {counted} plays: {differing} chosen otherwise, at most {worse:.5f} points worse"
    )
    assert played > games / 2 and worse < LOSS
    check_gradient(crowd, net, before, like, mind)


def check_gradient(crowd: Any, net: Any, before: np.ndarray, like: Any, mind: Any) -> None:
    """The gradient of the last step and the sum of the plain updates."""
    targets, learns = host(crowd.games.targets), host(crowd.games.learns)
    crowd.student.set(net.layers)
    crowd.student.descend(
        crowd.rows.inputs[: crowd.settings.parallel], crowd.games.targets, crowd.games.learns
    )
    mind.rates[:] = 1.0, 0.0
    ours = [host(part) for part in crowd.student.gradients]
    parts = [part for part in (net.layers.hidden, net.layers.middle, net.layers.output) if len(part)]
    whole = [np.zeros(part.shape) for part in parts]
    for b in np.flatnonzero(learns):
        copied = net.layers._replace(hidden=net.layers.hidden.copy(), output=net.layers.output.copy(),
                                     middle=net.layers.middle.copy())  # fmt: skip
        teach(before[b], targets[b], like, copied, mind)
        changed = [part for part in (copied.hidden, copied.middle, copied.output) if len(part)]
        for total, new, old in zip(whole, changed, parts, strict=True):
            total += new.astype(float) - old
    for part, total in zip(ours, whole, strict=True):
        gap, size = np.abs(part - total).max(), np.abs(total).max()
        print(f"gradient {part.shape}: differs by {gap:.2e}, is at most {size:.2e}")
        assert gap < 0.02 * size


def speed(make: Any, device: str, games: int, seconds: float, hidden: int, second: int, updates: int) -> None:
    """Learn for some seconds; what the second half does."""
    start = load("backgammon").position()
    settings = Settings("backgammon", games=10**8, hidden=hidden, second=second, alpha=1e-3, last_alpha=1e-4,
                        updates=updates, parallel=games, device=device)  # fmt: skip
    with tempfile.TemporaryDirectory() as path:
        crowd = make(settings, Folder(Path(path), settings), start)
    begin = clock.perf_counter()
    while clock.perf_counter() - begin < seconds / 2:
        crowd.games_until(0)
        crowd.look()
    totals, since, steps = host(crowd.games.facts[:, TOTALS:]).sum(0), clock.perf_counter(), 0
    while clock.perf_counter() - since < seconds / 2:
        crowd.games_until(0)
        crowd.look()
        steps += 50
    spent = clock.perf_counter() - since
    done = host(crowd.games.facts[:, TOTALS:]).sum(0) - totals
    print(
        f"{games} games in lockstep, {hidden}-{second} units: {1000 * spent / steps:.2f} ms a step, "
        f"{done[FINISHED] / spent:,.0f} games/s now, {done[MOVES] / spent / PLIES:,.0f} games/s of {PLIES} plies, "
        f"{int(host(crowd.games.ends)[-1]) / games:.1f} plays a decision, room for {crowd.capacity / games:.1f}",
        flush=True,
    )
    if device == "cuda":
        parts(crowd)


def parts(crowd: Any) -> None:
    """Milliseconds of each part of a step, one after the other."""
    import torch

    times: dict[str, list[float]] = {}

    def timed(name: str, function: Any) -> Any:
        def call(*arguments: Any) -> Any:
            torch.cuda.synchronize()
            begin = clock.perf_counter()
            told = function(*arguments)
            torch.cuda.synchronize()
            times.setdefault(arguments[0] if name == "launch" else name, []).append(
                clock.perf_counter() - begin
            )
            return told

        return call

    crowd.launch = timed("launch", crowd.launch)
    crowd.student.answer = timed("answer", crowd.student.answer)
    crowd.student.learn = timed("learn", crowd.student.learn)
    for _ in range(10):
        crowd.step()
    print(
        "   " + ", ".join(f"{name} {1000 * min(spent):.2f} ms" for name, spent in times.items()), flush=True
    )


def main() -> None:
    parser = argparse.ArgumentParser(
        "python -m bench.td_lockstep", description="Learning by TD in lockstep, on this machine's GPU."
    )
    parser.add_argument("--device", default="cuda", choices=["cpu", "cuda"])
    parser.add_argument("--games", type=int, nargs="*", default=[16384, 32768, 65536])
    parser.add_argument("--steps", type=int, default=120)
    parser.add_argument("--seconds", type=float, default=8)
    parser.add_argument("--hidden", type=int, default=512)
    parser.add_argument("--second", type=int, default=64)
    parser.add_argument("--updates", type=int, default=4)
    asked = parser.parse_args()
    make = crowd_on(asked.device)
    check(make, asked.device, 400, asked.steps)
    for games in asked.games:
        speed(make, asked.device, games, asked.seconds, asked.hidden, asked.second, asked.updates)


if __name__ == "__main__":
    main()
