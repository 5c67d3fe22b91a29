"""Functions of Python's library as plain Python: a rule that calls one is compiled with the function below instead.

Each returns the same as the original. They are compiled like the user's own functions; errors name the calling line.
"""

# mypy: disable-error-code="no-untyped-def"

import bisect
import heapq
import itertools
import math
from typing import Any


def bisect_left(a, x, lo=0, hi=None):
    end = len(a) if hi is None else hi
    while lo < end:
        middle = (lo + end) // 2
        if a[middle] < x:
            lo = middle + 1
        else:
            end = middle
    return lo


def bisect_right(a, x, lo=0, hi=None):
    end = len(a) if hi is None else hi
    while lo < end:
        middle = (lo + end) // 2
        if x < a[middle]:
            end = middle
        else:
            lo = middle + 1
    return lo


def insort_left(a, x):
    a.insert(bisect_left(a, x), x)


def insort_right(a, x):
    a.insert(bisect_right(a, x), x)


def sift_down(heap, start, place):
    item = heap[place]
    while place > start:
        above = (place - 1) >> 1
        if item < heap[above]:
            heap[place] = heap[above]
            place = above
        else:
            break
    heap[place] = item


def sift_up(heap, place):
    start = place
    item = heap[place]
    child = 2 * place + 1
    while child < len(heap):
        right = child + 1
        if right < len(heap) and not heap[child] < heap[right]:
            child = right
        heap[place] = heap[child]
        place = child
        child = 2 * place + 1
    heap[place] = item
    sift_down(heap, start, place)


def heappush(heap, item):
    heap.append(item)
    sift_down(heap, 0, len(heap) - 1)


def heappop(heap):
    last = heap.pop()
    if heap:
        first = heap[0]
        heap[0] = last
        sift_up(heap, 0)
        return first
    return last


def heapreplace(heap, item):
    first = heap[0]
    heap[0] = item
    sift_up(heap, 0)
    return first


def heappushpop(heap, item):
    if heap and heap[0] < item:
        first = heap[0]
        heap[0] = item
        sift_up(heap, 0)
        return first
    return item


