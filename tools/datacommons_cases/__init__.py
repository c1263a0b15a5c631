"""Labelled questions about places of the United States, with figures taken from the published files."""
