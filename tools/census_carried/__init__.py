"""Publications of the US Census Bureau read into one form, for the recorded answers of its API."""
