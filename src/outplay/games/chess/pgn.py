"""Chess files: games as PGN, positions as EPD. python-chess reads moves and writes games."""

import itertools
import re
from collections.abc import Iterator
from typing import TYPE_CHECKING, NamedTuple

from outplay.games.chess.notation import action, board, move, read_move
from outplay.games.chess.position import Chess

if TYPE_CHECKING:
    import chess.pgn


class Played(NamedTuple):
    """A game of a PGN file: its initial position, moves, headers and comments."""

    start: Chess
    actions: tuple[int, ...]
    headers: dict[str, str]
    comments: tuple[tuple[int, str], ...] = ()  # (how many actions before it, text)


class Puzzle(NamedTuple):
    """A position of an EPD file with its operations: `bm` and `am` are lists of actions, others are text."""

    state: Chess
    best: tuple[int, ...]
    avoid: tuple[int, ...]
    operations: dict[str, str]


def read_pgn(text: str) -> Iterator[Played]:
    """The games of a PGN text, without variations; a ValueError says which one cannot be read, and where."""
    tokens = _Tokens(text.removeprefix("\ufeff"))
    for number in itertools.count(1):
        try:
            played = _game(tokens)
        except ValueError as error:
            raise ValueError(f"game {number}: {error}") from None
        if played is None:
            return
        yield played


_TAG = r"\[\s*(?P<name>[A-Za-z0-9][\w+#=:-]*)\s+"
_TOKEN = re.compile(
    rf"""\s+ | ^%[^\n]* | ;[^\n]* | \$\d+
      | \{{ (?P<comment> [^}}]* ) \}}
      | {_TAG} "(?P<value> (?: [^"\\\n] | \\. )* )" \s*\]
      | (?P<open> \( ) | (?P<close> \) )
      | (?P<result> 1-0 | 0-1 | 1/2-1/2 | \* ) (?! [^\s(){{;\[] )
      | \d+ (?: \s*\.+ | (?=\s|$) )
      | (?: [!?]+ | [-+=/]*[+=][-+=/]* | e\.p\. | [ND] ) (?! [^\s(){{;] )  # signs: !?, +-, =, a novelty
      | (?P<move> [A-Za-z0-9@-] [^\s(){{}};$!?\[\]]* ) [!?]*""",
    re.VERBOSE | re.MULTILINE,
)
_LOOSE_TAG = re.compile(
    rf'{_TAG}"(?P<value>.*)"[ \t]*\][ \t]*$', re.VERBOSE | re.MULTILINE
)  # "a "name" of it"


class _Tokens:
    """The tokens of a text, and the current position."""

    def __init__(self, text: str) -> None:
        self.text, self.at = text, 0

    def next(self) -> re.Match[str] | None:
        """The next token; None at the end of the text, a ValueError if there is no valid one."""
        if self.at >= len(self.text):
            return None
        found = _TOKEN.match(self.text, self.at) or _LOOSE_TAG.match(self.text, self.at)
        if found is None:
            line = self.text[self.at : self.at + 40].partition("\n")[0]
            raise ValueError(f"{line!r} cannot be read")
        self.at = found.end()
        return found

    def skip_variation(self) -> None:
        """Skip to after the closing parenthesis, without checking the content."""
        depth = 1
        while depth:
            try:
                token = self.next()
            except ValueError:
                self.at += 1
                continue
            if token is None:
                raise ValueError("a variation has no end: a `)` is missing")
            depth += (token.group() == "(") - (token.group() == ")")  # a malformed tag has no such groups


def _game(tokens: _Tokens) -> Played | None:
    """The next game; None if there are no more."""
    headers: dict[str, str] = {}
    line: _Line | None = None
    while True:
        before = tokens.at
        try:
            token = tokens.next()
        except ValueError as error:
            raise ValueError(f"{line.place() if line else 'before the first move'}: {error}") from None
        if token is None:
            return line.played(headers) if line else _Line(headers).played(headers) if headers else None
        kind = token.lastgroup
        if kind == "value":
            if line is not None:  # the next game begins
                tokens.at = before
                return line.played(headers)
            headers[token["name"]] = re.sub(r"\\(.)", r"\1", token["value"])
            continue
        if kind is None:
            continue
        line = line or _Line(headers)
        if kind == "result":
            headers.setdefault("Result", token["result"])
            return line.played(headers)
        if kind == "open":
            tokens.skip_variation()
        elif kind == "close":
            raise ValueError(f"{line.place()}: a `)` without a `(`")
        elif kind == "comment":
            line.comment(token["comment"])
        else:
            line.move(token["move"])


