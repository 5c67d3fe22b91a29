"""AlphaZero for any game: a network learns from the games that a search guided by it plays against itself.

loop      the training loop, top to bottom           net         the networks, in torch
settings  what a run is made with                    learner     training one; averaged weights for play
games     many games at a time; moves: the kernels   symmetry    which turns of the board are the game's own
gpu       the same on a GPU                          folder      a run on the disk: log, checkpoint, net
view      what a network sees of a state             export      a net as a file; onnx: in the common format
"""
