"""What is added to a reason where recorded figures were asked, which a live service may have more of."""

from __future__ import annotations

HOW_LIVE = "NEURALKG_LIVE=1 asks the live service"


def recorded_figures() -> str:
    """That the figures were recorded, and how to ask for the live ones."""
    return f" (asked of recorded figures, which are fewer than the live service's; {HOW_LIVE})"


def recorded_places(kinds: str) -> str:
    """That the places were recorded, of which kinds they are, and how to ask for the live ones."""
    return f" (asked of recorded places, which are {kinds}; {HOW_LIVE})"
