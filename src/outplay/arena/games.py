"""The games of a match in files: our own records for every game, PGN for chess."""

from outplay.arena.match import Match
from outplay.games import is_ours
from outplay.storage import check_writable, write_whole


def check_files(match: Match, records: str | None, pgn: str | None) -> None:
    """Check before the match that its games can be written."""
    if pgn is not None and not is_ours(match.game.cls, "chess"):
        raise ValueError(f"PGN is chess, not {match.game.spec}: use --records")
    for path in filter(None, (records, pgn)):
        check_writable(path)


def write_games(match: Match, records: str | None, pgn: str | None) -> None:
    """Write all games played so far."""
    games = sorted(match.played, key=lambda game: game.number)
    if records is not None:
        write_whole(records, "\n".join(game.record for game in games))
    if pgn is not None:
        from outplay.arena.pgn import pgn_text

        write_whole(pgn, "\n\n".join(pgn_text(match, game) for game in games) + "\n")
