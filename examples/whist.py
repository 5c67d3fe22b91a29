"""Four seats on two sides: a whist of one suit and twelve cards. Try `outplay match examples/whist.py random random`.

A side with several seats says `seats` and `seat()`; `player()` stays the side. `percept(action, seat)` is what a seat
learns: its own cards while they are dealt, and every card that is played.
"""

from typing import NamedTuple

from outplay import CHANCE, Board, put

CARDS = 12
NAMES = "23456789TJQKA"[-CARDS:]
SEATS = ("North", "East", "South", "West")


class Whist(NamedTuple):
    """Three cards each; the highest of four takes the trick. North and South against East and West."""

    seats = 4
    hands: tuple[int, int, int, int] = (0, 0, 0, 0)  # of North, East, South, West: bit i for card i
    dealt: int = 0  # cards dealt so far
    turn: int = 0  # the seat to act
    played: int = 0  # cards of this trick so far
    best: int = -1  # the highest of them
    leader: int = 0  # who played that
    tricks: int = 0  # taken by North and South

    def seat(self):
        return self.turn

    def player(self):
        return CHANCE if self.dealt < CARDS else self.turn % 2

    def actions(self):
        if self.dealt < CARDS:
            gone = self.hands[0] | self.hands[1] | self.hands[2] | self.hands[3]
            for card in range(CARDS):
                if not gone >> card & 1:
                    yield card
        else:
            for card in range(CARDS):
                if self.hands[self.turn] >> card & 1:
                    yield card

    def probability(self, card):
        return 1 / (CARDS - self.dealt)

    def result(self, card):
        if self.dealt < CARDS:
            owner = self.dealt % 4
            return self._replace(
                hands=put(self.hands, owner, self.hands[owner] | 1 << card), dealt=self.dealt + 1
            )
        hands = put(self.hands, self.turn, self.hands[self.turn] ^ 1 << card)
        leader = self.turn if card > self.best else self.leader
        if self.played < 3:
            best = max(card, self.best)
            return self._replace(
                hands=hands, turn=(self.turn + 1) % 4, played=self.played + 1, best=best, leader=leader
            )
        taken = 1 if leader % 2 == 0 else 0
        return Whist(hands, self.dealt, leader, 0, -1, leader, self.tricks + taken)

    def terminal(self):
        return self.dealt == CARDS and self.hands == (0, 0, 0, 0)

    def utility(self):
        return 2 * self.tricks - 3

    def percept(self, card, seat):
        """A card that is dealt is seen by who gets it, one that is played by all."""
        return card if self.dealt == CARDS or seat == self.dealt % 4 else -1

    def action_text(self, card):
        return NAMES[card]

    def board(self, eyes=(0, 1, 2, 3)):
        shown = [
            "".join(NAMES[c] for c in range(CARDS) if hand >> c & 1)
            if seat in eyes
            else "?" * hand.bit_count()
            for seat, hand in enumerate(self.hands)
        ]
        return Board(
            (),
            sides=("North and South", "East and West"),
            hands=(f"{shown[0]} {shown[2]}", f"{shown[1]} {shown[3]}"),
            style="cards",
            note=f"{self.tricks} tricks for North and South, {SEATS[self.turn]} is to play",
        )
