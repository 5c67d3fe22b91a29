"""TD(lambda): a value net learns from the games that it plays against itself, as TD-Gammon did (Tesauro 1992).

loop      the training loop, top to bottom           update     the rule, plain and as a kernel
settings  what a run is made with                    selfplay   games against oneself, compiled
trial     games against a fixed opponent

The net itself is `outplay.search.valuenet`; pubeval, for the curve, is in `outplay.peers`.
"""
