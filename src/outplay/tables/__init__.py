"""Exact knowledge: endgame tables for any game, by retrograde analysis (Thompson 1977).

code         a value and its distance in one number           graph        positions and the moves between them
reachable    all states reachable from one                    family       positions that the game itself indexes
plain        retrograde analysis as on the slide              retrograde   the same in linear time
families     families built in parallel                       metric       what the plies of a table count
gpu          families built and verified on a GPU             gpukernels   what its threads do
"""
