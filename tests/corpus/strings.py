"""Idioms of strings, in small games."""

import string
from typing import NamedTuple

ALPHABET = "abcdef"


class Ghost(NamedTuple):
    """Spell; whoever completes a word loses."""

    letters: str = ""
    WORDS = ("bat", "bed", "cab", "cat", "dab")

    def player(self):
        return len(self.letters) % 2

    def actions(self):
        n = len(self.letters)
        nxt = {w[n] for w in self.WORDS if w.startswith(self.letters) and len(w) > n}
        return sorted(nxt)

    def result(self, letter):
        return Ghost(self.letters + letter)

    def terminal(self):
        return self.letters in self.WORDS

    def utility(self):
        # the last to add a letter has lost
        return 1 if self.player() == 0 else -1


class Flip(NamedTuple):
    """Turn ++ to --."""

    coins: str = "+++++++"
    turn: int = 0

    def player(self):
        return self.turn

    def actions(self):
        return [i for i in range(len(self.coins) - 1) if self.coins[i] == "+" and self.coins[i + 1] == "+"]

    def result(self, i):
        return Flip(self.coins[:i] + "--" + self.coins[i + 2:], 1 - self.turn)

    def terminal(self):
        return "++" not in self.coins

    def utility(self):
        return 1 if self.turn == 1 else -1


class Replace(NamedTuple):
    """str.replace with a count."""

    s: str = "abcabc"
    turn: int = 0

    def player(self):
        return self.turn

    def actions(self):
        return [c for c in "abc" if c in self.s]

    def result(self, c):
        return Replace(self.s.replace(c, "", 1) if self.turn == 0 else self.s.replace(c, ""), 1 - self.turn)

    def terminal(self):
        return self.s == ""

    def utility(self):
        return -1 if self.turn == 0 else 1


class Joined(NamedTuple):
    """str.join over a generator, str.count."""

    rows: tuple = ("..", "..", "..")

    def player(self):
        return "".join(self.rows).count("#") % 2

    def actions(self):
        return [(y, x) for y in range(3) for x in range(2) if self.rows[y][x] == "."]

    def result(self, at):
        y, x = at
        return Joined(tuple(
            "".join("#" if (r, c) == (y, x) or ((r, c) == (y + 1, x) and ch == ".") else ch for c, ch in enumerate(row))
            for r, row in enumerate(self.rows)
        ))

    def terminal(self):
        return all("." not in row for row in self.rows)

    def utility(self):
        return 1 if self.player() else -1


class Split(NamedTuple):
    """A constant that is split."""

    at: str = "hall"
    ply: int = 0

    PLAN = "hall:kitchen,garden kitchen:hall,cellar garden:hall,gate cellar: gate:".split()
    EXITS = {entry.split(":")[0]: [x for x in entry.split(":")[1].split(",") if x] for entry in PLAN}

    def player(self):
        return self.ply % 2

    def actions(self):
        return self.EXITS[self.at]

    def result(self, to):
        return Split(to, self.ply + 1)

    def terminal(self):
        return not self.EXITS[self.at] or self.ply >= 9

    def utility(self):
        return {"gate": 1, "cellar": -1}.get(self.at, 0)


class Caesar(NamedTuple):
    """ord and chr."""

    text: str = "bad"
    ply: int = 0

    def player(self):
        return self.ply % 2

    def actions(self):
        return list(range(len(self.text)))

    def result(self, i):
        letter = chr((ord(self.text[i]) - ord("a") + 1) % 6 + ord("a"))
        return Caesar(self.text[:i] + letter + self.text[i + 1:], self.ply + 1)

    def terminal(self):
        return self.ply == 5

    def utility(self):
        return 1 if self.text == self.text[::-1] else -1 if self.text[0] < self.text[-1] else 0


class Palindrome(NamedTuple):
    """Slices, reversed strings, comparison of strings."""

    s: str = "a"

    def player(self):
        return (len(self.s) - 1) % 2

    def actions(self):
        return ["a", "b"]

    def result(self, c):
        if len(self.s) % 2:
            return Palindrome(c + self.s)
        return Palindrome(self.s + c)

    def terminal(self):
        return len(self.s) >= 6

    def utility(self):
        back = "".join(reversed(self.s))
        if back == self.s:
            return 1
        return 1 if self.s < back and self.s.count("ab") == 2 else -1


class Squares(NamedTuple):
    """Names of squares: 'b3' and back."""

    king: str = "a1"
    queen: str = "d4"
    mover: int = 0
    ply: int = 0

    def player(self):
        return self.mover

    @staticmethod
    def coordinates(square):
        return ALPHABET.index(square[0]), int(square[1])

    @staticmethod
    def name(x, y):
        return ALPHABET[x] + str(y)

    def actions(self):
        here = self.king if self.mover == 0 else self.queen
        there = self.queen if self.mover == 0 else self.king
        x, y = self.coordinates(here)
        names = []
        for dx in (-1, 0, 1):
            for dy in (-1, 0, 1):
                if (dx or dy) and 0 <= x + dx < 4 and 1 <= y + dy <= 4:
                    if self.name(x + dx, y + dy) != there or self.mover == 1:
                        names.append(self.name(x + dx, y + dy))
        return names

    def result(self, name):
        if self.mover == 0:
            return self._replace(king=name, mover=1, ply=self.ply + 1)
        return self._replace(queen=name, mover=0, ply=self.ply + 1)

    def terminal(self):
        return self.king == self.queen or self.ply >= 10

    def utility(self):
        return -1 if self.king == self.queen else 1

    def action_text(self, name):
        return f"{'K' if self.mover == 0 else 'Q'}{name}"


