"""The protocol of all searches.

search   how a search is called, and how it describes itself      options  as users write them
request  its input: position, limits, listeners                   rank     several best actions, one by one
control  memory and stop flag of a running search          deepening  depth by depth
"""
