"""The page: play any game, analyse it, and step through the search that really ran, in a browser.

    connections.py  none keeps others out by sending slowly
    guard.py        who may ask: host, origin, token, sizes, rates, headers
    schema.py       what may be asked, field by field
    app.py          the routes;   live.py  the WebSocket over which searches report;   server.py  starts all
    jobs.py         who is served when: a fair queue
    worker.py       the processes that do the work;   nursery.py  what they are forked from

and in a worker:

    catalogue.py    the games and players there are, a user's own among them
    view.py         what the page is told of a position
    seal.py         the moves of games that hide something
    answers.py      positions, rolls, texts ...;   trees.py  recorded searches
    notation.py     games as text;   variations.py  games as trees of moves
    thinking.py     moves, analyses and reviews;   task.py  a job as its worker sees it
    worth.py        values as people say them;   levels.py  strengths by name
    quick.py        a move while the compiler works;   showcase.py  the games of the first sight

The page holds the game (a record), and every request brings it along; the server replays it and keeps nothing.
"""
