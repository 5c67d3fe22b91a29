"""Kalah, Othello, dots and boxes, Domineering and other games of filling and taking."""

import copy
from dataclasses import dataclass
from typing import Dict, Iterator, List, NamedTuple, Optional, Tuple


class Kalah(NamedTuple):
    """Three houses a side, two seeds each; extra moves and captures."""

    pits: tuple = (2, 2, 2, 0, 2, 2, 2, 0)
    turn: int = 0

    points = True

    def player(self):
        return self.turn

    def actions(self):
        first = 0 if self.turn == 0 else 4
        return [i for i in range(first, first + 3) if self.pits[i] > 0]

    def result(self, i):
        pits = list(self.pits)
        seeds, pits[i] = pits[i], 0
        store, other_store = (3, 7) if self.turn == 0 else (7, 3)
        at = i
        while seeds > 0:
            at = (at + 1) % 8
            if at == other_store:
                continue
            pits[at] += 1
            seeds -= 1
        own = range(0, 3) if self.turn == 0 else range(4, 7)
        if at in own and pits[at] == 1 and pits[6 - at] > 0:
            pits[store] += pits[6 - at] + 1
            pits[at] = pits[6 - at] = 0
        turn = self.turn if at == store else 1 - self.turn
        if sum(pits[0:3]) == 0 or sum(pits[4:7]) == 0:
            pits[3] += sum(pits[0:3])
            pits[7] += sum(pits[4:7])
            for k in (0, 1, 2, 4, 5, 6):
                pits[k] = 0
        return Kalah(tuple(pits), turn)

    def terminal(self):
        return not any(self.pits[0:3] + self.pits[4:7])

    def utility(self):
        return self.pits[3] - self.pits[7]

    def evaluate(self):
        return self.pits[3] - self.pits[7]


class Mancala(NamedTuple):
    """Two tuples and two stores, turned around after each move."""

    mine: tuple[int, ...] = (3, 3, 3)
    yours: tuple[int, ...] = (3, 3, 3)
    my_store: int = 0
    your_store: int = 0
    me: int = 0

    points = True

    def player(self):
        return self.me

    def actions(self):
        return [i for i, n in enumerate(self.mine) if n]

    def result(self, i):
        ring = list(self.mine) + [self.my_store] + list(self.yours)
        n = ring[i]
        ring[i] = 0
        pos = i
        for _ in range(n):
            pos = (pos + 1) % len(ring)
            ring[pos] += 1
        mine, store, yours = tuple(ring[:3]), ring[3], tuple(ring[4:])
        if pos == 3:
            return Mancala(mine, yours, store, self.your_store, self.me)
        return Mancala(yours, mine, self.your_store, store, 1 - self.me)

    def terminal(self):
        return sum(self.mine) == 0 or self.my_store + self.your_store > 14

    def utility(self):
        diff = self.my_store + sum(self.mine) - self.your_store - sum(self.yours)
        return diff if self.me == 0 else -diff


class Oware(NamedTuple):
    """Four houses each, seeds are captured where a house comes to two or three; 60 plies."""

    houses: tuple = (3,) * 8
    captured: tuple = (0, 0)
    ply: int = 0

    points = True

    def player(self):
        return self.ply % 2

    def actions(self):
        base = 4 * self.player()
        return [h for h in range(base, base + 4) if self.houses[h]]

    def result(self, h):
        houses = [*self.houses]
        hand = houses[h]
        houses[h] = 0
        k = h
        while hand:
            k = (k + 1) % 8
            if k != h:
                houses[k] += 1
                hand -= 1
        got = list(self.captured)
        enemy = range(4, 8) if self.player() == 0 else range(4)
        while k in enemy and houses[k] in (2, 3):
            got[self.player()] += houses[k]
            houses[k] = 0
            k = (k - 1) % 8
        return Oware(tuple(houses), tuple(got), self.ply + 1)

    def terminal(self):
        return self.ply >= 60 or max(self.captured) > 12 or len(self.actions()) == 0

    def utility(self):
        a, b = self.captured
        return a - b


