"""A prover tests whether MAX can reach a given value, for one position after another."""

import contextlib
from typing import Any

from outplay.compile import twin
from outplay.compile.errors import explained
from outplay.search.protocol import control


class Prover:
    """A kernel with its memory. It may be stopped at any time and resumed."""

    def __init__(self, cls: type, memory: Any) -> None:
        self.cls, self.memory = cls, memory
        self.twin = twin(cls)

    # --- what a subclass knows ---

    def start(self, native: Any) -> Any:
        """Run the kernel."""
        raise NotImplementedError

    def estimate(self, state: Any) -> int:
        """A first guess of the value."""
        raise NotImplementedError

    def at_least(self, state: Any, goal: int) -> int:
        """A lower bound on the utility for MAX that is not below the goal, or an upper bound that is."""
        raise NotImplementedError

    def action(self) -> int | None:
        """The root's action that decided the last proof, if one did."""
        raise NotImplementedError

    # --- the same for all ---

    @property
    def nodes(self) -> int:
        return int(self.memory.nodes)

    def stop(self) -> None:
        self.memory.limit = 0

    def allow(self, nodes: int) -> None:
        """Allow this many more nodes."""
        if self.memory.limit:
            self.memory.limit = self.memory.nodes + nodes

    def prepare(self, state: Any) -> None:
        """Compile the native code."""
        native = self.twin.state(state)
        self.memory.limit = 0
        with explained(self.twin, native), contextlib.suppress(control.Stopped):
            self.start(native)
        self.memory.limit = control.NO_LIMIT
