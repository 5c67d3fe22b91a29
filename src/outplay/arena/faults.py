"""The faults of a player: each loses the game, none ends the match."""

KINDS = {
    "time": "loses on time",
    "illegal": "makes an illegal move",
    "hang": "does not answer",
    "crash": "crashes",
    "garbage": "answers nonsense",
    "resign": "resigns",
}


class Fault(Exception):
    """Why a player lost: the kind of fault, one of KINDS, and one line of detail."""

    def __init__(self, kind: str, detail: str = "") -> None:
        assert kind in KINDS
        self.kind = kind
        self.detail = " ".join(detail.split())
        super().__init__(f"{KINDS[kind]} ({self.detail})" if self.detail else KINDS[kind])
