"""Labelled example questions with their masked forms and vectors, for the members that read by likeness."""
