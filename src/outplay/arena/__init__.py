"""The arena: matches between players, ours and others', in any game."""

from outplay.arena.adjudication import Rules
from outplay.arena.conditions import Conditions
from outplay.arena.games import check_files, write_games
from outplay.arena.match import Match, Played
from outplay.arena.options import read_rules, read_sprt
from outplay.arena.sprt import Sprt
from outplay.arena.standing import Standing
from outplay.arena.timecontrol import TimeControl

__all__ = [
    "Conditions",
    "Match",
    "Played",
    "Rules",
    "Sprt",
    "Standing",
    "TimeControl",
    "check_files",
    "read_rules",
    "read_sprt",
    "write_games",
]
