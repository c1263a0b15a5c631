"""Labelled questions for the Census Bureau, with figures from its published files."""
