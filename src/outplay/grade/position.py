"""States as a student's search receives them: the textbook's methods, with every visit logged."""

from typing import Any

from outplay.game import CHANCE, action_text, is_terminal, legal

Path = tuple[int, ...]  # the actions that lead to a state from the root
METHODS = ("player", "actions", "result", "terminal", "utility", "evaluate", "probability")


class TooLong(BaseException):
    """A search called the states' methods more often than any search needs; `except Exception` does not catch this."""


class Misuse(Exception):
    """A method was called on a state that does not support it."""


class Action(int):
    """An action: an int of a type of its own, recognised when a search returns it."""


class Notes:
    """The log of a search: the paths of the states that it visited, in order."""

    def __init__(self, limit: int) -> None:
        self.left = limit  # method calls still allowed
        self.visits: list[Path] = []

    def question(self) -> None:
        self.left -= 1
        if self.left < 0:
            raise TooLong

    def visit(self, path: Path) -> None:
        """Log a visit; the same state twice in a row is one visit."""
        if not self.visits or self.visits[-1] != path:
            self.visits.append(path)


class Position:
    """A state that logs a visit when one of its methods is first called. It is hashable, as states are."""

    points = True  # utilities are used unscaled

    def __init__(self, state: Any, notes: Notes, path: Path = ()) -> None:
        self._state = state
        self._notes = notes
        self._path = path
        self._visited = False
        self._actions: list[Action] | None = None

    def _legal(self) -> list[Action]:
        if self._actions is None:
            self._actions = [Action(action) for action in legal(self._state)]
        return self._actions

    def _ask(self) -> Any:
        self._notes.question()
        if not self._visited:
            self._visited = True
            self._notes.visit(self._path)
        return self._state

    def player(self) -> int:
        return self._ask().player()

    def actions(self) -> list[Action]:
        self._ask()
        return list(self._legal())

    def result(self, action: int) -> "Position":
        state = self._ask()
        if action not in self._legal():
            others = " ".join(map(str, self._legal())) or "none, the state is terminal"
            raise Misuse(f"result({action!r}): not a legal action; legal: {others}")
        return Position(state.result(int(action)), self._notes, (*self._path, int(action)))

    def terminal(self) -> bool:
        return is_terminal(self._ask())

    def utility(self) -> float:
        state = self._ask()
        if not is_terminal(state):
            raise Misuse("utility() of a state that is not terminal; at the depth limit, call evaluate()")
        return _plain(state.utility())

    def evaluate(self) -> float:
        """The evaluation; the utility if the game is over, 0 if it has no evaluation."""
        state = self._ask()
        if is_terminal(state):
            return _plain(state.utility())
        return _plain(state.evaluate()) if hasattr(state, "evaluate") else 0

    def probability(self, outcome: int) -> float:
        state = self._ask()
        if state.player() != CHANCE:
            raise Misuse("probability() of a state that is not a chance node: player() is not CHANCE")
        return state.probability(int(outcome))

    @property
    def to_move(self) -> int:
        """AIMA's name for the player."""
        return self.player()

    def action_text(self, action: int) -> str:
        return action_text(self._state, int(action))

    def __getattr__(self, name: str) -> Any:
        raise AttributeError(f"a state has no {name}; it has {', '.join(f'{m}()' for m in METHODS)}")

    def __copy__(self) -> "Position":
        return self  # it never changes

    def __deepcopy__(self, memo: Any) -> "Position":
        return self

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Position) and self._state == other._state

    def __hash__(self) -> int:
        return hash(self._state)

    def __str__(self) -> str:
        return str(self._state)

    __repr__ = __str__


class Rules:
    """AIMA's `game` object, whose methods take a state."""

    def to_move(self, state: Position) -> int:
        return state.player()

    def actions(self, state: Position) -> list[Action]:
        return state.actions()

    def result(self, state: Position, action: int) -> Position:
        return state.result(action)

    def is_terminal(self, state: Position) -> bool:
        return state.terminal()

    def utility(self, state: Position, player: int = 0) -> float:
        """The outcome for a player."""
        return -state.utility() if player == 1 else state.utility()

    terminal_test = is_terminal  # its name in earlier editions

    def evaluate(self, state: Position) -> float:
        return state.evaluate()

    def probability(self, state: Position, outcome: int) -> float:
        return state.probability(outcome)

    def __getattr__(self, name: str) -> Any:
        has = "to_move, actions, result, is_terminal, terminal_test, utility, evaluate, probability"
        raise AttributeError(f"the game has no {name}; it has {has}")


def _plain(number: float) -> float:
    """3 rather than 3.0, since trees hold floats."""
    return int(number) if number == int(number) else number
