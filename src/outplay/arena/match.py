"""A match between two players: paired games, several at a time, every result saved at once.

    from outplay.arena import Conditions, Match, TimeControl
    conditions = Conditions(games=100, control=TimeControl(time=0.1))
    print(Match("othello", ["engine", "gtp:gtp-rhino --level=3"], conditions).run().score)

Games are played one after the other at tables, each with its own programs; every table is a process. A program that
fails loses its game and is restarted; a process that is killed is replaced, and its game replayed.
"""

import hashlib
import queue
import threading
import warnings
from collections.abc import Callable, Iterator, Sequence
from contextlib import nullcontext
from pathlib import Path
from typing import Any

from outplay.arena.conditions import PLIES, Conditions
from outplay.arena.entrants import Entrant, entrant, named_apart
from outplay.arena.faults import Fault
from outplay.arena.openings import Openings, random_openings, read_openings
from outplay.arena.referee import Aborted, Effort
from outplay.arena.remote import AnyTable, Gone, RemoteTable
from outplay.arena.schedule import Pairing, pairing
from outplay.arena.standing import Standing, standing
from outplay.arena.store import Store
from outplay.arena.table import Played, Table, Terms
from outplay.arena.timecontrol import Clock, TimeControl
from outplay.game import kind
from outplay.games import game_of, is_loadable, load
from outplay.record import Record

PROCESSES = 3  # killed during one game before the match gives up
USUAL = Conditions()


class Match:
    """A match with its settings; `run` plays the games that are left."""

    def __init__(
        self,
        game: str | type,
        players: Sequence[Any],
        conditions: Conditions = USUAL,
        *,
        concurrency: int = 1,
        out: str | Path | None = None,
    ) -> None:
        if len(players) != 2:
            raise ValueError(f"a match is between two players, not {len(players)}")
        if concurrency < 1:
            raise ValueError(f"concurrency must be 1 or more, not {concurrency}")
        self.conditions, self.concurrency = conditions.checked(), concurrency
        self.game = load(game) if isinstance(game, str) else game_of(game)
        self.entrants = named_apart([entrant(player) for player in players])
        self._refuse()
        self.openings = self._openings()
        self.store = Store(Path(out), self.settings()) if out is not None else None
        self.played = self.store.games() if self.store else []
        self.stopping = threading.Event()

    # --- settings ---

    def _refuse(self) -> None:
        """Raise a ValueError if the game or a player does not fit."""
        if kind(self.game.cls).players != 2:
            raise ValueError(f"a match needs a two-player game; {self.game.spec} is {kind(self.game.cls)}")
        if self.concurrency > 1 and any(one.kind == "object" for one in self.entrants):
            raise ValueError("a Python object plays one game at a time: for more, name it as bot.py:Bot")
        if not is_loadable(self.game.cls):
            self._stay_here()
        for one in self.entrants:
            control = self.control_of(one)
            if one.kind == "uci" and control == TimeControl():
                raise ValueError(
                    f"{one.name} would search forever: give it a time, a clock, a depth or nodes"
                )
            one.refuse(self.game, Clock(control, self.conditions.margin).limits())

    def control_of(self, one: Entrant) -> TimeControl:
        """The time control of a player: its own, or that of the match."""
        return one.control or self.conditions.control

    def _stay_here(self) -> None:
        """Only this process can find the class: warn that its players run here, or refuse several at a time."""
        name = self.game.cls.__name__
        if self.concurrency > 1:
            raise ValueError(
                f"{name} is defined interactively or in a script: save it in a file to play several games at a time"
            )
        warnings.warn(
            f"{name} is defined interactively or in a script: the match is played in this process, which cannot stop a "
            "player that hangs (save the class in a file of its own to have a process for each player)",
            stacklevel=4,
        )

    def _openings(self) -> Openings:
        path, plies = self.conditions.openings, self.conditions.plies
        if path is not None:
            return read_openings(self.game, path)
        if plies is None:
            plies = 0 if kind(self.game.cls).chance else PLIES
        return random_openings(self.game, plies, self.conditions.seed)

    def settings(self) -> dict[str, Any]:
        """All settings that affect the result: a file with other settings belongs to another match."""
        fixed, book = self.conditions, self.openings.source
        openings = fixed.openings
        if openings is not None:  # identified by name and content: the file may have moved
            book = f"{Path(openings).name} {hashlib.sha256(Path(openings).read_bytes()).hexdigest()[:16]}"
        return {
            "game": self.game.spec,
            "players": [self._settings_of(one) for one in self.entrants],
            "openings": book,
            "in order": fixed.in_order,
            "seed": fixed.seed,
            "rules": fixed.rules,
            "sprt": fixed.sprt,
            "margin": fixed.margin,
        }

    def _settings_of(self, one: Entrant) -> dict[str, Any]:
        return {
            "name": one.name, "kind": one.kind, "command": one.command, "options": one.options,
            "limits": str(self.control_of(one)),
        }  # fmt: skip

    # --- results ---

    @property
    def standing(self) -> Standing:
        """From the first player's side."""
        counted = (game for game in self.played if game.number < self.conditions.games)
        return standing({game.number: game.score for game in counted})

    @property
    def llr(self) -> float | None:
        sprt = self.conditions.sprt
        return sprt.llr(self.standing.pairs) if sprt else None

    @property
    def decision(self) -> str | None:
        """The SPRT's decision: `H0`, `H1`, or None while it continues."""
        sprt = self.conditions.sprt
        return sprt.decision(self.standing.pairs) if sprt else None

    def effort(self, player: int) -> Effort:
        """What a player used in all games together."""
        used = [game.efforts[player] for game in self.played]
        return Effort(
            sum(e.moves for e in used),
            sum(e.seconds for e in used),
            max((e.longest for e in used), default=0.0),
            sum(e.nodes for e in used),
            sum(e.depth for e in used),
        )

    def faults(self, player: int) -> list[Played]:
        """The games that a player lost by a fault; resigning is not a fault."""
        return [game for game in self.played if game.fault not in (None, "resign") and game.loser == player]

    # --- playing ---

    def run(
        self,
        report: Callable[["Match", Played], None] | None = None,
        starting: Callable[[str], None] | None = None,
    ) -> Standing:
        """Play the games that are left. Ctrl-C stops it: finished games are kept.

        `report` is called with every finished game, `starting` with every player before its first start, which may
        take long because native code is compiled.
        """
        with self.store.open() if self.store else nullcontext(self.played) as self.played:
            done = {game.number for game in self.played}
            left = [number for number in range(self.conditions.games) if number not in done]
            if left and self.decision is None:
                self._run(left, self._first_table(starting), report)
        return self.standing

    def _run(
        self,
        left: list[int],
        table: AnyTable,
        report: Callable[["Match", Played], None] | None,
    ) -> None:
        results: queue.Queue[Played | BaseException | None] = queue.Queue()
        numbers = iter(left)
        lock = threading.Lock()
        tables = [table, *[None] * (min(self.concurrency, len(left)) - 1)]
        workers = [Worker(self, numbers, lock, results, one) for one in tables]
        for worker in workers:
            worker.start()
        working = len(workers)
        try:
            while working:
                result = _get(results)
                if result is None:
                    working -= 1
                elif isinstance(result, BaseException):
                    raise result
                else:
                    self._keep(result, report)
                    if self.decision is not None:
                        break
        finally:
            self.stopping.set()
            for worker in workers:
                worker.stop()
            for worker in workers:
                worker.leave()
                worker.join()
            while not results.empty():  # finished while the match was being stopped
                if isinstance(late := results.get(), Played):
                    self._keep(late, report)
            self.stopping.clear()

    def _keep(self, game: Played, report: Callable[["Match", Played], None] | None) -> None:
        if self.store:
            self.store.append(game)
        self.played.append(game)
        if report is not None:
            report(self, game)

    def _first_table(self, starting: Callable[[str], None] | None) -> AnyTable:
        """The first worker's. Who cannot even start is bad input, not a lost match.

        The others sit down after it, so that native code is built once, not everywhere at a time.
        """
        table = self.table()
        for number, one in enumerate(self.entrants):
            if starting is not None:
                starting(one.name)
            try:
                table.ready(number)
            except BaseException as error:
                table.leave()
                if isinstance(error, Fault):
                    raise ValueError(f"{one.name} {error}") from None
                raise
        return table

    def table(self) -> AnyTable:
        """One more table: here if it is the only one, else in a process of its own."""
        fixed = self.conditions
        terms = Terms(
            self.game.spec, tuple(self.entrants),
            fixed.control, fixed.rules, fixed.margin, fixed.patience, fixed.seed,
        )  # fmt: skip
        return Table(terms, self.game, self.stopping.is_set) if self.concurrency == 1 else RemoteTable(terms)

    def pairing(self, number: int) -> Pairing:
        return pairing(number, len(self.openings), self.conditions.seed, self.conditions.in_order)

    def begin(self, pairing: Pairing) -> Record:
        """The record where a game of the match begins."""
        names = [self.entrants[player].name for player in (pairing.first, 1 - pairing.first)]
        opening = self.openings.opening(pairing.opening)
        return opening._replace(
            headers=(("first", names[0]), ("second", names[1]), ("round", _round(pairing)))
        )


