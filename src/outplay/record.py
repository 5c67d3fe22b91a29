"""Records: a game from its start to its current position, and the text format for saving it.

    game: connect4
    first: human
    second: alphabeta
    result: 1

    # A line like this one is skipped.
    4 4 {the centre is best} 3 3 5

Headers are `key: value` lines, `game` first (as `outplay.games.named` reads it); `start` is the starting position,
unless that is the initial state; `result` is the utility for MAX, who is `first`. After an empty line follow the
actions in their usual notation, including chance outcomes. A `{comment}` belongs to the position where it
appears. Move numbers (`1.`) are optional and skipped. Ambiguous text is in double quotes with backslashes as in
JSON; in a comment, `\\` escapes `}` and itself (and `\\r` is a carriage return). The next `game:` line begins
another record.
"""

import functools
import json
import re
import threading
from collections.abc import Callable, Iterable, Iterator
from typing import Any, NamedTuple

from outplay.game import (
    FORBIDDEN,
    action_text,
    adopt_state,
    after,
    brings_back,
    identity,
    is_terminal,
    legal,
    offers,
    parse_action,
    state_text,
    utility,
)
from outplay.games import Game, initial, named, spec
from outplay.standard import is_wrapped
from outplay.views import View, seat_of, view_of

Header = tuple[str, str]
Comment = tuple[int, str]


class Record(NamedTuple):
    """A game so far: the history, which a state does not carry. Players receive one."""

    game: str  # as `outplay.games.load` reads it
    start: Any  # the first state
    actions: tuple[int, ...] = ()
    result: float | None = None  # the utility for MAX; None for an unfinished game
    comments: tuple[Comment, ...] = ()  # (number of actions before it, text), in order
    headers: tuple[Header, ...] = ()  # any others: players, date, ...

    def states(self) -> Iterator[Any]:
        """The start and the state after each action; raises a ValueError that names the first illegal action."""
        return _walk((_first(self.start),), self.actions)

    def trail(self) -> tuple[Any, ...]:
        """All of `states`. Those of recent records are cached, since a game grows by a move or two at a time."""
        key = type(self.start), adopt_state(self.start)
        known, back = None, 0
        for back in range(min(3, len(self.actions) + 1)):
            known = _trails.get((*key, self.actions[: len(self.actions) - back]))
            if known is not None:
                break
        if known is None:
            known, back = (_first(self.start),), len(self.actions)
        if back:
            known += tuple(_walk(known, self.actions[-back:]))[1:]
        with _keeping:
            _trails[(*key, self.actions)] = known
            if len(_trails) > KEPT:
                del _trails[next(iter(_trails))]
        return known

    @property
    def state(self) -> Any:
        """The current state."""
        return self.trail()[-1]

    def legal(self) -> list[int]:
        """The legal actions: the state's, without forbidden repetitions."""
        return [action for action in legal(self.state) if not self.forbids(action)]

    def forbids(self, action: int) -> bool:
        """Whether an action would repeat a position in a game that forbids it."""
        return brings_back(self.state, action, _identities(self.trail()))

    def play(self, *actions: int) -> "Record":
        """The record with these actions added; the result is known when they end the game."""
        record = self._replace(actions=self.actions + actions, result=None)
        return record._replace(result=record.outcome())

    def outcome(self) -> float | None:
        """The utility for MAX if the rules end the game, also by repetition; otherwise None."""
        state = self.state
        if is_terminal(state):
            told: float = utility(state)
            return told
        return 0 if self.is_repeated else None

    @property
    def is_over(self) -> bool:
        """Whether the rules end the game here."""
        return self.outcome() is not None

    @property
    def is_repeated(self) -> bool:
        """Whether the position has occurred often enough for a draw (`repetition = 3` in the game's class).

        Players may play on, as if nobody claimed the draw.
        """
        times = getattr(type(self.start), "repetition", 0)
        if times <= 0 or len(self.actions) < times:
            return False
        here = identity(self.state)
        return sum(identity(state) == here for state in self.past()) + 1 >= times

    def past(self) -> tuple[Any, ...]:
        """The earlier states that could repeat: those since the last irreversible action."""
        trail = self.trail()
        if not offers(type(trail[-1]), "irreversible"):
            return trail[:-1]
        first = len(self.actions)
        while first > 0 and not trail[first - 1].irreversible(self.actions[first - 1]):
            first -= 1
        return trail[first:-1]

    def view(self, seat: int | None = None) -> View:
        """What a seat knows of the game; default: the seat to act."""
        trail = self.trail()
        return view_of(trail, self.actions, seat_of(trail[-1]) if seat is None else seat)

    def undo(self, count: int = 1) -> "Record":
        """The record without its last actions and their comments."""
        kept = self.actions[: max(0, len(self.actions) - count)]
        comments = tuple(comment for comment in self.comments if comment[0] <= len(kept))
        return self._replace(actions=kept, result=None, comments=comments)

    def comment(self, text: str) -> "Record":
        """The record with a comment on the current position."""
        return self._replace(comments=(*self.comments, (len(self.actions), text)))


