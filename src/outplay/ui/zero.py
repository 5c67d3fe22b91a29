"""Learning by self-play, in the terminal.

`python -m outplay.ui.zero GAME ...` is `outplay learn zero` with nothing but numpy, numba and torch installed: for
machines that only train.
"""

import argparse
import sys
from pathlib import Path
from typing import Any

from outplay.learn.folder import NET, ONNX
from outplay.learn.zero.settings import Settings, read_run, settings_for
from outplay.ui.curves import curves_svg
from outplay.ui.resumable import resumable

CURVES = "curves.svg"


def show_line(line: dict[str, Any]) -> None:
    """Print a line of the log when it is written."""
    losses = "learns when games have ended"
    if line["policy"] is not None:
        losses = f"policy {line['policy']:.3f}  outcome {line['outcome']:.3f}"
        losses += f"  score {line['score']:.3f}" if line["score"] else ""
    print(
        f"{line['seconds']:7.0f} s  {line['games']:>9,} games  {line['positions']:>11,} positions "
        f"({line['positions_per_second']:,}/s)  {line['updates']:>7,} updates  {losses}",
        file=sys.stderr,
        flush=True,
    )


def show_run(path: Path) -> None:
    """Print a run's settings and progress, and draw its curves into the folder."""
    settings, lines = read_run(path)
    print(f"{settings.game}: {settings.minutes:g} minutes on {settings.device}")
    print(
        f"{settings.games:,} games at a time, {'-'.join(map(str, settings.simulations))} simulations, "
        f"net of {settings.blocks} blocks of {settings.channels}"
    )
    if not lines:
        print("no line yet")
        return
    last = lines[-1]
    done = min(100.0, 100 * last["seconds"] / (60 * settings.minutes))
    print(
        f"{done:.0f} % done: {last['games']:,} games, {last['positions']:,} positions, {last['updates']:,} updates, "
        f"{last['simulations'] / max(last['seconds'], 1e-9):,.0f} simulations/s"
    )
    print(f"won by the first player {100 * last['won_by_max']:.1f} %, drawn {100 * last['drawn']:.1f} %")
    curves_svg(lines, path / CURVES)
    print(f"curves: {path / CURVES}")


def learn(game: str, minutes: float, out: Path | None, given: dict[str, Any], device: str = "") -> Path:
    """Start or resume training; returns the run's folder."""
    from outplay.games import load
    from outplay.learn.zero.loop import train

    found = load(game)
    device = wanted_device(device) or best_device()
    path = out or Path(f"zero-{''.join(c if c.isalnum() else '-' for c in found.spec)}")
    with resumable(path):
        settings: Settings = settings_for(found.spec, found.position(), minutes, device, **given)
        train(settings, path, show_line)
    show_run(path)
    export(path / NET, path / ONNX)
    return path


def export(net: Path, out: Path) -> None:
    """Write a net of ours as ONNX, if that package is installed."""
    from outplay.learn.zero.onnx import save_onnx
    from outplay.search.mcts.netfile import load_net

    try:
        save_onnx(out, load_net(net))
        print(f"net: {out}")
    except ModuleNotFoundError as missing:
        print(f"net: {net} ({missing})")


def show_errors(game: str, net: str, positions: Path | None, simulations: list[int], count: int) -> None:
    """Print how often a net's moves keep the value of positions."""
    import random

    from outplay.games import load
    from outplay.learn.zero.errors import errors, reachable, read_known
    from outplay.search.mcts.network import Network

    if count < 0 or min(simulations) < 0:
        raise ValueError(f"count and simulations are 0 or more, not {min(count, *simulations)}")
    found, network = load(game), Network(net)
    network.refuse(found.position())
    known = reachable(found.start) if positions is None else read_known(found.cls, positions)
    if 0 < count < len(known):
        known = random.Random(0).sample(known, count)

    def seen(number: int) -> None:
        if sys.stderr.isatty() and number % 10 == 0:
            print(f"\r{number} of {len(known)}", end="\r", file=sys.stderr, flush=True)

    for number in simulations:
        what = "policy alone" if number == 0 else f"{number} simulations"
        result = errors(network, known, number, seen)
        print(
            f"{what}: {100 * result.right:.2f} % of {result.positions:,} positions keep their value",
            flush=True,
        )


def best_device() -> str:
    """`cuda` if torch and our own kernels can use a GPU, otherwise `cpu`."""
    from outplay.compile import gpu

    try:
        gpu.require()
        return best_torch()
    except gpu.NoGPU:
        return "cpu"


def wanted_device(device: str) -> str:
    """The requested device; a ValueError if it is a GPU and torch finds none."""
    if device == "cuda" and best_torch() != "cuda":
        raise ValueError("--device cuda: torch finds no NVIDIA GPU here; remove the option, or say cpu")
    return device


def best_torch() -> str:
    """`cuda` if torch can use a GPU, otherwise `cpu`."""
    try:
        import torch
    except ImportError:
        return "cpu"
    return "cuda" if torch.cuda.is_available() else "cpu"


def read_settings(texts: list[str], kind: Any = Settings) -> dict[str, Any]:
    """`games=64`, `simulations=16-32`: settings by name."""
    given: dict[str, Any] = {}
    for text in texts:
        name, equals, value = text.partition("=")
        others = [field for field in kind._fields if field not in ("game", "minutes", "device", "examples")]
        if not equals or name not in others:
            raise ValueError(
                f"{text!r} is not a setting: write one as batch=64; choose from {', '.join(others)}"
            )
        default = kind._field_defaults[name]
        try:
            given[name] = (
                tuple(int(n) for n in value.split("-")) if name == "simulations" else type(default)(value)
            )
        except ValueError:
            wanted = "a number" if isinstance(default, float) else "a whole number"
            if name == "simulations":
                wanted = "whole numbers, as in 16-24-32"
            raise ValueError(f"{name} must be {wanted}, not {value!r}") from None
    return given


def main(arguments: list[str] | None = None) -> None:
    """The same without the packages of the command line."""
    parser = argparse.ArgumentParser(prog="python -m outplay.ui.zero", description="AlphaZero for any game")
    parser.add_argument("game")
    parser.add_argument("--minutes", type=float, default=10.0)
    parser.add_argument("--out", type=Path, help="the run's folder")
    parser.add_argument("--device", default="", choices=["", "cpu", "cuda"])
    parser.add_argument("--set", action="append", default=[], metavar="NAME=VALUE", help="a setting")
    parser.add_argument("--eager", action="store_true", help="record no CUDA graph")
    asked = parser.parse_args(arguments)
    if asked.eager:
        from outplay.learn.zero.gpu import GPUGames

        GPUGames.eager = True
    try:
        learn(asked.game, asked.minutes, asked.out, read_settings(asked.set), asked.device)
    except KeyboardInterrupt:
        sys.exit(130)
    except (ValueError, OSError) as error:
        parser.error(" ".join(str(error).split()))


if __name__ == "__main__":
    main()
