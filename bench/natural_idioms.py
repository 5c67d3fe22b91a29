"""Idioms of the Python that people write, for `random_natural.py`, under the lines of docs/python.md that list them.

`<n>` stands for any int, `<i>` for a short one, `<t>` for a tuple of ints, `<l>` for a list of ints, `<p>` for a list
of pairs, `<s>` for a text, `<c>` for a character, `<b>` for a test, `<m>` for a dict of ints, `<g>` for a set of ints,
`<new>` for the int that statements make, and `<k>` makes names differ.
"""

# Ints that any rule may compute.
EXPRESSIONS = {
    "ragged tables, and tables of strings": (
        "RAGGED[2][<n> % 3]", "sum(len(row) for row in RAGGED)", "len(NAMES[<n> % 4])",
        "(MAP[<n> % 3][<n> % 4] == '#') * <i>", "sum(row.count('#') for row in MAP[:<i> % 3])",
    ),
    "`defaultdict`, `Counter`, `deque`": (
        "len(deque(<t>))", "deque((*<t>, <n>))[-1]", "Counter((*<t>, 1)).most_common(1)[0][1]",
        "Counter(<s>)[<c>]", "sum(Counter(<t>).values())", "Counter(<m>)[<n>]", "Counter(<t>).copy()[<n>]",
    ),
    "dicts and sets as constants and as locals, comprehensions of them, `get`, `items`": (
        "sum(k * v for k, v in <m>.items()) % 90", "len({k: v for k, v in <m>.items() if v > <i>})",
        "len({v % 3 for v in <t>} | ODD)", "{v: i for i, v in enumerate(<t>)}.get(<n>, <i>)",
        "len({**<m>, <n>: <i>})", "sum({**<m>, **VALUES, <n>: 3}.values()) % 90", "({**VALUES, 2: <n>})[<n> % 6]",
        "sum(k * v for k, v in ({**<m>} | {<n>: <i>}).items()) % 90", "len(dict(<m>) | {**<m>})",
        "(VALUES | {<i>: 7}).get(<n>, 4)",
    ),
    "sets, and dicts made of them, where no order matters": (
        "len(dict({(k, k * 2) for k in <g>}))", "dict({(k, <i>) for k in <g>}).get(<n>, 4)",
        "len(set().union(*RAGGED, <g>))",
        "sum({k: k % 3 for k in <g>}.values())", "sorted({k: -k for k in <g> | {<n>}}.items())[0][1] % 9",
        "len(frozenset(dict.fromkeys(<g>, 2).items()) & {(1, 2), (<n>, 2)})",
        "max({k: 1 for k in <g>}, default=<i>) % 7",
        "sum(sum(three) % 2 for three in itertools.combinations(ODD | <g>, 3)) % 50",
        "(<n> in {v % 7: 1 for v in <g>}.keys()) * 3", "len({x + y for x, y in itertools.combinations(<g>, 2)})",
        "any(x + y == <i> for x, y in itertools.permutations(<g>, 2)) * 4",
    ),
    "constant objects of your classes, and of `SimpleNamespace`": (
        "CONFIG.most + <i>", "CONFIG.steps[<n> % 3]", "CONFIG.inner.least * <i>", "len(cat(NAMES[: <n> % 4]))",
        "WEIGHER.weigh(<n> % 50)", "WEIGHER.doubled", "sum(map(WEIGHER.weigh, <t>)) % 60", "CONFIG.grow(<n> % 50)",
        "Weigher.least + <i>",
    ),
    "strings by index and slice, `join`, `replace`, `split`, `count`, `find`, `upper`": (
        "len(<s>.split('b'))", "int('3,14,5'.split(',')[<n> % 3])", "len('-'.join(NAMES[:<i> % 4]))",
        "len(<s>.replace('a', ''))", "(<s> + 'da').upper().count('A')", "(<s> + 'd').find('d', <i> % 3)",
        "(ord((<s> + 'c')[0]) - 97)", "len(' '.join(<s>).split())", "sum(map(int, '1 2 3'.split()))",
    ),
    "mixins, properties, class methods and static methods": (
        "self.total", "self.halved(<n>)", "Game.halved(<n>)", "self.shifted(<n>)",
    ),
    "methods as values, `partial`, `itemgetter`, dicts of functions": (
        "min((*<t>, 3), key=self.weighed)", "sum(map(self.weighed, <t>)) % 50", "partial(double, y=<i>)(<n>)",
        "sum(map(partial(double, 2), <t>)) % 50", "sorted(<p> + [(1, 2)], key=operator.itemgetter(1))[0][0]",
        "max(<p> + [(1, 2)], key=operator.itemgetter(1, 0))[1]", "OPERATIONS['c'](<n> % 50)",
        "OPERATIONS[<c>](<n> % 50)",
    ),
    "`key=`, `default=`, `map`, `filter`, `reduce`, `zip(*rows)`, `enumerate`, `reversed`": (
        "sum(max(column) for column in zip(*((1, 2, <i>), (3, <i>, 5))))", "len(max(NAMES, key=len))",
        "sum(filter(None, <t>)) % 40", "sum(map(max, <t>, (4, 2, 7))) % 60", "next(iter(sorted(<t>, key=abs)), <i>)",
    ),
    "`itertools`: `product`, `combinations`, `chain`, `accumulate`": (
        "sum(a < b for a, b in itertools.product(range(3), repeat=2))", "len(list(itertools.chain(*RAGGED)))",
        "sum(itertools.chain.from_iterable(LINES)) + <i>", "max(itertools.accumulate((*<t>[:5], 1), max))",
        "sum(a * b for a, b in itertools.combinations(<t>[:4], 2)) % 70",
    ),
    "`count`, `cycle`, `zip_longest`, `groupby`, `bisect`, `heapq`": (
        "sum(a * b for a, b in zip(<t>, itertools.count(<i>))) % 90",
        "sum(a * b for a, b in zip(<t>, itertools.cycle((1, -1)))) % 90",
        "sum(a - b for a, b in itertools.zip_longest(<t>, <t>, fillvalue=0)) % 90",
        "max((len(list(run)) for _, run in itertools.groupby(<t>)), default=0)",
        "sum(key * len(list(run)) for key, run in itertools.groupby(<t>, key=lambda v: v % 3))",
        "next(v for v in itertools.count(<i>) if v % 7 == 3)",
        "bisect.bisect_left(sorted(<t>), <n>)", "bisect.bisect(sorted(<l>), <n>)",
        "heapq.nsmallest(2, (*<t>, 1, 2))[1]",
    ),
    '`math`, floats in intermediate values, `float("inf")`': (
        "int(math.sqrt(abs(<n>)))", "math.ceil(<n> / 2)", "round(sum(v / 2 for v in <t>)) % 40",
        "int(max((v * 0.5 for v in <t>), default=float('-inf')) > <i>)", "int(math.hypot(<n> % 10, 3) * 2)",
        "int(min(<n>, float('inf')))", "(-math.inf < <n>) + int(<n> * 0.75)", "int((<n> % 9) ** 0.5 * 10)",
    ),
    "`functools.cache` and `lru_cache`": ("paths(<n> % 5, <n> % 4)", "steps(<n> % 60)"),
    "`int | None`, `Optional`, bools, enums": (
        "Mark['TWO'].value", "Mark['ONE' if <b> else 'NONE'].value", "Rank['HIGH' if <b> else 'LOW']",
        "Step['STAY'].value[0]", "len(Mark(<n> % 3).name)",
        "sum(Mark[name].value for name in ('ONE', 'TWO')[:<i> % 3])",
        "(Light((<n> % 2) | 4 * <b>)).value", "(Light(1 + <n> % 6) & Light.GREEN).value",
        "(Light.RED in Light(<n> % 8)) * <i>", "(Light(<i> % 8) | Light['RED' if <b> else 'BLUE']).value",
        "Mask(<n> % 4) + 1", "(Mask(<n> % 4) & ~Mask.HIGH) * 3", "bool(Mask.LOW & <n>) * <i>",
        "(Light(<n> % 8) ^ Light.BLUE).value",
    ),
    "helpers from other files, default arguments, keywords, `*` arguments": (
        "far(<n>)", "far(<n>, b=<i>)", "far(*(<i>, <n>), scale=3)", "total(<i>, <n>, 2)", "total(*<t>) % 60", "total()",
        "beside.far(<n>, 2)",
    ),
}  # fmt: skip

