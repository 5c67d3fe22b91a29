"""Random play in step with independent programs: any difference of rules shows.

At every position the plain class, its compiled twin and the peer must agree on whose turn it is, on the legal
actions, on whether the game is over, and at its end on who has won.
"""

import random
from collections.abc import Hashable, Iterator
from typing import Any, NamedTuple, Protocol

import numpy as np

from bench.measure import Row, left_out
from outplay.compile import kernel, twin
from outplay.compile.runtime import NATIVE
from outplay.game import is_terminal, legal, max_actions
from outplay.games import Checkers, ConnectFour, Kalah, Othello, TicTacToe
from outplay.variants import variant

POSITIONS = 100_000
_, pointer = NATIVE["pointer"]


def run(quick: bool, positions: int | None = None) -> Iterator[Row]:
    wanted = positions or (POSITIONS // 100 if quick else POSITIONS)
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
    winner: int | None  # 1: MAX, -1: MIN, 0: a draw, None while it goes on
    actions: frozenset[Hashable]  # in the peer's terms


class Peer(Protocol):
    """A game of another program, at its start when made."""

    program: str

    def view(self) -> View: ...
    def translate(self, state: Any, action: int) -> Hashable: ...
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
    if over:
        return View(True, None, (utility > 0) - (utility < 0), names)
    return View(False, player, None, names)


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

        self.board = Board(variant="english")
        self.players = {BLACK: 0, WHITE: 1}

    def view(self) -> View:
        moves = {tuple(move.steps_move): move for move in self.board.legal_moves()}
        self.moves: dict[Any, Any] = moves
        player = self.players[self.board.turn]
        if not moves:
            return View(True, None, 1 if player == 1 else -1, frozenset())
        if self.board._game.consecutive_noncapture_king_moves >= self.DRAWN:
            return View(True, None, 0, frozenset())
        return View(False, player, None, frozenset(moves))

    def translate(self, state: Any, action: int) -> Hashable:
        return path_of(state, action)

    def play(self, action: Any) -> None:
        self.board.push(self.moves[action])

    def elsewhere(self) -> bool:
        return False


OPPONENTS: tuple[tuple[str, type, Any], ...] = (
    ("tic-tac-toe", TicTacToe, SpielTicTacToe),
    ("Connect Four", ConnectFour, SpielConnectFour),
    ("Othello", Othello, SpielOthello),
    ("kalah", variant(Kalah, EMPTY_CAPTURE=0), SpielKalah),
    ("checkers", Checkers, SpielCheckers),
    ("checkers", Checkers, Draughts),
)
