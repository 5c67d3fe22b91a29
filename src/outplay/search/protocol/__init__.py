"""What every search keeps to.

search   how any search is asked, and what it says of itself      options  as users write them
request  what it is asked: position, limits, who listens          rank     several best actions, one by one
control  memory and stop flag of a running search          deepening  depth by depth
"""
