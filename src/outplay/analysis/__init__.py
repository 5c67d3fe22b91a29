"""Analysis: how good the moves of a game were, what was better, and why a move fails."""

from outplay.analysis.game import Analyst, Judged
from outplay.analysis.judgement import expected_score, loss, verdict

__all__ = ["Analyst", "Judged", "expected_score", "loss", "verdict"]
