"""Games made of random numbers: any shape of tree, for comparing searches with plain minimax."""

from typing import NamedTuple

from outplay.words import shr, wrap


def scramble(x):
    x = wrap((x ^ shr(x, 31)) * 0x7FB5D329728EA185)
    x = wrap((x ^ shr(x, 27)) * 0x1CE4E5B9BF58476D)
    return x ^ shr(x, 33)


class RandomTree(NamedTuple):
    """A node is known by a hash of the way to it. Ways may meet: `merge` bits of it are dropped."""

    max_actions = 4
    points = True
    node: int = 1
    left: int = 5  # plies at most
    spread: int = 9  # values lie between -spread and spread
    merge: int = 0  # bits of the hash that are forgotten, so that positions repeat

    def bits_of(self):
        return scramble(self.node)

    def player(self):
        return shr(self.bits_of(), 40) & 1

    def actions(self):
        yield from range(1 + (shr(self.bits_of(), 10) & 3))

    def result(self, action):
        child = scramble(self.node * 5 + action + 1)
        return self._replace(node=shr(child, self.merge), left=self.left - 1)

    def terminal(self):
        return self.left == 0 or shr(self.bits_of(), 20) & 15 == 0

    def utility(self):
        return shr(self.bits_of(), 30) % (2 * self.spread + 1) - self.spread

    def evaluate(self):
        return shr(self.bits_of(), 33) % (2 * self.spread + 1) - self.spread

    def order(self, action):
        return shr(self.bits_of(), action) & 3
