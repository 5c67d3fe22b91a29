"""Searching for a shorter win than the one found.

With selective switches a long win may be found first. A mate search (proof/mate.py) then tries to rule out shorter
ones. With a time or node limit per move it may use all of it; on a clock, where any win will do, only a share of what
finding the win took. A win promised a move ago is proven first, so that it gets closer with each move.
"""

import contextlib
import functools
import weakref
from collections.abc import Callable
from typing import TYPE_CHECKING

from outplay.game import WIN, is_decided, is_terminal, legal, outranks
from outplay.limits import Analysis
from outplay.search.engine.switches import SOUND
from outplay.search.proof.mate import GLANCE, NO, OPEN, Shortest
from outplay.search.protocol import control

if TYPE_CHECKING:
    from outplay.search.engine.engine import Run

EFFORT = 4  # nodes of the mate search, which are cheap, per node of the search
MOST_EFFORT = 100  # if a win was asked for


class Sooner:
    """Searches for shorter wins alongside one search."""

    def __init__(self, run: "Run") -> None:
        self.run = weakref.proxy(run)  # which holds this object
        self.cls = type(run.state)
        self.promised = self.plies_promised()
        self.refuted = 0  # no win within this many plies

    def compile(self) -> None:
        """Compile the native code that it may need."""
        if self.overlooks:
            owner = self.run.owner
            with contextlib.suppress(control.Stopped):
                Shortest(self.run.memories[0], owner.proofs, self.run.on).ask(self.run.state, 1)

    @property
    def overlooks(self) -> bool:
        """Whether a shorter win than the one found may have been missed, and should be searched for.

        A fixed-depth search never searches further.
        """
        run = self.run
        wins = hasattr(self.cls, "win") and outranks(self.cls)
        return wins and int(run.on) & ~SOUND != 0 and run.limits.depth is None and run.lines == 1

    def plies_to_win(self, found: Analysis) -> int | None:
        """The distance of the win found for the player to move; None if there is none."""
        if not found.proven or not is_decided(self.cls, found.score) or found.score * self.run.sign < 0:
            return None
        return self.score_of(0) - abs(found.score)

    def score_of(self, plies: int) -> int:
        """The score of a win in this many plies."""
        win: int = self.cls.win
        return WIN * win - plies

    def plies_promised(self) -> int | None:
        """The plies within which it must win, according to the search a move ago; None if that found no win here."""
        if self.run.owner.promise is None:
            return None
        after, plies = self.run.owner.promise
        if type(after) is not self.cls or is_terminal(after):
            return None
        return plies - 1 if any(after.result(reply) == self.run.state for reply in legal(after)) else None

    def breaks_promise(self, found: Analysis) -> bool:
        """Whether the win found is longer than the one promised."""
        plies = self.plies_to_win(found)
        return plies is not None and self.promised is not None and plies > self.promised

    def sought(self, found: Analysis) -> int:
        """The plies within which to prove a win; 0: none.

        The promised or requested distance, or two plies less than the win found, since in nearly all games the
        winner moves last.
        """
        plies = self.plies_to_win(found)
        if not self.overlooks or self.run.stopped or found.ended:
            return 0
        if plies is not None and plies - 2 <= self.refuted:
            return 0
        goals = (self.promised, self.run.limits.win, None if plies is None else plies - 2)
        return min((goal for goal in goals if goal is not None and goal > self.refuted), default=0)

    def than(
        self, found: Analysis, report: Callable[[Analysis], None] | None, at_length: bool = False
    ) -> Analysis:
        """The shortest win proven within the node budget; the earlier result if there is none."""
        run = self.run
        share = EFFORT if run.limits.win is None else MOST_EFFORT
        try:
            while (plies := self.sought(found)) > 0:
                spent = self.shortest.spent
                nodes = control.NO_LIMIT if at_length else GLANCE + share * (run.nodes - spent) - spent
                answer = self.shortest.ask(run.state, plies, nodes)
                if answer == OPEN:
                    break
                if answer == NO:
                    self.refuted = plies
                    continue
                line = self.shortest.line(run.state, plies)
                found = run.answer(self.score_of(plies), max(found.depth, plies), line, ended=False)
                if report is not None:
                    report(found)
        except control.Stopped:
            run.stopped = True
        return found

    @functools.cached_property
    def shortest(self) -> Shortest:
        """The mate search; its proofs from the last search are kept only for the win promised there."""
        owner = self.run.owner
        if self.promised is None:
            owner.proofs.words.fill(0)
        return Shortest(self.run.memories[0], owner.proofs, self.run.on)
