"""Value nets: a small fully connected network that says what an afterstate is worth (TD-Gammon, Tesauro 1992).

inputs      what a net sees of a state          answers     what its outputs mean: chances of each result
layers      the net itself, as kernels          lookahead   some plies further, by expectiminimax
net         a net in memory and as a file       td          the search that plays by one
afterstates all of a state's judged together    judging     by net, bear-off table or evaluation
memory      what kernels share                  rollouts    games from a position, luck taken away
rollout     the search by such games
"""
