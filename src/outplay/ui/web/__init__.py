"""The page: play any game, analyse it, and step through the search that really ran, in a browser.

    guard.py      who may ask: host, origin, token, sizes, rates, headers
    schema.py     what may be asked, field by field
    catalogue.py  the games and players there are, a user's own among them
    view.py       what the page is told of a position
    seal.py       moves that not everybody may see
    jobs.py       searches: bounded in time and number, with a queue, stopped when nobody waits for them
    live.py       the WebSocket over which searches report
    trees.py      the tree of a recorded search, for the viewer and the quiz
    app.py        the routes;   server.py starts it

The page holds the game (a record), and every request brings it along; the server replays it and keeps nothing.
"""
