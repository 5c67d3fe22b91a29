"""Games of backgammon as SGF (FF[4], GM[6]), as GNU Backgammon saves them: a file holds the games of a match.

White is O, Black is X. A move is the roll and the source and target points, die by die: `21lnab`. White's points are
the letters from a (its ace point) to x, Black's in reverse; y is the bar, z is off. The root gives the match length,
the score and the rules. Other properties, such as programs' analyses, are skipped.
"""

import re
from collections.abc import Iterator, Sequence
from typing import Any

from outplay.games.backgammon.cube import (
    BEAVER,
    DOUBLE,
    DOUBLED,
    DROP,
    TO_DOUBLE,
    standing,
)
from outplay.games.backgammon.notation import Move, moves_of
from outplay.games.backgammon.played import Ending, Played, Replay, games_of, last, opening, same_rules
from outplay.games.backgammon.position import Backgammon
from outplay.games.backgammon.rules import Rules, class_for
from outplay.games.backgammon.side import BAR
from outplay.variants import variant

GAME = "6"  # the number of backgammon in GM
HEADERS = {"PB": "first", "PW": "second", "EV": "event", "DT": "date", "PC": "site", "RO": "round"}
RULES = {"crawford", "crawfordgame", "jacoby", "nocube", "hypergammon3"}
SET_UP = ("AB", "AW", "AE", "CV", "CP")
Node = dict[str, list[bytes]]


def read_sgf(text: str) -> Iterator[Played]:
    """The games of a file, without variations; a one-line ValueError if one cannot be replayed."""
    from sgfmill import sgf_grammar

    try:
        trees = sgf_grammar.parse_sgf_collection(text.removeprefix("\ufeff").encode())
    except ValueError as error:
        raise ValueError(f"not a game as SGF: {error}") from None
    games = [list(sgf_grammar.main_sequence_iter(tree)) for tree in trees]
    cls = rules_of(games)
    for count, nodes in enumerate(games, 1):
        try:
            yield replayed(cls, nodes)
        except ValueError as error:
            raise ValueError(f"game {count}: {error}" if len(games) > 1 else str(error)) from None


def value_of(node: Node, key: str) -> str:
    """The first value of a property, empty if it is missing."""
    from sgfmill import sgf_grammar

    found = node.get(key)
    return sgf_grammar.text_value(found[0]).decode("utf-8", "replace").strip() if found else ""


def match_info(root: Node) -> dict[str, int]:
    """The numbers of MI: the match's length, the game and the score."""
    pairs = (value.decode("ascii", "replace").partition(":") for value in root.get("MI", []))
    try:
        return {key.strip(): int(number) for key, _, number in pairs}
    except ValueError:
        raise ValueError("MI cannot be parsed: expected `length:5`, `ws:0` and `bs:0`") from None


def rules_of(games: Sequence[Sequence[Node]]) -> Any:
    """The class for all games of a file."""
    length = {match_info(nodes[0]).get("length", 0) for nodes in games}
    if len(length) != 1 or min(length) < 0:
        raise ValueError("a file contains the games of one match, but these differ in match length")
    words = {word for nodes in games for word in rule_words(nodes[0])}
    if unknown := words - RULES:
        raise ValueError(f"RU names an unsupported rule: {min(unknown)}")
    beavers = max(map(beavers_in, games), default=0)
    turned = max(map(most_turns, games), default=0)
    rules = Rules(length.pop(), int("jacoby" in words), max(beavers, 1), crawford=int("crawford" in words))
    if "nocube" in words:
        rules = rules._replace(cube=1)
    return class_for(variant(Backgammon, CHECKERS=3 if "hypergammon3" in words else 15), rules, 1 << turned)


def rule_words(root: Node) -> list[str]:
    """The rules that RU names."""
    return [word for word in re.split(r"[:\s]+", value_of(root, "RU").lower()) if word]


def moves_in(nodes: Sequence[Node]) -> Iterator[tuple[int, str]]:
    """The moves with their players."""
    for node in nodes:
        for key, player in (("B", 0), ("W", 1)):
            if key in node:
                yield player, value_of(node, key)


def most_turns(nodes: Sequence[Node]) -> int:
    """How often the cube was turned."""
    return sum(word == "double" for _, word in moves_in(nodes))


def beavers_in(nodes: Sequence[Node]) -> int:
    """The most beavers in a row: doubles that answer a double."""
    most = row = 0
    for _, word in moves_in(nodes):
        row = row + 1 if word == "double" else 0
        most = max(most, row - 1)
    return most


def replayed(cls: Any, nodes: Sequence[Node]) -> Played:
    """One game."""
    root = nodes[0]
    info = match_info(root)
    if value_of(root, "GM") != GAME:
        raise ValueError("GM names another game")
    score = info.get("bs", 0), info.get("ws", 0)
    crawford = "crawfordgame" in rule_words(root)
    replay = Replay(opening(cls, score, crawford))
    for count, node in enumerate(nodes):
        if any(key in node for key in SET_UP):
            raise ValueError(f"node {count} sets up a position: only games from the opening can be replayed")
        try:
            follow(replay, node)
        except ValueError as error:
            raise ValueError(f"node {count}: {error}") from None
        if text := value_of(node, "C"):
            replay.say(text)
    if result := re.match(r"([BW])\+(\d+)", value_of(root, "RE")):
        replay.win(0 if result[1] == "B" else 1, int(result[2]))
    return replay.played({name: told for key, name in HEADERS.items() if (told := value_of(root, key))})


