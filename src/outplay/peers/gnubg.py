"""GNU Backgammon as a player: it listens on a socket, receives a board in FIBS format and replies.

A board is `board:You:gnubg:9999:0:0:...`: the names, the match length (9999: money game) and both scores; the 26 places
of the board as numbered by the side on roll (0 is the opponent's bar, 25 its own; the opponent's checkers are
negative); whose turn it is, both sides' dice, the cube, who may double, whether a double was offered; colour and
direction, home and bar, checkers off and on the bar. GNU Backgammon replies with a play, such as `24/18 13/11`, in
which 25 is the bar and 0 is off; before the roll with `roll` or `double`; to a double with `take`, `drop` or `beaver`.
"""

import contextlib
import shutil
import socket
import subprocess
import sys
import time
import weakref
from collections.abc import Callable
from pathlib import Path
from typing import Any

from outplay.games.backgammon.cube import DOUBLED, standing
from outplay.games.backgammon.side import BAR, number, total

NAME = "gnubg"
GAMES = "/usr/games"  # Debian's folder, often not on the path
MOST_PLIES = 4
START = 20.0  # seconds to get ready
ANSWER = 600.0  # seconds for one answer: four plies for a double take long
MONEY = 9999  # the match length that means a money game
TAIL = (1, -1, 0, BAR)  # colour, direction, home and bar of the side on roll


class Gnubg:
    """The program, started on first use; it ends with this process, however that ends."""

    def __init__(self, plies: int = 2) -> None:
        if not 0 <= plies <= MOST_PLIES:
            raise ValueError(f"plies of gnubg must be 0 to {MOST_PLIES}, not {plies}")
        self.plies, self.program = plies, found()
        self.rules: Any = None  # the class that it is set up for
        self.line: socket.socket | None = None
        self.close: Callable[[], object] = lambda: None

    def start(self, cls: Any = None) -> None:
        """Start it for a game's rules; a ValueError if it does not start."""
        if self.line is not None and (cls is None or cls is self.rules):
            return
        if self.line is not None:
            self.line.close()
            self.close()
        self.rules = cls or self.rules
        with socket.socket() as free:
            free.bind(("localhost", 0))
            port = free.getsockname()[1]
        guard = subprocess.Popen(
            [sys.executable, "-I", str(Path(__file__).with_name("guard.py")), self.program, "-t", "-q", "-r"],
            stdin=subprocess.PIPE, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
        )  # fmt: skip
        self.close = weakref.finalize(self, end, guard)
        assert guard.stdin is not None
        guard.stdin.write("".join(f"{line}\n" for line in self.commands(port)).encode())
        guard.stdin.flush()
        self.line = connected(port, guard)

    def commands(self, port: int) -> list[str]:
        """Its first commands: the evaluation settings and the port."""
        kinds, cubed = ("chequerplay", "cubedecision"), self.rules is not None and not self.rules.BARE
        return [
            f"set jacoby {'on' if cubed and self.rules.JACOBY else 'off'}",
            f"set beavers {self.rules.BEAVERS if cubed else 0}",
            *(f"set evaluation {kind} evaluation plies {self.plies}" for kind in kinds),
            f"set evaluation chequerplay evaluation cubeful {'on' if cubed else 'off'}",
            f"external localhost:{port}",
        ]

    def ask(self, text: str) -> str:
        """Its reply to one line; a ValueError if there is none."""
        self.start()
        assert self.line is not None
        answer = b""
        try:
            self.line.sendall(f"{text}\n".encode())
            while not answer.endswith(b"\n"):
                heard = self.line.recv(4096).replace(b"\0", b"")
                if not heard:
                    raise ConnectionError
                answer += heard
        except OSError as error:
            self.close()
            self.line = None
            why = f"gave no answer in {ANSWER:g} s" if isinstance(error, TimeoutError) else "has ended"
            raise ValueError(f"gnubg {why}") from None
        said = answer.decode(errors="replace").strip()
        if said.startswith("Error"):
            raise ValueError(f"gnubg does not understand {text!r}: {said}")
        return said

    def choose(self, state: Any) -> str:
        """Its play or cube action, as text."""
        self.start(type(state))
        said = self.ask(board_text(state))
        return "take" if said == "beaver" and not state.may_beaver() else said

    def chances(self, state: Any, plies: int | None = None) -> tuple[float, ...]:
        """For the side on roll: win, win gammon, win backgammon, lose gammon, lose backgammon, and the equity."""
        plies = self.plies if plies is None else plies
        words = self.ask(f"evaluation fibsboard {board_text(state)} plies {plies}").split()
        return tuple(map(float, words))


def found() -> str:
    """The program's path; a ValueError if it is not installed."""
    program = shutil.which(NAME) or shutil.which(NAME, path=GAMES)
    if program is None:
        raise ValueError("GNU Backgammon is not installed: install gnubg (apt install gnubg)")
    return program


def connected(port: int, guard: Any) -> socket.socket:
    """A socket connected to the program, once it listens."""
    begin = time.monotonic()
    while time.monotonic() < begin + START and guard.poll() is None:
        with contextlib.suppress(OSError):
            line = socket.create_connection(("localhost", port), START)
            line.settimeout(ANSWER)
            return line
        time.sleep(0.05)
    end(guard)
    raise ValueError(f"gnubg does not listen on port {port}: does `gnubg -t -q -r` start?")


def end(guard: Any) -> None:
    """Make the guard end the program, and wait for that."""
    with contextlib.suppress(OSError):
        guard.stdin.close()
    try:
        guard.wait(5.0)
    except subprocess.TimeoutExpired:
        guard.kill()
        guard.wait()


def board_text(state: Any) -> str:
    """A state in FIBS format, for the side on roll."""
    now = standing(state)
    own, opp = (state.own, state.opp) if state.turn == now.on_roll else (state.opp, state.own)
    points = [0] * (BAR + 1)
    for point in range(1, BAR + 1):
        points[point] += number(own, point)
        points[BAR - point] -= number(opp, point)
    dice = (max(state.dice, 0) >> 3, max(state.dice, 0) & 7, 0, 0)
    checkers = type(state).CHECKERS
    off = (checkers - total(own), checkers - total(opp))
    bars = (number(own, BAR), number(opp, BAR))
    may_double = (int(now.owner != 1 - now.on_roll), int(now.owner != now.on_roll))
    cube = (now.value, *may_double, int(state.dice == DOUBLED))
    last = (0, 0, int(now.crawford), 0)
    match = (now.match or MONEY, now.score[now.on_roll], now.score[1 - now.on_roll])
    fields = (*match, *points, 1, *dice, *cube, *TAIL, *off, *bars, *last)
    return ":".join(["board", "You", NAME, *map(str, fields)])
