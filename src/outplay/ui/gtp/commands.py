"""The commands of GTP version 2, with extensions of GoGui, KGS and GNU Go."""

import inspect
import math
import threading
import time
from typing import Any

from outplay import __version__
from outplay.files import read_text
from outplay.game import action_text, legal
from outplay.gamefile import from_sgf, to_sgf
from outplay.games.go import sgf
from outplay.games.go.text import members, read_point
from outplay.limits import Analysis, Limits
from outplay.players import SearchPlayer, player, search_for
from outplay.record import Record
from outplay.storage import write_whole
from outplay.ui.board import plain
from outplay.ui.gtp import clock, handicap, status
from outplay.ui.gtp.protocol import Command, Quit
from outplay.ui.gtp.table import COLOURS, game
from outplay.ui.wait import patiently
from outplay.variants import variant

FEWEST = 100  # minimum iterations for a resignation
ANALYSES = """\
dboard/Ownership/outplay-ownership
sboard/Visits/outplay-visits
string/Value/outplay-value
var/Best line/outplay-line
plist/Legal moves/all_legal %c
plist/Dead stones/final_status_list dead
string/Final score/final_score"""


class Engine:
    """Executes commands; those for Go only are not offered in Othello."""

    def __init__(self, name: str, search: str, limits: Limits, resign: float) -> None:
        self.table = game(name)
        self.player = player(search or search_for(self.table.cls))
        self.clock = clock.Clock(limits)
        self.resign = resign / 100
        self.stop = threading.Event()
        self.found: Analysis | None = None  # the result of the last search
        self.searched: Record | None = None  # the record that it searched

    def commands(self) -> dict[str, Command]:
        found: dict[str, Command] = {}
        for name, method in inspect.getmembers(self, inspect.ismethod):
            if name.startswith(("do_", "go_")) and (self.table.is_go or name.startswith("do_")):
                found[NAMES.get(name[3:], name[3:])] = method
        return found

    def interrupt(self) -> None:
        self.stop.set()

    # --- identification -

    def do_protocol_version(self, words: list[str]) -> str:
        return "2"

    def do_name(self, words: list[str]) -> str:
        return "Outplay"

    def do_version(self, words: list[str]) -> str:
        return __version__

    def do_known_command(self, words: list[str]) -> str:
        return "true" if words and words[0] in self.commands() else "false"

    def do_list_commands(self, words: list[str]) -> str:
        return "\n".join(sorted(self.commands()))

    def do_quit(self, words: list[str]) -> str:
        raise Quit

    def do_set_game(self, words: list[str]) -> str:
        """Quarry's extension: the game to play."""
        wanted = " ".join(words).lower()
        if wanted != self.table.cls.__name__.lower():
            raise ValueError(f"this is {self.table.cls.__name__}: start `outplay gtp {wanted or 'GAME'}`")
        return ""

    def do_list_games(self, words: list[str]) -> str:
        return str(self.table.cls.__name__)

    # --- the board ---

    def do_boardsize(self, words: list[str]) -> str:
        size = number(words, "boardsize SIZE")
        smallest, largest = (2, 19) if self.table.is_go else (4, 8)
        if not smallest <= size <= largest:
            raise ValueError("unacceptable size")
        self.table.resize(size)
        self.forget()
        return ""

    def do_query_boardsize(self, words: list[str]) -> str:
        return str(self.table.cls.SIZE)

    def do_clear_board(self, words: list[str]) -> str:
        self.table.clear()
        self.forget()
        return ""

    def go_komi(self, words: list[str]) -> str:
        try:
            points = float(" ".join(words))
        except ValueError:
            raise ValueError("syntax error: write komi POINTS") from None
        cls = self.table.cls
        wanted = sgf.sized(cls.SIZE, points)
        self.table.replace(variant(cls, KOMI=wanted.KOMI, HALF=wanted.HALF))
        self.forget()
        return ""

    def go_get_komi(self, words: list[str]) -> str:
        return f"{self.table.cls.KOMI + self.table.cls.HALF / 2:g}"

    def do_showboard(self, words: list[str]) -> str:
        return "\n" + plain(self.table.state)

    def do_play(self, words: list[str]) -> str:
        if len(words) != 2:
            raise ValueError("syntax error: write play COLOUR VERTEX")
        colour = colour_of(words[0])
        try:
            self.table.play(colour, words[1])
        except ValueError:
            raise ValueError("illegal move") from None
        return ""

    def do_undo(self, words: list[str]) -> str:
        try:
            self.table.undo()
        except ValueError as error:
            raise ValueError(f"cannot undo: {error}") from None
        return ""

    def do_gg_undo(self, words: list[str]) -> str:
        for _ in range(number(words or ["1"], "gg-undo [MOVES]")):
            self.do_undo([])
        return ""

    def do_gogui_play_sequence(self, words: list[str]) -> str:
        if len(words) % 2:
            raise ValueError("syntax error: write COLOUR VERTEX COLOUR VERTEX ...")
        for at in range(0, len(words), 2):
            self.do_play(words[at : at + 2])
        return ""

    # --- thinking ---

    def do_genmove(self, words: list[str]) -> str:
        colour = colour_of(" ".join(words))
        record = self.table.turn(colour)
        began = time.monotonic()
        text = self.chosen(record, colour)
        self.clock.spend(colour, time.monotonic() - began)
        assert self.found is not None
        if text != "resign":
            assert self.found.action is not None
            self.table.made(record, self.found.action)
        return text

    def do_reg_genmove(self, words: list[str]) -> str:
        colour = colour_of(" ".join(words))
        return self.chosen(self.table.turn(colour), colour)

    def go_kgs_genmove_cleanup(self, words: list[str]) -> str:
        """Like genmove: dead stones count for their owner until captured, so they are captured anyway."""
        return self.do_genmove(words)

    def chosen(self, record: Record, colour: int) -> str:
        """The move to play, or `resign`."""
        if not record.legal():
            raise ValueError("the game is over")
        self.think(record, colour)
        assert self.found is not None
        assert self.found.action is not None
        if self.is_hopeless(colour):
            return "resign"
        text = action_text(record.state, self.found.action)
        return text if text == "pass" else text.upper()

    def think(self, record: Record, colour: int) -> None:
        self.stop.clear()
        limits = self.clock.limits(colour)
        if self.searched is None and hasattr(self.player, "prepare"):  # compiling does not count on the clock
            patiently(lambda: self.player.prepare(record.state))  # type: ignore[attr-defined]
        if isinstance(self.player, SearchPlayer):
            self.found = self.player(record, limits, self.stop)
        else:
            self.found = self.player(record, limits)
        self.searched = record

    def is_hopeless(self, colour: int) -> bool:
        """Whether the win rate of the simulations is below the resignation threshold."""
        found = self.found
        if found is None or found.value is None or not self.resign or found.nodes < FEWEST:
            return False
        sampled = isinstance(self.player, SearchPlayer) and self.player.search.samples
        if not self.table.is_go or not sampled:
            return False
        share = 0.5 + 0.5 * found.value * (1 if colour == 0 else -1)
        return share < self.resign

    def forget(self) -> None:
        """Start a new game."""
        self.found = self.searched = None
        if isinstance(self.player, SearchPlayer):
            self.player.new_game()

    # --- clocks ---

    def do_time_settings(self, words: list[str]) -> str:
        if len(words) != 3:
            raise ValueError("syntax error: write time_settings MAIN PERIOD STONES")
        self.clock.set(clock.settings_of(words))
        return ""

    def do_time_left(self, words: list[str]) -> str:
        if len(words) != 3:
            raise ValueError("syntax error: write time_left COLOUR TIME STONES")
        self.clock.tell(colour_of(words[0]), clock.seconds(words[1]), int(clock.seconds(words[2])))
        return ""

    def do_kgs_time_settings(self, words: list[str]) -> str:
        self.clock.set(clock.kgs_settings(words))
        return ""

    # --- handicap ---

    def go_fixed_handicap(self, words: list[str]) -> str:
        return self.place(handicap.fixed(self.table.cls.SIZE, number(words, "fixed_handicap STONES")))

    def go_place_free_handicap(self, words: list[str]) -> str:
        size, wanted = self.table.cls.SIZE, number(words, "place_free_handicap STONES")
        most = handicap.most_stones(size)
        if wanted < 2 or most < 2:
            raise ValueError("invalid handicap")
        return self.place(handicap.fixed(size, min(wanted, most)))

    def go_set_free_handicap(self, words: list[str]) -> str:
        points = [read_point(word, self.table.cls.SIZE) for word in words]
        if len(points) < 2 or len(set(points)) < len(points):
            raise ValueError("bad vertex list")
        self.place(points)
        return ""

    def place(self, points: list[int]) -> str:
        if self.table.record.actions or any(map(members, (self.table.state.own, self.table.state.opp))):
            raise ValueError("board not empty")
        cls = self.table.cls
        black = cls.points_of(sum(1 << point for point in points))
        self.table.set_up(cls(opp=black, ply=1))
        self.table.handicap = len(points)
        return " ".join(self.table.state.action_text(point) for point in points)

    def go_get_handicap(self, words: list[str]) -> str:
        return str(self.table.handicap)

    # --- the end ---

    def do_final_score(self, words: list[str]) -> str:
        state = self.table.state
        if self.table.is_go:
            return sgf.result_text(patiently(lambda: status.cleared(state)))
        value = state.utility()
        return f"{'B' if value > 0 else 'W'}+{abs(value)}" if value else "0"

    def go_final_status_list(self, words: list[str]) -> str:
        if len(words) != 1 or words[0] not in ("alive", "dead", "seki"):
            raise ValueError("syntax error: write final_status_list alive, dead or seki")
        state = self.table.state
        owners = patiently(lambda: status.ownership(state))
        gone, shared = status.dead(state, owners), status.seki(state, owners)
        stones = members(state.own) | members(state.opp)
        wanted = {"dead": gone, "seki": shared & ~gone, "alive": stones & ~gone & ~shared}[words[0]]
        lines = []
        for group in (*status.groups(state, state.own), *status.groups(state, state.opp)):
            if members(group) & wanted:
                lines.append(self.vertices(members(group)))
        return "\n".join(lines)

    # --- files ---

    def go_loadsgf(self, words: list[str]) -> str:
        """A game from a file, up to before a move if a number is given."""
        if not 1 <= len(words) <= 2:
            raise ValueError("syntax error: write loadsgf FILE [MOVE]")
        try:
            record = from_sgf(read_text(words[0]))
        except (ValueError, OSError) as error:
            raise ValueError(f"cannot load file: {error}") from None
        if len(words) == 2:
            record = record.undo(max(0, len(record.actions) - number(words[1:], "loadsgf FILE MOVE") + 1))
        self.table.cls, self.table.spec = type(record.start), record.game
        self.table.records = [
            record.undo(len(record.actions) - count) for count in range(len(record.actions) + 1)
        ]
        self.forget()
        return COLOURS[record.state.player()]

    def go_printsgf(self, words: list[str]) -> str:
        text = to_sgf(self.table.record)
        if not words:
            return text.strip()
        write_whole(words[0], text)
        return ""

    # --- inspection -----------

    def do_is_legal(self, words: list[str]) -> str:
        if len(words) != 2:
            raise ValueError("syntax error: write is_legal COLOUR VERTEX")
        record = self.table.turn(colour_of(words[0]))
        texts = {action_text(record.state, action).lower() for action in record.legal()}
        return str(int(words[1].lower() in texts))

    def do_all_legal(self, words: list[str]) -> str:
        record = self.table.turn(colour_of(" ".join(words)))
        texts = (action_text(record.state, action) for action in record.legal())
        return " ".join(text.upper() for text in texts if text != "pass")

    def go_list_stones(self, words: list[str]) -> str:
        return self.vertices(self.stones(colour_of(" ".join(words))))

    def go_color(self, words: list[str]) -> str:
        point = read_point(" ".join(words), self.table.cls.SIZE)
        for colour in (0, 1):
            if self.stones(colour) >> point & 1:
                return COLOURS[colour]
        return "empty"

    def stones(self, colour: int) -> int:
        state = self.table.state
        return members(state.own if state.player() == colour else state.opp)

    def vertices(self, points: int) -> str:
        state = self.table.state
        return " ".join(state.action_text(point) for point in range(state.POINTS) if points >> point & 1)

    def do_cputime(self, words: list[str]) -> str:
        return f"{time.process_time():.2f}"

    def do_gogui_analyze_commands(self, words: list[str]) -> str:
        return ANALYSES if self.table.is_go else "string/Value/outplay-value\nvar/Best line/outplay-line"

    def do_gogui_interrupt(self, words: list[str]) -> str:
        return ""

    def go_outplay_ownership(self, words: list[str]) -> str:
        state = self.table.state
        return self.grid([f"{share:.2f}" for share in patiently(lambda: status.ownership(state))])

    def go_outplay_visits(self, words: list[str]) -> str:
        """The last search's visit counts by move."""
        cells = ['""'] * self.table.cls.POINTS
        if self.searched is not None and isinstance(self.player, SearchPlayer):
            for action, visits in self.player.search.visits().items():
                if action < len(cells):
                    cells[action] = str(visits)
        return self.grid(cells)

    def grid(self, cells: list[str]) -> str:
        """A value for each point, in rows from the top."""
        size = self.table.cls.SIZE
        return "\n".join(" ".join(cells[at : at + size]) for at in range(size * (size - 1), -1, -size))

    def do_outplay_value(self, words: list[str]) -> str:
        """The last search's value for Black, and its number of iterations or nodes."""
        found = self.found
        if found is None or found.value is None or math.isnan(found.value):
            return "nothing was searched yet"
        return f"{found.value:+.3f} for Black after {found.nodes} nodes"

    def do_outplay_line(self, words: list[str]) -> str:
        """The last search's best line."""
        if self.found is None or self.searched is None:
            return ""
        state: Any = self.searched.state
        parts = []
        for action in self.found.line:
            if action not in legal(state):
                break
            parts.append(f"{COLOURS[state.player()][0]} {action_text(state, action)}")
            state = state.result(action)
        return " ".join(parts)


# Commands whose names are not Python identifiers.
NAMES = {
    "gg_undo": "gg-undo",
    "kgs_genmove_cleanup": "kgs-genmove_cleanup",
    "kgs_time_settings": "kgs-time_settings",
    "gogui_play_sequence": "gogui-play_sequence",
    "gogui_analyze_commands": "gogui-analyze_commands",
    "gogui_interrupt": "gogui-interrupt",
    "outplay_ownership": "outplay-ownership",
    "outplay_visits": "outplay-visits",
    "outplay_value": "outplay-value",
    "outplay_line": "outplay-line",
}


def colour_of(word: str) -> int:
    folded = word.lower()
    for number, colour in enumerate(COLOURS):
        if folded in (colour, colour[0]):
            return number
    raise ValueError("invalid color: write black or white")


def number(words: list[str], usage: str) -> int:
    if len(words) != 1 or not words[0].lstrip("-").isdecimal():
        raise ValueError(f"syntax error: write {usage}")
    return int(words[0])
