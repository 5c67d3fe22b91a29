"""A game in the terminal: the board, a prompt, and the players.

On a terminal the board is coloured; otherwise the output is plain ASCII, and if the input is not a
terminal each line is echoed, so that a scripted game reads like any other.
"""

import contextlib
import sys
import threading
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path
from typing import Any

from rich.console import Console
from rich.text import Text

from outplay.game import CHANCE, action_text, kind, line_texts, parse_action
from outplay.gamefile import is_match, other_texts, to_pgn, written
from outplay.games import is_ours
from outplay.limits import Analysis, Limits
from outplay.players import Bot, Player, PlayerError, SearchPlayer, can_choose, roll
from outplay.record import Record, position_text, write
from outplay.storage import write_whole
from outplay.ui.board import board_of, picture, plain, scale_of, share, value_bar, value_text
from outplay.ui.printable import printable
from outplay.ui.wait import Progress, patiently
from outplay.variants import name_of as game_name
from outplay.views import is_seen, looking

SHOWN = 8  # moves of the principal variation
PREPARING = 20.0  # seconds for a player to start, without compiling


class Screen:
    """Standard output: boards and bars in colour on a terminal, in plain ASCII elsewhere."""

    def __init__(self) -> None:
        self.console = Console(highlight=False, soft_wrap=True)
        self.colourful = self.console.is_terminal and self.console.encoding.startswith("utf")
        self.scale = 0.0  # of the value bar, once it is known
        self.flipped = False  # whether boards are seen from the other side

    def say(self, text: str) -> None:
        self.console.print(Text(f"  {printable(text)}" if text else ""))

    def show(self, state: Any, before: Any = None, eyes: Sequence[int] | None = None) -> None:
        """Show the board for the players who look, with changes since the state before marked."""
        self.say("")
        drawn = (
            picture(state, before, eyes, self.flipped) if self.colourful else plain(state, eyes, self.flipped)
        )
        self.console.print(drawn if isinstance(drawn, Text) else Text(drawn))

    def show_value(self, start: Any, analysis: Analysis) -> None:
        """Show the value for the first player, if there is one; `start` is the game's initial state."""
        if analysis.value is None:
            return
        text = value_text(analysis.value) + (" proven" if analysis.proven else "")
        if not self.colourful:
            return self.say(f"value {text} for {side_name(start, 0)}")
        self.scale = self.scale or scale_of(start)
        names = (side_name(start, 0), side_name(start, 1))
        self.console.print(value_bar(share(analysis.value, self.scale, analysis.proven), text, names))

    def replay(self, record: Record, boards: bool) -> None:
        """Show a saved game: its text, or all its positions."""
        if not boards:
            return self.console.print(Text(printable(write(record))))
        before = None
        for number, state in enumerate(record.states()):
            if before is not None:
                self.say(f"{number}. {action_text(before, record.actions[number - 1])}")
            for at, text in record.comments:
                if at == number:
                    self.say(f"{{{text}}}")
            self.show(state, before)
            before = state
        self.say(result_text(record))


