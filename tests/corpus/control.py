"""Control flow and small matters: match, :=, while/else, try, assert, chained comparison, actions asked for."""

import math
from typing import NamedTuple, Optional


class MatchTuples(NamedTuple):
    """match on tuples with guards."""

    a: int = 4
    b: int = 7
    turn: int = 0

    def player(self):
        return self.turn

    def actions(self):
        match (self.a, self.b):
            case (0, 0):
                return []
            case (0, b):
                return [("b", k) for k in range(1, min(b, 3) + 1)]
            case (a, 0):
                return [("a", k) for k in range(1, min(a, 3) + 1)]
            case (a, b) if a == b:
                return [("a", 1), ("b", 1), ("ab", a)]
            case _:
                return [("a", 1), ("b", 1)]

    def result(self, move):
        match move:
            case ("a", k):
                return MatchTuples(self.a - k, self.b, 1 - self.turn)
            case ("b", k):
                return MatchTuples(self.a, self.b - k, 1 - self.turn)
            case (_, k):
                return MatchTuples(self.a - k, self.b - k, 1 - self.turn)

    def terminal(self):
        return self.a == self.b == 0

    def utility(self):
        return 1 if self.turn == 1 else -1


class MatchStrings(NamedTuple):
    light: str = "red"
    ply: int = 0
    score: int = 0

    points = True

    def player(self):
        return self.ply % 2

    def actions(self):
        match self.light:
            case "red" | "amber":
                return ["wait", "run"]
            case "green":
                return ["go"]
        return []

    def result(self, what):
        match self.light, what:
            case "red", "wait":
                light, gain = "amber", 0
            case "red", _:
                light, gain = "red", -3
            case "amber", "run":
                light, gain = "red", 1
            case "amber", "wait":
                light, gain = "green", 0
            case _:
                light, gain = "red", 4
        return MatchStrings(light, self.ply + 1, self.score + (gain if self.ply % 2 == 0 else -gain))

    def terminal(self):
        return self.ply >= 7

    def utility(self):
        return self.score


class Walrus(NamedTuple):
    cells: tuple = (0, 0, 0, 0, 0)
    ply: int = 0

    def player(self):
        return self.ply % 2

    def actions(self):
        if (free := [i for i, v in enumerate(self.cells) if not v]) and len(free) > 2:
            return free[1:]
        return free

    def result(self, i):
        cells = list(self.cells)
        cells[i] = (mark := self.ply % 2 + 1)
        if i + 1 < 5 and (right := cells[i + 1]) not in (0, mark):
            cells[i + 1] = mark
        return Walrus(tuple(cells), self.ply + 1)

    def terminal(self):
        return not any((seen := v) == 0 for v in self.cells)

    def utility(self):
        while (n := self.cells.count(1)) > 2:
            return n
        return -self.cells.count(2)


