"""Recorded figures that answer Data Commons' own requests."""
