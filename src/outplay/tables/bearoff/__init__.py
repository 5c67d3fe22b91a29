"""Backgammon's bear-off tables: exact values for races in the home boards.

positions   numbering the checkers of one side       onesided    how many rolls a side needs: distribution and mean
moves       the plays of a roll                      twosided    equities of both sides, without and with the cube
"""
