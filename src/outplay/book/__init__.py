"""Opening books: which moves were played in a position, how often, and with what success.

book       a book of any game, built from records, and its file        polyglot    the books of chess programs
names      what openings are called                                    choice      playing from books
"""
