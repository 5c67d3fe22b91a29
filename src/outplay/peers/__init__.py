"""Other people's programs as players of backgammon: they measure ours, and nothing of theirs is in it.

gnubg     GNU Backgammon, a program that is asked through a socket      guard   keeps it, and ends it with us
gnubgnn   its nets without look-ahead and Tesauro's pubeval, both from the package gnubg-nn
"""
