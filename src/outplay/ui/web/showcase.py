"""A sample game of each kind, for the home view.

The package's games show a real game; for other games it is a random game with a fixed seed.
"""

import random
from typing import Any

from outplay.game import CHANCE
from outplay.players import roll
from outplay.record import play_on
from outplay.ui.web.view import NOBODY, Position, Positions, note_of, record_of, thumbnail

FRAMES = 24  # pictures of a game
RECORDED = {
    "chess": "e4 e5 Nf3 d6 d4 Bg4 dxe5 Bxf3 Qxf3 dxe5 Bc4 Nf6 Qb3 Qe7 Nc3 c6 Bg5 b5 Nxb5 cxb5 Bxb5+ Nbd7 O-O-O Rd8 "
    "Rxd7 Rxd7 Rd1 Qe6 Bxd7+ Nxd7 Qb8+ Nxb8 Rd8#",  # Morphy, Paris 1858
    "kalah": "2 3 2 6 2 4 1 3 6 4 5 6 1 6 5 1 6 2 4 5 6 3 2 6 6 4 4 3 1 5 6 1 2 2 3",
    "checkers": "9-13 23-18 11-16 24-20 6-9 20x11 7x16 22-17 13x22 26x17 10-15 18x11 8x15 17-13 9-14 25-22 14-18 "
    "22-17 1-6 17-14 2-7 29-25 16-20 21-17 6-10 25-21 18-22 13-9 22-25 9-6 4-8 6-2 8-11 17-13 10x17 21x14 "
    "25-29 2-6 7-10 14x7 3x10 27-23 11-16 23-18 15x22 6x15 20-24 28x19 16x23 15-10 22-25 30x21 29-25 "
    "21-17 25-22 10-15 23-26 15-19 26-30 17-14",
    "othello": "e6 d6 c5 f6 c4 b5 b6 e3 f4 f3 f5 g6 g5 c6 d3 b4 a4 h5 d2 a6 f2 c3 b3 g4 c7 a3 a5 c1 g3 e2 e1 d1 h4 "
    "f1 c2 e7 f7 d7 f8 c8 d8 b1 h6 g7 h8 b2 b8 g8 a7 a8 e8 b7 a1 a2 g1 h7 pass g2 h3 h1",
    "connect4": "4 4 4 4 1 5 4 3 4 5 3 3 5 5 5 5 1 1 1 2 7 3 3 6 6 3 1 1 2 2 2 2 2 6 6 6 6 7 7",
    "go": "G6 J8 E6 G8 G3 C4 F8 F5 D5 F7 F6 D4 E4 E7 C5 D3 B3 B4 B5 E2 A4 H4 F2 F3 F4 E3 H2 G4 E5 H3 G2 J2 J3 "
    "H1 H7 G1 J1 J4 D7 H8 E8 H6 J6 H5 G7 J7 C2 J2 D1 A3 A2 F9 G5 D9 E9 B1 C8 A6 A5 C1",
    "tictactoe": "b2 a1 c1 a3 a2 c2 b1 b3 c3",
    "hexapawn": "a2 bxa2 bxa2 c2",
}


def frames(positions: Positions, game: str) -> list[dict[str, Any]]:
    """The last pictures of a game, each with the cells of its move; text if the game draws no board."""
    played = _line(positions, game)
    pictures = []
    for length in range(len(played) + 1):
        position = positions.at(game, "", played[:length])
        svg = thumbnail(position)
        said = "" if svg else note_of(position)
        pictures.append({"svg": svg, "path": position.changes(NOBODY)[0], "words": said})
    return pictures[-FRAMES:]


def _line(positions: Positions, game: str) -> list[int]:
    loaded = positions.catalogue.game(game)
    if loaded.start is None:
        return []
    if game in RECORDED:
        start = record_of(loaded, positions.at(game, "", []))
        return list(play_on(start, RECORDED[game]).actions)
    return _at_random(positions, game, loaded)


def _at_random(positions: Positions, game: str, loaded: Any) -> list[int]:
    """A random game; empty for games of imperfect information."""
    rng = random.Random(8)
    actions: list[int] = []
    position: Position = positions.at(game, "", [])
    while not position.over and len(actions) < FRAMES and not position.hides:
        if position.state.player() == CHANCE:
            actions.append(roll(record_of(loaded, position), 3))
        else:
            actions.append(rng.choice(position.legal))
        position = positions.at(game, "", actions)
    return actions