class Worker(threading.Thread):
    """Plays one game after the other at its own table."""

    def __init__(
        self,
        match: Match,
        numbers: Iterator[int],
        lock: threading.Lock,
        results: "queue.Queue[Played | BaseException | None]",
        table: AnyTable | None = None,
    ) -> None:
        super().__init__(daemon=True)
        self.match, self.numbers, self.lock, self.results, self.table = match, numbers, lock, results, table

    def run(self) -> None:
        try:
            while not self.match.stopping.is_set():
                with self.lock:
                    number = next(self.numbers, None)
                if number is None:
                    break
                game = self.play(self.match.pairing(number))
                if game.fault and self.match.stopping.is_set():  # its player was ended, which is not a loss
                    break
                self.results.put(game)
            self.results.put(None)
        except Aborted:
            self.results.put(None)
        except BaseException as error:
            self.results.put(error)
        finally:
            self.leave()

    def play(self, pairing: Pairing) -> Played:
        """Play one game; if the table's process is killed, replay it in a new one."""
        record = self.match.begin(pairing)
        gone = None
        for _ in range(PROCESSES):
            try:
                self.table = self.table or self.match.table()
                if self.match.stopping.is_set():
                    raise Aborted
                return self.table.play(pairing, record)
            except Gone as error:
                if self.match.stopping.is_set():
                    raise Aborted from None
                gone = error
                self.leave()
        raise Gone(f"game {pairing.number + 1} was abandoned by {PROCESSES} processes; the last {gone}")

    def stop(self) -> None:
        """Abort the current game, without waiting for it."""
        if (table := self.table) is not None:
            table.stop()

    def leave(self) -> None:
        """End the table."""
        table, self.table = self.table, None
        if table is not None:
            table.leave()


def _get(results: queue.Queue) -> Any:
    """The next result. Waits in small steps, so that Ctrl-C works on every system."""
    while True:
        try:
            return results.get(timeout=0.2)
        except queue.Empty:
            continue


def _round(pairing: Pairing) -> str:
    return f"{pairing.pair + 1}.{pairing.number % 2 + 1}"
