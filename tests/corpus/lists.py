"""Idioms of lists, in small games."""

import bisect
import heapq
from collections import deque
from typing import List, NamedTuple


class Appending(NamedTuple):
    """append, pop, insert."""

    line: tuple = (1, 2)
    mover: int = 0
    left: int = 9

    def player(self):
        return self.mover

    def actions(self):
        moves = ["push"] if len(self.line) < 4 else []
        if len(self.line) > 1:
            moves.append("pop")
            moves.append("drop")
        return moves

    def result(self, move):
        line = list(self.line)
        if move == "push":
            line.append(line[-1] + line[-2] if len(line) > 1 else 5)
        elif move == "pop":
            line.pop()
        else:
            line.pop(0)
        line[-1] += 1
        return Appending(tuple(line), 1 - self.mover, self.left - 1)

    def terminal(self):
        return max(self.line) >= 8 or self.left == 0

    def utility(self):
        return 1 if self.line[-1] % 2 == self.mover else -1


class Inserting(NamedTuple):
    """Insert numbers anywhere; MAX counts the rises."""

    seq: tuple = (3,)

    points = True

    def player(self):
        return (len(self.seq) - 1) % 2

    def actions(self):
        return [(pos, v) for pos in range(len(self.seq) + 1) for v in (1, 5)]

    def result(self, action):
        pos, v = action
        seq = list(self.seq)
        seq.insert(pos, v)
        return Inserting(tuple(seq))

    def terminal(self):
        return len(self.seq) >= 5

    def utility(self):
        rises = 0
        for i in range(1, len(self.seq)):
            if self.seq[i] > self.seq[i - 1]:
                rises += 1
            elif self.seq[i] < self.seq[i - 1]:
                rises -= 1
        return rises


class Removing(NamedTuple):
    """remove, count and index of a list."""

    bag: tuple = (1, 1, 2, 3, 3, 3)
    got: tuple = (0, 0)
    turn: int = 0

    points = True

    def player(self):
        return self.turn

    def actions(self):
        bag = list(self.bag)
        return [v for v in (1, 2, 3) if bag.count(v)]

    def result(self, v):
        bag = list(self.bag)
        bag.remove(v)
        extra = v if v in bag else 0
        got = [*self.got]
        got[self.turn] += v + extra
        return Removing(tuple(bag), tuple(got), 1 - self.turn)

    def terminal(self):
        return not self.bag

    def utility(self):
        return self.got[0] - self.got[1]


class Extending(NamedTuple):
    """extend and +=; a queue of tasks."""

    tasks: tuple = (2, 1)
    clock: int = 0

    def player(self):
        return self.clock % 2

    def actions(self):
        return sorted(set(self.tasks))

    def result(self, t):
        tasks = list(self.tasks)
        tasks.remove(t)
        new = []
        if t > 1:
            new += [t - 1]
        if t == 2 and self.clock < 4:
            new.extend([1, 1])
        tasks.extend(new)
        return Extending(tuple(sorted(tasks)), self.clock + 1)

    def terminal(self):
        return len(self.tasks) == 0

    def utility(self):
        return 1 if self.clock % 2 else -1


class Deleting(NamedTuple):
    """del of items and slices."""

    row: tuple = (5, 3, 8, 1, 9, 2)
    mover: int = 0

    def player(self):
        return self.mover

    def actions(self):
        return list(range(len(self.row) - 1))

    def result(self, i):
        row = list(self.row)
        if row[i] > row[i + 1]:
            del row[i]
        else:
            del row[i:i + 2]
        return Deleting(tuple(row), 1 - self.mover)

    def terminal(self):
        return len(self.row) < 2

    def utility(self):
        return self.row[0] if len(self.row) else -5


class Sorting(NamedTuple):
    """sort in place, reverse, sorted of a list of tuples."""

    hand: tuple = (4, 7, 1, 6)
    table: tuple = ()

    def player(self):
        return len(self.table) % 2

    def actions(self):
        hand = list(self.hand)
        hand.sort()
        if self.player() == 1:
            hand.reverse()
        return hand[:2]

    def result(self, card):
        table = list(self.table)
        table.append(card)
        table.sort(reverse=True)
        return Sorting(tuple(c for c in self.hand if c != card), tuple(table))

    def terminal(self):
        return not self.hand

    def utility(self):
        return -1

    def evaluate(self):
        ranked = sorted([(c % 4, c) for c in self.hand])
        return ranked[0][1] if ranked else 0


