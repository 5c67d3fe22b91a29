"""Backgammon's bear-off tables: exact values where no checker can meet another any more.

positions   numbering the checkers of one side       onesided    how many rolls a side needs: distribution and mean
moves       the plays of a roll                      twosided    equities of both sides, without and with the cube
"""