class Translate(NamedTuple):
    """A string of digits, int() and str()."""

    number: str = "352"
    turn: int = 0

    def player(self):
        return self.turn

    def actions(self):
        return [d for d in string.digits if d in self.number]

    def result(self, d):
        i = self.number.find(d)
        rest = self.number[:i] + self.number[i + 1:]
        if d > "1":
            rest += str(int(d) - 2)
        return Translate("".join(sorted(rest)), 1 - self.turn)

    def terminal(self):
        return not self.number

    def utility(self):
        return 1 if self.turn else -1


class Upper(NamedTuple):
    """isupper, lower, upper, strip."""

    men: str = "AbCd"
    turn: int = 0
    left: int = 5

    def player(self):
        return self.turn

    def actions(self):
        return [i for i, ch in enumerate(self.men) if ch.isupper() == (self.turn == 0)] or [-1]

    def result(self, i):
        if i < 0:
            return self._replace(turn=1 - self.turn, left=self.left - 1)
        men = list(self.men)
        men[i] = men[i].lower() if men[i].isupper() else men[i].upper()
        j = (i + 1) % 4
        men[j] = men[j].swapcase()
        return Upper("".join(men), 1 - self.turn, self.left - 1)

    def terminal(self):
        return self.left == 0

    def utility(self):
        return sum(1 if ch.isupper() else -1 for ch in self.men)


class MultiLine(NamedTuple):
    """A maze as a triple-quoted text."""

    at: tuple = (1, 1)
    ply: int = 0

    MAZE = """
#######
#     #
# ### #
#   # #
### #X#
#######
""".strip().split("\n")

    def player(self):
        return self.ply % 2

    def actions(self):
        y, x = self.at
        return [c for c, (dy, dx) in {"n": (-1, 0), "s": (1, 0), "w": (0, -1), "e": (0, 1)}.items()
                if self.MAZE[y + dy][x + dx] != "#"]

    def result(self, c):
        y, x = self.at
        if c == "n":
            y -= 1
        elif c == "s":
            y += 1
        elif c == "w":
            x -= 1
        else:
            x += 1
        return MultiLine((y, x), self.ply + 1)

    def terminal(self):
        y, x = self.at
        return self.MAZE[y][x] == "X" or self.ply >= 14

    def utility(self):
        return 1 if self.MAZE[self.at[0]][self.at[1]] == "X" else -1


class Concat(NamedTuple):
    """+= on strings in a loop, `in` for substrings, f-strings only in texts."""

    history: str = ""

    def player(self):
        return len(self.history) % 2

    def actions(self):
        found = ""
        for c in "LRS":
            if not self.history.endswith(c + c):
                found += c
        return list(found)

    def result(self, c):
        return Concat(self.history + c)

    def terminal(self):
        return "LRL" in self.history or len(self.history) == 7

    def utility(self):
        if "LRL" in self.history:
            return -1 if self.player() == 0 else 1
        return 0

    def __str__(self):
        return f"<{self.history}>"

    @classmethod
    def parse(cls, text):
        return cls(text.strip("<>"))


class Cards(NamedTuple):
    """Cards as texts: rank and suit."""

    hands: tuple[str, str] = ("7H 9S JD", "8H 9D QS")
    led: str = ""
    tricks: tuple[int, int] = (0, 0)
    leader: int = 0

    RANKS = "789JQ"

    def player(self):
        return self.leader if not self.led else 1 - self.leader

    def actions(self):
        hand = self.hands[self.player()].split()
        follow = [card for card in hand if self.led and card[1] == self.led[1]]
        return follow or hand

    def result(self, card):
        me = self.player()
        hands = list(self.hands)
        hands[me] = " ".join(c for c in hands[me].split() if c != card)
        if not self.led:
            return Cards(tuple(hands), card, self.tricks, self.leader)
        beats = card[1] == self.led[1] and self.RANKS.index(card[0]) > self.RANKS.index(self.led[0])
        winner = me if beats else self.leader
        tricks = tuple(t + (i == winner) for i, t in enumerate(self.tricks))
        return Cards(tuple(hands), "", tricks, winner)

    def terminal(self):
        return self.hands == ("", "")

    def utility(self):
        return self.tricks[0] - self.tricks[1]


class Partition(NamedTuple):
    """split, partition, startswith and endswith of a state's text."""

    text: str = "xx|x|xxx"
    turn: int = 0

    def player(self):
        return self.turn

    def actions(self):
        return [i for i, part in enumerate(self.text.split("|")) if part]

    def result(self, i):
        parts = self.text.split("|")
        parts[i] = parts[i][:-1] if self.turn == 0 else parts[i][2:]
        return Partition("|".join(parts), 1 - self.turn)

    def terminal(self):
        return self.text == "||"

    def utility(self):
        return 1 if self.turn else -1
