"""AlphaZero for any game: a network learns from the games that a search guided by it plays against itself.

loop      the training loop, top to bottom           net         the networks, in torch
settings  what a run is made with                    learner     training one; averaged weights for play
games     many games at a time; moves: the kernels   symmetry    which turns of the board are the game's own
gpu       the same on a GPU                          onnx        a net in the common format
errors    how often a net gives value away           supervised  a policy from recorded games; examples: their rows

A run's folder is `learn/folder.py`; what a network sees, its file and how it plays: `search/mcts/`.
"""