OTHELLO_DIRECTIONS = [(dr, dc) for dr in (-1, 0, 1) for dc in (-1, 0, 1) if (dr, dc) != (0, 0)]


class Othello4(NamedTuple):
    """4x4 as a tuple of rows; None passes."""

    board: tuple = ((0, 0, 0, 0), (0, 2, 1, 0), (0, 1, 2, 0), (0, 0, 0, 0))
    turn: int = 1

    points = True

    def player(self):
        return self.turn - 1

    def flips(self, row, col, who):
        if self.board[row][col] != 0:
            return []
        flipped = []
        for dr, dc in OTHELLO_DIRECTIONS:
            line = []
            r, c = row + dr, col + dc
            while 0 <= r < 4 and 0 <= c < 4 and self.board[r][c] == 3 - who:
                line.append((r, c))
                r, c = r + dr, c + dc
            if line and 0 <= r < 4 and 0 <= c < 4 and self.board[r][c] == who:
                flipped.extend(line)
        return flipped

    def moves(self, who):
        return [(r, c) for r in range(4) for c in range(4) if self.flips(r, c, who)]

    def actions(self):
        moves = self.moves(self.turn)
        if not moves:
            return [None]
        return moves

    def result(self, move):
        if move is None:
            return Othello4(self.board, 3 - self.turn)
        r, c = move
        rows = [list(row) for row in self.board]
        rows[r][c] = self.turn
        for fr, fc in self.flips(r, c, self.turn):
            rows[fr][fc] = self.turn
        return Othello4(tuple(tuple(row) for row in rows), 3 - self.turn)

    def terminal(self):
        return not self.moves(1) and not self.moves(2)

    def utility(self):
        black = sum(row.count(1) for row in self.board)
        white = sum(row.count(2) for row in self.board)
        return black - white


class Othello6(NamedTuple):
    """6x6 as a flat tuple of 36, -1 is a pass."""

    cells: tuple[int, ...] = tuple(
        1 if i in (15, 20) else -1 if i in (14, 21) else 0 for i in range(36)
    )
    mover: int = 1
    passed: bool = False

    points = True

    def player(self):
        return 0 if self.mover == 1 else 1

    def turned(self, at):
        turned = []
        r0, c0 = divmod(at, 6)
        for dr, dc in OTHELLO_DIRECTIONS:
            path = []
            r, c = r0 + dr, c0 + dc
            while 0 <= r < 6 and 0 <= c < 6:
                v = self.cells[6 * r + c]
                if v == -self.mover:
                    path.append(6 * r + c)
                elif v == self.mover:
                    turned += path
                    break
                else:
                    break
                r += dr
                c += dc
        return turned

    def actions(self):
        found = [i for i in range(36) if self.cells[i] == 0 and self.turned(i)]
        return found or [-1]

    def result(self, i):
        if i == -1:
            return Othello6(self.cells, -self.mover, True)
        cells = list(self.cells)
        for j in [i] + self.turned(i):
            cells[j] = self.mover
        return Othello6(tuple(cells), -self.mover, False)

    def terminal(self):
        if 0 not in self.cells:
            return True
        return self.passed and self.actions() == [-1]

    def utility(self):
        return sum(self.cells)

    def evaluate(self):
        corners = self.cells[0] + self.cells[5] + self.cells[30] + self.cells[35]
        return sum(self.cells) + 5 * corners


class OthelloString(NamedTuple):
    """4x4 with a border, so that no index needs a test."""

    board: str = (
        "######"
        "#....#"
        "#.OX.#"
        "#.XO.#"
        "#....#"
        "######"
    )
    who: str = "X"

    points = True

    def player(self):
        return 0 if self.who == "X" else 1

    def captures(self, sq, me):
        you = "O" if me == "X" else "X"
        total = []
        for d in (-7, -6, -5, -1, 1, 5, 6, 7):
            k = sq + d
            while self.board[k] == you:
                k += d
            if self.board[k] == me:
                k -= d
                while k != sq:
                    total.append(k)
                    k -= d
        return total

    def can(self, me):
        return [sq for sq, ch in enumerate(self.board) if ch == "." and self.captures(sq, me)]

    def actions(self):
        return self.can(self.who) or [0]

    def result(self, sq):
        you = "O" if self.who == "X" else "X"
        if sq == 0:
            return OthelloString(self.board, you)
        cells = list(self.board)
        for k in self.captures(sq, self.who):
            cells[k] = self.who
        cells[sq] = self.who
        return OthelloString("".join(cells), you)

    def terminal(self):
        return not self.can("X") and not self.can("O")

    def utility(self):
        return self.board.count("X") - self.board.count("O")


