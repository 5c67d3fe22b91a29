"""AlphaZero for any game: a network learns from the self-play of a search guided by it.

loop      the training loop, top to bottom           net         the networks, in torch
settings  the settings of a run                      learner     training one; averaged weights for play
games     many games in parallel; moves: the kernels symmetry    the symmetries of the board
gpu       the same on a GPU                          onnx        a net in ONNX format
errors    how often a net's moves lose value         supervised  a policy from recorded games; examples: their rows

A run's folder is in `learn/folder.py`; a network's input, file and inference in `search/mcts/`.
"""
