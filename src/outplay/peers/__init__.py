"""Other backgammon programs as players, to measure ours; none of their code is in it.

gnubg     GNU Backgammon, queried over a socket      guard   runs it, and terminates it with us
gnubgnn   its nets without lookahead and Tesauro's pubeval, both from the package gnubg-nn
"""