class DotsAndBoxes(NamedTuple):
    """2x2 boxes, 12 edges; whoever closes a box moves again."""

    edges: tuple[bool, ...] = (False,) * 12
    score: tuple[int, int] = (0, 0)
    turn: int = 0

    BOXES = ((0, 2, 3, 5), (1, 3, 4, 6), (5, 7, 8, 10), (6, 8, 9, 11))
    points = True

    def player(self):
        return self.turn

    def actions(self):
        return [e for e in range(12) if not self.edges[e]]

    def result(self, e):
        edges = tuple(drawn or i == e for i, drawn in enumerate(self.edges))
        closed = sum(1 for box in self.BOXES if e in box and all(edges[k] for k in box))
        if closed == 0:
            return DotsAndBoxes(edges, self.score, 1 - self.turn)
        score = list(self.score)
        score[self.turn] += closed
        return DotsAndBoxes(edges, tuple(score), self.turn)

    def terminal(self):
        return all(self.edges)

    def utility(self):
        return self.score[0] - self.score[1]


class DotsSets(NamedTuple):
    """One row of two boxes, edges by pairs of dots ((r, c), (r, c))."""

    drawn: tuple = ()
    diff: int = 0
    mover: int = 0

    points = True

    def player(self):
        return self.mover

    @staticmethod
    def all_edges():
        across = [((r, c), (r, c + 1)) for r in range(2) for c in range(2)]
        down = [((0, c), (1, c)) for c in range(3)]
        return across + down

    @staticmethod
    def box(c):
        return [((0, c), (0, c + 1)), ((1, c), (1, c + 1)), ((0, c), (1, c)), ((0, c + 1), (1, c + 1))]

    def actions(self):
        return [edge for edge in self.all_edges() if edge not in self.drawn]

    def result(self, edge):
        drawn = tuple(sorted(self.drawn + (edge,)))
        made = 0
        for c in (0, 1):
            sides = self.box(c)
            if edge in sides and all(s in drawn for s in sides):
                made += 1
        if made:
            return DotsSets(drawn, self.diff + (made if self.mover == 0 else -made), self.mover)
        return DotsSets(drawn, self.diff, 1 - self.mover)

    def terminal(self):
        return len(self.drawn) == 7

    def utility(self):
        return self.diff


class Domineering(NamedTuple):
    """3x4; one lays dominoes upright, the other flat."""

    rows: tuple = ((0, 0, 0, 0), (0, 0, 0, 0), (0, 0, 0, 0))
    turn: int = 0

    def player(self):
        return self.turn

    def actions(self):
        dr, dc = (1, 0) if self.turn == 0 else (0, 1)
        return [
            (r, c)
            for r in range(3 - dr)
            for c in range(4 - dc)
            if not self.rows[r][c] and not self.rows[r + dr][c + dc]
        ]

    def result(self, square):
        r, c = square
        rows = [list(row) for row in self.rows]
        rows[r][c] = 1
        if self.turn == 0:
            rows[r + 1][c] = 1
        else:
            rows[r][c + 1] = 1
        return Domineering(tuple(map(tuple, rows)), 1 - self.turn)

    def terminal(self):
        return not self.actions()

    def utility(self):
        return 1 if self.turn == 1 else -1