class SliceAssign(NamedTuple):
    """Assignment to a slice of a list."""

    tape: tuple = (0, 0, 0, 0, 0, 0)
    turn: int = 0

    def player(self):
        return self.turn

    def actions(self):
        return [i for i in range(5) if self.tape[i:i + 2] == (0, 0)]

    def result(self, i):
        tape = list(self.tape)
        tape[i:i + 2] = [self.turn + 1] * 2
        return SliceAssign(tuple(tape), 1 - self.turn)

    def terminal(self):
        return all(self.tape[i:i + 2] != (0, 0) for i in range(5))

    def utility(self):
        return 1 if self.turn == 1 else -1


class Grid2D(NamedTuple):
    """[[0] * n for _ in range(n)] and deep copies."""

    marks: tuple = ()

    N = 3

    def grid(self):
        grid = [[0] * self.N for _ in range(self.N)]
        for k, (r, c) in enumerate(self.marks):
            grid[r][c] = k % 2 + 1
        return grid

    def player(self):
        return len(self.marks) % 2

    def actions(self):
        grid = self.grid()
        return [(r, c) for r in range(self.N) for c in range(self.N) if grid[r][c] == 0 and (r + c) % 2 == 0]

    def result(self, at):
        return Grid2D(self.marks + (at,))

    def terminal(self):
        return len(self.marks) >= 5

    def utility(self):
        grid = self.grid()
        corners = [grid[0][0], grid[0][-1], grid[-1][0], grid[-1][-1]]
        return corners.count(1) - corners.count(2)


class Pouring(NamedTuple):
    """Two jugs; both players pour, whoever makes 4 litres wins; 12 plies."""

    jugs: tuple = (0, 0)
    ply: int = 0

    SIZES = [3, 5]

    def player(self):
        return self.ply % 2

    def actions(self):
        acts: List[str] = []
        for i in range(2):
            if self.jugs[i] < self.SIZES[i]:
                acts.append(f"fill{i}")
            if self.jugs[i] > 0:
                acts.append(f"empty{i}")
                if self.jugs[1 - i] < self.SIZES[1 - i]:
                    acts.append(f"pour{i}")
        return acts

    def result(self, act):
        jugs = list(self.jugs)
        i = int(act[-1])
        if act.startswith("fill"):
            jugs[i] = self.SIZES[i]
        elif act.startswith("empty"):
            jugs[i] = 0
        else:
            amount = min(jugs[i], self.SIZES[1 - i] - jugs[1 - i])
            jugs[i] -= amount
            jugs[1 - i] += amount
        return Pouring(tuple(jugs), self.ply + 1)

    def terminal(self):
        return 4 in self.jugs or self.ply >= 12

    def utility(self):
        if 4 not in self.jugs:
            return 0
        return 1 if self.ply % 2 == 1 else -1


class StackGame(NamedTuple):
    """A stack of operators: reverse Polish, evaluated with a list."""

    program: tuple = ()

    points = True

    def player(self):
        return len(self.program) % 2

    def depth(self):
        depth = 0
        for op in self.program:
            depth += 1 if op >= 0 else -1
        return depth

    def actions(self):
        acts = [2, 3]
        if self.depth() >= 2:
            acts += [-1, -2]
        return acts

    def result(self, op):
        return StackGame(self.program + (op,))

    def terminal(self):
        return len(self.program) >= 6

    def utility(self):
        stack = []
        for op in self.program:
            if op >= 0:
                stack.append(op)
            else:
                b = stack.pop()
                a = stack.pop()
                stack.append(a + b if op == -1 else a - b)
        return sum(stack)


class FloodList(NamedTuple):
    """Flood fill with a list as a stack, rows of digits."""

    rows: tuple = ((1, 2, 1), (2, 1, 2), (3, 3, 1))
    turn: int = 0
    round: int = 0

    def player(self):
        return self.turn

    def region(self):
        start = (0, 0) if self.turn == 0 else (2, 2)
        colour = self.rows[start[0]][start[1]]
        stack, found = [start], []
        while stack:
            r, c = stack.pop()
            if not (0 <= r < 3 and 0 <= c < 3) or (r, c) in found or self.rows[r][c] != colour:
                continue
            found.append((r, c))
            stack.extend([(r + 1, c), (r - 1, c), (r, c + 1), (r, c - 1)])
        return found

    def actions(self):
        mine, yours = self.rows[0][0], self.rows[2][2]
        return [k for k in (1, 2, 3) if k not in (mine, yours)] or [mine]

    def result(self, colour):
        rows = [list(r) for r in self.rows]
        for r, c in self.region():
            rows[r][c] = colour
        return FloodList(tuple(tuple(r) for r in rows), self.turn + 1 if self.turn < 1 else 0, self.round + 1)

    def terminal(self):
        return len({v for row in self.rows for v in row}) <= 2 or self.round == 12

    def utility(self):
        me = sum(v == self.rows[0][0] for row in self.rows for v in row)
        return me - (9 - me)


