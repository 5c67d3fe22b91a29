"""The page: play any game, analyse it, and step through the search that really ran, in a browser.

    connections.py  slow clients cannot block others
    guard.py        access: host, origin, token, sizes, rates, headers
    schema.py       the requests, field by field
    app.py          the routes;   live.py  the WebSocket over which searches report;   server.py  starts everything
    jobs.py         a fair queue
    worker.py       the processes that do the work;   nursery.py  the process they are forked from
    processes.py    how they are started, confined and ended;   playing.py  one that plays a user's game once

and in a worker:

    catalogue.py    the games and players, including the user's own
    view.py         a position as data for the page
    seal.py         encrypted moves for games of imperfect information
    answers.py      positions, rolls, texts ...;   trees.py  recorded searches
    notation.py     games as text;   variations.py  games as trees of moves
    thinking.py     moves, analyses and reviews;   task.py  a job as its worker sees it
    worth.py        values in words;   levels.py  strengths by name
    quick.py        a move while the compiler works;   showcase.py  the games on the home view

The page holds the game (a record) and sends it with every request; the server replays it and keeps nothing.
"""