CHESS = (
    "",
    "chess",
    "standard",
    "normal",
    "fromposition",
    "chess960",
    "fischerandom",
    "fischerrandom",
    "fischer",
)


class _Line:
    """The moves of a game while it is read."""

    def __init__(self, headers: dict[str, str]) -> None:
        variant = headers.get("Variant", "")
        if re.sub(r"[\s_-]", "", variant).lower() not in CHESS:
            raise ValueError(f"unsupported variant {variant!r}: expected chess or Chess960")
        self.start = self.state = Chess.parse(headers["FEN"]) if headers.get("FEN") else Chess()
        self.board = board(self.start)
        self.actions: list[int] = []
        self.comments: dict[int, str] = {}

    def place(self) -> str:
        """The next move's number and side, for messages."""
        return f"move {self.board.fullmove_number} of {'White' if self.board.turn else 'Black'}"

    def move(self, text: str) -> None:
        try:
            made = self.board.parse_san(text)
            self.actions.append(action(self.state, made))
        except ValueError as error:
            kind = type(error).__name__
            why = {"InvalidMoveError": "cannot be read", "AmbiguousMoveError": "could be several moves"}
            raise ValueError(f"{self.place()}: {text!r} {why.get(kind, 'is not a legal move')}") from None
        self.board.push(made)
        self.state = self.state.result(self.actions[-1])

    def comment(self, text: str) -> None:
        said = self.comments.get(len(self.actions))
        self.comments[len(self.actions)] = " ".join(filter(None, (said, text.strip())))

    def played(self, headers: dict[str, str]) -> Played:
        comments = tuple((number, said) for number, said in self.comments.items() if said)
        return Played(self.start, tuple(self.actions), headers, comments)


def write_pgn(played: Played) -> str:
    """One game as PGN, its moves in SAN."""
    return f"{annotatable(played)}\n"


def annotatable(played: Played) -> "chess.pgn.Game":
    """The game as a python-chess object, whose `mainline` can be annotated."""
    import chess.pgn

    game = chess.pgn.Game()
    game.headers.update(played.headers)
    if played.start != Chess():
        game.setup(board(played.start))
    node: chess.pgn.GameNode = game
    state = played.start
    said = dict(played.comments)
    game.comment = said.get(0, "")
    for number, made in enumerate(played.actions, 1):
        node = node.add_variation(move(state, made))
        node.comment = said.get(number, "")
        state = state.result(made)
    return game


_OPERATION = re.compile(r"""\s*(?P<name>[A-Za-z]\w*)(?P<operand>(?:\s*"[^"]*"|[^";])*)(?:;|$)\s*""")
_COUNTERS = re.compile(r"(\d+)\s+(\d+)(?=\s|$)")


def read_epd(line: str) -> Puzzle:
    """A position with its operations: `... w - - bm Qg6; id "WAC.001";`."""
    try:
        return _puzzle(line.strip())
    except ValueError as error:
        raise ValueError(f"not an EPD line, {line.strip()[:90]!r}: {error}") from None


def _puzzle(line: str) -> Puzzle:
    words = line.split(maxsplit=4)
    rest = words[4] if len(words) > 4 else ""
    counters = _COUNTERS.match(rest)  # of FEN, which some programs write in EPD too
    operations, at = {}, counters.end() if counters else 0
    while at < len(rest):
        found = _OPERATION.match(rest, at)
        if found is None:
            raise ValueError(f"{rest[at : at + 30]!r} is not an operation, as in `bm Qg6;`")
        operations[found["name"]] = found["operand"].strip().strip('"')
        at = found.end()
    clock, number = counters.groups() if counters else (operations.get(name, "") for name in ("hmvc", "fmvn"))
    state = Chess.parse(" ".join([*words[:4], clock or "0", number or "1"]))
    best, avoid = (
        tuple(read_move(state, text) for text in operations.pop(name, "").split()) for name in ("bm", "am")
    )
    return Puzzle(state, best, avoid, operations)