# Ints for rules that no list of actions is computed by.
OF_ACTIONS = {
    "`not self.actions()`, `len(self.actions())`, `move in self.actions()`": (
        "len(self.actions())", "(<i> if not self.actions() else <n>)", "(MOVE in self.actions()) * <i>",
    ),
}  # fmt: skip

STATEMENTS = {
    "lambdas, functions inside functions, `nonlocal`": (
        """
        <new> = 0
        def add<k>(v):
            nonlocal <new>
            <new> = (<new> + v) % 100
        for v in <t>:
            add<k>(v)
        """,
        """
        calls<k> = 0
        def tried<k>(v, least=<i>):
            nonlocal calls<k>
            calls<k> += 1
            return v > least
        <new> = sum(1 for v in <t> if tried<k>(v)) * 10 + calls<k>
        """,
        """
        scaled<k> = lambda v, by=<i>: v * by % 30
        <new> = sum(scaled<k>(v) for v in <t>) + scaled<k>(<n>, 2)
        """,
        """
        def grown<k>(n, so_far=<n>, by=<i>):
            return so_far if n <= 0 else grown<k>(n - 2, (so_far + n * by) % 90, by=by)
        <new> = grown<k>(<n> % 12) + grown<k>(3, <i>) + grown<k>(5, by=2)
        """,
        """
        <new> = <i>
        for x<k> in range(3):
            f<k> = lambda v, x=x<k>, by=<i>: v * x + by
            <new> = (<new> * 3 + f<k>(<i>) + f<k>(2, by=x<k>)) % 97
        """,
        """
        def make<k>(n, step=<i>):
            return lambda v, n=n: (v * n + step) % 50
        <new> = make<k>(<i>)(<n>) + make<k>(3, 2)(<i>, 4)
        """,
        """
        least<k> = <i>
        def above<k>(v, least=least<k>, most=<n>):
            return least < v <= most
        least<k> = 7
        <new> = sum(1 for v in <t> if above<k>(v)) * 10 + above<k>(<n>, most=least<k>)
        """,
    ),
    "lists: `append`, `pop`, `insert`, `extend`, `remove`, `sort`, `reverse`, `del`, slices": (
        """
        flags<k> = []
        for v in <t>:
            flags<k>.append(v > <i>)
        <new> = min(flags<k> or [<n>]) + sum(flags<k>)
        """,
        """
        got<k> = [v for v in <t> if v > <i>]
        one<k> = (got<k> or [None])[0]
        <new> = -1 if one<k> is None else one<k>
        """,
        """
        flags<k> = [v > <i> for v in <t>]
        other<k> = flags<k> if <b> else <l>
        other<k>.append(<n>)
        <new> = len(flags<k>) * 10 + sum(other<k>) % 10
        """,
    ),
    "`int | None`, `Optional`, bools, enums": (
        """
        on<k> = Light(<n> % 8)
        on<k> |= Light.RED
        if <b>:
            on<k> ^= Light(2 + 4 * <b>)
        <new> = on<k>.value + (Light.GREEN in on<k>) * 10
        """,
        """
        try:
            <new> = Light(<n> % 10).value
        except ValueError:
            <new> = <i>
        """,
        """
        try:
            <new> = Mark['ONE' if <b> else 'THREE'].value
        except KeyError:
            <new> = <i>
        """,
        """
        seen<k> = Mask(0)
        for v in <t>:
            seen<k> |= Mask.LOW if v > <i> else Mask.HIGH
        <new> = seen<k> * 2 + (seen<k> == Mask.LOW | Mask.HIGH)
        """,
    ),
    "dicts and sets as constants and as locals, comprehensions of them, `get`, `items`": (
        """
        seen<k> = set(<t>)
        other<k> = seen<k>
        other<k> |= {<n>, <i>}
        other<k> -= <g>
        <new> = len(seen<k>) * 10 + len(other<k>)
        """,
        """
        def marked<k>(seen, v):
            seen |= {v}
            return len(seen)
        set<k>, still<k> = set(<t>), frozenset(<t>)
        <new> = marked<k>(set<k>, <n>) + marked<k>(still<k>, <n>)
        still<k> |= {<i>}
        <new> += len(set<k>) * 10 + len(still<k>)
        """,
        """
        worth<k> = dict(<m>)
        same<k> = worth<k>
        same<k> |= {<n>: <i>}
        same<k> = same<k> | {1: 1}
        <new> = sum(worth<k>.values()) * 2 + len(same<k>)
        """,
        """
        rows<k> = [list(<t>), <l>]
        row<k> = rows<k>[0]
        rows<k>[0] += [<n>]
        row<k> *= 2
        <new> = len(rows<k>[0]) + sum(map(len, rows<k>))
        """,
    ),
    "recursive functions, also mutually recursive ones": (
        """
        def deep<k>(n):
            return 0 if n <= 0 else 1 + deep<k>(n // 2)
        <new> = deep<k>(<n> % 50)
        """,
        """
        def reach<k>(at, seen):
            if at in seen:
                return
            seen.add(at)
            for other in RAGGED[at % 4]:
                reach<k>(other, seen)
        known<k> = set()
        reach<k>(<n> % 4, known<k>)
        <new> = len(known<k>)
        """,
    ),
    "`match` on tuples with guards, `:=`, `while`/`else`, `for`/`else`": (
        """
        if (<new> := <n>) > <i>:
            <new> -= 1
        """,
        """
        <new> = 0
        while (step<k> := <new> + 3) < 12:
            <new> = step<k>
        else:
            <new> += <i>
        """,
        """
        for v in <t>:
            if v == <i>:
                <new> = v
                break
        else:
            <new> = -1
        """,
        """
        <new> = 0
        for v in <t>:
            if <new>:
                <new> = (<new> + last<k> * 2) % 97
            else:
                <new> = 1
            last<k> = v
        """,
        """
        <new> = 0
        for i, v in enumerate(<t>):
            if i > 0 and (v, i) > old<k>:
                <new> += old<k>[1] + 1
            old<k> = (v, i)
        """,
        """
        <new>, first<k> = <i>, True
        for letter<k> in <s>:
            if not first<k>:
                <new> += (before<k> + letter<k>).count('a') + len(texts<k>)
            texts<k> = [letter<k>, 'b'] if first<k> else texts<k> + [before<k>]
            before<k> = letter<k>
            first<k> = False
        """,
        """
        <new> = 5
        while <new> > 0:
            if <new> < 5:
                <new> -= 1 + (low<k> is not None and low<k> > <i>)
            low<k> = <new> if <new> % 2 else None
            <new> -= 1
        """,
        """
        <new> = 0
        for row in RAGGED:
            for v in row:
                if <new>:
                    <new> = (<new> + kept<k>) % 50
                <new> += 1
                kept<k> = v + <i>
            if row and v > 2:
                <new> += kept<k>
        """,
        """
        match (<i>, (<n> % 3, <i>)):
            case (0, (v, _)):
                <new> = v
            case (v, (1 | 2, w)) if v != w:
                <new> = v + 2 * w
            case _:
                <new> = 3
        """,
        """
        match <n> % 4:
            case 0 | 1:
                <new> = <i>
            case v if v > <i>:
                <new> = v
            case _:
                <new> = 9
        """,
    ),
    "`try`, `except`, `else`, `finally`, `raise`": (
        """
        at<k> = <n>
        try:
            <new> = TABLE[at<k>]
        except IndexError:
            <new> = 0
        else:
            <new> += 1
        finally:
            at<k> = <i>
        <new> += at<k>
        """,
        """
        test<k>, <new> = <b>, <n>
        try:
            if test<k>:
                raise ValueError("no")
            <new> += 1
        except ValueError:
            <new> = <i>
        """,
        """
        <new> = <n>
        try:
            <new> = checked(<new>)
        except ValueError:
            <new> = -7
        """,
    ),
    "`defaultdict`, `Counter`, `deque`": (
        """
        queue<k> = deque(<t>)
        queue<k>.append(<n>)
        queue<k>.appendleft(<i>)
        <new> = queue<k>.popleft() + queue<k>.pop()
        while queue<k>:
            <new> = (<new> * 2 + queue<k>.popleft()) % 97
        """,
        """
        lists<k> = defaultdict(list)
        for i, v in enumerate(<t>):
            lists<k>[v % 3].append(i)
        <new> = sum(lists<k>[<n> % 3]) + len(lists<k>)
        """,
    ),
    "`count`, `cycle`, `zip_longest`, `groupby`, `bisect`, `heapq`": (
        """
        heap<k> = list(<t>)[:6]
        heapq.heapify(heap<k>)
        heapq.heappush(heap<k>, <n>)
        <new> = heapq.heappop(heap<k>)
        """,
        """
        heap<k> = []
        for i, v in enumerate(<t>[:6]):
            heapq.heappush(heap<k>, (v, i))
        <new> = heap<k>[0][1] if heap<k> else <i>
        """,
        """
        row<k> = sorted(<t>)[:6]
        bisect.insort(row<k>, <n>)
        <new> = row<k>[0] + row<k>.index(row<k>[-1])
        """,
    ),
}  # fmt: skip

