"""Value nets: a small fully connected network that evaluates afterstates (TD-Gammon, Tesauro 1992).

inputs      the input of a net                  answers     its outputs: probabilities of the results
layers      the net itself, as kernels          lookahead   expectiminimax with the net at its leaves
net         a net in memory and as a file       td          the search that plays with one
afterstates evaluated together for a state      judging     with net, bear-off table or evaluation
memory      shared by the kernels               rollouts    games from a position, with variance reduction
rollout     the search with such games
"""
