"""The games of a match in files: our own records for every game, PGN for chess."""

from pathlib import Path

from outplay.arena.match import Match


def check_files(match: Match, records: str | None, pgn: str | None) -> None:
    """Say before the match, not after it, that its games could not be written."""
    if pgn is not None and match.game.cls.__name__ != "Chess":
        raise ValueError(f"PGN is chess, not {match.game.spec}: use --records")
    for path in filter(None, (records, pgn)):
        Path(path).open("a").close()


def write_games(match: Match, records: str | None, pgn: str | None) -> None:
    """Write all games that were played so far."""
    games = sorted(match.played, key=lambda game: game.number)
    if records is not None:
        Path(records).write_text("\n".join(game.record for game in games), encoding="utf-8")
    if pgn is not None:
        from outplay.arena.pgn import pgn_text

        Path(pgn).write_text("\n\n".join(pgn_text(match, game) for game in games) + "\n", encoding="utf-8")
