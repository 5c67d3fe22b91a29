"""The doubling cube of backgammon: cubeful equities and cube decisions.

janowski   a cube that is partly alive, from the chances of a game      matches    match equities, computed
decision   double, take, drop                                           player     plays with a cube
"""
