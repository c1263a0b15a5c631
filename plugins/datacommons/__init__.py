"""Data Commons as a source: statistical variables of places of every level, each figure with its own source."""