def follow(replay: Replay, node: Node) -> None:
    """Replay a node."""
    for player, word in moves_in([node]):
        if word == "double":
            replay.double(player)
        elif word in ("take", "drop"):
            replay.answer(player, word)
        elif not re.fullmatch(r"[1-6]{2}(?:[a-y][a-xz]){0,4}", word):
            raise ValueError(f"{word[:40]!r} is not a move")
        else:
            replay.roll(player, (int(word[0]), int(word[1])))
            pairs = [word[at : at + 2] for at in range(2, len(word), 2)]
            replay.move(player, [(point(a, player), point(b, player)) for a, b in pairs], word)
    if dice := value_of(node, "DI"):
        mover = {"B": 0, "W": 1, "b": 0, "w": 1}.get(value_of(node, "PL")[:1])
        if mover is None or not re.fullmatch("[1-6][1-6]", dice):
            raise ValueError(f"DI[{dice}] is not a roll, or PL is missing")
        replay.roll(mover, (int(dice[0]), int(dice[1])))


def point(letter: str, player: int) -> int:
    """A letter as a player's point."""
    if letter in "yz":
        return BAR if letter == "y" else 0
    place = ord(letter) - ord("a")
    return place + 1 if player == 1 else 24 - place


def letter(point: int, player: int) -> str:
    """The inverse."""
    if point in (0, BAR):
        return "y" if point else "z"
    return chr(ord("a") + (point - 1 if player == 1 else 24 - point))


# --- writing --------------------------------------------------------------------------------------------


def write_sgf(games: Sequence[Played]) -> str:
    """The games of a match or money session; a match in one record is split into games."""
    cls = same_rules(games)
    single = [one for game in games for one in games_of(game)]
    return "".join(game_text(cls, game, end, count) for count, (game, end) in enumerate(single))


def game_text(cls: Any, game: Played, end: Ending | None, count: int) -> str:
    """One game."""
    now, said = standing(game.start), dict(game.comments)
    info = f"MI[length:{cls.MATCH}][game:{count}][ws:{now.score[1]}][bs:{now.score[0]}]"
    told = "".join(
        f"{key}[{escaped(game.headers[name])}]" for key, name in HEADERS.items() if name in game.headers
    )
    rules = rule_text(cls, now.crawford)
    result = f"RE[{'BW'[end.winner]}+{end.points}{'R' * end.resigned}]" if end else ""
    lines = [f"(;FF[4]GM[{GAME}]CA[UTF-8]AP[Outplay]{info}{told}{rules}{result}{comment(said, 0)}"]
    for at, (player, word) in moves_of_game(game):
        lines.append(f";{'BW'[player]}[{word}]{comment(said, at)}")
    rolled = last_roll(game)
    return "\n".join(lines) + (f"\n;{rolled}" if rolled else "") + ")\n"


def rule_text(cls: Any, crawford: bool) -> str:
    """The property RU, if there is a rule to name."""
    told = {
        "NoCube": cls.HIGHEST == 1,
        "Crawford": cls.MATCH > 0 and cls.CRAWFORD,
        "CrawfordGame": crawford,
        "Jacoby": not (cls.MATCH or cls.BARE) and cls.JACOBY,
        "Hypergammon3": cls.CHECKERS == 3,
    }
    words = [word for word, is_so in told.items() if is_so]
    return f"RU[{':'.join(words)}]" if words else ""


def comment(said: dict[int, str], at: int) -> str:
    return f"C[{escaped(said[at])}]" if at in said else ""


def escaped(text: str) -> str:
    """A text escaped for SGF."""
    return re.sub(r"([\\\]])", r"\\\1", text)


def moves_of_game(game: Played) -> Iterator[tuple[int, tuple[int, str]]]:
    """The moves with their players, each with the number of actions so far."""
    state = game.start
    for at, action in enumerate(game.actions, 1):
        if state.dice > 0:
            moves: list[Move] = moves_of(state, action)
            word = "".join(letter(p, state.turn) for move in moves for p in move)
            yield at, (state.turn, f"{state.dice >> 3}{state.dice & 7}{word}")
        elif state.dice == DOUBLED:
            yield at, (state.turn, {BEAVER: "double", DROP: "drop"}.get(action, "take"))
        elif state.dice == TO_DOUBLE and action == DOUBLE:
            yield at, (state.turn, "double")
        state = state.result(action)


def last_roll(game: Played) -> str:
    """The last roll, if it was not played."""
    state = last(game)
    return f"PL[{'BW'[state.turn]}]DI[{state.dice >> 3}{state.dice & 7}]" if state.dice > 0 else ""
