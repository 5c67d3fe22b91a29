"""A search in the background."""

import threading
import time
from typing import TYPE_CHECKING, Any

from outplay.game import is_terminal
from outplay.limits import SECONDS, Analysis, Limits
from outplay.ui.uci.go import Go
from outplay.ui.uci.score import score_text

if TYPE_CHECKING:
    from outplay.ui.uci.protocol import Uci


class Thinking:
    """One `go`, from the start of the search to `bestmove`."""

    def __init__(self, uci: "Uci", go: Go) -> None:
        self.uci = uci
        self.go = go
        self.game = uci.game
        self.state: Any = self.game.state
        self.ended = threading.Event()  # the search must stop
        self.released = threading.Event()  # the answer may be sent
        if not go.waits and not go.unlimited:
            self.released.set()
        self.told = 0  # nodes in the last `info` line
        self.began = time.perf_counter()
        self.thread = threading.Thread(target=self.think, daemon=True)

    def start(self) -> None:
        self.thread.start()

    def stop(self) -> None:
        """Stop the search and wait until the answer is sent."""
        self.ended.set()
        self.released.set()
        self.thread.join()

    def ponderhit(self) -> None:
        """The expected move was played: the clock runs from now on."""
        seconds = self.limits().timed().time
        self.released.set()
        if seconds is not None:
            timer = threading.Timer(seconds, self.ended.set)
            timer.daemon = True
            timer.start()

    def limits(self) -> Limits:
        return self.go.limits(self.state.player(), self.uci.options["Move Overhead"] / 1000)

    def think(self) -> None:
        line: tuple[int, ...] = ()
        if self.game.fault:
            self.uci.tell(f"no position to search: {self.game.fault}")
        else:
            try:
                line = self.choose()
            except Exception as error:  # the GUI expects an answer, whatever happens
                self.uci.tell(f"{type(error).__name__}: {error}")
                line = tuple(self.only() or self.legal())[:1]
        self.released.wait()
        self.uci.write(f"bestmove {self.line_text(line[:1]) or '0000'}" + self.expected(line))

    def choose(self) -> tuple[int, ...]:
        """The line to play; if the game is drawn by rule with moves left, any of them."""
        if is_terminal(self.state):
            return tuple(self.state.actions())[:1]
        only = self.only()
        if only is None:
            try:
                found = self.book_move()
                if found is not None:
                    return (found,)
                only = self.uci.endings.best(self.state) or None if self.uci.endings else None
            except Exception as error:  # an invalid file: search without it
                self.uci.tell(f"the book or the tables cannot be read: {error}")
        return self.steered(only).line

    def book_move(self) -> int | None:
        """The opening book's move, if the position is in a book."""
        options = self.uci.options
        if not options["OwnBook"] or not options["BookFile"] or self.go.waits:
            return None
        found: int | None = self.uci.reader().move(self.state, self.state.ply, self.uci.dice.random())
        return found

    def steered(self, only: list[int] | None) -> Analysis:
        """The search's result; if the position is in an extended book, its bonuses decide among a few lines."""
        from outplay.book.choice import LINES, steered

        bonuses: dict[int, float] = {}
        options, lines = self.uci.options, self.uci.options["MultiPV"]
        if options["OwnBook"] and options["ExtendedBook"] and not self.go.waits:
            try:
                bonuses = self.uci.reader().bonuses(self.state)
            except Exception as error:
                self.uci.tell(f"the extended book cannot be read: {error}")
        if bonuses:
            lines = max(lines, LINES)
        found = self.searched(self.allowed(), self.ended, lines, only)
        if found.depth == 0 and self.limits().nodes is None:  # no time for any depth
            found = self.searched(Limits(depth=1), None, 1, only)
        elif found.nodes != self.told and found.line:
            self.tell(found)  # the nodes since the last finished depth
        return steered(found, self.state, bonuses) if bonuses else found

    def searched(
        self, limits: Limits, stop: threading.Event | None, lines: int, only: list[int] | None
    ) -> Analysis:
        found: Analysis = self.uci.engine.search(
            self.state, limits, self.report, stop, past=self.game.past(), lines=lines, only=only
        )
        return found

    def allowed(self) -> Limits:
        """The limits, reduced for a weakened engine."""
        limits = self.limits()
        if self.go.ponder:  # node limits count at once; the clock starts at `ponderhit`
            limits = Limits(depth=limits.depth, nodes=limits.nodes)
        elif self.go.infinite or self.go.unlimited:  # search for the shortest mate, however long it takes
            limits = Limits(depth=limits.depth, time=SECONDS, win=limits.win)
        elo = self.uci.options.elo
        if elo is None:
            return limits
        from outplay.ui.uci.strength import strength

        nodes = strength(elo).nodes_at(self.state)
        return limits._replace(nodes=min(nodes, limits.nodes or nodes))

    def legal(self) -> list[int]:
        return [] if is_terminal(self.state) else list(self.state.actions())

    def only(self) -> list[int] | None:
        """The moves of `searchmoves`, without illegal ones."""
        texts = {self.text(self.state, action): action for action in self.legal()} if self.go.moves else {}
        found = [texts[move] for move in self.go.moves if move in texts]
        if self.go.moves and not found:
            self.uci.tell(
                f"searchmoves: {' '.join(self.go.moves)}: no such move here; all moves are searched"
            )
        return found or None

    def text(self, state: Any, action: int) -> str:
        return state.uci(action, self.uci.options["UCI_Chess960"])

    def line_text(self, line: tuple[int, ...]) -> str:
        texts, state = [], self.state
        for action in line:
            texts.append(self.text(state, action))
            state = state.result(action)
        return " ".join(texts)

    def expected(self, line: tuple[int, ...]) -> str:
        """The expected reply, for pondering."""
        return f" ponder {self.line_text(line[:2]).split()[1]}" if len(line) > 1 else ""

    def report(self, found: Analysis) -> None:
        """Write an `info` line for each of the best lines after a finished depth."""
        for line in (found, *found.others):
            self.tell(line)

    def tell(self, found: Analysis) -> None:
        seconds = max(time.perf_counter() - self.began, 1e-3)
        self.told = found.nodes
        self.uci.write(
            f"info depth {found.depth} seldepth {max(found.deepest, found.depth)} multipv {found.number} "
            f"score {score_text(self.state, found.score)} nodes {found.nodes} nps {int(found.nodes / seconds)} "
            f"hashfull {self.uci.engine.table.permille()} tbhits {found.tbhits} time {int(1000 * seconds)} "
            f"pv {self.line_text(found.line)}"
        )
        wanted = self.go.numbers.get("mate")
        if wanted is not None and mate_in(self.state, found.score) in range(1, wanted + 1):
            self.ended.set()
            if not self.go.waits:
                self.released.set()


def mate_in(state: Any, score: int) -> int:
    """Moves until the mover mates; 0 if no mate was found."""
    text = score_text(state, score).split()
    return max(int(text[1]), 0) if text[0] == "mate" else 0
