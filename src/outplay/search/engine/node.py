"""What the steps of the engine's search tell each other of a node; all of it stays in the processor's registers."""

from typing import NamedTuple


class Node(NamedTuple):
    """Where a node stands in the search."""

    ply: int
    base: int  # where its moves begin on the stack
    room: int  # how many moves tapered search leaves to it; 0: all
    excluded: int  # the index of a move that is not searched (the singular test); -1: none
    cut: int  # 1: a cutoff is expected, since a sister node was the parent's best move, or a grandparent's
    key: int  # the state's in the table, if it is known and no mirror image's; else 0


class Entry(NamedTuple):
    """What the table says of a node."""

    key: int
    upright: bool  # whether the key is the state's own, and not a mirror image's
    data: int  # 0: nothing is known
    number: int  # of the table move, in the order of `actions`; -1: there is none


class Facts(NamedTuple):
    """What is known of a node before its moves are searched."""

    key: int
    upright: bool
    data: int  # of its table entry; 0: none
    table_index: int  # of the table move; -1: none
    use_table: bool
    ranked: bool  # whether its moves are put in order
    been: int  # 1: the position has been in the game before
    in_check: bool  # the mover must react to a threat (`forced`)
    principal: bool  # on the principal variation: the window is open
    prunable: bool  # may be pruned by judgement
    static: int  # the static evaluation, or what the table knows better
    improving: bool  # the static evaluation is better for the mover than two plies ago
    nodes: int  # counted so far
    horizon: int  # likewise


class Moves(NamedTuple):
    """The moves of a node, on the stack."""

    n: int
    first: int  # the index of the table move, which was put first; -1: there is none
    allowed: int  # how many of them are searched
    extension: int  # plies that the table move is searched deeper


class Move(NamedTuple):
    """A move in the loop."""

    action: int
    number: int  # in the order of `actions`
    score: int  # by which it was ordered
    quiet: bool
    bad: bool  # it loses by exchange
    tried: int  # moves searched before it


class Plan(NamedTuple):
    """How deep a move is searched."""

    full: int
    reduced: int  # at first, where it is late
    extension: int  # how many plies of `full` are an extension


class Window(NamedTuple):
    alpha: int
    beta: int


class Found(NamedTuple):
    """The best of a node's moves."""

    value: int
    number: int  # of the move
