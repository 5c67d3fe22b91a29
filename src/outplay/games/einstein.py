"""EinStein würfelt nicht! (Ingo Althöfer, 2004): six numbered stones per side; a die chooses which one moves."""

import re
from collections.abc import Iterator
from typing import NamedTuple

from outplay.game import CHANCE, Board, Weights

SIDE = 5
CORNER = SIDE * SIDE - 1  # the far corner
PLACES = (0, 1, 2, 5, 6, 10)  # starting cells
GONE, WAITING = 31, 30  # not cells: a captured stone, a stone not yet placed
NOT_PLACED = sum(WAITING << 5 * stone for stone in range(6))
STEPS = (1, SIDE, SIDE + 1)


def cell(stones: int, stone: int) -> int:
    """The cell of a stone."""
    return stones >> 5 * stone & 31


def moved(stones: int, stone: int, to: int) -> int:
    """The stones with one of them moved."""
    return stones & ~(31 << 5 * stone) | to << 5 * stone


def without(stones: int, at: int) -> int:
    """The stones with those on a cell captured."""
    for stone in range(6):
        if cell(stones, stone) == at:
            stones |= GONE << 5 * stone
    return stones


def nearest(stones: int) -> int:
    """The moves that the foremost stone needs to the far corner; a larger number if there is no stone."""
    best = 2 * SIDE
    for stone in range(6):
        at = cell(stones, stone)
        if at <= CORNER:
            best = min(best, SIDE - 1 - min(at // SIDE, at % SIDE))
    return best


class EinStein(NamedTuple):
    """On 5x5 cells, each side places its stones 1 to 6 in its corner; then the die chooses which stone moves.

    If that stone is gone, the next lower or the next higher one moves. A stone steps towards the far corner: along a
    row, along a column or diagonally; it captures any stone there, even its own side's. Whoever reaches the far
    corner, or captures all the opponent's stones, wins. X (MAX) places its stones first, then O; then X begins.

    Each side counts cells from its own corner, row by row: 0 is its own corner, 24 the far one; cell c of
    one side is 24 - c of the other. Stones are six numbers of five bits. An action is the cell where the next stone
    is placed, or 4 * stone + step.
    """

    max_actions = 6
    scores = int
    unit = 1_000_000
    win = 1
    text_words = ("", "", "", "die")
    weights = Weights(distance=120_000, stones=20_000)  # millionths of a win

    own: int = NOT_PLACED  # stones of the player to move
    opp: int = NOT_PLACED
    turn: int = 0  # 0: X, 1: O
    die: int = 0  # 0: to be rolled

    def player(self) -> int:
        return self.turn if self.die or self.is_placing() else CHANCE

    def is_placing(self) -> bool:
        return cell(self.own, 5) == WAITING

    def next_stone(self) -> int:
        """The next stone to place."""
        stone = 0
        while cell(self.own, stone) != WAITING:
            stone += 1
        return stone

    def actions(self) -> Iterator[int]:
        if self.is_placing():
            for place in PLACES:
                taken = False
                for stone in range(6):
                    taken = taken or cell(self.own, stone) == place
                if not taken:
                    yield place
        elif self.die == 0:
            yield from range(1, 7)
        else:
            for stone in range(6):
                at = cell(self.own, stone)
                if at <= CORNER and self.may_move(stone):
                    if at % SIDE < SIDE - 1:
                        yield 4 * stone
                    if at // SIDE < SIDE - 1:
                        yield 4 * stone + 1
                    if at % SIDE < SIDE - 1 and at // SIDE < SIDE - 1:
                        yield 4 * stone + 2

    def may_move(self, stone: int) -> bool:
        """Whether the die allows an existing stone to move: its own number, or no stone between them."""
        low, high = min(stone, self.die - 1), max(stone, self.die - 1)
        between = 0
        for other in range(6):
            if low <= other <= high and other != stone and cell(self.own, other) <= CORNER:
                between += 1
        return between == 0

    def probability(self, outcome: int) -> float:
        return 1 / 6

    def result(self, action: int) -> "EinStein":
        if self.is_placing():
            own = moved(self.own, self.next_stone(), action)
            if cell(own, 5) == WAITING:
                return self._replace(own=own)
            return EinStein(self.opp, own, 1 - self.turn, 0)
        if self.die == 0:
            return self._replace(die=action)
        stone = action >> 2
        to = cell(self.own, stone) + STEPS[action & 3]
        own = moved(without(self.own, to), stone, to)
        return EinStein(without(self.opp, CORNER - to), own, 1 - self.turn, 0)

    def terminal(self) -> bool:
        gone = True
        arrived = False
        for stone in range(6):
            gone = gone and cell(self.own, stone) == GONE
            arrived = arrived or cell(self.opp, stone) == CORNER
        return gone or arrived

    def utility(self) -> int:
        return 1 if self.turn else -1  # the player who has just moved has won

    def evaluate(self, weights: Weights = weights) -> int:
        """The difference in distance of the foremost stones, and in stones: few stones move more often."""
        value = weights.distance * (nearest(self.opp) - nearest(self.own))
        for stone in range(6):
            value += weights.stones * ((cell(self.opp, stone) <= CORNER) - (cell(self.own, stone) <= CORNER))
        return -value if self.turn else value

    # --- text ---

    def __str__(self) -> str:
        """The cells of X's and O's stones, the player to move, and the die: `a5,b5,c5,a4,b4,a3 e1,... X 4`."""
        first, second = (self.opp, self.own) if self.turn else (self.own, self.opp)
        stones = (
            ",".join(text_of(cell(side, stone), player) for stone in range(6))
            for player, side in enumerate((first, second))
        )
        return " ".join([*stones, "XO"[self.turn], *[str(self.die)] * (self.die > 0)])

    @classmethod
    def parse(cls, text: str) -> "EinStein":
        stones = r"((?:[a-e][1-5]|-|\?)(?:,(?:[a-e][1-5]|-|\?)){5})"
        match = re.fullmatch(rf"{stones}\s+{stones}\s+([XO])(?:\s+([1-6]))?", text.strip())
        if not match:
            raise ValueError(f"not a position of EinStein: {text[:100]!r}; write it as {cls()}")
        sides = []
        for player in (0, 1):
            cells = [number_of(word, player) for word in match[1 + player].split(",")]
            sides.append(sum(at << 5 * stone for stone, at in enumerate(cells)))
        standing = [word for word in (match[1] + "," + match[2]).split(",") if word[0] in "abcde"]
        if len(set(standing)) < len(standing):
            raise ValueError(f"{text!r}: two stones are on one cell")
        turn = "XO".index(match[3])
        state = cls(sides[turn], sides[1 - turn], turn, int(match[4] or 0))
        first, second = match[1].split(","), match[2].split(",")
        waiting = first if "?" in first else second
        fits = turn == 0 if "?" in first else turn == 1
        in_order = waiting == sorted(waiting, key=lambda word: word == "?")
        if "?" in waiting and (match[4] or "-" in text or not fits or not in_order):
            raise ValueError(f"{text!r}: X places its stones 1 to 6, then O; then the die is rolled")
        return state

    def board_text(self, board: Board, player: int) -> str:
        """Missing stones are captured, unless none is on the board: then they are still to be placed."""
        at = {
            symbol: "abcde"[c] + str(SIDE - r)
            for r, row in enumerate(board.rows)
            for c, symbol in enumerate(row)
        }
        missing = "-" if set(at) - {" "} else "?"
        stones = [",".join(at.get(symbol, missing) for symbol in side) for side in board.owners]
        return f"{' '.join(stones)} {'XO'[player]}"

    def action_text(self, action: int) -> str:
        if self.player() == CHANCE:
            return str(action)
        if self.is_placing():
            return text_of(action, self.turn)
        stone = action >> 2
        return f"{stone + 1}-{text_of(cell(self.own, stone) + STEPS[action & 3], self.turn)}"

    def board(self) -> Board:
        """X's stones are 1 to 6, O's a to f."""
        sides = (self.opp, self.own) if self.turn else (self.own, self.opp)
        grid = [[" "] * SIDE for _ in range(SIDE)]
        for player, side in enumerate(sides):
            for stone in range(6):
                if (at := cell(side, stone)) <= CORNER:
                    at = CORNER - at if player else at
                    grid[at // SIDE][at % SIDE] = ("123456", "abcdef")[player][stone]
        mover = "XO"[self.turn]
        if self.terminal():
            note = f"{'XO'[1 - self.turn]} wins"
        elif self.is_placing():
            note = f"{mover} places {self.next_stone() + 1}"
        else:
            note = f"{mover} rolls" if self.die == 0 else f"{mover} moves {self.die}, or the next to it"
        return Board(
            rows=tuple("".join(row) for row in grid),
            ranks=("5", "4", "3", "2", "1"),
            files=("a", "b", "c", "d", "e"),
            owners=("123456", "abcdef"),
            note=note,
            shapes=dict.fromkeys("123456abcdef", "disc"),
            sides=("X", "O"),
        )


def text_of(at: int, player: int) -> str:
    """The name of a cell; - for a captured stone, ? for one not yet placed."""
    if at > CORNER:
        return "-" if at == GONE else "?"
    at = CORNER - at if player else at
    return "abcde"[at % SIDE] + str(SIDE - at // SIDE)


def number_of(text: str, player: int) -> int:
    """The inverse."""
    if text in "-?":
        return GONE if text == "-" else WAITING
    at = (SIDE - int(text[1])) * SIDE + "abcde".index(text[0])
    return CORNER - at if player else at
