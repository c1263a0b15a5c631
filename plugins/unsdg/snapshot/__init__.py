"""Recorded SDG figures that answer the SDG API's own URLs."""
