"""A student's homework: one search is right, the other has a classic mistake. Which?

outplay grade examples/homework.py:minimax
outplay grade examples/homework.py:alphabeta
"""

from math import inf


def minimax(state, depth):
    if state.terminal():
        return state.utility()
    if depth == 0:
        return state.evaluate()
    values = (minimax(state.result(action), depth - 1) for action in state.actions())
    return max(values) if state.player() == 0 else min(values)


def alphabeta(state):
    """The action to play: MAX is to move."""
    best, choice = -inf, None
    for action in state.actions():
        value = min_value(state.result(action), -inf, inf)
        if value > best:
            best, choice = value, action
    return choice


def max_value(state, alpha, beta):
    if state.terminal():
        return state.utility()
    value = -inf
    for action in state.actions():
        value = max(value, min_value(state.result(action), alpha, beta))
        if value >= beta:
            return value
        alpha = max(alpha, value)
    return value


def min_value(state, alpha, beta):
    if state.terminal():
        return state.utility()
    value = inf
    for action in state.actions():
        value = min(value, max_value(state.result(action), alpha, beta))
        if value <= alpha:
            return value
        beta = min(beta, value)
    return value
