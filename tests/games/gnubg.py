"""GNU Backgammon as a program that is told commands, where it is installed: tests compare our texts with its own."""

import re
import subprocess

import pytest

from outplay.peers.gnubg import found

QUIET = ("set player 0 human", "set player 1 human", "set automatic roll off", "set automatic move off",
         "set automatic game off", "set confirm new off", "set confirm save off")  # fmt: skip


def told(*commands: str, quiet: bool = True) -> str:
    """What the program says to these commands; the test is skipped where there is no such program."""
    try:
        program = found()
    except ValueError as error:
        pytest.skip(str(error))
    script = "\n".join([*(QUIET if quiet else ()), *commands, ""])
    done = subprocess.run(
        [program, "-t", "-q", "-r"], input=script.encode(), capture_output=True, timeout=120
    )
    return done.stdout.replace(b"\0", b"").decode(errors="replace")


def ids_after(commands: list[str]) -> list[str]:
    """The GNUbg IDs of the positions that the program shows after each of some commands."""
    marked = [line for command in commands for line in (command, "show beavers")]
    parts = re.split(
        r"beavers/raccoons allowed|No beavers allowed|beaver allowed", told("new match 3", *marked)
    )[:-1]
    assert len(parts) == len(commands)
    found_ids = []
    for part in parts:
        boards, matches = re.findall(r"Position ID: (\S+)", part), re.findall(r"Match ID   : (\S+)", part)
        found_ids.append(f"{boards[-1]}:{matches[-1]}" if boards else "")
    return found_ids
