"""The commands that test users' code: a game class, a student's search."""

import json
from typing import Annotated

import typer

from outplay.cli.arguments import GameArgument, PositionArgument, begin, not_for_two


def check(
    game: GameArgument,
    position: PositionArgument = "",
    rounds: Annotated[int, typer.Option("--games", help="number of random games")] = 100,
    seed: Annotated[int, typer.Option("--seed", help="seed for the random games")] = 1,
) -> int:
    """Test whether a game class keeps the contract.

    It must behave the same compiled and interpreted.
    """
    from outplay.check import Examiner
    from outplay.game import GameError
    from outplay.ui.wait import patiently

    if rounds < 0:
        raise ValueError(f"--games must be 0 or more, not {rounds}")
    try:
        start = begin(game, position).start
        examiner = Examiner(start)
        report = patiently(lambda: examiner.examine(rounds, seed), "checking", asks=lambda: examiner.asks)
    except GameError as error:  # the class breaks the contract: that is what a check is for
        print(error)
        return 1
    print(report)
    if note := not_for_two(type(start)):
        print(note)
    return 1 if report.fault else 0


def grade(
    functions: Annotated[
        list[str],
        typer.Argument(
            metavar="FILE:FUNCTION", help="as in homework.py:alphabeta; 'folder/*.py:alphabeta' for many"
        ),
    ],
    kind: Annotated[str, typer.Option("--kind", help="the kind of search, if its name does not tell")] = "",
    seed: Annotated[int, typer.Option("--seed", help="seed for the random trees")] = 1,
    as_json: Annotated[bool, typer.Option("--json", help="print one JSON object for each function")] = False,
) -> int:
    """Grade a student's search, and name its mistake.

    It is compared with the textbook's search. Several files get a line each.
    """
    from outplay.grade import grade as examine
    from outplay.grade import named

    specs = named(functions)
    if len(specs) == 1:
        report = examine(specs[0], kind or None, seed)
        print(json.dumps({"file": specs[0]} | report.json()) if as_json else report.text())
        return 0 if report.passed else 1
    passed = 0
    for spec in specs:
        try:
            report = examine(spec, kind or None, seed)
            said, line = report.json(), report.line()
        except ValueError as error:
            said, line = {"passed": False, "error": str(error)}, f"cannot be graded: {error}"
        passed += said["passed"]
        print(json.dumps({"file": spec} | said) if as_json else f"{spec}: {line}", flush=True)
    if not as_json:
        print(f"{passed} of {len(specs)} passed")
    return 0 if passed == len(specs) else 1
