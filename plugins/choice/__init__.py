"""Choosing among a source's documents: the judgment's contract, and the built-in judge's rule for it."""
