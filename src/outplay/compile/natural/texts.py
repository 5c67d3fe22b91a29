"""Methods of `str` in generated code: a text is a run of words, one for each character."""

from outplay.compile.jit import inlined, kernel
from outplay.compile.natural.native import Beyond, new_list, one_more, put_word, same, take, word
from outplay.compile.natural.numbers import add, mul


@kernel
def find_run(data, count, part, size, start):  # type: ignore[no-untyped-def]
    """The index of a text in another, searched from `start` on, or -1."""
    i = start
    while i + size <= count:
        if same(data + 8 * i, part, size) == 1:
            return i
        i += 1
    return -1


@kernel
def append_run(room, which, data, count):  # type: ignore[no-untyped-def]
    """Append the characters of a text."""
    for i in range(count):
        put_word(one_more(room, which, 1), 0, word(data, i))


@kernel
def count_run(data, count, part, size):  # type: ignore[no-untyped-def]
    """How often a text occurs in another, without overlaps."""
    if size == 0:
        return count + 1
    found, i = 0, 0
    while True:
        i = find_run(data, count, part, size, i)
        if i < 0:
            return found
        found += 1
        i += size


@kernel
def replaced(room, data, count, old, size, new, length, most):  # type: ignore[no-untyped-def]
    """text.replace(old, new, most), as a list; a negative `most` means all."""
    made = new_list(room, max(count, 4), 1)
    i = 0
    if size == 0:
        raise Beyond("replace() of an empty text")
    while i < count:
        if most != 0 and i + size <= count and same(data + 8 * i, old, size) == 1:
            append_run(room, made, new, length)
            i += size
            most -= 1
        else:
            put_word(one_more(room, made, 1), 0, word(data, i))
            i += 1
    return made


@inlined
def is_of(c, which):  # type: ignore[no-untyped-def]
    """Whether an ASCII character is of a class: upper case, lower case, digit, letter, white space ..."""
    if c > 127:
        raise Beyond("only ASCII characters have a case here")
    upper, lower = 65 <= c <= 90, 97 <= c <= 122
    if which == 0:
        return upper
    if which == 1:
        return lower
    if which == 2:
        return 48 <= c <= 57
    if which == 3:
        return upper or lower
    return c == 32 or 9 <= c <= 13 or 28 <= c <= 31


@kernel
def is_all(data, count, which):  # type: ignore[no-untyped-def]
    """isupper(), islower(): some letter, and none of the other case; isdigit() and so on: all characters."""
    some = 0
    for i in range(count):
        c = word(data, i)
        if which <= 1:
            if is_of(c, 1 - which):
                return 0
            if is_of(c, which):
                some = 1
        elif not is_of(c, which):
            return 0
        else:
            some = 1
    return some


@kernel
def cased(room, data, count, which):  # type: ignore[no-untyped-def]
    """upper(), lower(), swapcase() of ASCII characters."""
    made = take(room, max(count, 1))
    for i in range(count):
        c = word(data, i)
        if is_of(c, 1) and which != 1:
            c -= 32
        elif is_of(c, 0) and which != 0:
            c += 32
        put_word(made, i, c)
    return made


@inlined
def digit(c):  # type: ignore[no-untyped-def]
    """int() of a character."""
    if c < 48 or c > 57:
        raise ValueError("int() of a character that is not a digit")
    return c - 48


@inlined
def character(x):  # type: ignore[no-untyped-def]
    if x < 0 or x > 0x10FFFF:
        raise ValueError("chr() of an invalid code point")
    return x


@kernel
def digits(room, x):  # type: ignore[no-untyped-def]
    """str(x) of an int, as a list."""
    made = new_list(room, 20, 1)
    if x < 0:
        put_word(one_more(room, made, 1), 0, 45)
    start = word(made, 0)
    while True:
        last = x % 10 if x >= 0 else (10 - x % 10) % 10
        put_word(one_more(room, made, 1), 0, 48 + last)
        x = x // 10 if x >= 0 else -(-(x + last) // 10)
        if x == 0:
            break
    low, high = start, word(made, 0) - 1
    data = word(made, 2)
    while low < high:
        swapped = word(data, low)
        put_word(data, low, word(data, high))
        put_word(data, high, swapped)
        low += 1
        high -= 1
    return made


@kernel
def parsed(data, count):  # type: ignore[no-untyped-def]
    """int() of a text of digits, with a sign."""
    start = 1 if count > 0 and (word(data, 0) == 45 or word(data, 0) == 43) else 0
    if start == count:
        raise ValueError("int() of a text that is not a number")
    found = 0
    for i in range(start, count):
        found = add(mul(found, 10), digit(word(data, i)))
    return -found if start == 1 and word(data, 0) == 45 else found


@kernel
def unparsed(data, count):  # type: ignore[no-untyped-def]
    """1 if int() of a text surely fails; 0 may still fail, in parsed()."""
    start = 1 if count > 0 and (word(data, 0) == 45 or word(data, 0) == 43) else 0
    for i in range(start, count):
        c = word(data, i)
        if c == 95 or c > 127 or is_of(c, 4):
            return 0
    for i in range(start, count):
        c = word(data, i)
        if c < 48 or c > 57:
            return 1
    return 1 if start == count else 0


@kernel
def padded(room, data, count, width, fill, left):  # type: ignore[no-untyped-def]
    """ljust(), rjust() and zfill(), which keeps a sign in front."""
    size = max(count, width)
    made = take(room, max(size, 1))
    sign = 1 if not left and fill == 48 and count > 0 and (word(data, 0) == 45 or word(data, 0) == 43) else 0
    for i in range(size):
        put_word(made, i, fill)
    if sign == 1:
        put_word(made, 0, word(data, 0))
    start = 0 if left else size - count
    for i in range(sign, count):
        put_word(made, start + i, word(data, i))
    return made


@kernel
def first_word(data, count):  # type: ignore[no-untyped-def]
    """The index where a text begins after white space."""
    i = 0
    while i < count and is_of(word(data, i), 4):
        i += 1
    return i


@kernel
def last_word(data, count):  # type: ignore[no-untyped-def]
    """The index where a text ends before white space."""
    while count > 0 and is_of(word(data, count - 1), 4):
        count -= 1
    return count