class WhileElse(NamedTuple):
    n: int = 60
    turn: int = 0

    def player(self):
        return self.turn

    def smallest_factor(self):
        d = 2
        while d * d <= self.n:
            if self.n % d == 0:
                break
            d += 1
        else:
            return self.n
        return d

    def actions(self):
        if self.n == 1:
            return []
        f = self.smallest_factor()
        return [f] if f == self.n else [f, f * 2] if self.n % (2 * f) == 0 else [f]

    def result(self, f):
        return WhileElse(self.n // f, 1 - self.turn)

    def terminal(self):
        return self.n == 1

    def utility(self):
        return 1 if self.turn else -1


class ForElse(NamedTuple):
    row: tuple = (0, 0, 0, 0)
    ply: int = 0

    def player(self):
        return self.ply % 2

    def actions(self):
        for i, v in enumerate(self.row):
            if v == 0:
                first = i
                break
        else:
            return []
        return [first, 3] if self.row[3] == 0 and first != 3 else [first]

    def result(self, i):
        row = list(self.row)
        row[i] = self.ply + 1
        return ForElse(tuple(row), self.ply + 1)

    def terminal(self):
        for v in self.row:
            if not v:
                return False
        else:
            return True

    def utility(self):
        return 1 if self.row[3] % 2 else -1


class TryIndex(NamedTuple):
    """try/except IndexError and ValueError."""

    line: tuple = (3, 1, 2)
    at: int = 0
    mover: int = 0

    def player(self):
        return self.mover

    def actions(self):
        return [1, 2]

    def result(self, k):
        try:
            step = self.line[self.at + k]
        except IndexError:
            step = 0
        try:
            where = self.line.index(step)
        except ValueError:
            where = 3
        return TryIndex(self.line, self.at + k, self.mover if where == 1 else 1 - self.mover)

    def terminal(self):
        return self.at >= 5

    def utility(self):
        return 1 if self.mover else -1


class Finally(NamedTuple):
    n: int = 6
    turn: int = 0

    def player(self):
        return self.turn

    def actions(self):
        moves = []
        try:
            for k in (1, 2, 3):
                if k > self.n:
                    break
                moves.append(k)
        finally:
            moves.reverse()
        return moves

    def result(self, k):
        assert k in (1, 2, 3), "no such move"
        assert k <= self.n
        return Finally(self.n - k, 1 - self.turn)

    def terminal(self):
        return self.n == 0

    def utility(self):
        if self.n:
            raise ValueError("not over")
        return 1 if self.turn == 1 else -1


class Raises(NamedTuple):
    """Rules that raise where they should not be asked."""

    place: int = 0
    turn: int = 0

    def player(self):
        return self.turn

    def actions(self):
        return [s for s in (2, 3) if self.legal(s)]

    def legal(self, s):
        try:
            self.check(s)
        except ValueError:
            return False
        return True

    def check(self, s):
        if self.place + s > 10:
            raise ValueError(f"{s} is too far")
        if (self.place + s) % 4 == 1:
            raise ValueError("mud")

    def result(self, s):
        return Raises(self.place + s, 1 - self.turn)

    def terminal(self):
        return not self.actions()

    def utility(self):
        return -1 if self.turn == 0 else 1


class AskActions(NamedTuple):
    """len(self.actions()), not self.actions(), self.actions()[0], move in self.actions()."""

    n: int = 7
    last: int = 0
    turn: int = 0

    def player(self):
        return self.turn

    def actions(self):
        return [k for k in (1, 2, 3) if k != self.last and k <= self.n]

    def result(self, k):
        if k not in self.actions():
            return self
        return AskActions(self.n - k, k, 1 - self.turn)

    def terminal(self):
        return not self.actions()

    def utility(self):
        return -1 if self.turn == 0 else 1

    def evaluate(self):
        if len(self.actions()) == 0:
            return 0
        return self.actions()[0] + 10 * len(self.actions()) - max(self.actions())


class OptionalInt(NamedTuple):
    """int | None for a square en passant."""

    pawns: tuple = (1, 1, 0, 0, 2, 2)
    special: int | None = None
    turn: int = 0

    def player(self):
        return self.turn

    def actions(self):
        me = self.turn + 1
        d = 1 if me == 1 else -1
        moves = []
        for i, v in enumerate(self.pawns):
            if v == me:
                for k in (1, 2):
                    j = i + k * d
                    if 0 <= j < 6 and self.pawns[j] == 0 and j != self.special:
                        moves.append((i, j))
        return moves

    def result(self, move):
        i, j = move
        pawns = list(self.pawns)
        pawns[i], pawns[j] = 0, self.turn + 1
        special = (i + j) // 2 if abs(i - j) == 2 else None
        return OptionalInt(tuple(pawns), special, 1 - self.turn)

    def terminal(self):
        return not self.actions()

    def utility(self):
        return 1 if self.turn == 1 else -1


class OptionalWinner(NamedTuple):
    """Optional[int] that a method returns."""

    totals: tuple = (0, 0)
    turn: int = 0

    def player(self):
        return self.turn

    def actions(self):
        return [1, 4]

    def result(self, k):
        t = list(self.totals)
        t[self.turn] += k if t[1 - self.turn] != 8 else 1
        return OptionalWinner((t[0], t[1]), 1 - self.turn)

    def winner(self) -> Optional[int]:
        for who in (0, 1):
            if self.totals[who] >= 10:
                return who
        if self.totals[0] == self.totals[1] == 9:
            return -1
        return None

    def terminal(self) -> bool:
        return self.winner() is not None

    def utility(self) -> int:
        winner = self.winner()
        if winner is None or winner < 0:
            return 0
        return 1 if not winner else -1


class Booleans(NamedTuple):
    """Bools as fields, `is True`, `not`, `^`, and bools summed."""

    a: bool = False
    b: bool = False
    c: bool = True
    ply: int = 0

    def player(self):
        return self.ply % 2

    def actions(self):
        return ["a", "b", "c"]

    def result(self, name):
        if name == "a":
            return self._replace(a=not self.a, c=self.c ^ self.b, ply=self.ply + 1)
        if name == "b":
            return self._replace(b=self.a or not self.b, ply=self.ply + 1)
        return self._replace(c=self.a and self.b, ply=self.ply + 1)

    def terminal(self):
        return self.ply == 5

    def utility(self):
        if self.a is True and self.c is False:
            return 1
        return -1 if sum((self.a, self.b, self.c)) >= 2 else 0


class Ternaries(NamedTuple):
    """Chained comparisons, conditional expressions within conditional expressions, and/or for values."""

    x: int = 0
    ply: int = 0

    def player(self):
        return self.ply % 2

    def actions(self):
        step = self.x and 2 or 1
        return [-1, step] if -3 < self.x < 5 != self.ply else [0]

    def result(self, d):
        return Ternaries(self.x + d if d else 0, self.ply + 1)

    def terminal(self):
        return self.ply >= 6

    def utility(self):
        return 1 if self.x > 2 else 0 if self.x in range(-1, 3) else -1


class PassMove(NamedTuple):
    """None is a pass; two passes end the game."""

    stones: tuple = (0, 0, 0)
    passes: int = 0
    turn: int = 0

    def player(self):
        return self.turn

    def actions(self):
        return [None] + [i for i, s in enumerate(self.stones) if s == 0]

    def result(self, move):
        if move is None:
            return PassMove(self.stones, self.passes + 1, 1 - self.turn)
        stones = tuple(self.turn + 1 if i == move else s for i, s in enumerate(self.stones))
        return PassMove(stones, 0, 1 - self.turn)

    def terminal(self):
        return self.passes >= 2 or 0 not in self.stones

    def utility(self):
        return self.stones.count(1) - self.stones.count(2)


class SumStart(NamedTuple):
    """sum with a start, also of tuples; divmod; pow; round; abs."""

    parts: tuple = ((1,), (2, 3), (4,))
    ply: int = 0

    points = True

    def player(self):
        return self.ply % 2

    def actions(self):
        return list(range(len(self.parts)))

    def result(self, i):
        parts = self.parts[:i] + self.parts[i + 1:]
        if len(parts) > 1 and self.ply % 2:
            parts = (parts[0] + parts[1],) + parts[2:]
        return SumStart(parts, self.ply + 1)

    def terminal(self):
        return len(self.parts) <= 1

    def utility(self):
        flat = sum(self.parts, ())
        q, r = divmod(sum(flat, 10), 4)
        return round(q / 2) + pow(r, 2) - abs(len(flat) - 5)


class Multi(NamedTuple):
    """Several targets, swaps, augmented assignment of every kind."""

    a: int = 5
    b: int = 9
    ply: int = 0

    points = True

    def player(self):
        return self.ply % 2

    def actions(self):
        return [0, 1, 2]

    def result(self, k):
        a, b = self.a, self.b
        x = y = a
        if k == 0:
            a, b = b, a
        elif k == 1:
            a += x
            b -= y
        else:
            a //= 2
            b *= 2
            b %= 13
            a |= 1
            b ^= 3
        a &= 31
        return Multi(a, b, self.ply + 1)

    def terminal(self):
        return self.ply == 4

    def utility(self):
        return self.a - self.b


class EarlyReturn(NamedTuple):
    """Many returns, nested loops with break and continue, pass."""

    cells: tuple = (1, 0, 2, 0, 1, 0, 2, 0)
    turn: int = 1

    def player(self):
        return 0 if self.turn == 1 else 1

    def actions(self):
        found = []
        for i in range(8):
            if self.cells[i] != self.turn:
                continue
            for j in range(i + 1, 8):
                if self.cells[j] == self.turn:
                    break
                if self.cells[j] != 0:
                    pass
                else:
                    found.append(10 * i + j)
                    if len(found) > 3:
                        return found
        if not found:
            return [0]
        return found

    def result(self, m):
        if m == 0:
            return EarlyReturn(self.cells, 0)
        i, j = m // 10, m % 10
        cells = list(self.cells)
        cells[j] = cells[i]
        cells[i] = 0
        return EarlyReturn(tuple(cells), 3 - self.turn)

    def terminal(self):
        return self.turn == 0

    def utility(self):
        weights = 0
        for i, v in enumerate(self.cells):
            weights += i if v == 1 else -i if v == 2 else 0
        return weights
