"""What a user's game shows only when it is played, found out by a process that it may end."""

import json
import os
from typing import Any

from outplay.files import file_spec
from outplay.games import load
from outplay.standard import Known, known
from outplay.ui.web.processes import FORKED, confine, get_ready, kill

PATIENCE = 20.0  # seconds


def played(file: str) -> Known:
    """What is known of a file's game; nothing if it is no game, or ends the process: that is told when it is used."""
    if file_spec(file) is None:
        return Known()
    get_ready()
    ours, theirs = FORKED.Pipe(duplex=False)
    process = FORKED.Process(target=_play, args=(theirs, file), daemon=True)
    process.start()
    theirs.close()
    try:
        if not ours.poll(PATIENCE):
            return Known()
        natural, floats, fractions, names = json.loads(ours.recv_bytes())
        return Known(natural, floats, fractions, tuple(names))
    except EOFError:  # it has ended
        return Known()
    finally:
        ours.close()
        kill(process)


def _play(channel: Any, file: str) -> None:
    confine()
    try:
        channel.send_bytes(json.dumps(known(load(file).cls)).encode())
    except BaseException:  # the rules may raise anything
        os._exit(1)