def _first(start: Any) -> Any:
    """The start of a record, as an instance of the user's own class if it is one."""
    state = adopt_state(start)
    return state if is_wrapped(type(start)) or not is_wrapped(type(state)) else start


KEPT = 64
_trails: dict[tuple[type, Any, tuple[int, ...]], tuple[Any, ...]] = {}  # of the last KEPT records
_keeping = threading.Lock()


def _walk(trail: tuple[Any, ...], actions: tuple[int, ...]) -> Iterator[Any]:
    """The state after the known actions, and after each further action, which must be legal."""
    state, past = trail[-1], _identities(trail)
    yield state
    for number, action in enumerate(actions, len(trail)):
        if is_terminal(unclaimed(state)):
            raise ValueError(f"move {number} comes after the end of the game")
        if action not in state.actions():
            raise ValueError(f"move {number}: action {action} is illegal in {state}")
        state = _next(state, action, past, number)
        yield state


def _next(state: Any, action: int, past: set[Any], number: int) -> Any:
    """The state after a legal action; its identity is added to the history, which must not contain it."""
    if brings_back(state, action, past):
        text = action_text(state, action)
        raise ValueError(f"move {number}: {text} repeats a position, which this game forbids")
    reached = after(state, action)
    past |= _identities((reached,))
    return reached


def unclaimed(state: Any) -> Any:
    """The state in which nobody claims an available draw (chess: fifty moves), so that the game continues."""
    return state.unclaimed() if offers(type(state), "unclaimed") else state


def _identities(trail: tuple[Any, ...]) -> set[Any]:
    """The identities of the positions of a game that forbids repetition; else empty."""
    cls: Any = type(trail[0])
    if getattr(cls, "repetition", 0) != FORBIDDEN:
        return set()
    return {_identity(cls, state) for state in trail}


@functools.lru_cache(maxsize=1 << 14)
def _identity(cls: Any, state: Any) -> Any:
    """The same, cached: a game grows by a move at a time. States of different games may be equal as tuples."""
    return identity(state)


def is_record(text: str) -> bool:
    """Whether a text looks like a record."""
    return _BEGIN.match(text, _skip(text, 0)) is not None


def begin(game: Game, position: str = "", moves: str = "", **headers: str) -> Record:
    """The record of a new game, or of one with some moves (written as in a record) already made.

    A position may belong to another variant than the named game (backgammon: an XGID of a match).
    """
    state = game.position(position)
    named = game.spec if type(state) is game.cls else spec(type(state))
    return play_on(Record(named, state, headers=tuple(headers.items())), moves)


def play_on(record: Record, moves: str) -> Record:
    """The record with more moves, written as in a record."""
    return _replay(record, _words_in(_TIGHT.sub(",", moves), 0)[0])


_TIGHT = re.compile(r",\s+(?=[^()]*\))")  # Python writes (0, 1), we write (0,1)


# --- writing --------------------------------------------------------------------------------------------

