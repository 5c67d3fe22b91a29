"""Opening books: which moves were played in a position, how often, and how they scored.

book       a book for any game, built from records, and its file       polyglot    the books of chess programs
names      names of openings                                           choice      playing from books
"""