def heapify(heap):
    for i in reversed(range(len(heap) // 2)):
        sift_up(heap, i)


def nsmallest(n, items, key=None):
    return sorted(items)[: max(n, 0)] if key is None else sorted(items, key=key)[: max(n, 0)]


def nlargest(n, items, key=None):
    if key is None:
        return sorted(items, reverse=True)[: max(n, 0)]
    return sorted(items, key=key, reverse=True)[: max(n, 0)]


def groupby(items, key=None):
    keys = []
    groups = []
    for item in items:
        here = item if key is None else key(item)
        if keys and keys[-1] == here:
            groups[-1].append(item)
        else:
            keys.append(here)
            groups.append([item])
    return list(zip(keys, groups))  # noqa: B905


def compress(items, chosen):
    return [item for item, flag in zip(items, chosen) if flag]  # noqa: B905


def dropwhile(test, items):
    kept = []
    dropping = True
    for item in items:
        if dropping and test(item):
            continue
        dropping = False
        kept.append(item)
    return kept


def filterfalse(test, items):
    return [item for item in items if not test(item)]


def permutations(items, size=None):
    pool = list(items)
    count = len(pool)
    wanted = count if size is None else size
    if wanted <= count:
        places = list(range(count))
        cycles = list(range(count, count - wanted, -1))
        yield tuple([pool[i] for i in places[:wanted]])
        turn = wanted - 1
        while turn >= 0:
            cycles[turn] -= 1
            if cycles[turn] == 0:
                places[turn:] = places[turn + 1 :] + places[turn : turn + 1]
                cycles[turn] = count - turn
                turn -= 1
            else:
                other = count - cycles[turn]
                held = places[turn]
                places[turn] = places[other]
                places[other] = held
                yield tuple([pool[i] for i in places[:wanted]])
                turn = wanted - 1


def combinations(items, size):
    pool = list(items)
    count = len(pool)
    if size <= count:
        places = list(range(size))
        yield tuple([pool[i] for i in places])
        while True:
            turn = size - 1
            while turn >= 0 and places[turn] == turn + count - size:
                turn -= 1
            if turn < 0:
                break
            places[turn] += 1
            for k in range(turn + 1, size):
                places[k] = places[k - 1] + 1
            yield tuple([pool[i] for i in places])


def combinations_with_replacement(items, size):
    pool = list(items)
    if pool or size == 0:
        places = [0] * size
        yield tuple([pool[i] for i in places])
        while True:
            turn = size - 1
            while turn >= 0 and places[turn] == len(pool) - 1:
                turn -= 1
            if turn < 0:
                break
            places = places[:turn] + [places[turn] + 1] * (size - turn)
            yield tuple([pool[i] for i in places])


def isclose(a, b, *, rel_tol=1e-09, abs_tol=0.0):
    if a == b:
        return True
    if abs(a) == math.inf or abs(b) == math.inf:
        return False
    apart = abs(b - a)
    return apart <= abs(rel_tol * b) or apart <= abs(rel_tol * a) or apart <= abs_tol


def in_base(x, base, prefix, width, fill):
    """An int as text: bin(), hex(), oct() and format()."""
    text = ""
    left = abs(x)
    while left > 0:
        text = "0123456789abcdef"[left % base] + text
        left //= base
    text = prefix + (text or "0")
    sign = "-" if x < 0 else ""
    if fill == "0":
        return sign + text.rjust(width - len(sign), "0")
    return (sign + text).rjust(width)


def parsed_in_base(text, base):
    """int(text, base) of digits and small letters, with a sign."""
    digits = text[1:] if text[:1] == "-" or text[:1] == "+" else text
    if not digits:
        raise ValueError("int() of a text that is not a number")
    found = 0
    for c in digits:
        value = "0123456789abcdefghijklmnopqrstuvwxyz".find(c)
        if value < 0 or value >= base:
            raise ValueError("int() of a text that is not a number")
        found = found * base + value
    return -found if text[:1] == "-" else found


def rotate(queue, n=1):
    if queue:
        k = n % len(queue)
        if k:
            queue[:] = queue[len(queue) - k :] + queue[: len(queue) - k]


def extendleft(queue, items):
    for item in list(items):
        queue.insert(0, item)


def most_common(counts, n=None):
    ranked = sorted(counts.items(), key=lambda pair: pair[1], reverse=True)
    return ranked if n is None else ranked[:n]


def elements(counts):
    return [key for key, times in counts.items() for _ in range(times)]


def partition(text, between):
    at = text.find(between)
    return (text, "", "") if at < 0 else (text[:at], between, text[at + len(between) :])


def rpartition(text, between):
    at = rfind(text, between)
    return ("", "", text) if at < 0 else (text[:at], between, text[at + len(between) :])


def find_from(text, part, start, stop=None):
    """text.find(part, start, stop)."""
    end = len(text) if stop is None else min(stop + len(text) if stop < 0 else stop, len(text))
    first = max(start + len(text), 0) if start < 0 else start
    for i in range(first, end - len(part) + 1):
        if text[i : i + len(part)] == part:
            return i
    return -1


def rfind(text, part):
    for i in range(len(text) - len(part), -1, -1):
        if text[i : i + len(part)] == part:
            return i
    return -1


def rindex(text, part):
    at = rfind(text, part)
    if at < 0:
        raise ValueError("rindex(): not found")
    return at


def removeprefix(text, part):
    return text[len(part) :] if text.startswith(part) else text


def removesuffix(text, part):
    return text[: len(text) - len(part)] if part and text.endswith(part) else text


def translate(text, table):
    return "".join([chr(table[ord(c)]) if ord(c) in table else c for c in text])


def translate_to_texts(text, table):
    return "".join([table.get(ord(c), c) for c in text])


def capitalize(text):
    return text[:1].upper() + text[1:].lower()


def strip_of(text, characters, left, right):
    """strip(), lstrip() and rstrip() of given characters."""
    start = 0
    stop = len(text)
    if left:
        while start < stop and text[start] in characters:
            start += 1
    if right:
        while stop > start and text[stop - 1] in characters:
            stop -= 1
    return text[start:stop]


def split_most(text, between, most):
    """text.split(between, most)."""
    found = []
    left = text
    while most != 0:
        at = left.find(between)
        if at < 0:
            break
        found.append(left[:at])
        left = left[at + len(between) :]
        most -= 1
    found.append(left)
    return found


def splitlines(text):
    """text.splitlines()"""
    found = []
    start = 0
    for i, c in enumerate(text):
        if c == "\n" and i and text[i - 1] == "\r":
            start = i + 1
        elif c in "\n\r\v\f\x1c\x1d\x1e\x85\u2028\u2029":
            found.append(text[start:i])
            start = i + 1
    if start < len(text):
        found.append(text[start:])
    return found


REPLACED: dict[Any, Any] = {
    bisect.bisect_left: bisect_left, bisect.bisect_right: bisect_right, bisect.insort_left: insort_left,
    bisect.insort_right: insort_right, heapq.heappush: heappush, heapq.heappop: heappop, heapq.heapify: heapify,
    heapq.heapreplace: heapreplace, heapq.heappushpop: heappushpop, heapq.nsmallest: nsmallest,
    heapq.nlargest: nlargest, itertools.groupby: groupby, itertools.compress: compress,
    itertools.dropwhile: dropwhile, itertools.filterfalse: filterfalse, math.isclose: isclose,
}  # fmt: skip
TEXTS = {  # methods of texts, by name and number of arguments
    ("partition", 1): partition, ("rpartition", 1): rpartition, ("find", 2): find_from, ("find", 3): find_from,
    ("rfind", 1): rfind, ("rindex", 1): rindex, ("removeprefix", 1): removeprefix,
    ("removesuffix", 1): removesuffix, ("capitalize", 0): capitalize, ("split", 2): split_most,
    ("splitlines", 0): splitlines,
}  # fmt: skip
OWN = {f for f in globals().values() if getattr(f, "__module__", "") == __name__}