WIDTH = 79  # of a line of moves
_PLAIN = re.compile(r'(?!\d+\.+$)[^\s{}"#:\\]+')  # a move that needs no quotes


def write(record: Record) -> str:
    """The record as text: `read(write(record)) == record`."""
    headers = [("game", record.game)]
    if record.start != initial(type(record.start)):
        headers.append(("start", position_text(record.start)))
    if record.result is not None:
        headers.append(("result", repr(record.result)))
    for key, value in record.headers:
        if not is_header(key):
            raise ValueError(f"{key!r} cannot be the name of a header")
        headers.append((key, value))
    lines = [f"{key}: {_header_text(value)}".rstrip() for key, value in headers]
    return "\n".join([*lines, "", *_wrap(_words(record))]) + "\n"


def is_header(key: str) -> bool:
    """Whether this is a valid name for a header."""
    return KEY.fullmatch(key) is not None and key not in OWN


def position_text(state: Any) -> str:
    """The text that `outplay.game.parse` reads: the class's own, or else the fields by name."""
    if hasattr(state, "parse"):
        return state_text(state)
    if is_wrapped(type(state)):
        return str(state.text())
    fields = ", ".join(f"{name}={value!r}" for name, value in state._asdict().items())
    return f"{type(state).__name__}({fields})"


def _header_text(value: str) -> str:
    return value if value == value.strip() and value.isprintable() and value[:1] != '"' else json.dumps(value)


def _words(record: Record) -> Iterator[str]:
    """The actions and comments as written in the text."""
    for number, state in enumerate(record.trail()):
        yield from (f"{{{_guard(text)}}}" for at, text in record.comments if at == number)
        if number < len(record.actions):
            text = action_text(state, record.actions[number])
            yield text if _PLAIN.fullmatch(text) else json.dumps(text)


def _guard(comment: str) -> str:
    return re.sub(r"[\\}]", r"\\\g<0>", comment).replace("\r", "\\r")


def _unguard(comment: str) -> str:
    return re.sub(r"\\(.)", lambda match: "\r" if match[1] == "r" else match[1], comment, flags=re.DOTALL)


def _wrap(words: Iterable[str]) -> list[str]:
    lines = [""]
    for word in words:
        if lines[-1] and len(lines[-1]) + 1 + len(word) > WIDTH:
            lines.append("")
        lines[-1] += " " * bool(lines[-1]) + word
    return [line for line in lines if line]


# --- reading --------------------------------------------------------------------------------------------

OWN = ("game", "start", "result")  # headers that a record understands
KEY = re.compile(r"[A-Za-z][\w-]*")
_BEGIN = re.compile(r"^game[ \t]*:", re.MULTILINE)
_HEADER = re.compile(rf"^({KEY.pattern})[ \t]*:[ \t]*(.*?)[ \t]*$\n?", re.MULTILINE)
_SKIPPED = re.compile(r"(?:^[ \t]*(?:#.*)?\n)*", re.MULTILINE)  # lines that are empty or begin with #
_REMARK = re.compile(r"^#.*\n?", re.MULTILINE)
_TOKEN = re.compile(
    r"""\s+ | ^\#[^\n]*
      | \{ (?P<comment> (?: [^\\}] | \\. )* ) \}
      | (?P<quoted> "(?: [^"\\] | \\. )*" )
      | \d+\.+ (?=\s|$)
      | (?P<plain> [^\s{}"]+ )""",
    re.VERBOSE | re.MULTILINE | re.DOTALL,
)


def read(text: str, games: Callable[[str], Game] = named) -> Record:
    """The only record in the text; raises a one-line ValueError if it is not one, or cannot be replayed."""
    records = read_all(text, games)
    if len(records) != 1:
        raise ValueError(f"expected one game, but the text contains {len(records)}")
    return records[0]


def read_all(text: str, games: Callable[[str], Game] = named) -> list[Record]:
    """Every record in the text, replayed and checked.

    `games` finds the game that a record names, by default one in the package: a record is data,
    and runs no code. `lambda name: outplay.games.named(name, [game])` finds your own game, too.
    """
    return list(read_each(text, games))


