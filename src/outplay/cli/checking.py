"""The commands that test what others wrote: a game's class, a student's search."""

from typing import Annotated

import typer

from outplay.cli.arguments import GameArgument, PositionArgument, begin


def check(
    game: GameArgument,
    position: PositionArgument = "",
    rounds: Annotated[int, typer.Option("--games", help="random games to play")] = 100,
    seed: Annotated[int, typer.Option("--seed", help="of the random games")] = 1,
) -> int:
    """Test a game's class: the contract, and compiled against interpreted."""
    from outplay.check import check as examine
    from outplay.game import GameError
    from outplay.ui.wait import patiently

    if rounds < 0:
        raise ValueError(f"--games must be 0 or more, not {rounds}")
    try:
        start = begin(game, position).start
        report = patiently(lambda: examine(start, rounds, seed), "checking")
    except GameError as error:  # the class breaks the contract: that is what a check is for
        print(error)
        return 1
    print(report)
    return 1 if report.fault else 0


def grade(
    function: Annotated[str, typer.Argument(metavar="FILE:FUNCTION", help="as in homework.py:alphabeta")],
    kind: Annotated[
        str, typer.Option("--kind", help="the search it should be, if its name does not say")
    ] = "",
    seed: Annotated[int, typer.Option("--seed", help="of the trees and games")] = 1,
) -> int:
    """Compare a student's search with the textbook's and name its mistake."""
    from outplay.grade import grade as examine
    from outplay.grade import load_function

    report = examine(load_function(function), kind or None, seed)
    print(report.text())
    return 0 if report.passed else 1
