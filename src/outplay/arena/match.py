"""A match between two players: paired games, several at a time, every result kept as soon as it is there.

    from outplay.arena import Match, TimeControl
    match = Match("othello", ["engine", "gtp:gtp-rhino --level=3"], games=100, control=TimeControl(time=0.1))
    print(match.run().score)

The runner is one process; each worker is a thread of it that plays one game after the other with programs of its
own, one for each player. A program that fails loses its game and is started again.
"""

import hashlib
import queue
import threading
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from outplay.arena.adjudication import Rules
from outplay.arena.entrants import Entrant, entrant, named_apart
from outplay.arena.faults import Fault
from outplay.arena.openings import Openings, random_openings, read_openings
from outplay.arena.referee import Aborted, Effort, Ended, Referee
from outplay.arena.schedule import Pairing, pairing
from outplay.arena.seat import Seat
from outplay.arena.sprt import Sprt
from outplay.arena.standing import Standing, standing
from outplay.arena.store import Store
from outplay.arena.timecontrol import Clock, TimeControl
from outplay.game import kind
from outplay.games import load
from outplay.record import Record, write

PLIES = 4  # of random openings, where nothing else is said
MARGIN = 0.1  # seconds that a move may take too long: what waking a process may cost on a busy machine
PATIENCE = 10.0  # seconds that a player may stay silent beyond its time before it is taken to hang
START = 600.0  # seconds that a player has to get ready: native code may have to be built


class Played(NamedTuple):
    """A finished game of the match."""

    number: int
    first: int  # which player was MAX
    score: float  # of the first player of the match: 1, 1/2 or 0
    reason: str  # how it ended, in words
    fault: str | None  # the kind of fault that ended it
    loser: int | None  # which player committed it
    record: str  # the game as a saved record
    efforts: tuple[Effort, Effort]  # of the two players


