"""TD(lambda): a value net learns from self-play, as TD-Gammon did (Tesauro 1992).

loop      the training loop, top to bottom           update     the update rule, plain and as a kernel
settings  the settings of a run                      selfplay   self-play, compiled
trial     games against a fixed opponent

The net itself is `outplay.search.valuenet`; pubeval, for the curve, is in `outplay.peers`.
"""