class DomineeringText(NamedTuple):
    board: str = "....\n....\n...."
    upright: bool = True

    def player(self):
        return 0 if self.upright else 1

    def actions(self):
        width = self.board.index("\n") + 1
        step = width if self.upright else 1
        return [i for i in range(len(self.board) - step) if self.board[i] == "." and self.board[i + step] == "."]

    def result(self, i):
        step = self.board.index("\n") + 1 if self.upright else 1
        chars = list(self.board)
        chars[i] = chars[i + step] = "|" if self.upright else "-"
        return DomineeringText("".join(chars), not self.upright)

    def terminal(self):
        return len(self.actions()) == 0

    def utility(self):
        return -1 if self.upright else 1

    def __str__(self):
        return self.board.replace("\n", "/") + (" |" if self.upright else " -")

    @classmethod
    def parse(cls, text):
        board, side = text.split(" ")
        return cls(board.replace("/", "\n"), side == "|")


class Cram(NamedTuple):
    """Dominoes either way, on 3x3."""

    filled: int = 0
    mover: int = 0

    def player(self):
        return self.mover

    def placements(self):
        for r in range(3):
            for c in range(3):
                if c < 2:
                    yield (1 << 3 * r + c) | (1 << 3 * r + c + 1)
                if r < 2:
                    yield (1 << 3 * r + c) | (1 << 3 * r + c + 3)

    def actions(self):
        return [p for p in self.placements() if p & self.filled == 0]

    def result(self, p):
        return Cram(self.filled | p, 1 - self.mover)

    def terminal(self):
        return not self.actions()

    def utility(self):
        return 1 if self.mover else -1


class SmallMorris(NamedTuple):
    """Six men's morris cut down: three men each on 16 points, mills take one, 50 plies."""

    points_: tuple = (0,) * 16
    hands: tuple = (3, 3)
    ply: int = 0
    taking: bool = False

    MILLS = ((0, 1, 2), (2, 9, 15), (13, 14, 15), (0, 6, 13), (3, 4, 5), (5, 8, 12), (10, 11, 12), (3, 7, 10))
    NEAR = {
        0: [1, 6], 1: [0, 2, 4], 2: [1, 9], 3: [4, 7], 4: [1, 3, 5], 5: [4, 8], 6: [0, 7, 13], 7: [3, 6, 10],
        8: [5, 9, 12], 9: [2, 8, 15], 10: [7, 11], 11: [10, 12, 14], 12: [8, 11], 13: [6, 14], 14: [11, 13, 15], 15: [9, 14],
    }

    def player(self):
        return self.ply % 2

    def me(self):
        return self.player() + 1

    def actions(self):
        you = 3 - self.me()
        if self.taking:
            return [(-2, p) for p, v in enumerate(self.points_) if v == you]
        if self.hands[self.player()]:
            return [(-1, p) for p, v in enumerate(self.points_) if v == 0]
        return [(p, q) for p, v in enumerate(self.points_) if v == self.me() for q in self.NEAR[p] if not self.points_[q]]

    def makes_mill(self, board, p):
        return any(p in mill and all(board[k] == self.me() for k in mill) for mill in self.MILLS)

    def result(self, move):
        kind, to = move
        board = list(self.points_)
        if kind == -2:
            board[to] = 0
            return SmallMorris(tuple(board), self.hands, self.ply + 1, False)
        hands = self.hands
        if kind == -1:
            hands = tuple(h - (i == self.player()) for i, h in enumerate(hands))
        else:
            board[kind] = 0
        board[to] = self.me()
        if self.makes_mill(board, to) and (3 - self.me()) in board:
            return SmallMorris(tuple(board), hands, self.ply, True)
        return SmallMorris(tuple(board), hands, self.ply + 1, False)

    def men(self, i):
        return self.hands[i] + self.points_.count(i + 1)

    def terminal(self):
        return self.ply >= 50 or self.men(0) < 3 or self.men(1) < 3 or not self.actions()

    def utility(self):
        if self.men(0) < 3:
            return -1
        if self.men(1) < 3:
            return 1
        if self.ply >= 50:
            return 0
        return -1 if self.player() == 0 else 1