class Match:
    """A match and all that was fixed before it began; `run` plays what is left of it."""

    def __init__(
        self,
        game: str,
        players: Sequence[Any],
        *,
        games: int = 100,
        control: TimeControl | None = None,
        openings: str | None = None,
        plies: int | None = None,
        in_order: bool = False,
        seed: int = 1,
        concurrency: int = 1,
        rules: Rules | None = None,
        sprt: Sprt | None = None,
        margin: float = MARGIN,
        patience: float = PATIENCE,
        out: str | Path | None = None,
    ) -> None:
        if len(players) != 2:
            raise ValueError(f"a match is between two players, not {len(players)}")
        if games < 2 or games % 2:
            raise ValueError(f"games must be even, since every opening is played twice, not {games}")
        if concurrency < 1:
            raise ValueError(f"concurrency must be 1 or more, not {concurrency}")
        if not (margin >= 0 and patience > 0):
            raise ValueError(f"margin and patience are seconds: {margin:g} and {patience:g} make no sense")
        self.game = load(game)
        self.entrants = named_apart([entrant(player) for player in players])
        if kind(self.game.cls).players != 2:
            raise ValueError(
                f"a match is played at games of two players; {self.game.spec} is {kind(self.game.cls)}"
            )
        if concurrency > 1 and any(one.kind == "object" for one in self.entrants):
            raise ValueError("a Python object plays one game at a time: name it as bot.py:Bot for more")
        self.control = (control or TimeControl(time=1.0)).checked()
        for one in self.entrants:
            if one.kind == "uci" and (one.control or self.control) == TimeControl():
                raise ValueError(
                    f"{one.name} would think for ever: give it a time, a clock, a depth or nodes"
                )
        self.games, self.seed, self.concurrency = games, seed, concurrency
        self.rules = rules or Rules()
        self.sprt = sprt.checked() if sprt else None
        self.margin, self.patience = margin, patience
        self.in_order = in_order or openings is None
        self.openings = self._openings(openings, plies)
        self.store = Store(Path(out), self.settings(openings)) if out is not None else None
        self.played = [_restored(line) for line in self.store.games] if self.store else []
        self.stopping = threading.Event()

    # --- what was fixed ---

    def _openings(self, path: str | None, plies: int | None) -> Openings:
        if path is not None and plies is not None:
            raise ValueError("give a file of openings or a number of random plies, not both")
        if path is not None:
            return read_openings(self.game, path)
        if plies is None:
            plies = 0 if kind(self.game.cls).chance else PLIES
        return random_openings(self.game, plies, self.seed)

    def settings(self, openings: str | None) -> dict[str, Any]:
        """All that decides what is measured: a file with other settings is another match."""
        book = self.openings.source
        if openings is not None:  # the same book may lie elsewhere today
            book = f"{Path(openings).name} {hashlib.sha256(Path(openings).read_bytes()).hexdigest()[:16]}"
        return {
            "game": self.game.spec,
            "players": [self._settings_of(one) for one in self.entrants],
            "openings": book,
            "in order": self.in_order,
            "seed": self.seed,
            "rules": self.rules,
            "sprt": self.sprt,
            "margin": self.margin,
        }

    def _settings_of(self, one: Entrant) -> dict[str, Any]:
        return {
            "name": one.name, "kind": one.kind, "command": one.command, "options": one.options,
            "limits": str(one.control or self.control),
        }  # fmt: skip

    # --- how it stands ---

    @property
    def standing(self) -> Standing:
        """From the first player's side."""
        return standing({game.number: game.score for game in self.played if game.number < self.games})

    @property
    def llr(self) -> float | None:
        return self.sprt.llr(self.standing.pairs) if self.sprt else None

    @property
    def decision(self) -> str | None:
        """What the SPRT says: `H0`, `H1`, or None while it is open."""
        return self.sprt.decision(self.standing.pairs) if self.sprt else None

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
        """The games that a player lost by a fault of its own; to resign is none."""
        return [game for game in self.played if game.fault not in (None, "resign") and game.loser == player]

    # --- playing ---

    def run(
        self,
        report: Callable[["Match", Played], None] | None = None,
        starting: Callable[[str], None] | None = None,
    ) -> Standing:
        """Play the games that are left. Ctrl-C stops it: finished games are kept.

        `report` hears of every finished game, `starting` of every player that is started for the first time, which
        may take long: native code is built then.
        """
        done = {game.number for game in self.played}
        left = [number for number in range(self.games) if number not in done]
        if left and self.decision is None:
            self._run(left, self._ready_players(starting), report)
        return self.standing

    def _run(
        self, left: list[int], ready: dict[int, Seat], report: Callable[["Match", Played], None] | None
    ) -> None:
        results: queue.Queue[Played | BaseException | None] = queue.Queue()
        numbers = iter(left)
        lock = threading.Lock()
        workers = [Worker(self, numbers, lock, results) for _ in range(min(self.concurrency, len(left)))]
        workers[0].seats = ready
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
                worker.leave()
            for worker in workers:
                worker.join()
            while not results.empty():  # finished while the match was being stopped
                if isinstance(late := results.get(), Played):
                    self._keep(late, report)
            self.stopping.clear()

    def _keep(self, game: Played, report: Callable[["Match", Played], None] | None) -> None:
        if self.store:
            self.store.append(game._asdict())
        self.played.append(game)
        if report is not None:
            report(self, game)

    def _ready_players(self, starting: Callable[[str], None] | None) -> dict[int, Seat]:
        """The players of the first worker. Who cannot even start is bad input, not a lost match."""
        ready: dict[int, Seat] = {}
        for number, one in enumerate(self.entrants):
            if starting is not None:
                starting(one.name)
            try:
                ready[number] = self.seat(number)
            except BaseException as error:
                for seat in ready.values():
                    seat.close()
                if isinstance(error, Fault):
                    raise ValueError(f"{one.name} {error}") from None
                raise
        return ready

    def seat(self, number: int) -> Seat:
        one = self.entrants[number]
        return one.seat(self.game.spec, self.seed + number, time.monotonic() + START)

    def pairing(self, number: int) -> Pairing:
        return pairing(number, len(self.openings), self.seed, self.in_order)

    def begin(self, pairing: Pairing) -> Record:
        """The record where a game of the match begins."""
        names = [self.entrants[player].name for player in (pairing.first, 1 - pairing.first)]
        opening = self.openings.opening(pairing.opening)
        return opening._replace(
            headers=(("first", names[0]), ("second", names[1]), ("round", _round(pairing)))
        )

    def clocks(self, first: int) -> tuple[Clock, Clock]:
        """MAX's and MIN's, where that player is MAX."""
        controls = [one.control or self.control for one in self.entrants]
        return Clock(controls[first], self.margin), Clock(controls[1 - first], self.margin)


