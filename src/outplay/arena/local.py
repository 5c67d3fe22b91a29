"""A Python object as a player, in the runner's own process."""

import threading
import time
from typing import Any

from outplay.arena.faults import Fault
from outplay.arena.seat import Turn
from outplay.limits import Analysis, Limits
from outplay.players import Bot, IllegalMove, PlayerError, as_player
from outplay.record import Record


class LocalSeat:
    """Calls the object in a separate thread; a thread that hangs is abandoned."""

    def __init__(self, player: Any, name: str, start: Any, limits: Limits) -> None:
        self.bot = player if isinstance(player, Bot) else as_player(player, name)
        if start is not None:
            self.bot.prepare(start, limits)

    def new_game(self, record: Record, deadline: float) -> None:
        self._call(self.bot.new_game, deadline=deadline)

    def choose(self, turn: Turn) -> Analysis:
        answer: Analysis = self._call(self.bot, turn.record, turn.limits, deadline=turn.deadline)
        return answer

    def spent(self) -> None:
        return None

    def close(self) -> None:
        pass

    def _call(self, function: Any, *arguments: Any, deadline: float) -> Any:
        outcome: list[Any] = []

        def work() -> None:
            try:
                outcome.append(function(*arguments))
            except IllegalMove as error:
                outcome.append(Fault("illegal", str(error)))
            except PlayerError as error:
                outcome.append(Fault("crash", str(error)))
            except Exception as error:  # in the user's player or rules: a fault, the match goes on
                outcome.append(Fault("crash", f"{type(error).__name__}: {error}"))

        thread = threading.Thread(target=work, daemon=True)
        thread.start()
        thread.join(max(0.0, deadline - time.monotonic()))
        if not outcome:
            raise Fault("hang", "no reply")
        if isinstance(outcome[0], Fault):
            raise outcome[0]
        return outcome[0]
