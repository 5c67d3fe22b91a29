"""The doubling cube of backgammon: what a position is worth with it, and what to do.

janowski   a cube that is partly alive, from the chances of a game      matches    match equities, computed
decision   double, take, drop                                           player     plays with a cube
"""
