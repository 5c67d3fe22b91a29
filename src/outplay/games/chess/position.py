"""Chess: the game of Shannon (1950), Deep Blue (1997) and Stockfish, with Chess960."""

from collections.abc import Iterator
from typing import NamedTuple

from outplay.game import Board, Weights
from outplay.games.chess import endgames, fen, notation
from outplay.games.chess.attacks import (
    BETWEEN,
    DARK,
    DIAGONAL_LINES,
    KING,
    KNIGHT,
    LIGHT,
    LINES,
    NOT_A,
    NOT_H,
    RANK_1,
    RANK_3,
    RANK_6,
    RANK_8,
    STRAIGHT_LINES,
    bishop,
    by_knights,
    by_pawns_down,
    by_pawns_up,
    by_sliders,
    rook,
    slides,
)
from outplay.games.chess.castling import KING_PATH, MUST_BE_EMPTY
from outplay.games.chess.evaluation import WEIGHTS, evaluate
from outplay.games.chess.net import NET, changed, feature, net
from outplay.words import bits, bswap, lsb, popcount, shr, wrap

SIDES = ("White", "Black")
MEN = dict(zip("PNBRQK", ("pawn", "knight", "bishop", "rook", "queen", "king"), strict=True))
SHAPES = {symbol: f"white {piece}" for symbol, piece in MEN.items()} | {
    symbol.lower(): f"black {piece}" for symbol, piece in MEN.items()
}

# Flags in an action's bits 12-15.
DOUBLE, PASSANT, CASTLE, PROMOTE = 1, 2, 3, 8  # 8 to 11: to a knight, bishop, rook, queen
QUEENING = 11
SALT = 0x1F83D9ABFB41BD6B  # where hashing begins: any number without a pattern
QUIET_LIMIT = 100  # plies without a capture or a pawn move: fifty moves by each side
UNCLAIMED = 50  # further such plies until the draw needs no claim: seventy-five moves


