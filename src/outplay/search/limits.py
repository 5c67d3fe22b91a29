"""`outplay.limits` as searches know it; who runs no search takes it from there, without all of them."""

from outplay.limits import LARGEST, SECONDS, Analysis, Limits, alarm

__all__ = ["LARGEST", "SECONDS", "Analysis", "Limits", "alarm"]
