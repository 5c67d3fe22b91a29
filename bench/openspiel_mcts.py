"""OpenSpiel's MCTSBot (one random rollout a simulation) as a player of our checkers and kalah.

In checkers OpenSpiel makes each jump a move of its own, sets its first player below, and draws a game after 40 plies
without a capture. Where its game is drawn and ours is not, our own tree search plays on for it with as many
simulations. Its kalah is `kalah:empty_capture=0`.
"""

from collections.abc import Iterator
from typing import Any

import pyspiel

from outplay.games import Checkers, Kalah
from outplay.limits import Limits
from outplay.record import Record
from outplay.search import best

SIMULATIONS = 2000
MORE_SIMULATIONS = 10_000
EXPLORATION = 2.0
MEGABYTES = 1000
LONGEST_OPENING = (
    4  # plies: OpenSpiel cannot begin at a position, so the moves that lead there are looked for
)

SQUARES = {  # OpenSpiel's names of the squares, and the numbers of checkers players
    f"{'hgfedcba'[2 * column + 1 - row % 2]}{row + 1}": 4 * row + column + 1
    for row in range(8)
    for column in range(4)
}


class Mcts:
    """OpenSpiel's tree search of a game."""

    name: str
    simulations = SIMULATIONS

    def __init__(self, seed: int = 1) -> None:
        self.game = pyspiel.load_game(self.name)
        rollouts = pyspiel.RandomRolloutEvaluator(1, seed)
        self.bot = pyspiel.MCTSBot(
            self.game, rollouts, EXPLORATION, self.simulations, MEGABYTES, True, seed, False
        )


class MctsBot(Mcts):
    """Plays checkers."""

    name = "checkers"

    def __call__(self, record: Record, limits: Limits) -> int:
        theirs, ours = self.game.new_initial_state(), Checkers()
        for action in (*way_to(record.start), *record.actions):
            theirs, ours = made(theirs, ours, action), ours.result(action)
        texts = {jumped(ours, action): action for action in ours.actions()}
        if theirs.is_terminal():
            return best(ours, "uct", nodes=self.simulations).action
        return texts[self.move(theirs)]

    def move(self, state: Any) -> str:
        """The squares of the whole move: asked again while its jump goes on."""
        mover, squares = state.current_player(), []
        while not state.is_terminal() and state.current_player() == mover:
            action = self.bot.step(state)
            text = state.action_to_string(action)
            squares += [text[:2], text[2:]] if not squares else [text[2:]]
            state = state.child(action)
        return "x".join(str(SQUARES[square]) for square in squares)


class StrongMctsBot(MctsBot):
    """The same with more simulations."""

    simulations = MORE_SIMULATIONS


class KalahBot(Mcts):
    """Plays kalah; a pit has the same number in both programs, from the left of whom it belongs to."""

    name = "mancala"
    simulations = MORE_SIMULATIONS

    def __call__(self, record: Record, limits: Limits) -> int:
        theirs, ours = self.game.new_initial_state(), type(record.start)()
        for action in (*way_to(record.start), *record.actions):
            theirs.apply_action(action + self.offset(ours))
            ours = ours.result(action)
        return int(self.bot.step(theirs)) - self.offset(ours)

    def offset(self, state: Kalah) -> int:
        """The place of the mover's first pit in OpenSpiel's ring of pits."""
        return 8 if state.turn else 1


def jumped(state: Checkers, action: int) -> str:
    """The squares that a move touches."""
    return state.action_text(action).replace("-", "x")


def way_to(start: Any) -> tuple[int, ...]:
    """The shortest moves from the initial position to an opening."""
    reached: dict[Any, tuple[int, ...]] = {type(start)(): ()}
    for _ in range(LONGEST_OPENING + 1):
        for state, moves in reached.items():
            if same(state, start):
                return moves
        reached = {
            state.result(action): (*moves, action)
            for state, moves in reached.items()
            for action in state.actions()
        }
    raise ValueError(f"{start} is no opening of {LONGEST_OPENING} moves or fewer")


def same(state: Any, other: Any) -> bool:
    """Whether the pieces and the mover are the same; checkers positions that were read count quiet plies from 0."""
    if isinstance(state, Checkers):
        return state._replace(quiet=0) == other._replace(quiet=0)
    return bool(state == other)


def made(theirs: Any, ours: Checkers, action: int) -> Any:
    """OpenSpiel's state after one of our moves."""
    if theirs.is_terminal():
        return theirs
    return next(after for squares, after in lines(theirs) if squares == jumped(ours, action))


def lines(state: Any) -> Iterator[tuple[str, Any]]:
    """Every whole move, as the squares it touches, with the state after it."""
    for action in state.legal_actions():
        text = state.action_to_string(action)
        start, end = SQUARES[text[:2]], SQUARES[text[2:]]
        after = state.child(action)
        if after.is_terminal() or after.current_player() != state.current_player():
            yield f"{start}x{end}", after
        else:
            yield from ((f"{start}x{squares}", last) for squares, last in lines(after))
