"""Monte Carlo tree search: UCT and PUCT, on the CPU and on a GPU.

tree      the tree, one block of memory              choice      the root's children, and the final choice
select    down to a leaf, by UCB1 or PUCT            uct, puct   the searches; batched: PUCT as a player
expand    a leaf's children                          gpu         both on a GPU
simulate  evaluate a leaf                            playout     random play; gpuplayout: on a GPU
gumbel    sequential halving at the root
backup    visits, rewards and proofs up the path     trace       every step of UCT
grow      whole iterations
"""