class Table:
    """A game in the terminal: the players, the moves, and the display."""

    def __init__(
        self,
        record: Record,
        seats: tuple[Player | None, Player | None],
        helper: Player,
        limits: Limits,
        seed: int,
        file: str | None = None,
    ) -> None:
        self.record = record
        self.seats = seats  # MAX's and MIN's players; None is the human
        self.helper = helper  # the player that gives hints
        self.limits = limits
        self.seed = seed  # for the dice
        self.undone: list[tuple[int, ...]] = []
        self.file = file  # the file that the game came from or was last saved to
        self.left = False
        self.failed: PlayerError | None = None
        self.screen = Screen()
        self.say = self.screen.say

    # --- the game ---

    def run(self) -> None:
        """Play until the human leaves."""
        try:
            for player in {seat for seat in self.seats if isinstance(seat, SearchPlayer)}:
                patiently(partial(player.prepare, self.record.start), limit=PREPARING)
            self.say(self.title())
            while not self.left:
                self.turn()
        except KeyboardInterrupt:
            self.say("")
            self.say("left the game")
        if self.failed is not None:
            raise self.failed

    def turn(self) -> None:
        """One move, whoever makes it."""
        state = self.record.state
        if self.is_over:
            self.show()
            self.say(result_text(self.record))
            self.human_turn()
        elif state.player() == CHANCE:
            outcome = roll(self.record, self.seed)
            seen = is_seen(state, outcome, self.eyes(state))
            self.say(f"chance: {action_text(state, outcome) if seen else '?'}")
            self.record = self.record.play(outcome)
        elif self.seats[state.player()] is None:
            self.show()
            self.human_turn()
        else:
            self.machine_turn(state)

    def machine_turn(self, state: Any) -> None:
        player = self.seats[state.player()]
        assert player is not None
        try:
            analysis = think(player, self.record, self.limits)
        except PlayerError as error:  # the game can be saved, or go on with a move made by hand
            self.failed = error
            self.say(str(error))
            self.show()
            self.human_turn()
            return
        assert analysis.action is not None
        if None not in self.seats:
            self.show()
        seen = is_seen(state, analysis.action, self.eyes(state))
        played = action_text(state, analysis.action) if seen else "?"
        self.say(f"{name_of(player)} plays {played}{details(analysis)}")
        self.record = self.record.play(analysis.action)
        self.screen.show_value(self.record.start, analysis)

    def human_turn(self) -> None:
        """Prompt until a move is made or taken back, or the human leaves."""
        if None not in self.seats:
            self.left = True
        before = self.record
        while self.record is before and not self.left:
            text = self.ask()
            if text is None:
                self.left = True
            elif text.strip():
                self.obey(text.strip())

    def obey(self, text: str) -> None:
        """Execute a move in its usual notation, or else a command."""
        state = self.record.state
        try:
            if self.is_over:
                raise ValueError("the game is over: undo, save FILE or quit")
            action = parse_action(state, text)
        except ValueError as error:
            word, _, rest = text.partition(" ")
            command = COMMANDS.get(word.lower())
            if command is None:
                self.say(f"{error}; help lists the commands")
            else:
                command(self, rest.strip())
        else:
            self.record = self.record.play(action)
            self.undone.clear()

    # --- commands ---

    def help(self, _: str) -> None:
        """list the commands"""
        self.say("type a move, or:")
        for name in (
            "moves",
            "hint",
            "undo",
            "redo",
            "flip",
            "position",
            "pgn",
            "resign",
            "save",
            "help",
            "quit",
        ):
            self.say(f"  {name + ' FILE' * (name == 'save'):<10} {COMMANDS[name].__doc__}")

    def moves(self, _: str) -> None:
        """list the legal moves"""
        state = self.record.state
        self.say(
            " ".join(action_text(state, action) for action in self.record.legal()) or "none: the game is over"
        )

    def hint(self, _: str) -> None:
        """the machine's move here"""
        state = self.record.state
        if self.is_over:
            return self.say("the game is over")
        if kind(type(state)).hidden:
            return self.say("there are no hints in a game of imperfect information")
        analysis = think(self.helper, self.record, self.limits)
        self.say(f"hint: {' '.join(line_texts(state, analysis.line[:SHOWN]))}{details(analysis)}")
        self.screen.show_value(self.record.start, analysis)

    def undo(self, _: str) -> None:
        """take back your last move and everything after it"""
        states = list(self.record.states())
        mine = [number for number, state in enumerate(states[:-1]) if self.is_human(state)]
        if not mine:
            return self.say("nothing to take back")
        self.undone.append(self.record.actions[mine[-1] :])
        self.record = self.record.undo(len(self.record.actions) - mine[-1])

    def redo(self, _: str) -> None:
        """replay moves that were taken back"""
        if not self.undone:
            return self.say("nothing was taken back")
        self.record = self.record.play(*self.undone.pop())

    def flip(self, _: str) -> None:
        """flip the board"""
        self.screen.flipped = not self.screen.flipped
        self.show()

    def position(self, _: str) -> None:
        """print the position (chess: FEN; backgammon: GNUbg ID and XGID too)"""
        if kind(type(self.record.start)).hidden:
            return self.say("the position contains hidden information")
        for text in (position_text(self.record.state), *other_texts(self.record.state)):
            self.say(text)

    def pgn(self, _: str) -> None:
        """show the game as PGN (chess)"""
        if not is_ours(type(self.record.start), "chess"):
            return self.say("PGN is for chess; save FILE writes any game")
        for line in to_pgn(self.record).splitlines():
            self.say(line)

    def resign(self, _: str) -> None:
        """resign"""
        if self.is_over:
            return self.say("the game is over")
        state = self.record.state
        loss = getattr(type(state), "win", 1)
        if is_ours(type(state), "backgammon") and not is_match(type(state)):
            loss = state.lost()  # as if the other side had borne off everything
        self.record = self.record._replace(result=-loss if state.player() == 0 else loss)

    def save(self, name: str) -> None:
        """write the game to a file (.pgn, .sgf and .mat in those formats)"""
        name = name or self.file or ""
        if not name:
            return self.say("give the name of a file: save FILE")
        path = Path(name).expanduser()
        if path.exists() and name != self.file:
            return self.say(f"{name} already exists: choose another name")
        try:
            write_whole(path, written(self.record, name))
        except ValueError as error:
            return self.say(str(error))
        except OSError as error:
            return self.say(f"cannot write {name}: {error.strerror}")
        self.file = name
        self.say(f"saved as {name}")

    def quit(self, _: str) -> None:
        """leave the game"""
        self.left = True

    # --- seeing and asking ---

    def title(self) -> str:
        """The game and its players."""
        game = game_name(type(self.record.start))
        if None not in self.seats:
            return f"{game}: {name_of(self.seats[0])} against {name_of(self.seats[1])}"
        mine = [side_name(self.record.start, side) for side in (0, 1) if self.seats[side] is None]
        others = [name_of(seat) for seat in self.seats if seat is not None]
        against = f" against {others[0]}" if others else ""
        return f"{game}: you play {' and '.join(mine)}{against}; help lists the commands"

    @property
    def is_over(self) -> bool:
        """Whether the game is over, by the rules or by resignation."""
        return self.record.is_over or self.record.result is not None

    def is_human(self, state: Any) -> bool:
        return can_choose(state) and self.seats[state.player()] is None

    def show(self) -> None:
        """Show the board with the last move marked."""
        before = self.record.undo().state if self.record.actions else None
        self.screen.show(self.record.state, before, self.eyes(self.record.state))

    def eyes(self, state: Any) -> tuple[int, ...]:
        """The seats that see the screen: the human's; of two humans, the one to move."""
        return looking(state, [side for side, player in enumerate(self.seats) if player is None])

    def ask(self) -> str | None:
        """A line from the human; None at the end of the input."""
        state = self.record.state
        prompt = "game over> " if self.is_over else f"{side_name(state, state.player())}> "
        if sys.stdin is None or not sys.stdin.isatty():
            line = sys.stdin.readline() if sys.stdin is not None else ""
            self.say((prompt + line).rstrip())
            return line or None
        with contextlib.suppress(ImportError):  # not needed on Windows
            import readline  # noqa: F401
        try:
            return input("  " + prompt)
        except EOFError:
            self.say("")
            return None