class QueueGame(NamedTuple):
    """Josephus with a deque: count one, two or three, and out he goes."""

    circle: tuple = ("A", "B", "C", "D", "E")
    mover: int = 0

    def player(self):
        return self.mover

    def actions(self):
        return (1, 2, 3)

    def result(self, k):
        people = deque(self.circle)
        people.rotate(-k)
        people.popleft()
        return QueueGame(tuple(people), 1 - self.mover)

    def terminal(self):
        return len(self.circle) == 1

    def utility(self):
        return 1 if self.circle[0] in "AC" else -1


class Bisected(NamedTuple):
    """A sorted list kept with bisect."""

    line: tuple = ()

    points = True

    def player(self):
        return len(self.line) % 2

    def actions(self):
        return [v for v in (2, 4, 5, 7, 9) if v not in self.line]

    def result(self, v):
        line = list(self.line)
        bisect.insort(line, v)
        return Bisected(tuple(line))

    def terminal(self):
        return len(self.line) == 3

    def utility(self):
        return bisect.bisect_left(self.line, 5) * 3 - self.line[1]


class HeapGame(NamedTuple):
    """The smallest of a heap by heapq."""

    heap: tuple = (1, 4, 2, 7)
    score: int = 0
    mover: int = 0

    points = True

    def player(self):
        return self.mover

    def actions(self):
        return [0, 1] if len(self.heap) > 1 else [0]

    def result(self, which):
        heap = list(self.heap)
        heapq.heapify(heap)
        if which == 0:
            value = heapq.heappop(heap)
        else:
            value = heapq.nsmallest(2, heap)[1]
            heap.remove(value)
            heapq.heapify(heap)
        return HeapGame(tuple(sorted(heap)), self.score + (value if self.mover == 0 else -value), 1 - self.mover)

    def terminal(self):
        return not self.heap

    def utility(self):
        return self.score


class Comprehensions(NamedTuple):
    """Nested comprehensions and conditions."""

    primes: tuple = (2, 3, 5, 7)
    product: int = 1
    turn: int = 0

    def player(self):
        return self.turn

    def actions(self):
        return [p for p in self.primes if self.product * p <= 300]

    def result(self, p):
        return Comprehensions(self.primes, self.product * p, 1 - self.turn)

    def terminal(self):
        return not [p for p in self.primes if self.product * p <= 300]

    def utility(self):
        divisors = [[d for d in range(1, self.product + 1) if self.product % d == 0] for _ in range(1)]
        return 1 if len(divisors[0]) % 3 else -1


class Backwards(NamedTuple):
    """Negative indices, reversed, range with a step."""

    discs: tuple = (0, 0, 0, 0, 0)
    ply: int = 0

    def player(self):
        return self.ply % 2

    def actions(self):
        last = 0
        for i in range(len(self.discs) - 1, -1, -1):
            if self.discs[i]:
                last = i + 1
                break
        return [-k for k in range(1, len(self.discs) - last + 1)] or [0]

    def result(self, k):
        discs = list(self.discs)
        if k:
            discs[k] = 1 + self.ply % 2
        return Backwards(tuple(discs), self.ply + 1)

    def terminal(self):
        return self.discs[-1] != 0

    def utility(self):
        weight = 0
        for value in reversed(self.discs):
            weight = 2 * weight + (value == 1) - (value == 2)
        return weight

    points = True


class TwoLists(NamedTuple):
    """Two lists zipped, any and all of a list of bools."""

    xs: tuple = (1, 5, 2)
    ys: tuple = (4, 3, 3)
    turn: int = 0

    def player(self):
        return self.turn

    def actions(self):
        return [i for i in range(3) if self.xs[i] > 0 and self.ys[i] > 0]

    def result(self, i):
        xs, ys = list(self.xs), list(self.ys)
        if self.turn == 0:
            ys[i] -= min(2, ys[i])
        else:
            xs[i] -= min(2, xs[i])
        return TwoLists(tuple(xs), tuple(ys), 1 - self.turn)

    def terminal(self):
        fights = [x > 0 and y > 0 for x, y in zip(self.xs, self.ys)]
        return not any(fights)

    def utility(self):
        return sum([x > y for x, y in zip(self.xs, self.ys)]) - sum([y > x for x, y in zip(self.xs, self.ys)])