def read_each(text: str, games: Callable[[str], Game] = named) -> Iterator[Record]:
    """The records in the text one by one, so that those before an invalid one are read."""
    text = text.replace("\r\n", "\n").replace("\r", "\n")
    number = 0
    at = _skip(text, 0)
    while at < len(text):
        number += 1
        try:
            headers, at = _headers_in(text, at)
            words, at = _words_in(text, at)
            record = _record(headers, words, games)
        except ValueError as error:
            raise ValueError(f"game {number}: {error}" if number > 1 else str(error)) from None
        yield record
        at = _skip(text, at)


def _skip(text: str, at: int) -> int:
    match = _SKIPPED.match(text + "\n", at)
    return match.end() if match else at


def _headers_in(text: str, at: int) -> tuple[list[Header], int]:
    """The headers that begin here, and where they end."""
    if not _BEGIN.match(text, at):
        line = text[at:].partition("\n")[0]
        raise ValueError(f"a record begins with a line `game: NAME`, not with {line[:40]!r}")
    headers: list[Header] = []
    while at < len(text) and not (headers and _BEGIN.match(text, at)):
        header = _HEADER.match(text, at)
        found = header or _REMARK.match(text, at)
        if found is None:
            break
        if header:
            headers.append((header[1], _unquote(header[2])))
        at = found.end()
    return headers, at


def _words_in(text: str, at: int) -> tuple[list[tuple[str, str]], int]:
    """The moves and comments from here to the next record, each with its kind, and where they end."""
    words: list[tuple[str, str]] = []
    while at < len(text) and not _BEGIN.match(text, at):
        token = _TOKEN.match(text, at)
        if token is None:
            line = text[at:].partition("\n")[0]
            raise ValueError(f"no end to the text that begins with {line[:40]!r}")
        kind = token.lastgroup
        if kind == "comment":
            words.append((kind, _unguard(token[kind])))
        elif kind:
            words.append(("move", _unquote(token[kind])))
        at = token.end()
    return words, at


def _unquote(text: str) -> str:
    if not text.startswith('"'):
        return text
    try:
        return str(json.loads(text))
    except ValueError:
        raise ValueError(f"{text[:40]!r} is not a text in double quotes") from None


def _record(
    headers: list[Header], words: list[tuple[str, str]], games: Callable[[str], Game] = named
) -> Record:
    known = dict(headers)
    game = games(known["game"])
    others = tuple(header for header in headers if header[0] not in OWN)
    record = _replay(Record(game.spec, game.position(known.get("start", "")), headers=others), words)
    if "result" not in known:
        return record
    result = _number(known["result"])
    if record.result not in (None, result) and is_terminal(unclaimed(record.state)):
        raise ValueError(f"the result is given as {known['result']}, but the moves end in {record.result}")
    return record._replace(result=result)


def _number(text: str) -> float:
    try:
        return int(text)
    except ValueError:
        pass
    try:
        return float(text)
    except ValueError:
        raise ValueError(f"result: {text!r} is not a number (the utility for MAX)") from None


def _replay(record: Record, words: list[tuple[str, str]]) -> Record:
    """The record with the moves played in order and the comments added."""
    trail = record.trail()
    state, past = trail[-1], _identities(trail)
    actions, comments = list(record.actions), list(record.comments)
    for kind, text in words:
        if kind == "comment":
            comments.append((len(actions), text))
            continue
        on = unclaimed(state)
        if is_terminal(on):
            raise ValueError(f"move {len(actions) + 1}, {text!r}: the game is over")
        try:
            actions.append(parse_action(on, text))
        except ValueError as error:
            raise ValueError(f"move {len(actions) + 1}: {error}") from None
        state = _next(state, actions[-1], past, len(actions))
    record = record._replace(actions=tuple(actions), comments=tuple(comments), result=None)
    return record._replace(result=record.outcome())