class Worker(threading.Thread):
    """Plays game after game with players of its own."""

    def __init__(self, match: Match, numbers: Any, lock: threading.Lock, results: queue.Queue) -> None:
        super().__init__(daemon=True)
        self.match, self.numbers, self.lock, self.results = match, numbers, lock, results
        self.seats: dict[int, Seat] = {}

    def run(self) -> None:
        try:
            while not self.match.stopping.is_set():
                with self.lock:
                    number = next(self.numbers, None)
                if number is None:
                    break
                game = self.play(self.match.pairing(number))
                if game.fault and self.match.stopping.is_set():  # lost because its player was dismissed
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
        """One game; its players are started if they are not there."""
        match, first = self.match, pairing.first
        record = match.begin(pairing)
        ended = self.game(record, pairing)
        if ended.fault and ended.fault != "resign":
            assert ended.loser is not None
            self.dismiss(first ^ ended.loser)
        return _played(match, pairing, ended)

    def game(self, record: Record, pairing: Pairing) -> Ended:
        match, first = self.match, pairing.first
        if match.stopping.is_set():
            raise Aborted
        order = (first, 1 - first)
        for side, player in enumerate(order):
            try:
                if player not in self.seats:
                    self.seats[player] = match.seat(player)
            except (Fault, ValueError) as error:
                fault = error if isinstance(error, Fault) else Fault("crash", str(error))
                lost = record._replace(result=2 * side - 1)
                return Ended(lost, float(side), str(fault), fault.kind, side, (Effort(), Effort()))
        seats = (self.seats[order[0]], self.seats[order[1]])
        clocks, stopped = match.clocks(first), match.stopping.is_set
        return Referee(record, seats, clocks, match.rules, match.patience, pairing.dice, stopped).play()

    def dismiss(self, player: int) -> None:
        seat = self.seats.pop(player, None)
        if seat is not None:
            seat.close()

    def leave(self) -> None:
        """End the players; a game that is being played is over by that."""
        for player in list(self.seats):
            self.dismiss(player)


def _get(results: queue.Queue) -> Any:
    """The next result; waiting in small steps, Ctrl-C is heard on every system."""
    while True:
        try:
            return results.get(timeout=0.2)
        except queue.Empty:
            continue


def _round(pairing: Pairing) -> str:
    return f"{pairing.pair + 1}.{pairing.number % 2 + 1}"


def _played(match: Match, pairing: Pairing, ended: Ended) -> Played:
    """A game from the match's side: players are counted as in the match, not as MAX and MIN."""
    first = pairing.first
    loser = None if ended.loser is None else first ^ ended.loser
    reason = ended.reason if loser is None else f"{match.entrants[loser].name} {ended.reason}"
    score = ended.score if first == 0 else 1 - ended.score
    record = ended.record._replace(headers=(*ended.record.headers, ("end", reason)))
    efforts = (ended.efforts[first], ended.efforts[1 - first])
    return Played(pairing.number, first, score, reason, ended.fault, loser, write(record), efforts)


def _restored(line: dict[str, Any]) -> Played:
    """A game as the results file holds it."""
    efforts = tuple(Effort(*effort) for effort in line.pop("efforts"))
    return Played(**line, efforts=efforts)  # type: ignore[arg-type]
