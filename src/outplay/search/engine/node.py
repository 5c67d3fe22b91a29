"""The data that the steps of the engine's search share about a node; all of it stays in CPU registers."""

from typing import NamedTuple


class Node(NamedTuple):
    """The coordinates of a node in the search."""

    ply: int
    base: int  # the start of its moves on the stack
    room: int  # number of moves that tapered search allows it; 0: all
    excluded: int  # the index of an excluded move (singular extension); -1: none
    cut: int  # 1: a cutoff is expected (cut node)
    key: int  # the state's table key, if known and not a mirror image's; else 0


class Entry(NamedTuple):
    """The result of probing the table for a node."""

    key: int
    upright: bool  # the key is the state's own, not a mirror image's
    data: int  # 0: no entry
    number: int  # of the table move, in the order of `actions`; -1: none


class Facts(NamedTuple):
    """The facts about a node before its moves are searched."""

    key: int
    upright: bool
    data: int  # of its table entry; 0: none
    table_index: int  # of the table move; -1: none
    use_table: bool
    ranked: bool  # whether its moves are ordered
    been: int  # 1: the position has occurred in the game before
    in_check: bool  # the mover is `forced`
    principal: bool  # a PV node: the window is open
    prunable: bool  # heuristic pruning is allowed
    static: int  # the static evaluation, or a better estimate from the table
    improving: bool  # the static evaluation is better for the mover than two plies ago
    nodes: int  # counted so far
    horizon: int  # likewise


class Moves(NamedTuple):
    """The moves of a node, on the stack."""

    n: int
    first: int  # the index of the table move, which was put first; -1: none
    allowed: int  # the number of moves to search
    extension: int  # of the table move, in plies


class Move(NamedTuple):
    """A move in the loop."""

    action: int
    number: int  # in the order of `actions`
    score: int  # its ordering score
    quiet: bool
    bad: bool  # it loses by exchange
    tried: int  # moves searched before it


class Plan(NamedTuple):
    """The depths of a move's search."""

    full: int
    reduced: int  # for the first search of a late move
    extension: int  # the plies of `full` that are an extension


class Window(NamedTuple):
    alpha: int
    beta: int


class Found(NamedTuple):
    """The best of a node's moves."""

    value: int
    number: int  # of the move
