"""Kalah, the mancala game of the West: sow seeds around the board, collect most of them."""

import re
from collections.abc import Iterator
from typing import NamedTuple

from outplay.game import Board, Weights
from outplay.games.kalah import endgames
from outplay.words import nth, popcount, wrap

DIGITS = "0123456789abcdefghijklmnopqrstuvwxyz+"  # of the board's one-character cells


def first(places: int) -> int:
    """A word with a 1 in each of its lowest bytes: added to a row, it sows a seed in each of the first places."""
    return 0x0101_0101_0101_0101 & (1 << 8 * places) - 1


class Kalah(NamedTuple):
    """Kalah with PITS pits per side and SEEDS seeds in each, with the rules of Irving, Donkers & Uiterwijk (2000).

    A player takes all seeds of an own pit and sows them one by one to the right: over the own pits, the own
    store, the opponent's pits (not their store) and around again. If the last seed falls into the own store,
    the player moves again. If it falls into an empty own pit, it goes to the store together with the
    seeds of the pit opposite; with EMPTY_CAPTURE = 0 only if there are any. The game ends when either side
    is empty; the remaining seeds are their owner's. The score is the difference in seeds.

    A row is one int with a byte per place, so that sowing is adding a word of ones:

                  5   4   3   2   1   0      opponent's pits
        store 6                              6 store
                  0   1   2   3   4   5      own pits

    Seen from the player, the places make a ring: own pits 0-5, store 6, opponent's pits 7-12. An action is a
    pit; in the notation the pits are 1 to 6, from the player's left.
    """

    PITS = 6
    SEEDS = 4
    EMPTY_CAPTURE = 1
    RING = 2 * PITS + 1
    STORE = 8 * PITS  # offset of the store's byte
    ROW = (1 << STORE) - 1  # the bytes of the pits
    max_actions = PITS
    points = True
    # In hundredths of a seed; fitted to the scores of self-play games.
    weights = Weights(stores=107, pits=6, moves=179, again=119, captures=59, turn=107)

    if not (1 <= PITS <= 7 and SEEDS >= 1 and 2 * PITS * SEEDS <= 254):
        raise ValueError(
            "kalah has 1 to 7 pits per side, with 1 seed or more each, at most 254 seeds (a count is a byte)"
        )

    own: int = SEEDS * first(PITS)  # the row of the player to move
    opp: int = SEEDS * first(PITS)
    turn: int = 0

    def player(self) -> int:
        return self.turn

    def actions(self) -> Iterator[int]:
        if self.opp & self.ROW:  # otherwise the game is over
            for pit in range(self.PITS):
                if self.own >> 8 * pit & 255:
                    yield pit

    def result(self, pit: int) -> "Kalah":
        seeds = self.own >> 8 * pit & 255
        own, opp = self.own - (seeds << 8 * pit), self.opp
        last = pit + seeds
        while last >= self.RING:  # a whole lap
            own += first(self.PITS) + (1 << self.STORE)
            opp += first(self.PITS)
            last -= self.RING
        own += first(min(last, self.PITS)) - first(pit) << 8
        opp += first(max(last - self.PITS, 0))
        if last == self.PITS:
            return Kalah(own, opp, self.turn)
        if last < self.PITS and own >> 8 * last & 255 == 1:
            opposite = 8 * (self.PITS - 1 - last)
            prize = opp >> opposite & 255
            if prize or self.EMPTY_CAPTURE:
                own += (prize + 1 << self.STORE) - (1 << 8 * last)
                opp -= prize << opposite
        return Kalah(opp, own, 1 - self.turn)

    def terminal(self) -> bool:
        return not self.own & self.ROW or not self.opp & self.ROW

    def utility(self) -> int:
        lead = self.seeds(self.own) - self.seeds(self.opp)
        return -lead if self.turn else lead

    def sample(self, random: int) -> int:
        """A random pit with seeds: one operation marks the top bit of every nonzero byte."""
        most = 127 * first(self.PITS)
        filled = ((self.own & most) + most | self.own) & 128 * first(self.PITS)
        return nth(filled, (random & 0xFFFFFFFF) * popcount(filled) >> 32) >> 3

    # --- tables ---

    def family(self) -> int:
        """The number of seeds in the pits; -1 if there are too many, or the game is over."""
        if self.terminal():
            return -1
        left = (self.own & self.ROW) % 255 + (self.opp & self.ROW) % 255
        return left if left <= endgames.MOST else -1

    def slots(self) -> int:
        return endgames.ways(self.family(), self.PITS) if self.family() >= 0 else 0

    def slot(self) -> int:
        return endgames.number(self.own, self.opp, self.PITS) if self.family() >= 0 else -1

    def slot_state(self, slot: int) -> "Kalah":
        own, opp = endgames.rows(slot, self.family(), self.PITS)
        return Kalah(own, opp, 0)

    def banked(self) -> int:
        """The stores."""
        return (self.own >> self.STORE & 255) - (self.opp >> self.STORE & 255)

    @classmethod
    def families(cls, text: str) -> "dict[str, Kalah]":
        """`12`: all positions with up to twelve seeds in the pits."""
        return {str(count): cls(1, count - 1, 0) for count in endgames.families(text)}

    def evaluate(self, weights: Weights = weights) -> int:
        """The expected lead, from the stores, the pits and the available moves."""
        value = self.side(weights, self.own, self.opp) - self.side(weights, self.opp, self.own) + weights.turn
        return (-value if self.turn else value) // 100

    def side(self, weights: Weights, own: int, opp: int) -> int:
        """The value of a row: its store, its seeds, its moves, those that end in the store, its captures."""
        moves = again = captures = 0
        for pit in range(self.PITS):
            seeds = own >> 8 * pit & 255
            last = pit + seeds
            if seeds:
                moves += 1
                if last == self.PITS:
                    again += 1
                if last < self.PITS and not own >> 8 * last & 255:
                    captures = max(captures, opp >> 8 * (self.PITS - 1 - last) & 255)
        return (
            weights.stores * (own >> self.STORE & 255)
            + weights.pits * ((own & self.ROW) % 255)
            + weights.moves * moves
            + weights.again * again
            + weights.captures * captures
        )

    def seeds(self, row: int) -> int:
        """All seeds of a row. A number and the sum of its bytes leave the same remainder modulo 255."""
        return (row & self.ROW) % 255 + (row >> self.STORE & 255)

    def __str__(self) -> str:
        """South's pits and store, North's, and the player to move (South begins): `4,4,4,4,4,4:0 4,4,4,4,4,4:0 S`."""
        south, north = (f"{','.join(map(str, pits))}:{store}" for *pits, store in self.rows())
        return f"{south} {north} {'SN'[self.turn]}"

    @classmethod
    def parse(cls, text: str) -> "Kalah":
        row = rf"(\d{{1,3}}(?:,\d{{1,3}}){{{cls.PITS - 1}}}:\d{{1,3}})"
        match = re.fullmatch(rf"{row}\s+{row}\s+([SN])", text.strip())
        if not match:
            raise ValueError(f"not a position of kalah with {cls.PITS} pits: {text!r}; write it as {cls()}")
        south, north = ([int(seeds) for seeds in re.split("[,:]", match[i])] for i in (1, 2))
        if sum(south) + sum(north) > 254:
            raise ValueError(f"{text!r} has {sum(south) + sum(north)} seeds; the maximum is 254")
        south_row, north_row = (wrap(int.from_bytes(row, "little")) for row in (south, north))
        return cls(south_row, north_row, 0) if match[3] == "S" else cls(north_row, south_row, 1)

    def board_text(self, board: Board, player: int) -> str:
        """Counts that a cell cannot show, 36 seeds or more, are unchanged."""
        sides = []
        for cells, now, store in zip(
            (board.rows[1], board.rows[0][::-1]), self.rows(), board.hands, strict=True
        ):
            pits = [now[i] if cell == "+" else DIGITS.index(cell) for i, cell in enumerate(cells)]
            sides.append(f"{','.join(map(str, pits))}:{store}")
        return f"{' '.join(sides)} {'SN'[player]}"

    def action_text(self, pit: int) -> str:
        return str(pit + 1)

    def action_squares(self, pit: int) -> list[tuple[int, int]]:
        return [(0, self.PITS - 1 - pit) if self.turn else (1, pit)]

    def board(self) -> Board:
        """North's pits run to the left; in the cells `a` is 10 seeds, `b` 11 and so on, `+` 36 or more."""
        (*south, south_store), (*north, north_store) = self.rows()
        pits = [str(pit + 1) for pit in range(self.PITS)]
        mover = "the game is over" if self.terminal() else f"{('South', 'North')[self.turn]} to move"
        return Board(
            rows=tuple("".join(DIGITS[min(n, 36)] for n in row) for row in (reversed(north), south)),
            ranks=("N", "S"),
            files=tuple(reversed(pits) if self.turn else pits),
            note=f"stores: South {south_store}, North {north_store}; {mover}",
            style="pits",
            sides=("South", "North"),
            hands=(str(south_store), str(north_store)),
        )

    def rows(self) -> tuple[list[int], list[int]]:
        """The seeds of South and of North, each from the player's left to the store."""
        places = [8 * place for place in range(self.PITS + 1)]
        own, opp = ([row >> place & 255 for place in places] for row in (self.own, self.opp))
        return (opp, own) if self.turn else (own, opp)
