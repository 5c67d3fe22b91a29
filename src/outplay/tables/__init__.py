"""Exact knowledge: endgame tables for any game, by retrograde analysis (Thompson 1977).

code         a value and its distance in one number          graph        positions and the moves between them
reachable    all states that can come from one                family       the positions that a game numbers by itself
plain        retrograde analysis as on the slide              retrograde   the same in linear time
families     families built, several at once                  metric       what the plies of a table count
"""