class Ataxx(NamedTuple):
    """3x3: clone beside, neighbours change sides; 30 plies."""

    cells: tuple = ("x", ".", "o", ".", ".", ".", "o", ".", "x")
    ply: int = 0

    points = True

    def player(self):
        return self.ply % 2

    @staticmethod
    def near(i) -> List[int]:
        r, c = i // 3, i % 3
        return [3 * y + x for y in range(3) for x in range(3) if (y, x) != (r, c) and abs(y - r) < 2 and abs(x - c) < 2]

    def actions(self):
        me = "xo"[self.ply % 2]
        free = [i for i in range(9) if self.cells[i] == "."]
        places = [i for i in free if any(self.cells[j] == me for j in self.near(i))]
        return places if places else [9]

    def result(self, i):
        if i == 9:
            return self._replace(ply=self.ply + 1)
        me = "xo"[self.ply % 2]
        cells = list(self.cells)
        cells[i] = me
        for j in self.near(i):
            if cells[j] != ".":
                cells[j] = me
        return Ataxx(tuple(cells), self.ply + 1)

    def terminal(self):
        return "." not in self.cells or self.ply >= 30 or not {"x", "o"} <= set(self.cells)

    def utility(self):
        return self.cells.count("x") - self.cells.count("o")


class GoCapture(NamedTuple):
    """Atari Go on 3x3: the first capture wins, no suicide."""

    board: tuple = (0,) * 9
    turn: int = 1
    winner: int = 0

    def player(self):
        return 0 if self.turn == 1 else 1

    @staticmethod
    def neighbours(p):
        r, c = divmod(p, 3)
        if r > 0:
            yield p - 3
        if r < 2:
            yield p + 3
        if c > 0:
            yield p - 1
        if c < 2:
            yield p + 1

    @staticmethod
    def liberties(board, p):
        colour = board[p]
        group, todo, free = {p}, [p], set()
        while todo:
            q = todo.pop()
            for n in GoCapture.neighbours(q):
                if board[n] == 0:
                    free.add(n)
                elif board[n] == colour and n not in group:
                    group.add(n)
                    todo.append(n)
        return len(free)

    def after(self, p):
        board = list(self.board)
        board[p] = self.turn
        return board

    def takes(self, board, p):
        return any(board[n] == -self.turn and self.liberties(board, n) == 0 for n in self.neighbours(p))

    def actions(self):
        moves = []
        for p in range(9):
            if self.board[p] == 0:
                board = self.after(p)
                if self.takes(board, p) or self.liberties(board, p) > 0:
                    moves.append(p)
        return moves

    def result(self, p):
        board = self.after(p)
        return GoCapture(tuple(board), -self.turn, self.turn if self.takes(board, p) else 0)

    def terminal(self):
        return self.winner != 0 or not self.actions()

    def utility(self):
        if self.winner:
            return self.winner
        return -1 if self.turn == 1 else 1


class NoGo(NamedTuple):
    """3x3: whoever cannot place without taking liberties away loses. By copy.deepcopy of rows."""

    rows: tuple = ((0, 0, 0), (0, 0, 0), (0, 0, 0))
    mover: int = 0

    def player(self):
        return self.mover

    def group_free(self, rows, r, c, seen):
        seen.add((r, c))
        for y, x in ((r - 1, c), (r + 1, c), (r, c - 1), (r, c + 1)):
            if not (0 <= y < 3 and 0 <= x < 3):
                continue
            if rows[y][x] == 0:
                return True
            if rows[y][x] == rows[r][c] and (y, x) not in seen and self.group_free(rows, y, x, seen):
                return True
        return False

    def fine(self, r, c):
        rows = [row[:] for row in map(list, self.rows)]
        rows[r][c] = self.mover + 1
        return all(self.group_free(rows, y, x, set()) for y in range(3) for x in range(3) if rows[y][x])

    def actions(self):
        return [(r, c) for r in range(3) for c in range(3) if self.rows[r][c] == 0 and self.fine(r, c)]

    def result(self, move):
        r, c = move
        rows = list(map(list, self.rows))
        rows[r][c] = self.mover + 1
        return NoGo(tuple(map(tuple, rows)), 1 - self.mover)

    def terminal(self):
        return not self.actions()

    def utility(self):
        return 1 if self.mover else -1


