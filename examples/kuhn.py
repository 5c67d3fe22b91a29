"""Kuhn poker (Kuhn 1950), the smallest game of cards worth bluffing in. Try `outplay web examples/kuhn.py`.

A game that hides something has two methods more. `percept(action, seat)` is what a player learns when an action
is taken: the action itself, or something else where it is hidden from that player. `board(eyes)` is what those see
who look: (0,) is MAX alone, () an onlooker, (0, 1) whoever may see all.
"""

from typing import NamedTuple

from outplay import CHANCE, Board

CARDS = "JQK"
PASS, BET = 0, 1


class Kuhn(NamedTuple):
    """Three cards, one each, one chip in the pot each; bet a chip or pass; the higher card wins."""

    first: int = -1  # MAX's card: 0, 1 or 2 for J, Q, K
    second: int = -1  # MIN's
    ply: int = 0  # since the deal
    bets: int = 0  # bit i: a bet at ply i

    def player(self):
        return CHANCE if self.second < 0 else self.ply & 1

    def actions(self):
        if self.second < 0:  # a card that is not dealt yet
            for card in range(3):
                if card != self.first:
                    yield card
        elif not self.terminal():
            yield PASS
            yield BET

    def probability(self, card):
        return 1 / 3 if self.first < 0 else 1 / 2

    def result(self, action):
        if self.first < 0:
            return self._replace(first=action)
        if self.second < 0:
            return self._replace(second=action)
        return self._replace(ply=self.ply + 1, bets=self.bets | action << self.ply)

    def terminal(self):
        """Pass and pass, bet and any answer, or pass, bet and any answer."""
        return self.ply >= 2 and self.bets != 0b10 or self.ply == 3

    def utility(self):
        shown = 1 if self.first > self.second else -1
        if self.bets == 0:
            return shown
        if self.bets == 0b01:
            return 1  # MIN passed: the pot is MAX's
        if self.bets == 0b10:
            return -1
        return 2 * shown

    def percept(self, action, seat):
        """Who is dealt a card sees it; the other only sees that there is one. Bets are open."""
        dealt_to = 0 if self.first < 0 else 1
        return action if self.second >= 0 or seat == dealt_to else -1

    def action_text(self, action):
        if self.second < 0:
            return CARDS[action]
        facing = self.ply > 0 and self.bets >> (self.ply - 1) & 1
        return (("check", "bet"), ("fold", "call"))[facing][action]

    def board(self, eyes=(0, 1)):
        shows = self.terminal() and self.bets in (0b00, 0b11, 0b110)  # nobody folded
        hands = [
            "" if card < 0 else CARDS[card] if side in eyes or shows else "?"
            for side, card in enumerate((self.first, self.second))
        ]
        return Board(
            (),
            sides=("First", "Second"),
            hands=(hands[0], hands[1]),
            style="cards",
            note=f"{2 + self.bets.bit_count()} chips in the pot",
        )
