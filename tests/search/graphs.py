"""Games on random graphs, in which positions come back: what a search must tell apart is in each class's docstring."""

from typing import NamedTuple

from outplay import shr
from tests.search.randomtree import scramble

NODES = 12


def bits_of(seed, node):
    return scramble(seed * 64 + node)


def next_word(seed, node, action):
    return scramble(bits_of(seed, node) + action + 1)


class Mirrored(NamedTuple):
    """Each node has a mirror image, with the same value. Only the node itself repeats a position, not its image."""

    max_actions = 3
    win = 1
    repetition = 3
    seed: int = 1
    node: int = 0
    flip: int = 0

    def player(self):
        return shr(bits_of(self.seed, self.node), 40) & 1

    def actions(self):
        yield from range(1 + shr(bits_of(self.seed, self.node), 10) % 3)

    def result(self, action):
        word = next_word(self.seed, self.node, action)
        return self._replace(node=shr(word, 3) % NODES, flip=self.flip ^ (shr(word, 30) & 1))

    def terminal(self):
        return shr(bits_of(self.seed, self.node), 20) & 7 == 0

    def utility(self):
        return shr(bits_of(self.seed, self.node), 30) % 3 - 1

    def evaluate(self):
        return shr(bits_of(self.seed, self.node), 33) % 101 - 50

    def key(self):
        return 2 * self.node + self.flip

    def symmetries(self):
        yield self.key()
        yield self.key() ^ 1


class Ticking(NamedTuple):
    """A clock ticks in the state, and plays no part in the rules: positions repeat though no two states are alike."""

    max_actions = 3
    win = 1
    repetition = 3
    seed: int = 1
    node: int = 0
    ticks: int = 0

    def player(self):
        return shr(bits_of(self.seed, self.node), 40) & 1

    def actions(self):
        yield from range(1 + shr(bits_of(self.seed, self.node), 10) % 3)

    def result(self, action):
        word = next_word(self.seed, self.node, action)
        return self._replace(node=shr(word, 3) % NODES, ticks=self.ticks + 1)

    def terminal(self):
        return shr(bits_of(self.seed, self.node), 20) & 7 == 0

    def utility(self):
        return shr(bits_of(self.seed, self.node), 30) % 3 - 1

    def evaluate(self):
        return shr(bits_of(self.seed, self.node), 33) % 101 - 50

    def repetition_key(self):
        return self.node
