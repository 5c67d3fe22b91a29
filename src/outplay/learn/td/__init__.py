"""TD(lambda): a value net learns from self-play, as TD-Gammon did (Tesauro 1992).

loop      the training loop, top to bottom           update     the update rule, plain and as a kernel
settings  the settings of a run                      selfplay   self-play, compiled
trial     games against a fixed opponent             lessons    recorded games, in place of self-play
crowd     games in lockstep                          comparison what is learned from them
lockstep  their steps, game by game                  batch      their net, in torch
gpu       the same on a GPU                          gpukernels its kernels

The net itself is `outplay.search.valuenet`; pubeval, for the curve, is in `outplay.peers`.
"""
