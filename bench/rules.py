"""Random play in step with independent programs: any difference of rules shows.

At every position the plain class, its compiled twin and the peer must agree on whose turn it is, on the legal
actions, on whether the game is over, and at its end on who has won.
"""

import functools
import random
import shutil
import subprocess
from collections.abc import Hashable, Iterator
from typing import Any, NamedTuple, Protocol

import numpy as np

from bench.measure import Row, Size, left_out
from outplay.compile import kernel, twin
from outplay.compile.runtime import NATIVE
from outplay.game import is_terminal, legal, max_actions
from outplay.games import Checkers, ConnectFour, Go, Kalah, Othello, TicTacToe
from outplay.variants import variant

POSITIONS = 100_000
_, pointer = NATIVE["pointer"]


def run(size: Size, count: int | None = None) -> Iterator[Row]:
    wanted = count or size.pick(POSITIONS, POSITIONS // 100, 100)
    for name, cls, peer in OPPONENTS:
        work = f"rules, {name}, {wanted:,} positions"
        try:
            differences = compare(cls, peer, wanted)
        except ImportError as error:
            yield left_out(work, peer.program, error)
            continue
        note = f"{work}, {peer.program}: {differences[0]}" if differences else ""
        yield Row(work, peer.program, "", "", len(differences), "differences", 0, at_most=True, note=note)


# --- what is compared ------------------------------------------------------------------------------------


class View(NamedTuple):
    """What there is to see of a position."""

    over: bool
    player: int | None  # None when the game is over
    winner: (
        int | None
    )  # 1: MAX, -1: MIN, 0: a draw, None while it goes on; the score, where the peer tells it
    actions: frozenset[Hashable]  # in the peer's terms
    board: str = ""  # likewise, where legal actions do not tell all about it


class Peer(Protocol):
    """A game of another program, at its start when made."""

    program: str

    def view(self) -> View: ...
    def translate(self, state: Any, action: int) -> Hashable: ...
    def board(self, state: Any) -> str: ...
    def outcome(self, utility: int) -> int:
        """Our utility, as the peer would say it."""
        ...

    def play(self, action: Any) -> None: ...
    def elsewhere(self) -> bool:
        """Whether the game has left what can be compared, by a rule about the past that only the peer has."""
        ...


def compare(cls: type, peer: Any, positions: int) -> list[str]:
    """Play random games until so many positions were seen; a line of text for each difference."""
    choose = random.Random(1).choice
    eye = Eye(cls)
    differences: list[str] = []
    seen = 0
    while seen < positions:
        state, other = cls(), peer()
        while not other.elsewhere():
            seen += 1
            theirs = other.view()
            found = [name for name, view in eye.views(state, other).items() if view != theirs]
            if found:
                differences.append(f"{state}: {' and '.join(found)} differ from {theirs}")
                break
            if theirs.over:
                break
            action = choose(legal(state))
            state = eye.result(state, action, other, differences)
    return differences


class Eye:
    """Sees positions of one game, by the class as it stands and by its compiled twin."""

    def __init__(self, cls: type) -> None:
        self.twin = twin(cls)
        self.memory = np.zeros(max_actions(cls) + 1, np.int64)

    def views(self, state: Any, other: Peer) -> dict[str, View]:
        count, over, utility, player = _look(self.twin.state(state), self.memory)
        compiled = self.memory[:count].tolist(), over, utility, player
        over = is_terminal(state)
        plain = legal(state), over, state.utility() if over else 0, state.player()
        return {
            "the plain rules": in_terms_of(other, state, *plain),
            "the compiled rules": in_terms_of(other, state, *compiled),
        }

    def result(self, state: Any, action: int, other: Peer, differences: list[str]) -> Any:
        """Play the action everywhere."""
        other.play(other.translate(state, action))
        plain, compiled = state.result(action), self.twin.back(_step(self.twin.state(state), action))
        if plain != compiled:
            differences.append(f"{state}: action {action} leads to {plain}, compiled to {compiled}")
        return plain


def in_terms_of(other: Peer, state: Any, actions: list[int], over: bool, utility: int, player: int) -> View:
    """What we see, as the peer would say it."""
    names = frozenset(other.translate(state, action) for action in actions)
    if len(names) != len(actions):
        names |= {"an action occurs twice"}
    board = other.board(state)
    if over:
        return View(True, None, other.outcome(utility), names, board)
    return View(False, player, None, names, board)


@kernel
def _look(s: Any, array: Any) -> Any:
    over = s.terminal()
    count = 0 if over else s.actions(pointer(array), 0)
    return count, over, s.utility() if over else 0, s.player()


@kernel
def _step(s: Any, action: int) -> Any:
    return s.result(action)


# --- OpenSpiel -------------------------------------------------------------------------------------------


class Spiel:
    """A game of OpenSpiel whose actions are ours by another number."""

    program = "OpenSpiel"
    name = ""

    def __init__(self) -> None:
        import pyspiel

        self.state = pyspiel.load_game(self.name).new_initial_state()

    def view(self) -> View:
        if self.state.is_terminal():
            return View(True, None, int(self.state.returns()[0]), frozenset())
        return View(False, self.state.current_player(), None, self.actions())

    def actions(self) -> frozenset[Hashable]:
        return frozenset(self.state.legal_actions())

    def translate(self, state: Any, action: int) -> Hashable:
        return action

    def board(self, state: Any) -> str:
        return ""

    def outcome(self, utility: int) -> int:
        return (utility > 0) - (utility < 0)

    def play(self, action: Any) -> None:
        self.state.apply_action(action)

    def elsewhere(self) -> bool:
        return False


class SpielTicTacToe(Spiel):
    name = "tic_tac_toe"

    def translate(self, state: Any, action: int) -> Hashable:
        return 3 * (2 - action // 3) + action % 3  # its first row is the top one


class SpielConnectFour(Spiel):
    name = "connect_four"


class SpielOthello(Spiel):
    name = "othello"


class SpielKalah(Spiel):
    name = "mancala"

    def translate(self, state: Any, action: int) -> Hashable:
        return action + (8 if state.player() else 1)  # its pits lie in one ring, a store at 0 and 7


class SpielCheckers(Spiel):
    """Checkers, where each jump of a multi-jump is an action; here they are put together to a path."""

    name = "checkers"
    DRAWN = 40  # plies without a capture, also by men; ours counts to 80, and kings' moves only

    def __init__(self) -> None:
        super().__init__()
        self.quiet = 0

    def elsewhere(self) -> bool:
        if self.quiet < self.DRAWN:
            return False
        if not self.state.is_terminal():
            raise AssertionError(f"OpenSpiel's checkers goes on after {self.quiet} plies without a capture")
        return True

    def actions(self) -> frozenset[Hashable]:
        return frozenset(path for path, _ in self.paths(self.state))

    def paths(self, state: Any) -> Iterator[tuple[tuple[int, ...], list[int]]]:
        """The squares that each whole move touches, and the actions that make it up."""
        mover = state.current_player()
        for action in state.legal_actions():
            text = state.action_to_string(action)
            start, end = self.square(text[:2]), self.square(text[2:])
            after = state.child(action)
            if not after.is_terminal() and after.current_player() == mover:
                for path, actions in self.paths(after):
                    yield (start, *path), [action, *actions]
            else:
                yield (start, end), [action]

    def square(self, name: str) -> int:
        """Its files and ranks as the usual number, 1 to 32: it has the first player's side at the bottom."""
        file, rank = "abcdefgh".index(name[0]), int(name[1])
        return 4 * (rank - 1) + (7 - file) // 2 + 1

    def translate(self, state: Any, action: int) -> Hashable:
        return path_of(state, action)

    def play(self, action: Any) -> None:
        for part in dict(self.paths(self.state))[action]:
            self.state.apply_action(part)
        self.quiet = 0 if captures(action) else self.quiet + 1


def path_of(state: Any, action: int) -> tuple[int, ...]:
    """The squares that a move of checkers touches."""
    return tuple(map(int, state.action_text(action).replace("x", "-").split("-")))


def captures(path: tuple[int, ...]) -> bool:
    """A jump goes two rows of four squares on, a step one."""
    return abs((path[0] - 1) // 4 - (path[1] - 1) // 4) == 2


# --- pydraughts ------------------------------------------------------------------------------------------


class Draughts:
    """English draughts. The draw by repetition, which no state can know of, is not asked for."""

    program = "pydraughts"
    DRAWN = 80  # plies of kings without a capture

    def __init__(self) -> None:
        from draughts import BLACK, WHITE, Board

        self.men = Board(variant="english")
        self.players = {BLACK: 0, WHITE: 1}

    def view(self) -> View:
        moves = {tuple(move.steps_move): move for move in self.men.legal_moves()}
        self.moves: dict[Any, Any] = moves
        player = self.players[self.men.turn]
        if not moves:
            return View(True, None, 1 if player == 1 else -1, frozenset())
        if self.men._game.consecutive_noncapture_king_moves >= self.DRAWN:
            return View(True, None, 0, frozenset())
        return View(False, player, None, frozenset(moves))

    def translate(self, state: Any, action: int) -> Hashable:
        return path_of(state, action)

    def board(self, state: Any) -> str:
        return ""

    def outcome(self, utility: int) -> int:
        return (utility > 0) - (utility < 0)

    def play(self, action: Any) -> None:
        self.men.push(self.moves[action])

    def elsewhere(self) -> bool:
        return False


# --- Go --------------------------------------------------------------------------------------------------


class SpielGo(Spiel):
    """Go 9x9; it tells who wins, so the score is found by playing the game again with other komi."""

    name = "go(board_size=9,komi=7.5)"

    def __init__(self) -> None:
        super().__init__()
        self.played: list[int] = []

    def play(self, action: Any) -> None:
        self.played.append(action)
        super().play(action)

    def elsewhere(self) -> bool:
        """It ends a game in which a board comes back; ours forbids that, where the past is known."""
        over = self.state.is_terminal()
        return over and self.played[-2:] != [GO.PASS] * 2 and len(self.played) < GO.LIMIT * GO.POINTS

    def view(self) -> View:
        return super().view()._replace(board=self.rows(), **self.result())

    def result(self) -> dict[str, int]:
        return {"winner": self.score()} if self.state.is_terminal() else {}

    def rows(self) -> str:
        lines = str(self.state).splitlines()[2 : 2 + GO.SIZE]
        return "/".join(line.split()[1].replace("+", ".") for line in lines)

    def board(self, state: Any) -> str:
        return str(state).split()[0]

    def outcome(self, utility: int) -> int:
        return utility + GO.KOMI + (utility < 0)  # the difference of areas

    def score(self) -> int:
        """Black's lead in area: the greatest komi with half a point less that leaves Black the winner."""
        low, high = -GO.POINTS - 1, GO.POINTS + 1
        while high - low > 1:
            middle = (low + high) // 2
            if self.black_wins(middle - 0.5):
                low = middle
            else:
                high = middle
        return low

    def black_wins(self, komi: float) -> bool:
        import pyspiel

        state = pyspiel.load_game(f"go(board_size={GO.SIZE},komi={komi})").new_initial_state()
        for action in self.played:
            state.apply_action(action)
        return bool(state.returns()[0] > 0)


class GnuGo:
    """GNU Go knows what is legal and what stands on the board. It goes on for ever: when to stop, we say."""

    program = "GNU Go"

    def __init__(self) -> None:
        self.ask("clear_board")
        self.moves: list[str] = []

    @classmethod
    def ask(cls, *commands: str) -> list[str]:
        """The answers to some commands."""
        process = gnugo()
        assert process.stdin is not None and process.stdout is not None
        process.stdin.write("\n".join(commands) + "\n")
        process.stdin.flush()
        answers = []
        for command in commands:
            lines = [process.stdout.readline()]
            while lines[-1].strip():
                lines.append(process.stdout.readline())
            if not lines[0].startswith("="):
                raise AssertionError(f"GNU Go answers {command!r} by {lines[0]!r}")
            answers.append("".join(lines)[1:].strip())
        return answers

    @property
    def mover(self) -> int:
        return len(self.moves) % 2

    def view(self) -> View:
        legal, black, white = self.ask(
            f"all_legal {COLOURS[self.mover]}", "list_stones black", "list_stones white"
        )
        stones = " ".join(sorted(black.split())) + " / " + " ".join(sorted(white.split()))
        return View(False, self.mover, None, frozenset([*legal.split(), "PASS"]), stones)

    def translate(self, state: Any, action: int) -> Hashable:
        return state.action_text(action).upper()

    def board(self, state: Any) -> str:
        points = "".join(reversed(str(state).split()[0].split("/")))
        sides = (sorted(self.texts(state, points, symbol)) for symbol in "XO")
        return " / ".join(" ".join(side) for side in sides)

    def texts(self, state: Any, points: str, symbol: str) -> list[str]:
        return [state.action_text(point) for point, stone in enumerate(points) if stone == symbol]

    def outcome(self, utility: int) -> int:
        return utility

    def play(self, action: Any) -> None:
        self.ask(f"play {COLOURS[self.mover]} {action}")
        self.moves.append(action)

    def elsewhere(self) -> bool:
        return self.moves[-2:] == ["PASS"] * 2 or len(self.moves) >= GO.LIMIT * GO.POINTS


@functools.cache
def gnugo() -> subprocess.Popen[str]:
    """GNU Go on a board of our size."""
    found = shutil.which("gnugo") or shutil.which("gnugo", path="/usr/games")
    if found is None:
        raise ImportError("gnugo is not installed")
    process = subprocess.Popen(
        [found, "--mode", "gtp"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    )
    assert process.stdin is not None and process.stdout is not None
    process.stdin.write(f"boardsize {GO.SIZE}\n")
    process.stdin.flush()
    process.stdout.readline(), process.stdout.readline()
    return process


GO: Any = variant(Go, LIMIT=2)  # as many plies as OpenSpiel allows
COLOURS = ("black", "white")


OPPONENTS: tuple[tuple[str, type, Any], ...] = (
    ("tic-tac-toe", TicTacToe, SpielTicTacToe),
    ("Connect Four", ConnectFour, SpielConnectFour),
    ("Othello", Othello, SpielOthello),
    ("kalah", variant(Kalah, EMPTY_CAPTURE=0), SpielKalah),
    ("checkers", Checkers, SpielCheckers),
    ("checkers", Checkers, Draughts),
    ("Go 9x9", GO, SpielGo),
    ("Go 9x9", GO, GnuGo),
)