class MapColouring(NamedTuple):
    """Both colour countries; whoever cannot, loses. Adjacency by letters."""

    colours: tuple = ("", "", "", "", "", "")
    turn: int = 0

    COUNTRIES = "ABCDEF"
    BORDERS = {"A": "BC", "B": "ACD", "C": "ABDE", "D": "BCEF", "E": "CDF", "F": "DE"}

    def player(self):
        return self.turn

    def colour_of(self, country):
        return self.colours[self.COUNTRIES.index(country)]

    def actions(self):
        moves = []
        for country in self.COUNTRIES:
            if self.colour_of(country):
                continue
            near = {self.colour_of(other) for other in self.BORDERS[country]}
            for colour in ("red", "green"):
                if colour not in near:
                    moves.append((country, colour))
        return moves

    def result(self, move):
        country, colour = move
        at = self.COUNTRIES.index(country)
        return MapColouring(self.colours[:at] + (colour,) + self.colours[at + 1:], 1 - self.turn)

    def terminal(self):
        return not self.actions()

    def utility(self):
        return 1 if self.turn == 1 else -1


class Obstruction(NamedTuple):
    """Place on 4x4; the squares around are blocked too."""

    blocked: tuple = ((False,) * 4,) * 4
    mover: int = 0

    def player(self):
        return self.mover

    def actions(self):
        for y, row in enumerate(self.blocked):
            for x, b in enumerate(row):
                if not b:
                    yield (y, x)

    def result(self, at):
        y0, x0 = at
        rows = tuple(
            tuple(b or (abs(y - y0) <= 1 and abs(x - x0) <= 1) for x, b in enumerate(row))
            for y, row in enumerate(self.blocked)
        )
        return Obstruction(rows, 1 - self.mover)

    def terminal(self):
        return all(all(row) for row in self.blocked)

    def utility(self):
        return 1 if self.mover == 1 else -1


class Sim(NamedTuple):
    """Colour the edges between five dots; whoever makes a triangle loses."""

    edges: tuple = (0,) * 10
    turn: int = 1

    PAIRS = tuple((i, j) for i in range(5) for j in range(i + 1, 5))

    def player(self):
        return self.turn - 1

    def actions(self):
        return [pair for pair, colour in zip(self.PAIRS, self.edges) if colour == 0]

    def result(self, pair):
        i = self.PAIRS.index(pair)
        edges = list(self.edges)
        edges[i] = self.turn
        return Sim(tuple(edges), 3 - self.turn)

    def colour(self, i, j):
        return self.edges[self.PAIRS.index((min(i, j), max(i, j)))]

    def triangle(self, who):
        return any(
            self.colour(i, j) == self.colour(j, k) == self.colour(i, k) == who
            for i in range(5) for j in range(i) for k in range(j)
        )

    def terminal(self):
        return self.triangle(1) or self.triangle(2) or 0 not in self.edges

    def utility(self):
        if self.triangle(1):
            return -1
        if self.triangle(2):
            return 1
        return 0


class Order(NamedTuple):
    """Order and Chaos on 3x3: Order wants three alike in a row."""

    cells: tuple[Optional[str], ...] = (None,) * 9
    turn: int = 0

    LINES: Tuple[Tuple[int, ...], ...] = ((0, 1, 2), (3, 4, 5), (6, 7, 8), (0, 3, 6), (1, 4, 7), (2, 5, 8), (0, 4, 8), (2, 4, 6))

    def player(self) -> int:
        return self.turn

    def actions(self) -> Iterator[Tuple[int, str]]:
        for i, cell in enumerate(self.cells):
            if cell is None:
                yield i, "a"
                yield i, "b"

    def result(self, action: Tuple[int, str]) -> "Order":
        i, mark = action
        cells: List[Optional[str]] = list(self.cells)
        cells[i] = mark
        return self._replace(cells=tuple(cells), turn=1 - self.turn)

    def order(self, action) -> int:
        return 0

    def lined(self) -> bool:
        return any(self.cells[a] is not None and self.cells[a] == self.cells[b] == self.cells[c] for a, b, c in self.LINES)

    def terminal(self) -> bool:
        return self.lined() or None not in self.cells

    def utility(self) -> int:
        return 1 if self.lined() else -1
