"""Labelled example questions: their masked forms and vectors, for the members of the panel that read by likeness."""
