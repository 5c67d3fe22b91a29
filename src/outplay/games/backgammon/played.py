"""Recorded games: rolls, plays and cube actions in order.

`Played` is a game from its opening to its end. `Replay` builds one from a file's entries and finds each play among the
legal ones. A match is a file of several games, each with its score at the start.
"""

from collections.abc import Iterable, Iterator, Sequence
from typing import Any, NamedTuple

from outplay.games.backgammon.cube import (
    BEAVER,
    CENTRED,
    DOUBLE,
    DOUBLED,
    DROP,
    OPENING,
    ROLL,
    TAKE,
    TO_DOUBLE,
    TO_ROLL,
    standing,
)
from outplay.games.backgammon.notation import Move, find_play
from outplay.games.backgammon.setup import NAMES, Setup, build

CUBE_ACTIONS = {"take": TAKE, "drop": DROP, "beaver": BEAVER}
RESIGNED = "resigned"  # the header of a resigned game: who resigned, and the points lost


class Played(NamedTuple):
    """A game of a file."""

    start: Any
    actions: tuple[int, ...]
    headers: dict[str, str]  # `first` is X, `second` is O
    comments: tuple[tuple[int, str], ...] = ()  # (how many actions before it, text)


class Ending(NamedTuple):
    """How a game ended."""

    winner: int  # 0 X, 1 O
    points: int
    resigned: bool


def opening(cls: Any, score: tuple[int, int], crawford: bool) -> Any:
    """A game's first state."""
    start = cls()
    return build(cls, Setup(start.own, start.opp, 0, OPENING, 1, CENTRED, score, crawford))


class Replay:
    """Replays a game from a file."""

    def __init__(self, start: Any) -> None:
        self.start = self.state = start
        self.actions: list[int] = []
        self.comments: list[tuple[int, str]] = []

    @property
    def is_over(self) -> bool:
        return bool(self.actions) and (self.state.terminal() or self.state.dice == OPENING)

    def act(self, action: int) -> None:
        self.actions.append(action)
        self.state = self.state.result(action)

    def say(self, text: str) -> None:
        self.comments.append((len(self.actions), text))

    def roll(self, player: int, dice: tuple[int, int]) -> None:
        """A player rolls; a repeated entry of the same roll is ignored. An unanswered double counts as taken."""
        self.refuse_end()
        high, low = max(dice), min(dice)
        if self.state.dice == 8 * high + low and self.state.turn == player:
            return
        if self.state.dice == DOUBLED and self.state.roller() == player:
            self.act(TAKE)
        if self.state.dice == TO_DOUBLE and self.state.turn == player:
            self.act(ROLL)
        if self.state.dice == OPENING:
            if high == low:
                raise ValueError(f"a game cannot begin with {high}{low}")
            self.act(8 * high + low if player == 0 else 8 * low + high)
        elif self.state.dice == TO_ROLL and self.state.turn == player:
            self.act(8 * high + low)
        else:
            raise ValueError(f"{NAMES[player]} cannot roll {high}{low} here: {self.state}")

    def move(self, player: int, moves: Sequence[Move], written: str) -> None:
        """A player plays the roll."""
        if self.state.dice <= 0 or self.state.turn != player:
            raise ValueError(f"{NAMES[player]} cannot play {written!r} here: {self.state}")
        self.act(find_play(self.state, moves, written))

    def double(self, player: int) -> None:
        """A player doubles, or beavers a double."""
        self.refuse_end()
        turn = self.state.dice, self.state.turn
        if turn == (TO_DOUBLE, player):
            self.act(DOUBLE)
        elif turn == (DOUBLED, player) and self.state.may_beaver():
            self.act(BEAVER)
        else:
            raise ValueError(f"{NAMES[player]} may not double here: {self.state}")

    def answer(self, player: int, word: str) -> None:
        """A player takes or drops a double."""
        if self.state.dice != DOUBLED or self.state.turn != player:
            raise ValueError(f"{NAMES[player]} has no double to {word}: {self.state}")
        self.act(CUBE_ACTIONS[word])

    def refuse_end(self) -> None:
        if self.is_over:
            raise ValueError("the game is over")

    def win(self, player: int, points: int) -> None:
        """The file says that a player won: by the rules, or because the other one dropped or resigned."""
        if self.state.dice == DOUBLED and self.state.turn != player and points == standing(self.state).value:
            self.act(DROP)
        if not self.is_over:
            self.resigned = f"{NAMES[1 - player]} {points}"
            return
        end = ending(self.start, self.state)
        if (end.winner, end.points) != (player, points):
            raise ValueError(
                f"the file has {NAMES[player]} winning {points}, but by the plays {NAMES[end.winner]} wins {end.points}"
            )

    resigned = ""

    def played(self, headers: dict[str, str]) -> Played:
        """The game so far."""
        told = headers | ({RESIGNED: self.resigned} if self.resigned else {})
        return Played(self.start, tuple(self.actions), told, tuple(self.comments))


def ending(start: Any, after: Any) -> Ending:
    """Who won a finished game, and how much: `after` is its last state, or the next game's first."""
    if start.MATCH:
        won = [now - before for now, before in zip(standing(after).score, standing(start).score, strict=True)]
        return Ending(int(won[1] > 0), max(won), False)
    utility = after.utility()
    return Ending(int(utility < 0), abs(utility), False)


def games_of(played: Played) -> Iterator[tuple[Played, Ending | None]]:
    """The games of a match in one record, each with its ending; None for an unfinished game."""
    state, first, begun = played.start, played.start, 0
    for number, action in enumerate(played.actions, 1):
        state = state.result(action)
        if state.terminal() or state.dice == OPENING:
            yield part(played, first, begun, number), ending(first, state)
            first, begun = state, number
    resigned = played.headers.get(RESIGNED, "")
    if resigned:
        loser, points = resigned.split()
        given_up = Ending(1 - NAMES.index(loser), int(points), True)
        yield part(played, first, begun, len(played.actions)), given_up
    elif begun < len(played.actions) or not played.actions:
        yield part(played, first, begun, len(played.actions)), None


def part(played: Played, first: Any, begin: int, end: int) -> Played:
    """A part of a game from a given state, with its comments."""
    said = tuple(
        (at - begin, text) for at, text in played.comments if begin <= at < end or at == end == begin
    )
    return Played(first, played.actions[begin:end], played.headers, said)


def same_rules(games: Iterable[Played]) -> Any:
    """The class of some games; a ValueError unless they are complete games of one match or session."""
    classes = {type(game.start) for game in games}
    if len(classes) != 1:
        raise ValueError("a file contains the games of one match, or of one money session")
    if any(game.start.dice != OPENING for game in games):
        raise ValueError("the game starts from a position: .mat and SGF need games from the opening roll")
    return classes.pop()


def decided(played: Played) -> int | None:
    """X's utility if a resignation decides it, otherwise None."""
    resigned = played.headers.get(RESIGNED, "")
    if not resigned:
        return None
    loser, points = resigned.split()
    winner, sign = 1 - NAMES.index(loser), 1 if loser == "O" else -1
    if not played.start.MATCH:
        return sign * int(points)
    before = standing(last(played)).score[winner]
    return sign if before + int(points) >= played.start.MATCH else None


def last(played: Played) -> Any:
    """A game's last state."""
    state = played.start
    for action in played.actions:
        state = state.result(action)
    return state
