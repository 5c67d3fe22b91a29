"""The players of a match, as users write them.

    engine    engine:threads=2,depth=6    random    bot.py:Bot    bot.py:Bot:time=0.5     our own, and users' files
    uci:stockfish,UCI_LimitStrength=true,UCI_Elo=2500                                     a program that speaks UCI
    gtp:gtp-rhino --level=3,tc=none                                                       a program that speaks GTP
    gnubg:plies=2    gnubg-nn    pubeval                                                  other backgammon programs

Options follow, separated by commas. The runner takes `name`, and the player's limits `depth`, `nodes`, `time` and
`tc`; all others go to the player.
"""

import re
from typing import Any, NamedTuple

from outplay.arena.gtp import GtpSeat
from outplay.arena.own import OwnSeat
from outplay.arena.seat import Seat
from outplay.arena.timecontrol import TimeControl
from outplay.files import file_spec
from outplay.games import Game, is_loadable
from outplay.limits import Limits

Options = tuple[tuple[str, str], ...]
FILED = ("book", "net")  # players that are written with a file: book:FILE
_OPTION = re.compile(r",\s*(?=[A-Za-z][\w .-]*=)")


class Entrant(NamedTuple):
    """A player of a match: its name, how to start it, and its own limits, if any."""

    name: str
    kind: str  # "own", "uci", "gtp" or "object"
    command: str  # how to start it: a player's name or file, or a command line
    options: Options = ()
    control: TimeControl | None = None
    player: Any = None  # the object

    def seat(self, game: Game, seed: int, limits: Limits, deadline: float, greeting: float) -> Seat:
        """The player, ready to play within the limits of a first move.

        A program must reply by `greeting` and be ready by `deadline`. Raises a ValueError if the player can
        never play, a Fault if it fails.
        """
        if self.kind == "uci":
            from outplay.arena.uci import UciSeat  # and with it chess

            return UciSeat(game.spec, self.command, self.options, deadline, greeting)
        if self.kind == "gtp":
            return GtpSeat(game.spec, self.command, self.options, greeting)
        if self.kind == "own" and is_loadable(game.cls):
            return OwnSeat(game.spec, self.spec, seed, limits, deadline)
        from outplay.arena.local import LocalSeat  # and with it all our players
        from outplay.players import player

        made = self.player if self.kind == "object" else player(self.spec, seed)
        return LocalSeat(made, self.name, game.start, limits)

    def refuse(self, game: Game, limits: Limits) -> None:
        """Raise a ValueError, before anything is compiled, if our player cannot play this game or use these limits."""
        if self.kind != "own" or file_spec(self.command) is not None:
            return
        from outplay.players import PeerPlayer, SearchPlayer, player

        made = player(self.spec)
        if isinstance(made, PeerPlayer):
            made.refuse(game.cls)
        if isinstance(made, SearchPlayer):
            made.search.refuse(game.cls)
            made.search.refuse_limits(game.cls, limits)

    @property
    def spec(self) -> str:
        """The text that names one of our players: its name or file, and its options."""
        given = ",".join(f"{key}={value}" for key, value in self.options)
        named = ":" in self.command and file_spec(self.command) is None  # book:FILE, options after a comma
        return f"{self.command}{',' if named else ':'}{given}" if given else self.command


def entrant(given: Any) -> Entrant:
    """Parse a player: a text as above, or an object that is called with a record and limits."""
    if not isinstance(given, str):
        name = getattr(given, "name", None) or getattr(given, "__name__", None) or type(given).__name__
        return Entrant(str(name), "object", "", player=given)
    kind, command, options = _split(given.strip())
    known = dict(options)
    others = tuple(option for option in options if option[0] not in ("name", "tc", "depth", "nodes", "time"))
    name = known.get("name") or _name(kind, command, others)
    return Entrant(name, kind, command, others, _control(known))


def _split(text: str) -> tuple[str, str, Options]:
    """The kind of player, its name or command, and its options."""
    protocol = re.match(r"(uci|gtp):", text)
    if protocol:
        command, *parts = _OPTION.split(text[protocol.end() :])
        return protocol[1], command.strip(), _pairs(parts, text)
    file = file_spec(text)
    if file is not None:
        command, given = ":".join(filter(None, file[:2])), file.parameters
    else:
        command, _, given = text.partition(":")
        if command in FILED:
            file_name, _, given = given.partition(",")
            command = f"{command}:{file_name}"
    return "own", command, _pairs(_OPTION.split(given) if given else [], text)


def _pairs(parts: list[str], text: str) -> Options:
    pairs = [tuple(word.strip() for word in part.partition("=")[::2]) for part in parts]
    for key, value in pairs:
        if not key or not value:
            raise ValueError(f"write an option of a player as name=value, not {text!r}")
    return tuple((key, value) for key, value in pairs)


def _name(kind: str, command: str, options: Options) -> str:
    words = [command if kind == "own" else re.split(r"[/\\]", command)[-1]]
    return " ".join([*words, *(f"{key}={value}" for key, value in options)])


def _control(known: dict[str, str]) -> TimeControl | None:
    """The limits among the options, None if there are none."""
    if "tc" in known:
        control = TimeControl.clock(known["tc"])
    elif known.keys() & {"depth", "nodes", "time"}:
        control = TimeControl()
    else:
        return None
    kinds = {"depth": int, "nodes": int, "time": float}
    for key, kind in kinds.items():
        if key in known:
            try:
                control = control._replace(**{key: kind(known[key])})
            except ValueError:
                raise ValueError(f"{key} must be a positive number, not {known[key]!r}") from None
    return control.checked()


def named_apart(entrants: list[Entrant]) -> list[Entrant]:
    """The same entrants with distinct names: duplicates are numbered."""
    names: list[str] = []
    for one in entrants:
        names.append(one.name if one.name not in names else f"{one.name} #{len(names) + 1}")
    return [one._replace(name=name) for one, name in zip(entrants, names, strict=True)]