class Chess(NamedTuple):
    """Chess with the FIDE laws, and Chess960: checkmate the king.

    The board is seen from the player to move, whose pawns go up: for Black it is flipped vertically (each rank is a
    byte of a word, so flipping is one instruction), and one set of rules serves both colours. Square 0
    is the mover's a1 (Black's a8), bit 63 the far end of the h-file; attacks.py has a diagram.

    Six bitboards hold the pieces: each side's, and each kind's. A queen is in two of them,
    since it moves like a bishop and like a rook. `special` has what the pieces do not show: on the first and last
    rank the rooks with castling rights, on the sixth the en passant square, if one of
    the mover's pawns may capture there.

    An action packs the from-square (bits 0-5), the to-square (bits 6-11) and flags (from bit
    12). Castling is encoded as the king capturing its own rook, as Chess960 needs it.

    The game ends by mate, stalemate, a dead position, and fifty moves without capture or pawn move; threefold
    repetition is a draw, which only a record can detect.
    """

    max_actions = 256  # the known maximum is 218
    win = 1
    repetition = 3
    text_words = ("", "", "rights to castle", "en passant", "plies without progress", "number of the move")
    unit = 100  # a pawn
    weights = WEIGHTS
    net = NET

    own: int = 0x000000000000FFFF  # pieces of the player to move
    opp: int = 0xFFFF000000000000  # pieces of the opponent
    pawns: int = 0x00FF00000000FF00  # of both
    knights: int = 0x4200000000000042
    diagonal: int = 0x2C0000000000002C  # bishops and queens
    straight: int = 0x8900000000000089  # rooks and queens
    kings: int = 0x1000000000000010
    special: int = 0x8100000000000081  # rooks with castling rights, and the en passant square
    clock: int = 0  # plies since the last capture or pawn move
    ply: int = 0  # from the start of the game; White moves at even plies

    def player(self) -> int:
        return self.ply & 1

    # --- legal moves ------------------------------------------------------------------------------------

    def actions(self) -> Iterator[int]:
        yield from self.moves(~self.own, True)

    def noisy(self) -> Iterator[int]:
        """Captures and queen promotions: the moves that change the material."""
        yield from self.moves(self.opp, False)

    def moves(self, wanted: int, quiet: bool) -> Iterator[int]:
        """The legal moves to the given squares.

        `target` is where a piece must move so that the king is not in check afterwards: anywhere; onto the checker
        or in between; nowhere in double check. A pinned piece stays on the line of its pin.
        """
        k, target, straight_pin, diagonal_pin = self.restrictions()
        own, occupied = self.own, self.own | self.opp
        free = own & ~(straight_pin | diagonal_pin)
        goal = target & wanted
        danger = self.attacked(occupied ^ 1 << k)
        for to in bits(KING[k] & wanted & ~danger):
            yield k | to << 6
        if quiet:
            for corner in bits(self.special & RANK_1):
                if self.may_castle(k, corner, danger):
                    yield k | corner << 6 | CASTLE << 12
        for start in bits(self.knights & free):
            for to in bits(KNIGHT[start] & goal):
                yield start | to << 6
        for start in bits(self.diagonal & free):
            for to in bits(bishop(start, occupied) & goal):
                yield start | to << 6
        for start in bits(self.straight & free):
            for to in bits(rook(start, occupied) & goal):
                yield start | to << 6
        if own != free:
            for start in bits(self.diagonal & own & diagonal_pin):
                for to in bits(bishop(start, occupied) & goal & diagonal_pin):
                    yield start | to << 6
            for start in bits(self.straight & own & straight_pin):
                for to in bits(rook(start, occupied) & goal & straight_pin):
                    yield start | to << 6
        once, twice, left, right = self.pawn_moves(target, straight_pin, diagonal_pin)
        if quiet:
            for to in bits(once & ~RANK_8):
                yield to - 8 | to << 6
            for to in bits(twice):
                yield to - 16 | to << 6 | DOUBLE << 12
        for to in bits(left & ~RANK_8):
            yield to - 7 | to << 6
        for to in bits(right & ~RANK_8):
            yield to - 9 | to << 6
        if (once | left | right) & RANK_8:
            for kind in range(PROMOTE if quiet else QUEENING, QUEENING + 1):
                for to in bits(once & RANK_8):
                    yield to - 8 | to << 6 | kind << 12
                for to in bits(left & RANK_8):
                    yield to - 7 | to << 6 | kind << 12
                for to in bits(right & RANK_8):
                    yield to - 9 | to << 6 | kind << 12
        if self.special & RANK_6:
            for start in bits(self.passants()):
                yield start | lsb(self.special & RANK_6) << 6 | PASSANT << 12

    def count(self) -> int:
        """The number of legal moves: like `actions`, but bitboards are counted, not serialised."""
        k, target, straight_pin, diagonal_pin = self.restrictions()
        own, occupied = self.own, self.own | self.opp
        free = own & ~(straight_pin | diagonal_pin)
        goal = target & ~own
        danger = self.attacked(occupied ^ 1 << k)
        found = popcount(KING[k] & ~own & ~danger)
        for corner in bits(self.special & RANK_1):
            if self.may_castle(k, corner, danger):
                found += 1
        for start in bits(self.knights & free):
            found += popcount(KNIGHT[start] & goal)
        found += slides(self.diagonal & free, self.straight & free, ~occupied, goal)
        if own != free:
            for start in bits(self.diagonal & own & diagonal_pin):
                found += popcount(bishop(start, occupied) & goal & diagonal_pin)
            for start in bits(self.straight & own & straight_pin):
                found += popcount(rook(start, occupied) & goal & straight_pin)
        once, twice, left, right = self.pawn_moves(target, straight_pin, diagonal_pin)
        found += popcount(once) + popcount(twice) + popcount(left) + popcount(right)
        if (once | left | right) & RANK_8:
            found += 3 * (popcount(once & RANK_8) + popcount(left & RANK_8) + popcount(right & RANK_8))
        if self.special & RANK_6:
            found += popcount(self.passants())
        return found

    def restrictions(self) -> tuple[int, int, int, int]:
        """The king's square; where other pieces may move, given a check; and the pinned pieces.

        The opponent's sliders on the king's lines determine both: with nothing in between a slider gives check, with
        one piece in between it pins it, if it is the mover's.
        """
        own, opp = self.own, self.opp
        occupied = own | opp
        k = lsb(self.kings & own)
        checkers = opp & (KNIGHT[k] & self.knights | by_pawns_up(1 << k) & self.pawns)
        straight_pin = diagonal_pin = 0
        for slider in bits(STRAIGHT_LINES[k] & self.straight & opp):
            between = BETWEEN[k][slider]
            pieces = between & occupied
            if pieces == 0:
                checkers |= 1 << slider
            if pieces & (pieces - 1) == 0:
                straight_pin |= between | 1 << slider
        for slider in bits(DIAGONAL_LINES[k] & self.diagonal & opp):
            between = BETWEEN[k][slider]
            pieces = between & occupied
            if pieces == 0:
                checkers |= 1 << slider
            if pieces & (pieces - 1) == 0:
                diagonal_pin |= between | 1 << slider
        target = -1
        if checkers:
            target = checkers | BETWEEN[k][lsb(checkers)] if checkers & (checkers - 1) == 0 else 0
        return k, target, straight_pin, diagonal_pin

    def may_castle(self, k: int, corner: int, danger: int) -> bool:
        """Whether the king may castle with the rook on that square, which has castling rights.

        The squares between must be empty, and the king may not start from, cross or reach an attacked square.
        In Chess960 the castling rook itself may shield the king from an attack along the rank.
        """
        way = k << 3 | corner
        occupied = self.own | self.opp
        if occupied & MUST_BE_EMPTY[way] or danger & KING_PATH[way]:
            return False
        behind = rook(6 if corner > k else 2, occupied ^ 1 << k ^ 1 << corner)
        return behind & RANK_1 & self.straight & self.opp == 0

    def pawn_moves(self, target: int, straight_pin: int, diagonal_pin: int) -> tuple[int, int, int, int]:
        """Pawn moves: one step, two steps, and captures to the left and to the right."""
        pawns = self.pawns & self.own
        empty = ~(self.own | self.opp)
        walkers = pawns & ~diagonal_pin
        once = ((walkers & ~straight_pin) << 8 | (walkers & straight_pin) << 8 & straight_pin) & empty
        twice = (once & RANK_3) << 8 & empty & target
        takers = pawns & ~straight_pin
        free, pinned = takers & ~diagonal_pin, takers & diagonal_pin
        left = (free & NOT_A) << 7 | (pinned & NOT_A) << 7 & diagonal_pin
        right = (free & NOT_H) << 9 | (pinned & NOT_H) << 9 & diagonal_pin
        prey = self.opp & target
        return once & target, twice, left & prey, right & prey

    def passants(self) -> int:
        """The pawns that may capture en passant: each capture is tested for a check that it leaves or uncovers."""
        passed = self.special & RANK_6
        victim = shr(passed, 8)
        k = lsb(self.kings & self.own)
        found = 0
        for start in bits(by_pawns_down(passed) & self.pawns & self.own):
            after = (self.own | self.opp) ^ 1 << start ^ passed ^ victim
            if not self.attackers(k, after) & ~victim:
                found |= 1 << start
        return found

    # --- attacks ----------------------------------------------------------------------------------------

    def attackers(self, square: int, occupied: int) -> int:
        """The opponent's pieces that attack a square, given the occupied squares."""
        return self.opp & (
            by_pawns_up(1 << square) & self.pawns
            | KNIGHT[square] & self.knights
            | KING[square] & self.kings
            | bishop(square, occupied) & self.diagonal
            | rook(square, occupied) & self.straight
        )

    def attacked(self, occupied: int) -> int:
        """All squares that the opponent attacks, given the occupied squares.

        For king moves the king itself is removed: it cannot hide behind its old square.
        """
        opp = self.opp
        return (
            by_pawns_down(self.pawns & opp)
            | by_knights(self.knights & opp)
            | KING[lsb(self.kings & opp)]
            | by_sliders(self.diagonal & opp, self.straight & opp, ~occupied)
        )

    def forced(self) -> bool:
        """Whether the mover is in check."""
        return self.attackers(lsb(self.kings & self.own), self.own | self.opp) != 0

    def forces(self, action: int) -> bool:
        """Whether the move gives check: usually it is enough to test the line from the opposing king to its target."""
        start, stop = action & 63, action >> 6 & 63
        target = lsb(self.kings & self.opp)
        leave, reach = 1 << start, 1 << stop
        if action >> 12 > DOUBLE or LINES[target] & leave:
            return self.result(action).forced()
        if (LINES[target] | KNIGHT[target]) & reach == 0:
            return False
        if self.pawns & leave:
            return by_pawns_up(reach) & self.kings & self.opp != 0
        if self.knights & leave:
            return KNIGHT[target] & reach != 0
        occupied = self.own | self.opp
        if self.diagonal & leave and bishop(target, occupied) & reach:
            return True
        return self.straight & leave != 0 and rook(target, occupied) & reach != 0

    def bishops(self) -> int:
        return self.diagonal & ~self.straight

    def rooks(self) -> int:
        return self.straight & ~self.diagonal

    def queens(self) -> int:
        return self.diagonal & self.straight

    # --- making a move ----------------------------------------------------------------------------------

    def result(self, action: int) -> "Chess":
        start, stop, kind = action & 63, action >> 6 & 63, action >> 12
        leave, reach = 1 << start, 1 << stop
        stay = ~(leave | reach)
        own, opp = self.own & ~leave | reach, self.opp & ~reach
        pawns = self.pawns & stay | (shr(self.pawns, start) & 1) << stop
        knights = self.knights & stay | (shr(self.knights, start) & 1) << stop
        diagonal = self.diagonal & stay | (shr(self.diagonal, start) & 1) << stop
        straight = self.straight & stay | (shr(self.straight, start) & 1) << stop
        kings = self.kings & stay | (shr(self.kings, start) & 1) << stop
        special = self.special & stay & ~RANK_6
        if self.kings & leave:
            special &= ~RANK_1
        clock = 0 if (self.pawns & leave) | (self.opp & reach) else self.clock + 1
        if kind:
            if kind == DOUBLE:
                beside = shr(reach & NOT_A, 1) | (reach & NOT_H) << 1
                if beside & self.pawns & self.opp:
                    special |= leave << 8
            elif kind == PASSANT:
                pawns ^= reach >> 8
                opp ^= reach >> 8
            elif kind == CASTLE:
                king_to, rook_to = (64, 32) if stop > start else (4, 8)
                own = own ^ reach | king_to | rook_to
                kings = kings ^ reach | king_to
                straight = straight & ~reach | rook_to
            else:
                pawns ^= reach
                if kind == PROMOTE:
                    knights |= reach
                if kind & 1:
                    diagonal |= reach
                if kind >= QUEENING - 1:
                    straight |= reach
        made = Chess(
            bswap(opp),
            bswap(own),
            bswap(pawns),
            bswap(knights),
            bswap(diagonal),
            bswap(straight),
            bswap(kings),
            bswap(special),
            clock,
            self.ply + 1,
        )
        if kind == DOUBLE and special & RANK_3 and not made.passants():
            return made._replace(special=made.special & ~RANK_6)
        return made

    def flipped(self) -> "Chess":
        """The same board seen from the other player, who is to move."""
        return Chess(
            bswap(self.opp),
            bswap(self.own),
            bswap(self.pawns),
            bswap(self.knights),
            bswap(self.diagonal),
            bswap(self.straight),
            bswap(self.kings),
            bswap(self.special & ~RANK_6),
            self.clock + 1,
            self.ply + 1,
        )

    def skip(self) -> "Chess":
        """The null move. In check, and with only king and pawns (zugzwang), passing proves nothing."""
        if self.own & (self.knights | self.diagonal | self.straight) == 0 or self.forced():
            return self
        return self.flipped()

    def irreversible(self, action: int) -> bool:
        """Whether the move is a pawn move, a capture, or gives up castling rights."""
        leave, reach = 1 << (action & 63), 1 << (action >> 6 & 63)
        rights = self.special & ~RANK_6
        king = self.kings & leave and rights & RANK_1
        return (self.pawns & leave | self.opp & reach | rights & (leave | reach)) != 0 or king != 0

    # --- the end ----------------------------------------------------------------------------------------

    def terminal(self) -> bool:
        return self.clock >= QUIET_LIMIT or self.dead() or not self.has_moves()

    def drawn(self) -> bool:
        """A draw with moves left: fifty moves, unless the last one mates, or a dead position."""
        return self.dead() or self.clock >= QUIET_LIMIT and self.has_moves()

    def unclaimed(self) -> "Chess":
        """The position in which nobody claims the fifty-move draw: the clock continues, to seventy-five."""
        if not QUIET_LIMIT <= self.clock < QUIET_LIMIT + UNCLAIMED:
            return self
        return self._replace(clock=self.clock - UNCLAIMED)

    def dead(self) -> bool:
        """Insufficient material: two bare kings, one minor piece, or bishops on squares of one colour."""
        if self.pawns | self.straight:
            return False
        if popcount(self.own | self.opp) <= 3:
            return True
        return self.knights == 0 and (self.diagonal & LIGHT == 0 or self.diagonal & DARK == 0)

    def has_moves(self) -> bool:
        """Whether there is a legal move: usually an unpinned pawn or knight can move."""
        own = self.own
        free = own & ~LINES[lsb(self.kings & own)]
        steps = (self.pawns & free) << 8 & ~self.opp | by_knights(self.knights & free)
        if steps & ~own and not self.forced():
            return True
        return self.count() > 0

    def utility(self) -> int:
        if self.drawn() or not self.forced():
            return 0
        return 1 if self.ply & 1 else -1

    # --- knowledge --------------------------------------------------------------------------------------

    def evaluate(self, weights: Weights = weights) -> int:
        """The sum of the terms of evaluation.py and the net's output, in centipawns."""
        return self.informed(net(self), weights)

    def informed(self, learned: int, weights: Weights = weights) -> int:
        """`evaluate`, given the net's output."""
        value = evaluate(self, weights, learned)
        return -value if self.ply & 1 else value

    def net_cells(self) -> int:
        """The occupied squares, for the net."""
        return self.own | self.opp

    def net_feature(self, square: int) -> int:
        """The net's feature of a square."""
        return feature(self, square)

    def net_changed(self, before: "Chess") -> int:
        """The squares whose features differ from another position's."""
        return changed(self, before)

    def key(self) -> int:
        """A hash of all but the counters; the kings follow from the other bitboards.

        Each word is mixed into the hash of those before it. A sum of separate hashes would not do: a moving piece
        changes two words alike, and those changes may cancel.
        """
        one = stirred(stirred(stirred(stirred(SALT, self.own), self.pawns), self.diagonal), self.special)
        other = stirred(stirred(stirred(SALT + (self.ply & 1), self.opp), self.knights), self.straight)
        return wrap(one + bswap(other))

    def worth_at(self, square: int) -> int:
        """The value of the piece on a square; 0 for an empty square, and for a king, which is never captured."""
        diagonal, straight = shr(self.diagonal, square) & 1, shr(self.straight, square) & 1
        return (
            100 * (shr(self.pawns, square) & 1)
            + 300 * (shr(self.knights, square) & 1)
            + 325 * diagonal
            + 500 * straight
            + 75 * (diagonal & straight)
        )

    def trait(self, action: int) -> int:
        """The moving piece and its target square."""
        start = action & 63
        diagonal, straight = shr(self.diagonal, start) & 1, shr(self.straight, start) & 1
        piece = (
            diagonal + 2 * straight + 4 * (shr(self.knights, start) & 1) + 5 * (shr(self.kings, start) & 1)
        )
        return piece << 6 | action >> 6 & 63

    def order(self, action: int) -> int:
        """MVV-LVA: most valuable victim, then least valuable attacker; moves that lose material come last."""
        if shr(self.opp, action >> 6 & 63) & 1 == 0 and action >> 12 <= DOUBLE:
            return 0  # nearly all moves: a separate function, so that this test is inlined
        return self.tactical_order(action)

    def tactical_order(self, action: int) -> int:
        """The same for a capture, a promotion or castling."""
        start, stop, kind = action & 63, action >> 6 & 63, action >> 12
        if kind >= PROMOTE and kind < QUEENING:
            return -1
        victim = self.worth_at(stop) * (shr(self.opp, stop) & 1)
        if kind == PASSANT:
            victim = 100
        elif kind == QUEENING:
            return 16 * (victim + 800)
        if victim == 0:
            return 0
        capturer = self.worth_at(start)
        if capturer > victim:
            gain = self.exchange(action)
            if gain < 0:
                return gain
        return 16 * victim - capturer

    def exchange(self, action: int) -> int:
        """Static exchange evaluation: what the move wins by the best exchange on its square.

        Both sides capture with their least valuable piece, pieces behind others (x-rays) join in, and either may
        stop when that is better: alpha-beta on a tree that is one line. `balance` is the mover's gain
        so far, alpha and beta what mover and opponent get by stopping at one of their turns.
        """
        start, square, kind = action & 63, action >> 6 & 63, action >> 12
        if kind == CASTLE:
            return 0
        occupied = (self.own | self.opp) & ~(1 << start) | 1 << square
        balance = self.worth_at(square) * (shr(self.opp, square) & 1)
        at_stake = self.worth_at(start)
        if kind == PASSANT:
            balance = 100
            occupied ^= 1 << square - 8
        elif kind >= PROMOTE:
            at_stake = promoted_worth(kind)
            balance += at_stake - 100
        alpha, beta, side, enemy, sign = -100_000, 100_000, self.opp, self.own, -1
        while True:
            if sign < 0:
                beta = min(beta, balance)
            else:
                alpha = max(alpha, balance)
            if alpha >= beta:
                return alpha if sign < 0 else beta
            around = self.around(square, occupied) & occupied
            takers = around & side
            if takers == 0:
                return beta if sign < 0 else alpha
            piece = self.cheapest(takers)
            if piece & self.kings and around & enemy & ~piece:
                return beta if sign < 0 else alpha  # the king may not capture a protected piece
            balance += sign * at_stake
            at_stake = self.worth_at(lsb(piece))
            occupied ^= piece
            side, enemy, sign = enemy, side, -sign

    def around(self, square: int, occupied: int) -> int:
        """The pieces of both sides that attack a square, given the occupied squares."""
        here = 1 << square
        return (
            by_pawns_up(here) & self.pawns & self.opp
            | by_pawns_down(here) & self.pawns & self.own
            | KNIGHT[square] & self.knights
            | KING[square] & self.kings
            | bishop(square, occupied) & self.diagonal
            | rook(square, occupied) & self.straight
        )

    def cheapest(self, pieces: int) -> int:
        """The least valuable of these pieces, as a set of one."""
        kind = pieces & self.pawns
        if kind == 0:
            kind = pieces & self.knights
        if kind == 0:
            kind = pieces & self.diagonal & ~self.straight
        if kind == 0:
            kind = pieces & self.straight & ~self.diagonal
        if kind == 0:
            kind = pieces & self.diagonal
        if kind == 0:
            kind = pieces
        return kind & -kind

    # --- tables -----------------------------------------------------------------------------------------

    def family(self) -> int:
        """The material of both sides."""
        return endgames.family(self)

    def slots(self) -> int:
        return endgames.slots(self)

    def slot(self) -> int:
        """The position's index among all with its material, up to symmetry."""
        return endgames.slot(self)

    def slot_state(self, slot: int) -> "Chess":
        return endgames.slot_state(self, slot)

    @classmethod
    def families(cls, text: str) -> "dict[str, Chess]":
        """`KQKR` with everything it leads to, or `4`: all endgames with up to four pieces."""
        return {name: cls(*fields) for name, fields in endgames.families(text).items()}

    # --- texts ------------------------------------------------------------------------------------------

    def __str__(self) -> str:
        """FEN; castling rights as X-FEN writes them: `KQkq`, and files where those would be unclear."""
        return fen.write(self)

    @classmethod
    def parse(cls, text: str) -> "Chess":
        """The position that a FEN describes (X-FEN and Shredder-FEN too); raises a ValueError if it is invalid."""
        return cls(*fen.read(text))

    def board_text(self, board: Board, player: int) -> str:
        """FEN, with the castling rights that are still possible."""
        return fen.write_rows(board.rows, player, str(self).split())

    def action_text(self, action: int) -> str:
        """Standard algebraic notation: `Nf3`, `exd6`, `O-O`, `e8=Q+`."""
        return notation.san(self, action)

    def weight_text(self, name: str, place: int) -> str:
        """`knight_squares on f3, middlegame`; squares and ranks from the piece owner's point of view."""
        if name == "chase":
            return f"chase: {('king to the edge', 'distance of kings', 'king to the corner')[place]}"
        index, phase = place >> 1, ("middlegame", "endgame")[place & 1]
        if name.endswith("_squares"):
            name += f" on {fen.square_name(index)}"
        elif name.endswith("_mobility"):
            name += f" {index}"
        elif name in ("connected", "passed", "passed_free", "passed_clear"):
            name += f" on rank {index + 1}"
        elif name == "king_danger":
            name += f" {index}"
        return f"{name}, {phase}"

    def parse_action(self, text: str) -> int:
        """The legal move with this SAN or UCI notation."""
        return notation.read_move(self, text)

    def uci(self, action: int, chess960: bool = False) -> str:
        """The move in UCI notation: `e1g1`; in Chess960 castling is the king capturing its rook, `e1h1`."""
        return notation.uci(self, action, chess960)

    def action_squares(self, action: int) -> list[tuple[int, int]]:
        """The from- and to-squares of the move on the drawn board."""
        text = self.uci(action)
        return [(8 - int(text[i + 1]), "abcdefgh".index(text[i])) for i in (0, 2)]

    def board(self) -> Board:
        rows = tuple(fen.rows(self))
        note = f"{SIDES[self.ply & 1]} to move" if not self.terminal() else notation.ending(self)
        king = "Kk"[self.ply & 1]
        checked = [(r, row.index(king)) for r, row in enumerate(rows) if self.forced() and king in row]
        return Board(
            rows,
            tuple("87654321"),
            tuple("abcdefgh"),
            owners=("PNBRQK", "pnbrqk"),
            checkered=True,
            note=note,
            shapes=SHAPES,
            sides=SIDES,
            marks=tuple(checked),
        )


def stirred(word: int, more: int) -> int:
    """Mix a word into a hash with two products, so that a few bits of the next word cannot undo a change here.

    One product of the whole word would not do: of a change in its highest bit it keeps only that bit.
    """
    word ^= more
    return wrap((word & 0xFFFFFFFF) * -7046029254386353131 + shr(word, 32) * -4417276706812531889)


def promoted_worth(kind: int) -> int:
    """The gain in value of a promoted pawn."""
    return 300 if kind == PROMOTE else 325 if kind == 9 else 500 if kind == 10 else 900
