"""Other backgammon programs as opponents, to measure ours; none of their code is included.

gnubg     GNU Backgammon, queried over a socket      guard   runs it, and ends it with our process
gnubgnn   its nets without lookahead, and Tesauro's pubeval; both from the package gnubg-nn
"""