MODULE = """\
MAP = ("#..#", ".##.", "....")
OPERATIONS = {
    "a": lambda x: 2 * x,
    "b": lambda x: x + 5,
    "c": abs,
    "d": lambda x: x // 2,
}


CONFIG = SimpleNamespace(most=6, steps=[2, 0, 5], inner=SimpleNamespace(least=3), grow=lambda x: x + 4)
cat = "".join


class Weigher:
    least = 2

    def __init__(self, by, table):
        self.by = by
        self.table = table

    @property
    def doubled(self):
        return 2 * self.by

    def weigh(self, n):
        return self.table.get(n, self.by) + self.least + self.doubled


WEIGHER = Weigher(3, {1: 7, 2: -1, 5: 0})


class Step(Enum):
    UP = (-1, 0)
    DOWN = (1, 0)
    STAY = (0, 0)


class Light(Flag):
    RED = 1
    GREEN = 2
    BLUE = 4


class Mask(IntFlag):
    LOW = 1
    HIGH = 2


class Spot(NamedTuple):
    x: int
    y: int = 1

    def far(self):
        return abs(self.x) + abs(self.y)

    def __add__(self, other):
        return Spot((self.x + other.x) % 7, (self.y + other.y) % 7)


@lru_cache(maxsize=None)
def paths(a, b):
    return 1 if a == 0 or b == 0 else paths(a - 1, b) + paths(a, b - 1)


def checked(n):
    if n < 0:
        raise ValueError("negative")
    return n % 20


"""

BESIDE = '''\
"""Helpers of a random game."""

LIMIT = 40


def far(a, b=1, *, scale=2):
    return abs(a - b) * scale % LIMIT


def total(*values):
    found = 0
    for value in values:
        found += value
    return found
'''

# Of every class, in a mixin or not: a property, a class method, a static method, and a method that is used as a value.
MIXIN = """\
STEP = 3

@property
def total(self):
    return self.left * 10 + self.turn

@staticmethod
def halved(n):
    return n // 2

@classmethod
def shifted(cls, n):
    return cls.halved(n) + cls.STEP

def weighed(self, v):
    return (v * 3 + self.left) % 7
"""
