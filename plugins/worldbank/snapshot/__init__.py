"""Recorded World Bank figures that answer the Indicators API's own URLs."""
