"""A sooner win than the one that a search has found.

With selective switches a long win may be found first. Then a proof (proof/mate.py) goes on to rule out sooner ones.
With a time or a number of nodes of its own a search may use all of it for that; on a clock, where a win is a win, no
more than a share of what it took to find it. A win that was promised a move ago is proven first, so that it comes
nearer with each move.
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

EFFORT = 4  # nodes of a proof, which are quick, for each node of the search
MOST_EFFORT = 100  # where a win is wanted


class Sooner:
    """Looks for sooner wins beside one search."""

    def __init__(self, run: "Run") -> None:
        self.run = weakref.proxy(run)  # which holds this
        self.cls = type(run.state)
        self.promised = self.plies_promised()
        self.refuted = 0  # there is no win within so many plies

    def compile(self) -> None:
        """Build the native code that it may need."""
        if self.overlooks:
            owner = self.run.owner
            with contextlib.suppress(control.Stopped):
                Shortest(self.run.memories[0], owner.proofs, self.run.on).ask(self.run.state, 1)

    @property
    def overlooks(self) -> bool:
        """Whether a shorter win than the one that is found may have been overlooked, and is to be looked for.

        A search of a given depth is the search of that depth and no other.
        """
        run = self.run
        wins = hasattr(self.cls, "win") and outranks(self.cls)
        return wins and int(run.on) & ~SOUND != 0 and run.limits.depth is None and run.lines == 1

    def plies_to_win(self, found: Analysis) -> int | None:
        """How far the win is that was found for the player to move; None if none was."""
        if not found.proven or not is_decided(self.cls, found.score) or found.score * self.run.sign < 0:
            return None
        return self.score_of(0) - abs(found.score)

    def score_of(self, plies: int) -> int:
        """What a win within so many plies is worth."""
        win: int = self.cls.win
        return WIN * win - plies

    def plies_promised(self) -> int | None:
        """Within how many plies it must win by what it found a move ago; None if it found no win, or not here."""
        if self.run.owner.promise is None:
            return None
        after, plies = self.run.owner.promise
        if type(after) is not self.cls or is_terminal(after):
            return None
        return plies - 1 if any(after.result(reply) == self.run.state for reply in legal(after)) else None

    def breaks_promise(self, found: Analysis) -> bool:
        """Whether the win that was found is farther than the one that was promised."""
        plies = self.plies_to_win(found)
        return plies is not None and self.promised is not None and plies > self.promised

    def sought(self, found: Analysis) -> int:
        """Within how many plies a win is to be proven; 0: none is.

        What was promised or wanted, and what is sooner than the win that was found: by two plies, since in nearly
        all games it is the winner who moves last.
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
        """The soonest win that is proven, with as many nodes as that is worth; what was found before if none is."""
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
        """What proves wins; what it proved for the last search is good for what that promised, and else forgotten."""
        owner = self.run.owner
        if self.promised is None:
            owner.proofs.words.fill(0)
        return Shortest(self.run.memories[0], owner.proofs, self.run.on)
