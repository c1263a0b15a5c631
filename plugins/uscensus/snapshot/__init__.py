"""Recorded figures that answer the Census Data API's own requests."""