COMMANDS: dict[str, Callable[[Table, str], None]] = {
    "moves": Table.moves,
    "hint": Table.hint,
    "undo": Table.undo,
    "redo": Table.redo,
    "flip": Table.flip,
    "position": Table.position,
    "fen": Table.position,
    "pgn": Table.pgn,
    "resign": Table.resign,
    "save": Table.save,
    "help": Table.help,
    "?": Table.help,
    "quit": Table.quit,
    "exit": Table.quit,
    "q": Table.quit,
}


def think(player: Player, record: Record, limits: Limits, anytime: bool = False, lines: int = 1) -> Analysis:
    """Wait for the player's move; a user's own code runs in this, the main thread, as it may expect.

    `anytime`: after Ctrl-C return the best result so far. `lines`: the number of
    best moves, for a search.
    """
    if isinstance(player, Bot):
        with Progress():
            return player(record, limits)
    if anytime and isinstance(player, SearchPlayer):
        stop = threading.Event()
        return patiently(
            lambda: player(record, limits, stop, lines), "thinking", interrupt=stop.set, limit=limits.time
        )
    if isinstance(player, SearchPlayer):
        return patiently(lambda: player(record, limits, None, lines), "thinking", limit=limits.time)
    return patiently(lambda: player(record, limits), "thinking")


def name_of(player: Player | None) -> str:
    return getattr(player, "name", "the machine")


def side_name(state: Any, side: int) -> str:
    """The name of a player: White, or its symbol on the board, or else MAX and MIN."""
    board = board_of(state)
    return (board and (board.sides[side] or board.owners[side][:1])) or ("MAX", "MIN")[side]


def details(analysis: Analysis) -> str:
    """The depth, nodes and time of a player's search, if it reports them."""
    parts = []
    if analysis.depth:
        parts.append(f"depth {analysis.depth}")
    if analysis.nodes:
        parts.append(f"{analysis.nodes:,} nodes")
    return f"  ({', '.join(parts)}, {analysis.time:.2f} s)" if parts else ""


def result_text(record: Record) -> str:
    """The winner, and the margin if it is more than a win."""
    value = record.result
    if value is None:
        return "not finished"
    if value == 0:
        return "game over: a draw"
    by = f" by {abs(value):g}" if abs(value) != 1 else ""
    return f"game over: {side_name(record.state, value < 0)} wins{by}"
